import type { ColumnInfo } from '../model/model-info.js';
import type { Dialect } from './dialect.js';
import type { ColumnKind } from './kinds.js';

/** The decoder of a column's non-null values; undefined if the driver's values need no change. */
export function columnDecoder(
  { codecs, columnDecoder: own }: Pick<Dialect, 'codecs' | 'columnDecoder'>,
  column: ColumnInfo,
): ((value: unknown) => unknown) | undefined {
  const found = own?.(column);
  if (found) return found;
  const decode = codecs[column.kind].decode as ((value: unknown, element?: ColumnKind) => unknown) | undefined;
  const { element } = column.definition;
  return decode && element ? (value) => decode(value, element) : decode;
}
