import { isIdentifier, LONGEST_GIVEN_NAME, stringLiteral as quoted, type IndexDefinition } from '../core/index.js';
import { indexName, isOfForeignKey, QUOTED } from '../schema/indexes.js';
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
    const { name, columns, unique, plain, written, unfinished } = index;
    if (columns.length === 1 && taggedIndex(indexes, columns[0] as string) === index) return [];
    if (isOfForeignKey(index, foreignKeys)) return [];
    const key = plain ? `${columns.join()} ${unique}` : JSON.stringify({ written, unique });
    const problem = unfinished
      ? 'it was never finished, and no query uses it'
      : !plain && written === undefined
        ? 'it has parts of its own that a model has no words for'
        : seen.has(key)
          ? 'another one has the same columns'
          : written?.include?.some((column) => !properties.has(column))
            ? 'it has a column beside that has no property'
            : !plain && !isSayable(name)
              ? `its name is none of letters, digits and underscores, at most ${LONGEST_GIVEN_NAME}`
              : undefined;
    seen.add(key);
    if (problem === undefined)
      return [
        `${written && !plain ? declaredInWords(name, unique, written, properties) : declared(table, index, properties)},`,
      ];
    warnings.push(`the index ${name} of ${table} is left out: ${problem}; it stays as it is`);
    return [];
  });
}

/** An index that is more than its columns, in the words of the database. */
function declaredInWords(
  name: string,
  unique: boolean,
  { parts, where, using, include = [], nullsNotDistinct = false }: IndexDefinition,
  properties: ReadonlyMap<string, string>,
): string {
  const propertyOf = (part: string) => properties.get(QUOTED.exec(part)?.[1] ?? part);
  const first = parts.findIndex((part) => propertyOf(part) === undefined);
  const [columns, expressions] = first < 0 ? [parts, []] : [parts.slice(0, first), parts.slice(first)];
  const list = (texts: readonly string[]) => `[${texts.map(quoted).join(', ')}]`;
  const said = [
    ...(columns.length === 0 ? [] : [`columns: ${list(columns.map((part) => propertyOf(part) as string))}`]),
    ...(expressions.length === 0 ? [] : [`expressions: ${list(expressions)}`]),
    ...(where === undefined ? [] : [`where: ${quoted(where)}`]),
    ...(using === undefined ? [] : [`using: ${quoted(using)}`]),
    ...(unique ? ['unique: true'] : []),
    ...(include.length === 0 ? [] : [`include: ${list(include.map((column) => properties.get(column) as string))}`]),
    ...(nullsNotDistinct ? ['nullsNotDistinct: true'] : []),
    `name: ${quoted(name)}`,
  ];
  return `{ ${said.join(', ')} }`;
}

const isSayable = (name: string): boolean =>
  isIdentifier(name) && !name.includes('.') && name.length <= LONGEST_GIVEN_NAME;

function declared(
  table: string,
  { name, columns, unique, nameless = false }: ActualIndex,
  properties: ReadonlyMap<string, string>,
): string {
  const usual = name === indexName(table, columns, unique);
  const given = !usual && isSayable(name) && !nameless;
  const list = columns.map((column) => quoted(properties.get(column) as string)).join(', ');
  return `{ columns: [${list}]${unique ? ', unique: true' : ''}${given ? `, name: ${quoted(name)}` : ''} }`;
}
