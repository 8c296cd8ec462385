import { COLUMN_KINDS, type Codecs, type ColumnKind } from '../dialect/kinds.js';
import type { Decoders, PositionalRow, RowScanner } from '../model/model-definition.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type { LogicalSelect, Projection } from './logical.js';
import { nameOf } from './projection.js';

const asItIs = (value: unknown) => value as never;

/** Decoders of a dialect; generated scanners are made with them. */
export function decodersOf(codecs: Codecs): Decoders {
  const entries = COLUMN_KINDS.map((kind) => [kind, (codecs[kind].decode as Decoders['any'] | undefined) ?? asItIs]);
  return Object.fromEntries(entries) as Decoders;
}

/** Scanner of whole rows: the generated one, else a general one. Rows are instances of the model's class. */
export function modelScanner(model: ModelInfo, decode: Decoders): RowScanner<object> {
  return model.definition.scanner?.(decode) ?? generalScanner(model, decode);
}

/** Scanner of whole rows that takes null in every column. */
export function generalScanner(model: ModelInfo, decode: Decoders): RowScanner<object> {
  const { columns, target: Target } = model;
  const decoders = columns.map((column) => decoderOf(column.kind, column, decode));
  return (row) => {
    const object = new Target() as Record<string, unknown>;
    for (let at = 0; at < columns.length; at++) {
      const { property } = columns[at] as (typeof columns)[number];
      const value = row[at];
      object[property] = value === null || value === undefined ? null : (decoders[at] as Decoders['any'])(value);
    }
    return object;
  };
}

/** What reads the values of a kind; a column says of what kind the elements of an array are. */
function decoderOf(kind: ColumnKind, column: ColumnInfo | undefined, decode: Decoders): (value: unknown) => never {
  const element = column?.definition.element;
  return kind === 'array' ? (value) => decode.array(value, element) : decode[kind];
}

/** Scanner of a select: whole rows, or plain objects of what was selected. */
export function selectScanner(select: LogicalSelect, decode: Decoders, whole: RowScanner<object>): RowScanner<object> {
  if (select.projection.length === 0) return whole;
  const fields = select.projection.map((item, at) => fieldOf(item, at, decode));
  return (row: PositionalRow) => {
    const object: Record<string, unknown> = {};
    for (let at = 0; at < fields.length; at++) {
      const field = fields[at] as (typeof fields)[number];
      const value = row[at];
      object[field.name] = value === null || value === undefined ? null : field.decode(value);
    }
    return object;
  };
}

/** Whether reading a select must keep 64-bit integers exact. */
export function needsBigints({ model, projection, key }: LogicalSelect): boolean {
  if (projection.length === 0) return model.hasBigints || key?.info?.kind === 'bigint';
  return projection.some((item) => kindOf(item) === 'bigint');
}

function kindOf(item: Projection): ColumnKind {
  if (item.t === 'raw') return 'any';
  if (item.t === 'column') return item.target.info?.kind ?? 'any';
  const { name, target } = item.aggregate;
  const kind = target?.info?.kind ?? 'any';
  if (name === 'count') return 'int';
  if (name === 'avg') return 'float';
  // Only an enum of numbers has a sum; the servers give it as the text of a longer number, as they do for integers.
  return name === 'sum' && (kind === 'int' || kind === 'enum') ? 'float' : kind;
}

function fieldOf(
  item: Projection,
  at: number,
  decode: Decoders,
): { name: string; decode: (value: unknown) => unknown } {
  if (item.t === 'raw') return { name: nameOf(item, at), decode: plainNumber };
  const target = item.t === 'column' ? item.target : item.aggregate.target;
  return { name: nameOf(item, at), decode: decoderOf(kindOf(item), target?.info, decode) };
}

// Where a 64-bit column is read beside it, a driver gives every whole number as bigint.
function plainNumber(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
