import { isFwError } from '../../../kernel/index.js';
import {
  modelInfosOf,
  nameText,
  type Database,
  type IndexDefinition,
  type Introspection,
  type ModelClass,
  type ModelInfo,
  type SqlConnection,
} from '../core/index.js';
import { withSaidExpressions } from './computed-columns.js';
import { schemaOf } from './names.js';
import { withSaidQueries } from './said-queries.js';

/** A column in the database. */
export interface ActualColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly autoincrement: boolean;
  /** Name of the default, if the database names defaults. */
  readonly defaultName: string | undefined;
  /** Whether the database computes its values from other columns. */
  readonly computed: boolean;
  readonly collation?: string | undefined;
  /** The computation, if the database reports it: `GENERATED ALWAYS AS (...) STORED`. */
  readonly expression?: string | undefined;
  /** Model expressions that the database reports as this one. */
  readonly saidAs?: readonly string[] | undefined;
  /** Check condition of the column definition; a change of the column must repeat it to keep it. */
  readonly check?: string | undefined;
  /** The base type, if the type is a domain. */
  readonly madeOf?: string | undefined;
  /** Enum values of its type, or of the type of its elements. */
  readonly labels?: readonly string[] | undefined;
  /** How many dimensions its arrays were declared with, if more than one. */
  readonly dimensions?: number | undefined;
  /** Other attributes that a change of the column must repeat: ` ON UPDATE CURRENT_TIMESTAMP COMMENT 'x'`. */
  readonly attributes?: string | undefined;
  /** Comment in the database. */
  readonly comment?: string | undefined;
}

/** An index in the database. */
export interface ActualIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
  /** Whether columns and uniqueness describe it fully: no condition, expression, descending order or special method. */
  readonly plain: boolean;
  /** Whether it belongs to a unique constraint and is dropped with it. */
  readonly constraint: boolean;
  /** Its definition in the SQL of the database, if that can create it again; not set for plain indexes. */
  readonly written?: IndexDefinition | undefined;
  /** Whether its creation never finished, so that no query uses it. */
  readonly unfinished?: boolean | undefined;
  /** Whether the database generated the name. */
  readonly nameless?: boolean | undefined;
}

/** A foreign key in the database. */
export interface ActualForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly references: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
  /** What the database says of a check that may wait for the end of the transaction: `DEFERRABLE INITIALLY DEFERRED`. */
  readonly deferral?: string | undefined;
  /** How keys of several columns are compared, where that is not MATCH SIMPLE: `FULL`. */
  readonly match?: string | undefined;
  /** The only columns that ON DELETE sets, if it does not set all of them. */
  readonly setColumns?: readonly string[] | undefined;
}

/** A check constraint in the database. */
export interface ActualCheck {
  /** Empty if the database does not name it. */
  readonly name: string;
  readonly sql: string;
  /** Whether it is part of the column with the same name, and cannot be dropped separately. */
  readonly ofColumn?: boolean | undefined;
}

/** What CREATE VIEW says beside the query, by its place; empty for nothing. */
export interface ViewClauses {
  readonly beforeView: string;
  readonly behindName: string;
  readonly behindQuery: string;
}

/** A view in the database. */
interface ActualView {
  /** Its query in the SQL of the database. */
  readonly query: string;
  /** Whether it is MATERIALIZED. */
  readonly kept: boolean;
  /** What else its definition says, such as whose rights count. */
  readonly clauses?: ViewClauses | undefined;
  /** Statements that give others their rights on it, if it loses them when it is dropped. */
  readonly grants?: readonly string[] | undefined;
  /** Model queries that the database reports as this one. */
  readonly saidAs?: readonly string[] | undefined;
}

/** The original CREATE statement of an object, in databases that store it. */
interface Definition {
  readonly kind: 'table' | 'index' | 'trigger';
  readonly name: string;
  readonly sql: string;
}

/** SQL that the database runs for others: a trigger, a function, a procedure, an event. */
export interface ActualProgram {
  readonly kind: string;
  readonly name: string;
  /** The table of a trigger. */
  readonly table?: string | undefined;
  readonly sql: string;
  /** Whether it speaks of a column by its new name when that is renamed. */
  readonly follows: boolean;
}

