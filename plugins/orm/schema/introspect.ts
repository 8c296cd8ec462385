import type { Database } from '../core/index.js';

/** A column as it is in the database. */
export interface ActualColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly autoincrement: boolean;
}

/** An index as it is in the database. */
export interface ActualIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

/** A foreign key as it is in the database. */
export interface ActualForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly references: readonly string[];
}

/** A table as it is in the database. */
export interface ActualTable {
  readonly name: string;
  readonly columns: readonly ActualColumn[];
  readonly primaryKey: readonly string[];
  readonly indexes: readonly ActualIndex[];
  readonly foreignKeys: readonly ActualForeignKey[];
}

type Rows = readonly (readonly unknown[])[];

/** Reads the tables of the current schema, sorted by name. */
export async function introspect(db: Database): Promise<readonly ActualTable[]> {
  const { columns, indexes, foreignKeys } = db.dialect.schema.introspection;
  const handle = db.sqlDB();
  const [columnRows, indexRows, keyRows] = [
    grouped(await handle.query(columns, [])),
    grouped(await handle.query(indexes, [])),
    grouped(await handle.query(foreignKeys, [])),
  ];
  return [...columnRows].map(([name, rows]) => ({
    name,
    columns: rows.map(column),
    primaryKey: primaryKey(rows),
    indexes: [...grouped(rest(indexRows.get(name)))].map(([index, parts]) => ({
      name: index,
      unique: Number(parts[0]?.[1]) === 1,
      columns: parts.map((part) => String(part[2])),
    })),
    foreignKeys: [...grouped(rest(keyRows.get(name)))].map(([key, parts]) => ({
      name: key,
      columns: parts.map((part) => String(part[1])),
      table: String(parts[0]?.[2]),
      references: parts.map((part) => String(part[3])),
    })),
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

function column([, name, type, nullable, fallback, counted]: readonly unknown[]): ActualColumn {
  return {
    name: String(name),
    type: String(type),
    nullable: Number(nullable) === 1,
    default: fallback === null || fallback === undefined ? null : String(fallback),
    autoincrement: Number(counted) === 1,
  };
}

function primaryKey(rows: Rows): readonly string[] {
  const keyed = rows.filter((row) => Number(row[6]) > 0).sort((a, b) => Number(a[6]) - Number(b[6]));
  return keyed.map((row) => String(row[1]));
}
