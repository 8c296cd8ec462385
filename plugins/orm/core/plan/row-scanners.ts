import { fwError, isFwError, type FwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { isNumeric } from '../dialect/enum-values.js';
import { temporalDecoder, temporalMaker } from '../dialect/column-decoder.js';
import type { Dialect } from '../dialect/dialect.js';
import { COLUMN_KINDS, UNSAID, type ColumnKind } from '../model/kinds.js';
import { withoutEndingZeros } from '../model/number-text.js';
import type { Decoders, PositionalRow, RowScanner } from '../model/model-definition.js';
import { isOfColumn } from '../expression/selection.js';
import { withoutOwn } from '../model/hidden-properties.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type { LogicalSelect, Projection } from './logical.js';
import type { ValueType } from './parts.js';
import { nameOf, typeOfColumn, typeOfItem } from './projection.js';

const asItIs = (value: unknown) => value as never;

/** How a dialect reads values: by kind, as generated scanners do, and by column. */
export interface Readers {
  readonly kinds: Decoders;
  /** Of the columns that their kind alone does not explain. */
  readonly ofColumn: NonNullable<Dialect['columnDecoder']>;
  /** What reads spans of time for values of Temporal. */
  readonly spans: Pick<Dialect, 'isoDuration'>;
}

/** Readers of a dialect. */
export function readersOf(dialect: Dialect): Readers {
  const { codecs, columnDecoder } = dialect;
  const entries = COLUMN_KINDS.map((kind) => [kind, (codecs[kind].decode as Decoders['any'] | undefined) ?? asItIs]);
  return {
    kinds: Object.fromEntries(entries) as Decoders,
    ofColumn: columnDecoder ?? (() => undefined),
    spans: dialect,
  };
}

/** Scanner of whole rows: the generated one, else a general one. Rows are instances of the model's class. */
export function modelScanner(model: ModelInfo, readers: Readers): RowScanner<object> {
  const { exposed } = model;
  const made = model.definition.scanner?.(readers.kinds);
  const scan =
    made === undefined
      ? generalScanner(model, readers)
      : withTemporals(withColumns(made, model, readers), model, readers);
  const read = exposed.length === 0 ? scan : (row: PositionalRow) => withoutOwn(scan(row), exposed);
  const columns = model.readable.map((info) => ({
    name: info.property,
    info,
    decode: decoderOf(typeOfColumn(info), readers),
  }));
  return namingScanner(model, read, columns);
}

/** Reads the rows of a model, in the order of its readable columns. */
export interface RowReader {
  /** A whole row, as every query reads it. */
  readonly row: RowScanner<object>;
  /** Decoders of single values, to find the one that cannot be read; not called for null. */
  readonly cells: readonly ((value: unknown) => unknown)[];
}

/** The reader of a model's rows on a dialect, for callers that send SQL of their own. */
export function rowReader(model: ModelInfo, dialect: Dialect): RowReader {
  const readers = readersOf(dialect);
  return {
    row: modelScanner(model, readers),
    cells: model.readable.map((column) => decoderOf(typeOfColumn(column), readers)),
  };
}

/** A value of a row, and what reads it. */
interface Reading {
  readonly name: string;
  readonly info: ColumnInfo | undefined;
  readonly decode: (value: unknown) => unknown;
}

// A decoder does not know the column of a value that it cannot read; the column is found when an error occurs.
function namingScanner<Row>(model: ModelInfo, scan: RowScanner<Row>, readings: readonly Reading[]): RowScanner<Row> {
  return (row) => {
    try {
      return scan(row);
    } catch (error) {
      throw isFwError(error) && error.code === 'FW_ORM_UNREADABLE' ? named(error, model, row, readings) : error;
    }
  };
}

function named(error: FwError, model: ModelInfo, row: PositionalRow, readings: readonly Reading[]): FwError {
  const at = readings.findIndex(({ decode }, index) => isUnreadable(decode, row[index]));
  const { name, info } = readings[at] ?? {};
  const details = { ...error.details, column: `${model.name}.${name}`, ...(info?.hidden && { got: UNSAID }) };
  return fwError(ORM_ERRORS.FW_ORM_UNREADABLE, details as never, { cause: error.cause });
}

function isUnreadable(decode: (value: unknown) => unknown, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  try {
    decode(value);
    return false;
  } catch {
    return true;
  }
}

interface Place {
  readonly at: number;
  readonly read: (value: unknown) => unknown;
}

// A generated scanner knows kinds. What the column decides is read before, and takes the place of the driver's value; columns in
// the dialect's own format are looked at by themselves only to tell which one could not be read.
function withColumns(scan: RowScanner<object>, { readable }: ModelInfo, { ofColumn }: Readers): RowScanner<object> {
  const places = (columns: readonly ColumnInfo[]): readonly Place[] =>
    columns.flatMap((column) => {
      const read = ofColumn(column);
      return read === undefined ? [] : [{ at: readable.indexOf(column), read }];
    });
  const all = places(readable);
  if (all.length === 0) return scan;
  const declared = places(readable.filter(({ definition }) => definition.format ?? definition.temporal));
  const readAll = (row: PositionalRow, those: readonly Place[]): void => {
    for (const { at, read } of those) {
      const value = row[at];
      if (value !== null && !(value instanceof Date)) (row as unknown[])[at] = read(value);
    }
  };
  return (row) => {
    if (declared.length > 0) readAll(row, declared);
    try {
      return scan(row);
    } catch (error) {
      readAll(row, all);
      throw error;
    }
  };
}

// A generated scanner gives the form of the kind.
function withTemporals(scan: RowScanner<object>, { readable }: ModelInfo, { spans }: Readers): RowScanner<object> {
  const places = readable.flatMap(({ property, definition: { temporal } }) =>
    temporal ? [{ property, made: temporalMaker(temporal, spans) }] : [],
  );
  if (places.length === 0) return scan;
  return (row) => {
    const object = scan(row) as Record<string, unknown>;
    for (const { property, made } of places) {
      const form = object[property];
      if (form !== null && form !== undefined) object[property] = made(form);
    }
    return object;
  };
}

/** Scanner of whole rows that takes null in every column. */
export function generalScanner(model: ModelInfo, readers: Readers): RowScanner<object> {
  const { readable: columns, target: Target } = model;
  const decoders = columns.map((column) => decoderOf(typeOfColumn(column), readers));
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

/** What reads the values of a kind; a column says more of those of its own. */
function decoderOf(type: ValueType, readers: Readers): (value: unknown) => unknown {
  const decode = kindDecoderOf(type, readers);
  return type.temporal ? temporalDecoder(type.temporal, decode, readers.spans) : decode;
}

function kindDecoderOf({ kind, column }: ValueType, { kinds, ofColumn }: Readers): (value: unknown) => unknown {
  const { element, values } = column?.definition ?? {};
  if (kind === 'decimal' && column?.definition.computed)
    return (given) => withoutEndingZeros((kinds.decimal as (value: unknown) => string)(given));
  const own = column?.kind === kind ? ofColumn(column) : undefined;
  if (own !== undefined) return own;
  if (kind === 'enum' && isNumeric(values)) return kinds.float;
  return kind === 'array' ? (value) => kinds.array(value, element) : kinds[kind];
}

/** Scanner of a select: whole rows, or plain objects of what was selected. */
export function selectScanner(select: LogicalSelect, readers: Readers, whole: RowScanner<object>): RowScanner<object> {
  if (select.projection.length === 0) return whole;
  const fields = select.projection.map((item, at) => fieldOf(item, at, readers));
  return namingScanner(
    select.model,
    (row: PositionalRow) => {
      const object: Record<string, unknown> = {};
      for (let at = 0; at < fields.length; at++) {
        const field = fields[at] as (typeof fields)[number];
        const value = row[at];
        const decoded = value === null || value === undefined ? null : field.decode(value);
        if (field.hidden)
          Object.defineProperty(object, field.name, { value: decoded, writable: true, configurable: true });
        else object[field.name] = decoded;
      }
      return object;
    },
    fields,
  );
}

/** Whether reading a select must keep 64-bit integers exact. */
export function needsBigints({ model, projection, key }: LogicalSelect): boolean {
  if (projection.length === 0) return model.hasBigints || key?.info?.kind === 'bigint';
  return projection.some((item) => kindOf(item) === 'bigint');
}

/** Positions in the rows of a select whose values become a Date; undefined when there are none. */
export function datePlaces({ model, projection }: LogicalSelect): readonly number[] | undefined {
  const types = projection.length === 0 ? model.readable.map(typeOfColumn) : projection.map(typeOfItem);
  const places = types.flatMap(({ kind, temporal }, at) => (kind === 'date' && temporal === undefined ? [at] : []));
  return places.length === 0 ? undefined : places;
}

const kindOf = (item: Projection): ColumnKind => typeOfItem(item).kind;

function fieldOf(item: Projection, at: number, readers: Readers): Reading & { readonly hidden: boolean } {
  if (item.t === 'raw' || item.t === 'one')
    return { name: nameOf(item, at), info: undefined, decode: plainNumber, hidden: false };
  if (item.t === 'value') return computedField(item, readers);
  const target = item.t === 'column' ? item.target : item.aggregate.target;
  // A count or an average is no value of the column.
  const isValue = item.t === 'column' || isOfColumn(item.aggregate);
  const hidden = isValue && target?.info?.hidden === true;
  return { name: nameOf(item, at), info: target?.info, decode: decoderOf(typeOfItem(item), readers), hidden };
}

function computedField({ value, alias }: Projection & { readonly t: 'value' }, readers: Readers) {
  const { kind, column } = value.type;
  const read = decoderOf(value.type, readers);
  const isHidden = value.t === 'column' && column?.hidden === true;
  // The number of decimal places of a calculation depends on the database.
  const decode = kind === 'decimal' ? (given: unknown) => withoutEndingZeros(read(given) as string) : read;
  return { name: alias, info: column, decode: kind === 'any' ? plainNumber : decode, hidden: isHidden };
}

// If a 64-bit column is read too, a driver returns every whole number as bigint.
function plainNumber(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
