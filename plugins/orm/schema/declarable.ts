import { isIdentifier } from '../core/index.js';
import type { ActualTable } from './introspect.js';

/** Tables as far as models can declare them. */
export interface Declarable {
  readonly tables: readonly ActualTable[];
  /** Names of tables that no model can have. */
  readonly tablesAside: readonly string[];
  /** What is left aside of the others, in words, by table. */
  readonly partsAside: ReadonlyMap<string, readonly string[]>;
  /** Tables whose primary key is left aside. */
  readonly keysAside: ReadonlySet<string>;
}

/**
 * Takes tables apart into what models can declare, and what they cannot because of a name that is no identifier. The latter is
 * somebody else's: it is neither compared nor changed.
 */
export function declarable(actual: readonly ActualTable[]): Declarable {
  const named = actual.filter(({ name }) => isIdentifier(name));
  const parts = named.map((table) => partsOf(table));
  return {
    tables: parts.map(({ table }) => table),
    tablesAside: actual.filter(({ name }) => !isIdentifier(name)).map(({ name }) => name),
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
      // An index and a foreign key are known by their columns, a check by its name.
      indexes: keep(
        table.indexes,
        ({ name }) => `the index ${inQuotes(name)}`,
        ({ columns }) => columns,
      ),
      foreignKeys: keep(
        table.foreignKeys,
        ({ columns, table: target }) => `the foreign key ${listed(columns)} to ${inQuotes(target)}`,
        ({ columns, references, table: target }) => [...columns, ...references, ...target.split('.')],
      ),
      checks: keep(
        table.checks,
        ({ name }) => `the check ${inQuotes(name)}`,
        ({ name }) => (name === '' ? [] : [name]),
      ),
    },
  };
}

// A table may have its schema before it, a part of one may not.
const isPlain = (name: string): boolean => isIdentifier(name) && !name.includes('.');

/** A name that may hold anything, for a sentence. */
export const inQuotes = (name: string): string => JSON.stringify(name);

const listed = (names: readonly string[]): string => `(${names.map(inQuotes).join(', ')})`;