/** A table or view in the database. */
export interface ActualTable {
  /** With its schema, if that is not the current one. */
  readonly name: string;
  readonly columns: readonly ActualColumn[];
  readonly primaryKey: readonly string[];
  /** Where it has one. */
  readonly primaryKeyName?: string | undefined;
  /** What its definition says behind the columns of the key: `INCLUDE (note) DEFERRABLE`. */
  readonly primaryKeyClauses?: string | undefined;
  readonly indexes: readonly ActualIndex[];
  readonly foreignKeys: readonly ActualForeignKey[];
  readonly checks: readonly ActualCheck[];
  /** Set for views, which have no key, indexes or checks. */
  readonly view?: ActualView | undefined;
  /** Comment in the database. */
  readonly comment?: string | undefined;
  /** SQL of the table, its indexes and triggers; empty if the database does not store it. */
  readonly definitions: readonly Definition[];
  /** Every program of its schema, the same list for each table; left out where there is none. */
  readonly programs?: readonly ActualProgram[] | undefined;
}

type Rows = readonly (readonly unknown[])[];

/**
 * Reads the tables and views of the current schema, sorted by name.
 *
 * @param expected - models, and names of tables, that the caller looks for; where a name begins with another schema (`auth.users`),
 *   the tables of that one follow
 */
export async function introspect(
  db: Database,
  expected: readonly (ModelClass | ModelInfo | string)[] = [],
): Promise<readonly ActualTable[]> {
  const models = modelInfosOf(expected.filter((each) => typeof each !== 'string'));
  return withSaidQueries(db, await withSaidExpressions(db, await tablesOf(db, expected), models), models);
}

async function tablesOf(
  db: Database,
  expected: readonly (ModelClass | ModelInfo | string)[],
): Promise<readonly ActualTable[]> {
  const { introspection } = db.dialect.schema;
  const names = expected.flatMap((each) => (typeof each === 'string' ? each : tableNamesOf(each)));
  const said = new Set(names.map(schemaOf).filter((schema) => schema !== ''));
  if (introspection.currentSchema === undefined || said.size === 0) return readSchema(db);
  const [row] = await db.handle.query(introspection.currentSchema, []);
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

// A caller may name a table of the current schema with the schema (`public.users`).
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
  const { columns, indexes, foreignKeys, checks, definitions, currentSchema, views, comments, columnsOfView } =
    introspection;
  const given = currentSchema === undefined ? [] : [schema];
  const handle = db.handle;
  const read = async (sql: string | undefined) => grouped(sql === undefined ? [] : await handle.query(sql, given));
  const [columnRows, indexRows, keyRows] = [await read(columns), await read(indexes), await read(foreignKeys)];
  const [checkRows, definitionRows] = [await read(checks), await read(definitions)];
  const [viewRows, commentRows] = [await read(views), await read(comments)];
  const viewColumns =
    columnsOfView === undefined ? [] : await columnsOfViews(handle, columnsOfView, [...viewRows.keys()]);
  const found = introspection.programs === undefined ? [] : await handle.query(introspection.programs, given);
  const programs = found.map(program);
  const tables = [...columnRows, ...viewColumns].sort(byName).map(([name, rows]) => {
    const [view] = viewRows.get(name) ?? [];
    const words = new Map((commentRows.get(name) ?? []).map((row) => [textOrNone(row[1]), String(row[2])]));
    const kept = rest(definitionRows.get(name)).map(definition);
    const own = checksOf(kept, rest(checkRows.get(name)), introspection);
    return {
      name,
      definitions: kept,
      ...(programs.length > 0 && { programs }),
      checks: own,
      ...(view && { view: viewOf(view, introspection) }),
      ...(words.has(undefined) && { comment: words.get(undefined) }),
      columns: withParts(rows.map(column), own, kept, introspection).map((each) => {
        return words.has(each.name) ? { ...each, comment: words.get(each.name) } : each;
      }),
      primaryKey: primaryKey(rows),
      primaryKeyName: textOrNone(rows[0]?.[9]),
      primaryKeyClauses: textOrNone(rows[0]?.[16]),
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
        ...(typeof parts[0]?.[6] === 'string' && { deferral: parts[0][6] }),
        ...(typeof parts[0]?.[7] === 'string' && { match: parts[0][7] }),
        ...(typeof parts[0]?.[8] === 'string' && { setColumns: JSON.parse(parts[0][8]) as readonly string[] }),
      })),
    };
  });
  return tables.map((table) => withNameTexts(table, new Set(tables.map(({ name }) => name))));
}

