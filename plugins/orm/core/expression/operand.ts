import { fwError, type FwError } from '../../../../kernel/index.js';
import { isComputed, typeInWords, type ColumnKind } from '../model/kinds.js';
import { TEMPORAL_KINDS, temporalClass } from '../model/temporal.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnTarget, ValueType } from '../plan/parts.js';
import { serialOf } from '../plan/serial.js';
import { targetKey } from '../plan/steps.js';
import type { PartSink } from './expression.js';
import type { Beyond, Read } from './reach.js';

/** A value of a statement: a column, an aggregate, or an expression of them. */
export interface ValueSource {
  /** Type of its value. */
  readonly valueType: ValueType;
  /** Writes structure and values of the value. */
  appendValueTo(sink: PartSink): void;
}

/** A parameter by itself. Beside something of a type it is sent as a value of that type. */
export interface PlainSource extends ValueSource {
  readonly plain: unknown;
}

/** Something with a value of a type, from tables of a query. */
export interface Typed<out Value> {
  readonly types: { readonly value: Value; readonly from: unknown };
}

/** The value of an operand: of a column or an expression what it holds, of anything else itself. */
export type ValueOf<Item> = Item extends Typed<infer Value> ? Value : Item;

/** Null for an operand that may be null. */
export type NullOf<Item> = null extends ValueOf<Item> ? null : never;

/** Columns that an operand is read from, so that it is null where a join finds none of their rows. */
export type FromOf<Item> = Item extends { readonly types: { readonly from: infer From; readonly key: infer Key } }
  ? Read<From, Key>
  : Item extends { readonly types: { readonly from: infer From } }
    ? From
    : Beyond<Item>;

/** Whether an operand is no plain value. */
export function isValueSource(operand: unknown): operand is ValueSource {
  return isComputed(operand);
}

/** Whether an operand is a parameter by itself. */
export function isPlainSource(operand: unknown): operand is PlainSource {
  return isValueSource(operand) && 'plain' in operand;
}

/**
 * Type of a plain value in an expression: that of the other operand if the value fits it, else that of its JavaScript type.
 *
 * @throws FwError `FW_ORM_VALUE`
 */
export function typeOfPlain(value: unknown, beside: ValueType | undefined): ValueType {
  if (typeof value === 'number') return numberType(value, beside);
  const isOne = beside !== undefined && beside.kind !== 'any' && beside.kind !== 'json' && beside.kind !== 'array';
  if (isOne) return beside;
  const temporal = temporalClass(value);
  if (temporal !== undefined) return { kind: TEMPORAL_KINDS[temporal], temporal };
  const kind = plainKind(value);
  if (kind !== undefined) return { kind };
  throw operandRefusal('a column, an expression, or a value that a column holds', inWords(value));
}

// A whole number beside whole numbers is one of them; a fraction makes a double of both.
function numberType(value: number, beside: ValueType | undefined): ValueType {
  switch (beside?.kind) {
    case undefined:
    case 'any':
    case 'int':
    case 'enum':
    case 'json':
    case 'array':
      return { kind: Number.isInteger(value) ? 'int' : 'float' };
    default:
      return beside as ValueType;
  }
}

function plainKind(value: unknown): ColumnKind | undefined {
  if (value === null) return 'any';
  if (value instanceof Date) return 'date';
  if (value instanceof Uint8Array) return 'bytes';
  if (typeof value === 'bigint') return 'bigint';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'text' : undefined;
}

/** Type of any operand. */
export function typeOf(operand: unknown, beside?: ValueType): ValueType {
  return isValueSource(operand) ? operand.valueType : typeOfPlain(operand, beside);
}

/** The error for an operand that a function does not take. */
export const operandRefusal = (expected: string, got: string, field = 'operand'): FwError =>
  fwError(ORM_ERRORS.FW_ORM_VALUE, { model: 'an expression', field, expected, got });

/** An operand in words: the kind of an expression, the type of a plain value. */
export const inWords = (operand: unknown): string =>
  isValueSource(operand) ? `one of kind ${operand.valueType.kind}` : typeInWords(operand);

/** A type as a part of the key of what has it. */
export const typeKey = ({ kind, column, temporal }: ValueType): string =>
  `${kind}:${column ? serialOf(column) : ''}${temporal ? `:${temporal}` : ''}`;

/** Writes a column as an operand. */
export function appendColumn(sink: PartSink, target: ColumnTarget): void {
  sink.part(`column:${targetKey(target)}`, { t: 'column', target, values: 0 });
}

/** Writes an operand; a plain one becomes a parameter of a type. */
export function appendOperand(sink: PartSink, operand: unknown, type: ValueType): void {
  if (isValueSource(operand)) return operand.appendValueTo(sink);
  const { kind, temporal } = type;
  if (temporal === undefined) sink.part(`parameter:${kind}`, { t: 'parameter', kind, values: 1 });
  else sink.part(`parameter:${kind}:${temporal}`, { t: 'parameter', kind, temporal, values: 1 });
  sink.value(operand);
}
