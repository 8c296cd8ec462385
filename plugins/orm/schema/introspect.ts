import {
  modelInfosOf,
  type Database,
  type IndexDefinition,
  type Introspection,
  type ModelClass,
  type ModelInfo,
} from '../core/index.js';
import { withSaidExpressions } from './computed-columns.js';
import { schemaOf } from './names.js';

/** A column as it is in the database. */
export interface ActualColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly autoincrement: boolean;
  /** Name of the default, where defaults have names. */
  readonly defaultName: string | undefined;
  /** Whether the database computes its values from other columns. */
  readonly computed: boolean;
  readonly collation?: string | undefined;
  /** How its values are computed, where the database says it: `GENERATED ALWAYS AS (...) STORED`. */
  readonly expression?: string | undefined;
  /** Expressions of models that the database shows as this one. */
  readonly saidAs?: readonly string[] | undefined;
  /** Condition that is a part of the column, and goes when a change of it does not repeat it. */
  readonly check?: string | undefined;
  /** The type that values are of, where its own is a domain. */
  readonly madeOf?: string | undefined;
  /** Values of its type, or of the type of its elements, where that is an enum. */
  readonly labels?: readonly string[] | undefined;
  /** What else a change of it must repeat: ` ON UPDATE CURRENT_TIMESTAMP COMMENT 'x'`. */
  readonly attributes?: string | undefined;
}

/** An index as it is in the database. */
export interface ActualIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
  /** Whether columns and uniqueness say all: no condition, expression, descending order, or method of its own. */
  readonly plain: boolean;
  /** Whether it belongs to a unique constraint, and goes with it. */
  readonly constraint: boolean;
  /** What it is in the words of the database, where these can make it again; of a plain one its columns say that. */
  readonly written?: IndexDefinition | undefined;
  /** Whether it was never finished, so that no query uses it. */
  readonly unfinished?: boolean | undefined;
}

/** A foreign key as it is in the database. */
export interface ActualForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly references: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

/** A check constraint as it is in the database. */
export interface ActualCheck {
  /** Empty where the database does not name it. */
  readonly name: string;
  readonly sql: string;
  /** Whether it is a part of the column of its name, and cannot be dropped by itself. */
  readonly ofColumn?: boolean | undefined;
}

/** What a database was told to make, for those that keep it. */
export interface Definition {
  readonly kind: 'table' | 'index' | 'trigger';
  readonly name: string;
  readonly sql: string;
}

/** A table as it is in the database. */
export interface ActualTable {
  /** With its schema where that is not the current one. */
  readonly name: string;
  readonly columns: readonly ActualColumn[];
  readonly primaryKey: readonly string[];
  /** Where it has one. */
  readonly primaryKeyName?: string | undefined;
  readonly indexes: readonly ActualIndex[];
  readonly foreignKeys: readonly ActualForeignKey[];
  readonly checks: readonly ActualCheck[];
  /** The table, its indexes and triggers as SQL; empty where the database does not keep it. */
  readonly definitions: readonly Definition[];
}

type Rows = readonly (readonly unknown[])[];

/**
 * Reads the tables of the current schema, sorted by name.
 *
 * @param expected - models, and names of tables, that the caller looks for; where a name begins with another schema (`auth.users`),
 *   the tables of that one follow
 */
export async function introspect(
  db: Database,
  expected: readonly (ModelClass | ModelInfo | string)[] = [],
): Promise<readonly ActualTable[]> {
  const models = modelInfosOf(expected.filter((each) => typeof each !== 'string'));
  return withSaidExpressions(db, await tablesOf(db, expected), models);
}

async function tablesOf(
  db: Database,
  expected: readonly (ModelClass | ModelInfo | string)[],
): Promise<readonly ActualTable[]> {
  const { introspection } = db.dialect.schema;
  const names = expected.flatMap((each) => (typeof each === 'string' ? each : tableNamesOf(each)));
  const said = new Set(names.map(schemaOf).filter((schema) => schema !== ''));
  if (introspection.currentSchema === undefined || said.size === 0) return readSchema(db);
  const [row] = await db.sqlDB().query(introspection.currentSchema, []);
  const own = String(row?.[0]);
  const tables = [...(await readSchema(db))];
  for (const schema of said) {
    if (schema === own) continue;
    const others = await readSchema(db, schema);
    tables.push(...others.map((table) => ({ ...table, name: `${schema}.${table.name}` })));
  }
  return tables.map((table) => asExpected(table, own, new Set(names)));
}

const tableNamesOf = (model: ModelClass | ModelInfo): readonly string[] =>
  modelInfosOf([model]).flatMap(({ table, relations }) => [
    table,
    ...[...relations.values()].flatMap(({ join }) => join ?? []),
  ]);

// A table of the current schema may be expected with its name (`public.users`).
function asExpected(table: ActualTable, own: string, expected: ReadonlySet<string>): ActualTable {
  const nameOf = (name: string) => {
    const whole = `${own}.${name}`;
    return expected.has(whole) && !expected.has(name) ? whole : name;
  };
  const foreignKeys = table.foreignKeys.map((key) => ({ ...key, table: nameOf(key.table) }));
  return { ...table, name: nameOf(table.name), foreignKeys };
}

