import { camelCase, isInherited, kebabCase, nameParts, singular, snakeCase } from '../core/index.js';

// What a declaration uses itself.
const USED =
  'BelongsTo Date Decimal Float HasMany Int Interval Json ManyToMany PlainDate PlainTime Text Uint8Array Uuid';
// A class with such a name would shadow the global, which the compiled code of decorators uses
// (https://tc39.es/ecma262/#sec-constructor-properties-of-the-global-object).
const BUILT_IN =
  'AggregateError Array ArrayBuffer Atomics BigInt Boolean DataView Error EvalError Function Infinity Intl Iterator Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError Undefined WeakMap WeakRef WeakSet';
const TAKEN: ReadonlySet<string> = new Set(`${USED} ${BUILT_IN}`.split(' '));

/** Class names by table: singular, and each of a file name of its own. */
export function classNames(tables: readonly string[]): ReadonlyMap<string, string> {
  const files = new Set<string>();
  return new Map(
    tables.map((table) => {
      const wanted = className(table);
      const base = TAKEN.has(wanted) ? `${wanted}Row` : wanted;
      let name = base;
      for (let count = 2; files.has(kebabCase(name)); count++) name = `${base}${count}`;
      files.add(kebabCase(name));
      return [table, name];
    }),
  );
}

// What a name of the language can hold of a name of the database (https://tc39.es/ecma262/#prod-IdentifierName).
// Of a table in a schema it is the table's.
const wordsIn = (name: string): string =>
  (nameParts(name)?.at(-1) ?? name)
    .normalize('NFC')
    .replace(/[^\p{ID_Continue}]+/gu, '_')
    .replace(/(?<=[^_])_+$/, (end) => (name.endsWith('_') ? end : ''));

function className(table: string): string {
  const words = snakeCase(wordsIn(table));
  const name = camelCase(singular(words) || words);
  // As of _2fa, or of underscores alone.
  return /^[a-z]/i.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : `Table${name}`;
}

/** Property names of one class. */
export class PropertyNames {
  readonly #taken = new Set<string>();
  readonly #columns: ReadonlySet<string>;

  /** @param columns - of the table: a property that is called like another's column would be taken for it */
  constructor(columns: readonly string[]) {
    this.#columns = new Set(columns);
  }

  /** The property of a column. */
  ofColumn(column: string): string {
    return this.#free(camelCase(wordsIn(column)), column);
  }

  /** The property of a relation. */
  ofRelation(words: string): string {
    return this.#free(camelCase(wordsIn(words)));
  }

  #free(wanted: string, column?: string): string {
    const base = propertyName(wanted);
    const isTaken = (name: string) => this.#taken.has(name) || (name !== column && this.#columns.has(name));
    let name = base;
    for (let count = 2; isTaken(name); count++) name = `${base}${count}`;
    this.#taken.add(name);
    return name;
  }
}

function propertyName(wanted: string): string {
  if (isInherited(wanted)) return `${wanted}_`;
  return /^\d/.test(wanted) ? `_${wanted}` : wanted;
}
