import { fwError } from '../../../kernel/index.js';
import {
  modelInfosOf,
  onOneLine,
  type ColumnInfo,
  type ColumnState,
  type Dialect,
  type ModelClass,
  type ModelInfo,
} from '../core/index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';
import { isBuiltAnew } from './built-anew.js';
import { differs, hasOtherType, isRetyped, stateOf, type ColumnChange } from './column-states.js';
import { commentChanges } from './comments.js';
import { compareTable, newNames, type Comparison, type Surroundings } from './compare-table.js';
import { readersOf, readersOfColumns } from './computed-readers.js';
import { linksAmong, type Links } from './constraint-changes.js';
import { byForeignKeys, checkClause, foreignKeysOf, type WantedForeignKey } from './constraints.js';
import { columnLine, createTable, defaultName, keepsTables } from './create-table.js';
import { declarable, inQuotes, type Declarable } from './declarable.js';
import { newColumnWarnings, warningsOf } from './diff-warnings.js';
import { dropOrder } from './dropped-tables.js';
import { holdersOf, wordingOf } from './held-columns.js';
import { createIndex, dropIndex, restoreIndex, type WantedIndex } from './indexes.js';
import type { ActualCheck, ActualColumn, ActualForeignKey, ActualIndex, ActualTable } from './introspect.js';
import { amidKeyChange, type KeyChange } from './key-change.js';
import { withJoinTables } from './join-tables.js';
import { getsIndex, hasOwnIndex } from './key-indexes.js';
import { KeySteps, type NewNames } from './key-steps.js';
import { assertNamesFit } from './name-lengths.js';
import { schemaOf, TakenNames } from './names.js';
import { Narrowings } from './narrowings.js';
import {
  columnTypeOf,
  isKeptEnum,
  isNativeEnum,
  labelsOf,
  looseType,
  namedEnums,
  partedType,
  typesOf,
  unqualified,
  type NamedEnums,
} from './native-enums.js';
import { programWarnings, type NamelessColumn } from './programs.js';
import { rebuildTable, type RebuildInput } from './rebuild-table.js';
import { formerNames, type ColumnRename, type FormerNames } from './renames.js';
import { restoreColumn, restoreTable } from './restored.js';
import { assertKinds, viewChanges, viewsAmong, type LeavingColumn, type ViewSurroundings } from './views.js';
import { addCheck } from './value-checks.js';

/** Statements that change a schema to match the models, and back. */
export interface SchemaDiff {
  readonly up: readonly string[];
  readonly down: readonly string[];
  /** Warnings to read before it runs: lost data, guesses. */
  readonly warnings: readonly string[];
  /** With `notValid`: statements that validate the existing rows, for a separate migration. */
  readonly validate?: readonly string[];
}

/** Options of {@link diffSchema}. */
export interface DiffOptions {
  /** Drops tables without a model, too. Default false: they may belong to another program. */
  readonly dropTables?: boolean;
  /** Tables that are never touched, such as the version table. */
  readonly ignore?: readonly string[];
  /** Creates indexes of existing tables without blocking writes (CREATE INDEX CONCURRENTLY). */
  readonly concurrently?: boolean;
  /** Adds foreign keys and checks of existing tables without validating the rows (NOT VALID). */
  readonly notValid?: boolean;
  /** Renamed columns, in addition to those with the tag `rename=`. */
  readonly renames?: readonly ColumnRename[];
}

/**
 * Compares models with the existing tables: columns, primary keys, indexes, foreign keys and checks. Parts that no model can declare
 * because of their name stay unchanged. Statements that rebuild a SQLite table stand between two that switch foreign keys off and on. These
 * have no effect in a transaction; the runner of migrations recognizes them and switches outside of it.
 *
 * @param given - models: classes, or what {@link registeredModels} gives
 * @param actual - what `introspect` gives for these models
 * @throws FwError `FW_MIGRATE_NAME`; `FW_MIGRATE_VIEW` for a table where a model has a view, or the other way round; `FW_MIGRATE_RENAME`
 *   for a rename that fits no column, or several; `FW_MIGRATE_REBUILD`; `FW_MIGRATE_UNSUPPORTED` for `concurrently` and `notValid` where
 *   the database has no such thing
 */
