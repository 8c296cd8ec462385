import { isIdentifier, LONGEST_INDEX_NAME, stringLiteral as quoted } from '../core/index.js';
import { indexName } from '../schema/indexes.js';
import type { ActualIndex, ActualTable } from '../schema/introspect.js';

/** The index of a column that its tag says; a unique one before another. */
export function taggedIndex(indexes: readonly ActualIndex[], column: string): ActualIndex | undefined {
  const own = indexes.filter(({ columns, plain }) => plain && columns.length === 1 && columns[0] === column);
  return own.find(({ unique }) => unique) ?? own[0];
}

/**
 * Indexes of a table that no tag says, as `@table` takes them.
 *
 * @param properties - properties of the model by their columns
 * @param warnings - takes what cannot be said
 */
export function pulledIndexes(
  { name: table, indexes, foreignKeys }: Pick<ActualTable, 'name' | 'indexes' | 'foreignKeys'>,
  properties: ReadonlyMap<string, string>,
  warnings: string[],
): readonly string[] {
  const seen = new Set<string>();
  return indexes.flatMap((index) => {
    const { name, columns, unique, plain } = index;
    if (columns.length === 1 && taggedIndex(indexes, columns[0] as string) === index) return [];
    // MySQL makes it with the foreign key (https://dev.mysql.com/doc/refman/8.0/en/create-table-foreign-keys.html).
    if (foreignKeys.some((key) => key.name === name && key.columns.join() === columns.join())) return [];
    const key = `${columns.join()} ${unique}`;
    const problem = !plain
      ? 'it has a condition, an expression, an order or a method of its own'
      : seen.has(key)
        ? 'another one has the same columns'
        : undefined;
    seen.add(key);
    if (problem === undefined) return [`${declared(table, index, properties)},`];
    warnings.push(`the index ${name} of ${table} is left out: ${problem}; it stays as it is`);
    return [];
  });
}

function declared(
  table: string,
  { name, columns, unique }: ActualIndex,
  properties: ReadonlyMap<string, string>,
): string {
  const usual = name === indexName(table, columns, unique);
  const isSayable = isIdentifier(name) && !name.includes('.') && name.length <= LONGEST_INDEX_NAME;
  const given = !usual && isSayable && !name.startsWith('sqlite_autoindex_');
  const list = columns.map((column) => quoted(properties.get(column) as string)).join(', ');
  return `{ columns: [${list}]${unique ? ', unique: true' : ''}${given ? `, name: ${quoted(name)}` : ''} }`;
}
