import type { Decimal, OfKind } from '../model/kinds.js';
import type { TemporalValue } from '../model/temporal.js';

// Each is `never` for values that the method is not for, so that the method cannot be called on their columns.

/** Values that patterns match: text, but neither a `Decimal` nor a `Uuid`, which databases hold in other types. */
export type TextValue<Value> = Value extends string | null ? (Value extends OfKind<string> ? never : Value) : never;

/** Values that can be added up. */
export type NumericValue<Value> = Value extends number | bigint | null
  ? Value
  : Value extends OfKind<'decimal'>
    ? Value
    : never;

/** Moments: of UTC, or of the calendar alone. */
export type Moment = Date | TemporalValue<'Instant' | 'PlainDateTime'>;

/** Values of which one is the smallest. */
export type OrderedValue<Value> = Value extends string | Date | TemporalValue
  ? Value
  : Value extends object
    ? never
    : Value;

/** Type of a sum: exact for `bigint` and `Decimal`, else a number. */
export type SumOf<Value> =
  NonNullable<Value> extends bigint ? bigint : NonNullable<Value> extends string ? Decimal : number;