// Writes names as declarations do. The schema before the table of a foreign key is not part of the name.
function withNameTexts(table: ActualTable, own: ReadonlySet<string>): ActualTable {
  const texts = (names: readonly string[]) => names.map(nameText);
  return {
    ...table,
    name: nameText(table.name),
    primaryKey: texts(table.primaryKey),
    columns: table.columns.map((each) => ({ ...each, name: nameText(each.name) })),
    indexes: table.indexes.map((index) => ({ ...index, columns: texts(index.columns) })),
    checks: table.checks.map((each) => (each.ofColumn ? { ...each, name: nameText(each.name) } : each)),
    foreignKeys: table.foreignKeys.map((key) => ({
      ...key,
      table: own.has(key.table) ? nameText(key.table) : key.table,
      columns: texts(key.columns),
      references: texts(key.references),
      ...(key.setColumns && { setColumns: texts(key.setColumns) }),
    })),
  };
}

const byName = ([one]: readonly [string, Rows], [other]: readonly [string, Rows]): number =>
  one < other ? -1 : Number(one > other);

function viewOf([, query, kept, ...said]: readonly unknown[], { viewIn }: Introspection): ActualView {
  const [beforeView = '', behindName = '', behindQuery = '', grants = ''] = said.map((each) => textOrNone(each) ?? '');
  return {
    query: viewIn ? viewIn(String(query)) : String(query),
    kept: Number(kept) === 1,
    ...(`${beforeView}${behindName}${behindQuery}` !== '' && { clauses: { beforeView, behindName, behindQuery } }),
    ...(grants !== '' && { grants: JSON.parse(grants) as readonly string[] }),
  };
}

async function columnsOfViews(
  on: Pick<SqlConnection, 'query'>,
  sql: string,
  names: readonly string[],
): Promise<readonly (readonly [string, Rows])[]> {
  const found: (readonly [string, Rows])[] = [];
  for (const name of names) {
    try {
      found.push([name, await on.query(sql, [name])]);
    } catch (error) {
      // The view exists, but reads something that is missing or fails.
      if (!isFwError(error)) throw error;
      found.push([name, []]);
    }
  }
  return found;
}

// Reads the parts of an index beside its columns.
function more(
  name: string,
  parts: Rows,
  kept: readonly Definition[],
  { indexIn, namelessIndexes }: Introspection,
): Pick<ActualIndex, 'written' | 'unfinished' | 'nameless'> {
  const own = kept.find((each) => each.kind === 'index' && each.name === name);
  const [, , , , , , where, using, unfinished, include, alike] = parts[0] ?? [];
  const isSaid = parts.every((part) => typeof part[5] === 'string');
  const said = {
    parts: parts.map((part) => String(part[5])),
    where: textOrNone(where),
    using: textOrNone(using),
    ...(typeof include === 'string' && { include: JSON.parse(include) as readonly string[] }),
    ...(Number(alike ?? 0) === 1 && { nullsNotDistinct: true }),
  };
  const written = own && indexIn ? indexIn(own.sql) : isSaid ? said : undefined;
  return {
    ...(written && { written }),
    ...(Number(unfinished ?? 0) === 1 && { unfinished: true }),
    ...(namelessIndexes?.test(name) && { nameless: true }),
  };
}

function checksOf(kept: readonly Definition[], rows: Rows, { checksIn }: Introspection): readonly ActualCheck[] {
  const table = kept.find(({ kind }) => kind === 'table');
  return table && checksIn ? checksIn(table.sql) : rows.map(check);
}

// Adds the parts from other catalogs than that of the columns.
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
  dimensions,
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
    ...(Number(dimensions) > 1 && { dimensions: Number(dimensions) }),
    labels: typeof labels === 'string' ? (JSON.parse(labels) as readonly string[]) : undefined,
  };
}

const program = ([table, kind, name, sql, follows]: readonly unknown[]): ActualProgram => ({
  kind: String(kind),
  name: String(name),
  table: textOrNone(table),
  sql: String(sql),
  follows: Number(follows) === 1,
});

const textOrNone = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : (value as string);

const check = ([name, sql, ofColumn]: readonly unknown[]): ActualCheck => ({
  name: String(name),
  sql: String(sql),
  ...(Number(ofColumn ?? 0) === 1 && { ofColumn: true }),
});

const definition = ([kind, name, sql]: readonly unknown[]): Definition => ({
  kind: kind as Definition['kind'],
  name: String(name),
  sql: String(sql),
});

function primaryKey(rows: Rows): readonly string[] {
  const keyed = rows.filter((row) => Number(row[6]) > 0).sort((a, b) => Number(a[6]) - Number(b[6]));
  return keyed.map((row) => String(row[1]));
}