export function diffSchema(
  given: readonly (ModelClass | ModelInfo)[],
  actual: readonly ActualTable[],
  dialect: Dialect,
  options: DiffOptions = {},
): SchemaDiff {
  assertOffered(dialect, options);
  const all = modelInfosOf(given);
  const { difference } = compared(all, actual, dialect, options);
  return withViews(difference.result(), all, actual, {
    dialect,
    options,
    leaving: difference.leaving,
    nameless: difference.nameless,
  });
}

/**
 * Models whose tables are there and differ from them. Views are left out.
 *
 * @throws FwError `FW_MIGRATE_VIEW`, `FW_MIGRATE_NAME`
 */
export function differingTables(
  models: readonly ModelInfo[],
  actual: readonly ActualTable[],
  dialect: Dialect,
): readonly ModelInfo[] {
  return compared(models, actual, dialect, {}).differing;
}

function compared(
  all: readonly ModelInfo[],
  actual: readonly ActualTable[],
  dialect: Dialect,
  options: DiffOptions,
): { readonly difference: Difference; readonly differing: readonly ModelInfo[] } {
  assertKinds(all, actual);
  const declared = declarable(actual.filter(({ view }) => view === undefined));
  const { models, aside } = withJoinTables(
    all.filter(({ isView }) => !isView),
    declared.tables,
  );
  assertNamesFit([...models, ...all.filter(({ isView }) => isView)], dialect);
  const kept = aside.map(({ name }) => name);
  const wanted = new Set([...models.map(({ table }) => table), ...kept, ...(options.ignore ?? [])]);
  // Tables of another schema are never dropped.
  const unwanted = declared.tables.filter(
    ({ name }) => options.dropTables && !wanted.has(name) && schemaOf(name) === '',
  );
  const present = new Map(declared.tables.map((table) => [table.name, table]));
  const former = formerNames(options.renames ?? [], models, declared.tables);
  const names = models.flatMap((model) => {
    const table = present.get(model.table);
    return table ? [[model.table, newNames(model, table, former)] as const] : [];
  });
  const difference = new Difference(dialect, linksAmong(models), declared, unwanted, new Map(names), former, options);
  const differing: ModelInfo[] = [];
  for (const model of byForeignKeys(models)) {
    const table = present.get(model.table);
    const before = difference.size;
    if (table) difference.table(model, table);
    else difference.newTable(model);
    difference.comments(model, table);
    if (table && difference.size > before) differing.push(model);
  }
  aside.forEach((table) => difference.joinTableAside(table));
  difference.droppedTables();
  if (options.dropTables) declared.tablesAside.forEach((name) => difference.keptTable(name));
  return { difference, differing };
}

interface Nameless {
  readonly nameless: readonly NamelessColumn[];
}

function withViews(
  { up, down, warnings, ...more }: SchemaDiff,
  models: readonly ModelInfo[],
  actual: readonly ActualTable[],
  {
    dialect,
    options,
    leaving,
    nameless,
  }: Pick<ViewSurroundings, 'dialect' | 'leaving'> & Nameless & { readonly options: DiffOptions },
): SchemaDiff {
  const views = viewChanges(
    models.filter(({ isView }) => isView),
    viewsAmong(declarable(actual).tables),
    {
      dialect,
      statements: [...up, ...down],
      tables: actual.map(({ name }) => name),
      dropOthers: options.dropTables ?? false,
      ignore: new Set(options.ignore),
      leaving,
    },
  );
  return {
    ...more,
    up: [...views.before, ...up, ...views.behind],
    down: [...views.undoBefore, ...down, ...views.undoBehind],
    warnings: [...warnings, ...views.warnings, ...programWarnings(actual, nameless)],
  };
}

