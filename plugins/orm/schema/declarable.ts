import { isIdentifier, nameParts } from '../core/index.js';
import type { ActualTable } from './introspect.js';

/** The parts of tables that models can declare. */
export interface Declarable {
  readonly tables: readonly ActualTable[];
  /** Names of tables that no model can have. */
  readonly tablesAside: readonly string[];
  /** Descriptions of the omitted parts of the other tables, by table. */
  readonly partsAside: ReadonlyMap<string, readonly string[]>;
  /** Tables whose primary key is omitted. */
  readonly keysAside: ReadonlySet<string>;
}

/**
 * Splits tables into the parts that models can declare, and the parts that they cannot because of an invalid name, such as an empty one.
 * The latter are neither compared nor changed.
 */
export function declarable(actual: readonly ActualTable[]): Declarable {
  const named = actual.filter(({ name }) => nameParts(name) !== undefined);
  const parts = named.map((table) => partsOf(table));
  return {
    tables: parts.map(({ table }) => table),
    tablesAside: actual.filter((table) => !named.includes(table)).map(({ name }) => name),
    keysAside: new Set(named.filter(({ primaryKey }) => !primaryKey.every(isPlain)).map(({ name }) => name)),
    partsAside: new Map(parts.filter(({ aside }) => aside.length > 0).map(({ table, aside }) => [table.name, aside])),
  };
}

function partsOf(table: ActualTable): { readonly table: ActualTable; readonly aside: readonly string[] } {
  const aside: string[] = [];
  const keep = <Part>(parts: readonly Part[], what: (part: Part) => string, names: (part: Part) => readonly string[]) =>
    parts.filter((part) => {
      const isDeclarable = names(part).every(isPlain);
      if (!isDeclarable) aside.push(what(part));
      return isDeclarable;
    });
  const [key] = keep(
    [table.primaryKey],
    (names) => `the primary key ${listed(names)}`,
    (names) => names,
  );
  return {
    aside,
    table: {
      ...table,
      primaryKey: key ?? [],
      columns: keep(
        table.columns,
        ({ name }) => `the column ${inQuotes(name)}`,
        ({ name }) => [name],
      ),
      // Indexes and foreign keys are identified by their columns, checks by their names.
      indexes: keep(
        table.indexes,
        ({ name }) => `the index ${inQuotes(name)}`,
        ({ columns }) => columns,
      ),
      foreignKeys: keep(
        table.foreignKeys,
        ({ columns, table: target }) => `the foreign key ${listed(columns)} to ${inQuotes(target)}`,
        ({ columns, references }) => [...columns, ...references],
      ),
      checks: keep(
        table.checks,
        ({ name }) => `the check ${inQuotes(name)}`,
        ({ name }) => (name === '' || isIdentifier(name) ? [] : ['']),
      ),
    },
  };
}

// A table name may have a schema; the name of a part of a table may not.
const isPlain = (name: string): boolean => nameParts(name)?.length === 1;

/** Quotes a name of arbitrary text for a sentence. */
export const inQuotes = (name: string): string => JSON.stringify(name);

const listed = (names: readonly string[]): string => `(${names.map(inQuotes).join(', ')})`;
