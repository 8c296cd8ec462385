import type { SqlConnection, TimePlace } from '../dialect/index.js';

/**
 * What a boolean column is declared as where it holds something else: other whole numbers, or texts such as `t` and `f`, which Rails wrote
 * before version 5.2 (https://guides.rubyonrails.org/5_2_release_notes.html).
 */
export async function heldTruths(
  on: Pick<SqlConnection, 'query'>,
  { quotedTable, quotedColumn, default: fallback }: Pick<TimePlace, 'quotedTable' | 'quotedColumn' | 'default'>,
): Promise<'int' | 'any' | undefined> {
  // Text that is a number becomes one in such a column (https://sqlite.org/datatype3.html#type_affinity).
  if (/^'(?!-?\d+'$)/.test(fallback ?? '')) return 'any';
  const held = (condition: string) => `EXISTS (SELECT 1 FROM ${quotedTable} WHERE ${quotedColumn} ${condition})`;
  const [row] = await on.query(
    `SELECT ${held(`IS NOT NULL AND typeof(${quotedColumn}) <> 'integer'`)}, ${held('NOT IN (0, 1)')}`,
    [],
  );
  const [isOther, isNumber] = (row ?? []).map(Number);
  return isOther ? 'any' : isNumber ? 'int' : undefined;
}
