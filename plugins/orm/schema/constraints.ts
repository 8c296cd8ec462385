import { fwError } from '../../../kernel/index.js';
import { identifier, relationOf, type Dialect, type ModelInfo, type ReferentialAction } from '../core/index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';
import type { ActualForeignKey } from './introspect.js';
import { cutName, digest, namedBy } from './names.js';

/** A foreign key that a model asks for. */
export interface WantedForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly references: readonly string[];
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
  /** What is said of a check that may wait; left out, that is not compared. */
  readonly deferral?: string | undefined;
}

/** A foreign key as a belongsTo relation describes it. */
interface ForeignKeyWish {
  readonly key: WantedForeignKey;
  /** Undefined: an existing one stays. */
  readonly wanted: boolean | undefined;
}

/** A check constraint that a model asks for. */
export interface WantedCheck {
  /** Name in the model. */
  readonly key: string;
  /** Name in the database. It contains a digest of the condition, because databases return conditions in their own spelling. */
  readonly name: string;
  readonly sql: string;
}

const MOST_LETTERS = 60;

// https://www.postgresql.org/docs/current/sql-createtable.html (DEFERRABLE), in the words of the catalogs.
const DEFERRALS = { immediate: 'DEFERRABLE', deferred: 'DEFERRABLE INITIALLY DEFERRED' } as const;

/** Foreign keys that the relations of a model describe. */
export function foreignKeyWishes(model: ModelInfo): readonly ForeignKeyWish[] {
  const made = new Map<string, number>();
  return [...model.relations.values()]
    .filter(({ kind }) => kind === 'belongsTo')
    .map(({ property, constraint, onDelete, onUpdate, deferrable }) => {
      const { local, remote, target } = relationOf(model, property);
      const columns = local.map(({ name }) => name);
      const isSaid = onDelete !== undefined || onUpdate !== undefined || deferrable !== undefined;
      const wanted = constraint ?? (isSaid ? true : undefined);
      const usual = foreignKeyName(model.table, columns);
      const nth = (made.get(usual) ?? 0) + (wanted === true ? 1 : 0);
      made.set(usual, nth);
      const key: WantedForeignKey = {
        // Two relations may share their columns, but no two constraints a name.
        name: nth <= 1 ? usual : foreignKeyName(model.table, [...columns, String(nth)]),
        columns,
        table: target.table,
        references: remote.map(({ name }) => name),
        onDelete: onDelete ?? 'no action',
        onUpdate: onUpdate ?? 'no action',
        ...(deferrable && { deferral: DEFERRALS[deferrable] }),
      };
      return { key, wanted };
    });
}

/** Name of a foreign key: `orders_customer_id_fkey`. */
export const foreignKeyName = (table: string, columns: readonly string[]): string =>
  constraintName(table, [...columns, 'fkey']);

/** Name of a primary key: `orders_pkey`. */
export const primaryKeyName = (table: string): string => constraintName(table, ['pkey']);

/** Foreign keys that a new table has. */
export function foreignKeysOf(model: ModelInfo): readonly WantedForeignKey[] {
  return foreignKeyWishes(model).flatMap(({ key, wanted }) => (wanted === true ? [key] : []));
}

/** Check constraints of a model. */
export function checksOf(model: ModelInfo): readonly WantedCheck[] {
  return Object.entries(model.definition.checks ?? {}).map(([key, sql]) => ({
    key: identifier(key),
    name: constraintName(model.table, [key, digest(sql, 8)]),
    sql,
  }));
}

/**
 * `FOREIGN KEY (...) REFERENCES ...`, as CREATE TABLE and ADD CONSTRAINT write it.
 *
 * @throws FwError `FW_MIGRATE_UNSUPPORTED` for a check that may wait where the database has no such thing
 */
