import type { ColumnDefinition } from './model-definition.js';

// https://www.postgresql.org/docs/current/datatype-enum.html (implementation details)
const MOST_BYTES = 63;

/** Why a column cannot have what its tag says with `enum=`; undefined when it can, or its tag says nothing. */
export function enumProblem({
  enumAs,
  values,
  sqlType,
}: Pick<ColumnDefinition, 'enumAs' | 'values' | 'sqlType'>): string | undefined {
  if (enumAs === undefined || enumAs === 'none') return undefined;
  if (values === undefined) return `enum=${enumAs} is for an enum, a union of literals, or an array of these`;
  if (enumAs !== 'native') return undefined;
  if (sqlType !== undefined) return 'enum=native chooses the type itself; leave out sql=, or say enum=none';
  const other = values.find((value) => typeof value !== 'string');
  if (other !== undefined) return `an enum of the database has texts, and ${other} is a number; say enum=check`;
  const wrong = values.find((value) => Buffer.byteLength(value as string) > MOST_BYTES || /\s$/.test(value as string));
  if (wrong === undefined) return undefined;
  // MySQL cuts blanks off (https://dev.mysql.com/doc/refman/8.0/en/enum.html).
  return `a value of an enum of the database has at most ${MOST_BYTES} bytes and no blank at its end, unlike ${JSON.stringify(wrong)}; say enum=check`;
}