function assertOffered({ name, schema }: Dialect, { concurrently, notValid }: DiffOptions): void {
  const refused = (what: string) => fwError(MIGRATION_ERRORS.FW_MIGRATE_UNSUPPORTED, { dialect: name, what });
  if (concurrently && !schema.concurrentIndexes) throw refused('CREATE INDEX CONCURRENTLY');
  if (notValid && schema.addUnchecked?.('', '', '').validate === undefined)
    throw refused('constraints that are validated later');
}

class Difference implements Surroundings {
  readonly #up: string[] = [];
  readonly #down: string[] = [];
  readonly #warnings: string[] = [];
  readonly #validate: string[] = [];
  readonly #keys: KeySteps;
  readonly #narrowings: Narrowings;
  readonly #goneTypes = new Set<string>();
  #rebuilds = false;
  /** Columns that lose their name, which views may still read by it. */
  readonly leaving: LeavingColumn[] = [];
  /** Columns that lose their name, which programs may still name. */
  readonly nameless: NamelessColumn[] = [];
  readonly taken: TakenNames;

  constructor(
    readonly dialect: Dialect,
    readonly links: Links,
    private readonly declared: Declarable,
    readonly unwanted: readonly ActualTable[],
    readonly names: NewNames,
    readonly former: FormerNames,
    private readonly options: Pick<DiffOptions, 'concurrently' | 'notValid'>,
  ) {
    this.#keys = new KeySteps(dialect);
    this.#narrowings = new Narrowings(dialect);
    this.taken = new TakenNames(
      declared.tables.flatMap(({ indexes, foreignKeys, checks }) =>
        [...indexes, ...foreignKeys, ...checks].map(({ name }) => name),
      ),
    );
  }

  get tables(): readonly ActualTable[] {
    return this.declared.tables;
  }

  get partsAside(): Declarable['partsAside'] {
    return this.declared.partsAside;
  }

  get keysAside(): Declarable['keysAside'] {
    return this.declared.keysAside;
  }

  /** How many steps upwards there are so far. */
  get size(): number {
    return this.#up.length + this.#keys.size + this.#narrowings.size;
  }