export function foreignKeyClause(
  key: Omit<WantedForeignKey, 'onDelete' | 'onUpdate'> & Actions & Beyond,
  dialect: Dialect,
): string {
  const { compiler, schema } = dialect;
  if (key.deferral !== undefined && !schema.deferrableKeys)
    throw fwError(MIGRATION_ERRORS.FW_MIGRATE_UNSUPPORTED, {
      dialect: dialect.name,
      what: `foreign key that is checked at the end of a transaction (DEFERRABLE), as ${key.name} is one`,
    });
  const list = (names: readonly string[]) => names.map((name) => compiler.quote(name)).join(', ');
  const action = (event: string, action: string, columns?: readonly string[]) => {
    const said = isNoAction(action) && (schema.noRestrict || action !== 'restrict') ? '' : action.toUpperCase();
    return said === '' ? '' : ` ON ${event} ${said}${columns ? ` (${list(columns)})` : ''}`;
  };
  const match = key.match === undefined ? '' : ` MATCH ${key.match}`;
  const actions = action('DELETE', key.onDelete, key.setColumns) + action('UPDATE', key.onUpdate);
  const deferral = key.deferral === undefined ? '' : ` ${key.deferral}`;
  return `CONSTRAINT ${compiler.quote(key.name)} FOREIGN KEY (${list(key.columns)}) REFERENCES ${compiler.quote(key.table)} (${list(key.references)})${match}${actions}${deferral}`;
}

/** Whether two SQL texts are equal except for white space. */
export const sameSql = (one: string | undefined, other: string | undefined): boolean => alike(one) === alike(other);

const alike = (sql: string | undefined): string | undefined => sql?.trim().replace(/\s+/g, ' ');

/** Whether an SQL text names a column. */
export function namesColumn(sql: string, name: string): boolean {
  const word = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${word}(?![\\w$])`, 'i').test(sql);
}

/** `CHECK (...)`, as CREATE TABLE and ADD CONSTRAINT write it. */
export function checkClause({ name, sql }: { name: string; sql: string }, { compiler }: Dialect): string {
  // On the line of an SQL comment the parenthesis would belong to the comment.
  const end = sql.includes('--') ? '\n)' : ')';
  return `${name === '' ? '' : `CONSTRAINT ${compiler.quote(name)} `}CHECK (${sql}${end}`;
}

/** What a foreign key says beyond its columns and actions. */
type Beyond = Pick<ActualForeignKey, 'deferral' | 'match' | 'setColumns'>;

interface Actions {
  readonly onDelete: string;
  readonly onUpdate: string;
}

// RESTRICT and NO ACTION differ only in the time of the check, which matters for deferred constraints alone; MySQL reports one as the
// other.
const isNoAction = (action: string): boolean => action === 'restrict' || action === 'no action';

/** Whether a foreign key does what is wanted of it. */
export function sameActions(one: Actions & Pick<Beyond, 'deferral'>, other: typeof one): boolean {
  const same = (a: string, b: string) => a === b || (isNoAction(a) && isNoAction(b));
  if (one.deferral !== undefined && one.deferral !== other.deferral) return false;
  return same(one.onDelete, other.onDelete) && same(one.onUpdate, other.onUpdate);
}

/** Models sorted so that each follows those that its foreign keys refer to, as far as possible. */
export function byForeignKeys(models: readonly ModelInfo[]): readonly ModelInfo[] {
  return behindTargets(
    models,
    ({ table }) => table,
    (model) => foreignKeysOf(model).map(({ table }) => table),
  );
}

/** Items sorted so that each follows those that it refers to by name, as far as possible. */
export function behindTargets<Thing>(
  things: readonly Thing[],
  nameOf: (thing: Thing) => string,
  targetsOf: (thing: Thing) => readonly string[],
): readonly Thing[] {
  const byName = new Map(things.map((thing) => [nameOf(thing), thing]));
  const ordered = new Set<Thing>();
  const begun = new Set<Thing>();
  const visit = (thing: Thing): void => {
    if (begun.has(thing)) return;
    begun.add(thing);
    for (const name of targetsOf(thing)) {
      const target = byName.get(name);
      if (target !== undefined) visit(target);
    }
    ordered.add(thing);
  };
  things.forEach(visit);
  return [...ordered];
}

/** A name that is short enough for every database. */
export function constraintName(table: string, parts: readonly string[]): string {
  return identifier(cutName(namedBy(table, parts), MOST_LETTERS));
}
