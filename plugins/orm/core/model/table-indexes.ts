import { isIdentifier } from '../dialect/identifiers.js';
import type { TableIndex } from './model-definition.js';

/** The longest name of an index; databases cut or refuse longer ones, PostgreSQL first, behind 63 letters. */
export const LONGEST_INDEX_NAME = 60;

/** What is wrong with the indexes that `@table` gives a model, in words; `properties` are those that have a column. */
export function* indexProblems(indexes: readonly TableIndex[], properties: readonly string[]): Iterable<string> {
  const seen = new Set<string>();
  for (const { columns, unique = false, name } of indexes) {
    const shown = `the index of (${columns.join(', ')})`;
    if (columns.length === 0) yield 'an index has no columns';
    for (const property of columns.filter((each) => !properties.includes(each)))
      yield `${shown} names "${property}", which is no property with a column; those are: ${properties.join(', ')}`;
    if (new Set(columns).size < columns.length) yield `${shown} names a property twice`;
    if (name !== undefined && (!isIdentifier(name) || name.includes('.') || name.length > LONGEST_INDEX_NAME))
      yield `${shown} has the name "${name}"; a name is letters, digits and underscores, at most ${LONGEST_INDEX_NAME}`;
    const keys = [`${columns.join()} ${unique}`, ...(name === undefined ? [] : [`name ${name}`])];
    if (keys.some((key) => seen.has(key))) yield `${shown} is there twice, or its name is`;
    for (const key of keys) seen.add(key);
  }
}