async function readSchema(db: Database, schema: string | null = null): Promise<readonly ActualTable[]> {
  const { introspection } = db.dialect.schema;
  const { columns, indexes, foreignKeys, checks, definitions, currentSchema } = introspection;
  const given = currentSchema === undefined ? [] : [schema];
  const handle = db.sqlDB();
  const read = async (sql: string | undefined) => grouped(sql === undefined ? [] : await handle.query(sql, given));
  const [columnRows, indexRows, keyRows] = [await read(columns), await read(indexes), await read(foreignKeys)];
  const [checkRows, definitionRows] = [await read(checks), await read(definitions)];
  return [...columnRows].map(([name, rows]) => {
    const kept = rest(definitionRows.get(name)).map(definition);
    const own = checksOf(kept, rest(checkRows.get(name)), introspection);
    return {
      name,
      definitions: kept,
      checks: own,
      columns: withParts(rows.map(column), own, kept, introspection),
      primaryKey: primaryKey(rows),
      primaryKeyName: textOrNone(rows[0]?.[9]),
      indexes: [...grouped(rest(indexRows.get(name)))].map(([index, parts]) => ({
        name: index,
        unique: Number(parts[0]?.[1]) === 1,
        // An expression has no name.
        columns: parts.flatMap((part) => (part[2] === null ? [] : [String(part[2])])),
        plain: parts.every((part) => Number(part[3]) === 1),
        constraint: Number(parts[0]?.[4]) === 1,
        ...more(index, parts, kept, introspection),
      })),
      foreignKeys: [...grouped(rest(keyRows.get(name)))].map(([key, parts]) => ({
        name: key,
        columns: parts.map((part) => String(part[1])),
        table: String(parts[0]?.[2]),
        references: parts.map((part) => String(part[3])),
        onDelete: String(parts[0]?.[4]),
        onUpdate: String(parts[0]?.[5]),
      })),
    };
  });
}

// An index that is more than its columns.
function more(
  name: string,
  parts: Rows,
  kept: readonly Definition[],
  { indexIn }: Introspection,
): Pick<ActualIndex, 'written' | 'unfinished'> {
  const own = kept.find((each) => each.kind === 'index' && each.name === name);
  const [, , , , , , where, using, unfinished] = parts[0] ?? [];
  const isSaid = parts.every((part) => typeof part[5] === 'string');
  const said = { parts: parts.map((part) => String(part[5])), where: textOrNone(where), using: textOrNone(using) };
  const written = own && indexIn ? indexIn(own.sql) : isSaid ? said : undefined;
  return { ...(written && { written }), ...(Number(unfinished ?? 0) === 1 && { unfinished: true }) };
}

function checksOf(kept: readonly Definition[], rows: Rows, { checksIn }: Introspection): readonly ActualCheck[] {
  const table = kept.find(({ kind }) => kind === 'table');
  return table && checksIn ? checksIn(table.sql) : rows.map(check).filter(isNoJsonCheck);
}

// What stands elsewhere than with the columns.
function withParts(
  columns: readonly ActualColumn[],
  checks: readonly ActualCheck[],
  kept: readonly Definition[],
  { keptIn, enumValues }: Introspection,
): readonly ActualColumn[] {
  const definition = kept.find(({ kind }) => kind === 'table')?.sql;
  const parts = definition === undefined ? undefined : keptIn?.(definition).columns;
  return columns.map((column) => ({
    ...column,
    ...(enumValues && { labels: enumValues(column.type) }),
    collation: column.collation ?? parts?.get(column.name)?.collation,
    expression: column.expression ?? parts?.get(column.name)?.computed,
    check: checks.find(({ name, ofColumn }) => ofColumn && name === column.name)?.sql,
  }));
}

function grouped(rows: Rows): ReadonlyMap<string, Rows> {
  const groups = new Map<string, (readonly unknown[])[]>();
  for (const row of rows) {
    const key = String(row[0]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

const rest = (rows: Rows = []): Rows => rows.map((row) => row.slice(1));

function column([
  ,
  name,
  type,
  nullable,
  fallback,
  counted,
  _key,
  defaultName,
  computed,
  _keyName,
  collation,
  expression,
  attributes,
  labels,
  madeOf,
]: readonly unknown[]): ActualColumn {
  return {
    name: String(name),
    type: String(type),
    nullable: Number(nullable) === 1,
    default: fallback === null || fallback === undefined ? null : String(fallback),
    autoincrement: Number(counted) === 1,
    defaultName: textOrNone(defaultName),
    computed: Number(computed ?? 0) === 1,
    collation: textOrNone(collation),
    expression: textOrNone(expression),
    attributes: textOrNone(attributes),
    ...(typeof madeOf === 'string' && { madeOf }),
    labels: typeof labels === 'string' ? (JSON.parse(labels) as readonly string[]) : undefined,
  };
}

const textOrNone = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : (value as string);

const check = ([name, sql, ofColumn]: readonly unknown[]): ActualCheck => ({
  name: String(name),
  sql: String(sql),
  ...(Number(ofColumn ?? 0) === 1 && { ofColumn: true }),
});

// MariaDB makes this check of the type json by itself (https://mariadb.com/kb/en/json-data-type/).
const isNoJsonCheck = ({ name, sql }: ActualCheck): boolean => sql !== `json_valid(\`${name}\`)`;

const definition = ([kind, name, sql]: readonly unknown[]): Definition => ({
  kind: kind as Definition['kind'],
  name: String(name),
  sql: String(sql),
});

function primaryKey(rows: Rows): readonly string[] {
  const keyed = rows.filter((row) => Number(row[6]) > 0).sort((a, b) => Number(a[6]) - Number(b[6]));
  return keyed.map((row) => String(row[1]));
}