  result(): SchemaDiff {
    const around = this.#keys.around(this.#up, this.#down, this.names);
    const { up, down } = this.#narrowings.around(around.up, around.down);
    const difference = { up: this.#withoutKeys(up), down: this.#withoutKeys(down), warnings: this.#warnings };
    const validate = [...this.#validate, ...this.#keys.validate];
    return this.options.notValid ? { ...difference, validate } : difference;
  }

  newTable(model: ModelInfo): void {
    this.#up.push(...createTable(model, this.dialect, this.taken));
    const types = typesOf(model, this.dialect).map(([name]) => namedEnums(this.dialect)?.drop(name) ?? '');
    this.#undo(`DROP TABLE ${this.#quote(model.table)}`, ...types);
    if (keepsTables(this.dialect)) return;
    for (const key of foreignKeysOf(model)) this.#addKey(model, key);
  }

  comments(model: ModelInfo, table: ActualTable | undefined): void {
    const { up, down } = commentChanges(model, table, this.dialect);
    this.#up.push(...up);
    this.#undo(...down);
  }

  droppedTables(): void {
    const { tables, inTheWay } = dropOrder(this.unwanted);
    for (const table of tables) {
      this.#warnings.push(`the table ${table.name} is dropped with its rows; no model has it`);
      this.#up.push(`DROP TABLE ${this.#quote(table.name)}`);
      this.#undo(...restoreTable(table, this.dialect, this.partsAside.get(table.name)));
      if (keepsTables(this.dialect)) continue;
      for (const key of table.foreignKeys)
        if (inTheWay.includes(key)) this.#keys.remove(table.name, key);
        else this.#keys.vanish(table.name, key);
    }
    const kept = this.declared.tables.filter((table) => !tables.includes(table));
    for (const column of tables.flatMap(({ columns }) => columns)) this.#dropType(column, kept);
    // While foreign keys hold, SQLite deletes the rows first, and with them those that refer to them
    // (https://sqlite.org/foreignkeys.html, section 5).
    if (tables.length > 0 && this.dialect.schema.withoutForeignKeys) this.#rebuilds = true;
  }

  joinTableAside({ name, columns }: ActualTable): void {
    const held = columns.map((column) => column.name).join(', ');
    this.#warnings.push(
      `the join table ${name} holds more than both keys (${held}), and stays as it is; write a model of it`,
    );
  }

  keptTable(name: string): void {
    this.#warnings.push(`the table ${inQuotes(name)} is not dropped, because of its name; drop it by hand`);
  }

  table(model: ModelInfo, table: ActualTable): void {
    const found = compareTable(model, table, this);
    this.#warnings.push(...warningsOf(found, this.dialect));
    const rebuilt = keepsTables(this.dialect) && isBuiltAnew(found, this.dialect);
    this.leaving.push(...leavingColumns(found, this.dialect));
    this.nameless.push(...namelessColumns(found, rebuilt));
    if (rebuilt) return this.#rebuild({ ...found, keptKeys: found.constraints.keptKeys });
    const { renamed, changed, constraints, indexes, key } = found;
    this.#narrowings.take(found, (name) => this.#isInKey(table.name, name));
    const { keysMakeIndexes = false } = this.dialect.schema;
    for (const foreignKey of constraints.dropKeys) {
      const own = table.foreignKeys.find(({ name }) => name === foreignKey.name) as ActualForeignKey;
      this.#keys.remove(model.table, own, keysMakeIndexes && hasOwnIndex(foreignKey, found));
    }
    // Before columns are renamed, because what is dropped names the former ones, and comes back with them.
    for (const check of constraints.dropChecks) if (!check.ofColumn) this.#check(model, check, 'dropped', table);
    for (const index of indexes.drop) this.#dropIndex(model, index, table);
    const computeAgain = this.#stopComputing(found);
    this.#renames(found);
    const held = {
      ...renamed,
      indexes: indexes.kept,
      checks: renamed.checks.filter((check) => !constraints.dropChecks.includes(check)),
    };
    this.#changeTypes(found, held);
    const added = found.added.filter((column) => !key?.added.includes(column));
    const isComputed = ({ definition }: ColumnInfo) => definition.expression !== undefined;
    // What is computed may be made of columns that are new too.
    for (const column of added) if (!isComputed(column)) this.#addColumn(column, found);
    computeAgain();
    for (const column of added) if (isComputed(column)) this.#addColumn(column, found);
    if (key) this.#changeKey(key, found, held);
    else this.#changeColumns(changed, held, found);
    for (const { column, actual, to } of changed)
      if (!to.isEnum || (isNativeEnum(column, this.dialect) && !isKeptEnum(column, actual, this.dialect)))
        this.#dropType(actual);
    for (const index of indexes.create) this.#createIndex(model, index);
    // In reverse, so that undoing restores their order.
    const dropped = [...found.dropped].reverse().filter((column) => !key?.dropped.includes(column));
    for (const column of dropped) if (column.computed) this.#dropColumn(model, column);
    for (const column of dropped) if (!column.computed) this.#dropColumn(model, column);
    for (const check of constraints.addChecks) this.#check(model, check, 'added', table);
    this.#addValueChecks(found);
    for (const foreignKey of constraints.addKeys)
      this.#addKey(model, foreignKey, {
        indexed: keysMakeIndexes && getsIndex(foreignKey, found),
        unchecked: this.options.notValid === true,
      });
  }

  // Drops columns that are computed otherwise, and gives what adds them again: not every database can change an expression, and the
  // values are computed again anyway.
  #stopComputing({ model, table, renamed, recomputed, constraints, indexes }: Comparison): () => void {
    const kept = indexes.kept.map(({ name }) => name);
    const isKept = (check: ActualCheck) => !constraints.dropChecks.some(({ name }) => name === check.name) && !check.ofColumn; // prettier-ignore
    // Behind the renames, which the other columns of an index may be among.
    const after = { ...renamed, name: model.table, indexes: indexes.kept, checks: renamed.checks.filter(isKept) };
    const before = {
      ...table,
      name: model.table,
      indexes: table.indexes.filter(({ name }) => kept.includes(name)),
      checks: table.checks.filter(isKept),
    };
    const former = [...recomputed.values()].map(({ name }) => name);
    const present = [...recomputed.keys()].map(({ name }) => name);
    const { drop, restore: undone, warnings } = holdersOf(former, before, this.dialect, true);
    const { restore } = holdersOf(present, after, this.dialect, true);
    this.#warnings.push(...warnings);
    this.#up.push(...drop);
    this.#undo(...undone);
    const [own, { schema }] = [this.#quote(model.table), this.dialect];
    const gone = (name: string) => `ALTER TABLE ${own} DROP COLUMN ${this.#quote(name)}`;
    for (const actual of recomputed.values()) {
      this.#up.push(gone(actual.name));
      this.#undo(...restoreColumn(model.table, actual, this.dialect));
    }
    return () => {
      for (const column of recomputed.keys()) {
        this.#up.push(`ALTER TABLE ${own} ${schema.addColumn} ${columnLine(column, this.dialect)}`);
        this.#undo(gone(column.name));
      }
      this.#up.push(...restore);
      this.#undo(...drop);
    };
  }

  #renames({ model, pairs, renamed, changed, recomputed }: Comparison): void {
    for (const [column, before] of pairs) {
      const { name } = column;
      if (before.name === name || recomputed.has(column)) continue;
      const check = renamed.checks.find((each) => each.ofColumn && each.name === name)?.sql;
      const narrowed = this.#narrowings.placed({ column });
      const after = narrowed?.up && changed.find((each) => each.column === column)?.to;
      this.#up.push(this.#rename(model.table, before.name, name, after || { ...stateOf(before), check }));
      this.#undo(this.#rename(model.table, name, before.name, narrowed?.undone ?? stateOf(before)));
    }
  }

  // Whether a column is in a foreign key, at either end, or in the primary key.
  #isInKey(table: string, column: string): boolean {
    return this.declared.tables.some(
      ({ name, primaryKey, foreignKeys }) =>
        (name === table && primaryKey.includes(column)) ||
        foreignKeys.some(
          (key) =>
            (name === table && key.columns.includes(column)) ||
            (key.table === table && key.references.includes(column)),
        ),
    );
  }

  #rename(of: string, from: string, to: string, state: ColumnState): string {
    const { schema } = this.dialect;
    const [table, old, fresh] = [of, from, to].map((name) => this.#quote(name)) as [string, string, string];
    if (schema.renameColumn) return schema.renameColumn(table, old, fresh, state);
    return `ALTER TABLE ${table} RENAME COLUMN ${old} TO ${fresh}`;
  }

  #addKey({ table }: ModelInfo, key: WantedForeignKey, how: { indexed?: boolean; unchecked?: boolean } = {}): void {
    this.#keys.add(table, { ...key, name: this.taken.take(key.name) }, how);
  }

  #createIndex({ table }: ModelInfo, index: WantedIndex): void {
    const names = this.names.get(table);
    // MySQL uses the new index in place of the one that it created for a foreign key, which then depends on it.
    this.#lift(table, 'indexed', (columns) =>
      columns.every((name, at) => (names?.get(name) ?? name) === index.columns[at]),
    );
    const how = this.options.concurrently ? ' CONCURRENTLY' : '';
    this.#up.push(createIndex(table, index, this.dialect, how));
    const drop = this.dialect.schema.dropIndex(this.#quote(table), this.#quote(index.name));
    this.#undo(drop.replace(/^DROP INDEX/, `$&${how}`));
  }

  // Types are created before their columns.
  #changeTypes(found: Comparison, held: ActualTable): void {
    const { changed, enums: changes, pairs, recomputed } = found;
    const enums = namedEnums(this.dialect);
    if (enums === undefined) return;
    const computed = [...pairs].filter(([column]) => !recomputed.has(column)).map(([column]) => column.name);
    for (const { column, actual, to } of changed)
      if (to.isEnum && !isKeptEnum(column, actual, this.dialect)) this.#addType(enums, column);
    for (const change of changes) {
      if (change.is === 'parted') {
        const type = partedType(change, this.dialect);
        this.#up.push(enums.create(type, change.after));
        this.#undo(enums.drop(type));
      } else {
        const names = [change.column.name];
        const isThere = (name: string) => computed.includes(name) || found.dropped.some((each) => each.name === name);
        const readers = readersOfColumns(names, found, held, this.dialect, isThere);
        const words = wordingOf(names, found.model, held, this.dialect);
        const drop = [...new Set([...readers.drop, ...words.drop])];
        const way = (restore: readonly string[], statements: readonly string[]) => [
          ...drop,
          ...statements,
          ...new Set([...readers.restore, ...restore]),
        ];
        if (change.is === 'replaced') this.#up.push(...way(words.restore, this.#replacedType(enums, change, 'up')));
        else this.#up.push(...change.added.map((value) => enums.add(change.type, value)));
        // No statement removes a value (https://www.postgresql.org/docs/current/datatype-enum.html).
        this.#undo(...way(words.undo, this.#replacedType(enums, change, 'down')));
      }
    }
  }

  #addType(enums: NamedEnums, column: ColumnInfo): void {
    const type = columnTypeOf(column, this.dialect).replace(/\[\]$/, '');
    this.#up.push(enums.create(type, labelsOf(column)));
    this.#undo(enums.drop(type));
  }

  // Renames the former type to free its name, and drops it when no column has it any more.
  #replacedType(enums: NamedEnums, change: Comparison['enums'][number], way: 'up' | 'down'): readonly string[] {
    const { column, actual, type, before, after, added } = change;
    const [table, name] = [this.#quote(column.model.table), this.#quote(column.name)];
    const former = stateOf(actual);
    const present = change.is === 'replaced' ? { ...former, default: change.default } : former;
    const [from, to] = way === 'up' ? [former, present] : [present, former];
    const old = this.#quote(`${unqualified(type).replace(/_enum$/, '')}_old_enum`);
    const schema = type.slice(0, type.length - (/(?:"(?:[^"]|"")*"|\w+)$/.exec(type)?.[0].length ?? 0));
    const aside = { ...from, type: `${schema}${old}${actual.type.endsWith('[]') ? '[]' : ''}` };
    const held = added.map((value) => JSON.stringify(value)).join(', ');
    return [
      ...(way === 'down' && added.length > 0 ? [`-- this fails while rows hold ${onOneLine(held)}`] : []),
      enums.rename(type, old),
      enums.create(type, way === 'up' ? after : before),
      ...(this.dialect.schema.alterColumn?.(table, name, aside, to) ?? []),
      enums.drop(`${schema}${old}`),
    ];
  }

  // A type is dropped after its last column.
  #dropType(column: ActualColumn, kept: readonly ActualTable[] = this.declared.tables): void {
    const enums = namedEnums(this.dialect);
    const loose = looseType(column, kept, this.dialect);
    if (enums === undefined || loose === undefined) return;
    const [type, labels] = loose;
    if (this.#goneTypes.has(type)) return;
    this.#goneTypes.add(type);
    this.#up.push(enums.drop(type));
    this.#undo(enums.create(type, labels));
  }

  #addValueChecks({ model, valueChecks: { added, withColumns } }: Comparison): void {
    const { addUnchecked, dropConstraint } = this.dialect.schema;
    const own = this.#quote(model.table);
    // In other databases the definition of a new column contains its check.
    for (const check of [...added, ...(keepsTables(this.dialect) ? [] : withColumns)]) {
      const name = this.taken.take(check.name);
      const clause = checkClause({ ...check, name }, this.dialect);
      const isNew = withColumns.includes(check);
      const { add, validate } = (isNew ? undefined : addUnchecked?.(own, this.#quote(name), clause)) ?? {
        add: `ALTER TABLE ${own} ADD ${clause}`,
      };
      if (validate !== undefined && this.options.notValid) this.#validate.push(validate);
      else if (validate !== undefined)
        this.#up.push(`-- ${name} is not looked up in rows that are there; to have that done: ${validate}`);
      this.#up.push(add);
      this.#undo(dropConstraint(own, this.#quote(name)));
    }
  }

  #addColumn(column: ColumnInfo, { valueChecks }: Comparison): void {
    const table = this.#quote(column.model.table);
    const { schema } = this.dialect;
    this.#warnings.push(...newColumnWarnings(column, this.dialect));
    const enums = namedEnums(this.dialect);
    if (enums && isNativeEnum(column, this.dialect)) this.#addType(enums, column);
    const check = keepsTables(this.dialect) && valueChecks.withColumns.find((each) => each.column === column);
    const held = check ? ` ${checkClause(check, this.dialect)}` : '';
    this.#up.push(`ALTER TABLE ${table} ${schema.addColumn} ${columnLine(column, this.dialect)}${held}`);
    const named = column.definition.default !== undefined && schema.dropDefault;
    this.#undo(
      ...(named ? [named(table, this.#quote(defaultName(column)))] : []),
      `ALTER TABLE ${table} DROP COLUMN ${this.#quote(column.name)}`,
    );
  }

  #dropColumn(model: ModelInfo, column: ActualColumn): void {
    const table = this.#quote(model.table);
    const { schema } = this.dialect;
    const named = column.defaultName !== undefined && schema.dropDefault;
    if (named) this.#up.push(named(table, this.#quote(column.defaultName)));
    this.#up.push(`ALTER TABLE ${table} DROP COLUMN ${this.#quote(column.name)}`);
    this.#undo(...restoreColumn(model.table, column, this.dialect));
    this.#dropType(column);
  }

  #changeKey(key: KeyChange, found: Comparison, held: ActualTable): void {
    const { model, table, changed } = found;
    this.#lift(model.table, 'key', (names) => names.every((name) => table.primaryKey.includes(name)));
    const amid = (change: ColumnChange) => amidKeyChange(change, held.primaryKey.includes(change.column.name));
    this.#changeColumns(changed.map((change) => ({ ...change, to: amid(change) })).filter(differs), held, found);
    this.#up.push(...key.up);
    this.#undo(...key.down);
    const primaryKey = model.primaryKey.map(({ name }) => name);
    const after = changed.map((change) => ({ ...change, from: amid(change) })).filter(differs);
    this.#changeColumns(after, { ...held, primaryKey }, found);
  }

  #changeColumns(changed: readonly ColumnChange[], table: ActualTable, found: Comparison): void {
    const retyped = changed.filter(isRetyped).map(({ column: { name } }) => name);
    const readers = readersOf(changed, found, table, this.dialect);
    const others = holdersOf(retyped, table, this.dialect);
    const isOfEnum = (change: ColumnChange) => hasOtherType(change) && (change.from.isEnum || change.to.isEnum);
    const ofEnums = namedEnums(this.dialect) ? changed.filter(isOfEnum).map(({ column: { name } }) => name) : [];
    const words = wordingOf(ofEnums, found.model, table, this.dialect);
    const drop = [...new Set([...readers.drop, ...others.drop, ...words.drop])];
    this.#warnings.push(...new Set([...readers.warnings, ...others.warnings]));
    this.#up.push(...drop);
    this.#undo(...new Set([...readers.restore, ...others.restore, ...words.undo]));
    for (const change of changed) this.#changeColumn(change);
    this.#up.push(...new Set([...readers.restore, ...others.restore, ...words.restore]));
    this.#undo(...drop);
  }

  #changeColumn({ column, actual, from, to }: ColumnChange): void {
    const [table, name] = [this.#quote(column.model.table), this.#quote(column.name)];
    if (isRetyped({ from, to }) || from.autoincrement !== to.autoincrement)
      this.#lift(column.model.table, hasOtherType({ from, to }) ? 'type' : 'column', (names) =>
        names.includes(actual.name),
      );
    const placed = this.#narrowings.placed({ column });
    if (!placed?.up) this.#up.push(...(this.dialect.schema.alterColumn?.(table, name, from, to) ?? []));
    if (!placed?.down) this.#undo(...(this.dialect.schema.alterColumn?.(table, name, to, from) ?? []));
  }

  #rebuild(input: RebuildInput): void {
    this.#rebuilds = true;
    for (const column of input.model.columns)
      if (!input.pairs.has(column)) this.#warnings.push(...newColumnWarnings(column, this.dialect));
    const { up, down, warnings } = rebuildTable(input, this.dialect);
    this.#warnings.push(...warnings);
    this.#up.push(...up);
    this.#undo(...down);
  }

  #withoutKeys(statements: readonly string[]): readonly string[] {
    return this.#rebuilds ? ['PRAGMA foreign_keys = OFF', ...statements, 'PRAGMA foreign_keys = ON'] : statements;
  }

  #check(model: ModelInfo, check: ActualCheck, is: 'added' | 'dropped', table: ActualTable): void {
    const own = this.#quote(model.table);
    const drop = this.dialect.schema.dropConstraint(own, this.#quote(check.name));
    if (is === 'dropped') {
      this.#up.push(drop);
      this.#undo(addCheck({ ...table, name: model.table }, check, this.dialect));
      return;
    }
    const clause = checkClause(check, this.dialect);
    const unchecked = this.options.notValid
      ? this.dialect.schema.addUnchecked?.(own, this.#quote(check.name), clause)
      : undefined;
    this.#up.push(unchecked?.add ?? `ALTER TABLE ${own} ADD ${clause}`);
    if (unchecked?.validate !== undefined) this.#validate.push(unchecked.validate);
    this.#undo(drop);
  }

  #dropIndex({ table }: ModelInfo, { name: dropped }: ActualIndex, { indexes }: ActualTable): void {
    const former = indexes.find(({ name }) => name === dropped) as ActualIndex;
    this.#lift(table, former.unique ? 'key' : 'column', (names) =>
      names.every((name, at) => name === former.columns[at]),
    );
    this.#up.push(dropIndex(table, former, this.dialect));
    this.#undo(restoreIndex(table, former, this.dialect));
  }

  // A foreign key depends on the columns and indexes at both ends, and on the key or unique index that it refers to.
  #lift(table: string, change: Change, holds: (columns: readonly string[]) => boolean): void {
    const { keysHold } = this.dialect.schema;
    if (keysHold === undefined) return;
    const own = change === 'type' || keysHold === 'all';
    const other = own || change === 'key';
    for (const { name, foreignKeys } of this.declared.tables)
      for (const key of foreignKeys)
        if ((own && name === table && holds(key.columns)) || (other && key.table === table && holds(key.references)))
          this.#keys.lift(name, key, change === 'indexed' ? 'down' : 'both');
  }

  // Undo statements run in reverse order.
  #undo(...statements: readonly string[]): void {
    this.#down.unshift(...statements);
  }

  #quote(name: string): string {
    return this.dialect.compiler.quote(name);
  }
}

// SQL that names a column follows its new name where conditions do.
function leavingColumns({ table, pairs, dropped }: Comparison, { schema }: Dialect): readonly LeavingColumn[] {
  const renamed = [...pairs].filter(([column, { name }]) => column.name !== name).map(([, { name }]) => name);
  const names = [...dropped.map(({ name }) => name), ...(schema.checksFollow ? [] : renamed)];
  return names.map((column) => ({ table: table.name, column }));
}

function namelessColumns({ table, pairs, dropped }: Comparison, rebuilt: boolean): readonly NamelessColumn[] {
  const renamed = [...pairs].filter(([column, { name }]) => column.name !== name).map(([, { name }]) => name);
  const of = (column: string, isRenamed: boolean) => ({ table: table.name, column, renamed: isRenamed, rebuilt });
  return [...dropped.map(({ name }) => of(name, false)), ...renamed.map((name) => of(name, true))];
}

/** Kind of change at the end of a foreign key, such as a new index. */
type Change = 'type' | 'column' | 'key' | 'indexed';
