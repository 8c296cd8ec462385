import type { Database } from '../core/index.js';

/** A column as it is in the database. */
export interface ActualColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly autoincrement: boolean;
  /** Name of the default, where defaults have names. */
  readonly defaultName: string | undefined;
  /** Whether the database computes its values from other columns, where that matters to a change of the table. */
  readonly computed: boolean;
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
}

/** What a database was told to make, for those that keep it. */
export interface Definition {
  readonly kind: 'table' | 'index' | 'trigger';
  readonly name: string;
  readonly sql: string;
}

/** A table as it is in the database. */
export interface ActualTable {
  readonly name: string;
  readonly columns: readonly ActualColumn[];
  readonly primaryKey: readonly string[];
  /** Where it matters to a change of the table. */
  readonly primaryKeyName?: string | undefined;
  readonly indexes: readonly ActualIndex[];
  readonly foreignKeys: readonly ActualForeignKey[];
  readonly checks: readonly ActualCheck[];
  /** The table, its indexes and triggers as SQL; empty where the database does not keep it. */
  readonly definitions: readonly Definition[];
}

type Rows = readonly (readonly unknown[])[];

/** Reads the tables of the current schema, sorted by name. */
export async function introspect(db: Database): Promise<readonly ActualTable[]> {
  const { columns, indexes, foreignKeys, checks, definitions, checksIn } = db.dialect.schema.introspection;
  const handle = db.sqlDB();
  const read = async (sql: string | undefined) => grouped(sql === undefined ? [] : await handle.query(sql, []));
  const [columnRows, indexRows, keyRows] = [await read(columns), await read(indexes), await read(foreignKeys)];
  const [checkRows, definitionRows] = [await read(checks), await read(definitions)];
  return [...columnRows].map(([name, rows]) => {
    const kept = rest(definitionRows.get(name)).map(definition);
    const table = kept.find(({ kind }) => kind === 'table');
    return {
      name,
      definitions: kept,
      checks: table && checksIn ? checksIn(table.sql) : rest(checkRows.get(name)).map(check).filter(isNoJsonCheck),
      columns: rows.map(column),
      primaryKey: primaryKey(rows),
      primaryKeyName: textOrNone(rows[0]?.[9]),
      indexes: [...grouped(rest(indexRows.get(name)))].map(([index, parts]) => ({
        name: index,
        unique: Number(parts[0]?.[1]) === 1,
        // An expression has no name.
        columns: parts.flatMap((part) => (part[2] === null ? [] : [String(part[2])])),
        plain: parts.every((part) => Number(part[3]) === 1),
        constraint: Number(parts[0]?.[4]) === 1,
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
]: readonly unknown[]): ActualColumn {
  return {
    name: String(name),
    type: String(type),
    nullable: Number(nullable) === 1,
    default: fallback === null || fallback === undefined ? null : String(fallback),
    autoincrement: Number(counted) === 1,
    defaultName: textOrNone(defaultName),
    computed: Number(computed ?? 0) === 1,
  };
}

const textOrNone = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : (value as string);

const check = ([name, sql]: readonly unknown[]): ActualCheck => ({ name: String(name), sql: String(sql) });

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
