import { isIdentifier } from './identifiers.js';
import type { TableIndex } from './model-definition.js';

/** The longest name of an index that is made here, from which others are made by an ending. */
export const LONGEST_INDEX_NAME = 60;

/** The longest name that an index may be given: PostgreSQL, which takes the fewest letters, cuts longer ones. */
export const LONGEST_GIVEN_NAME = 63;

/** What is wrong with the indexes that `@table` gives a model, in words; `properties` are those that have a column. */
export function* indexProblems(indexes: readonly TableIndex[], properties: readonly string[]): Iterable<string> {
  const seen = new Set<string>();
  for (const index of indexes) {
    const { columns = [], expressions = [], where, using, unique = false, include = [], nullsNotDistinct = false, name } = index; // prettier-ignore
    const shown = `the index of (${[...columns, ...expressions].join(', ')})`;
    if (columns.length === 0 && expressions.length === 0) yield 'an index has neither columns nor expressions';
    for (const property of [...columns, ...include].filter((each) => !properties.includes(each)))
      yield `${shown} names "${property}", which is no property with a column; those are: ${properties.join(', ')}`;
    if (new Set([...columns, ...include]).size < columns.length + include.length)
      yield `${shown} names a property twice`;
    for (const [option, sql] of [...expressions.map((each) => ['expression', each]), ['condition', where]] as const)
      if (sql?.trim() === '') yield `${shown} has an empty ${option}`;
    if (nullsNotDistinct && !unique) yield `${shown} says nullsNotDistinct, which is for unique ones`;
    if (using !== undefined && !/^[a-z_]\w*$/i.test(using))
      yield `${shown} has the method "${using}", which is no name`;
    if (name !== undefined && (!isIdentifier(name) || name.includes('.') || name.length > LONGEST_GIVEN_NAME))
      yield `${shown} has the name "${name}"; a name is letters, digits and underscores, at most ${LONGEST_GIVEN_NAME}`;
    const what = JSON.stringify([columns, expressions, where, using, unique, include, nullsNotDistinct]);
    const keys = [what, ...(name === undefined ? [] : [`name ${name}`])];
    if (keys.some((key) => seen.has(key))) yield `${shown} is there twice, or its name is`;
    for (const key of keys) seen.add(key);
  }
}
