// An object of one key is missing what a literal names, and nothing where the key is any text of a type.
type IsLiteral<Value extends string | number> = Record<never, never> extends Record<Value, unknown> ? false : true;

/** The type that a value has whatever it is: `string` of `'open'`, and a branded text as it is. */
export type Loose<Value> = Value extends string
  ? IsLiteral<Value> extends true
    ? string
    : Value
  : Value extends number
    ? IsLiteral<Value> extends true
      ? number
      : Value
    : Value extends bigint
      ? bigint
      : Value extends boolean
        ? boolean
        : Value;

type IsOne<Value, All = Value> = [Value] extends [never]
  ? false
  : Value extends unknown
    ? [All] extends [Value]
      ? true
      : false
    : never;

/** Rows whose values are of these kinds, whatever they are. */
export type LooseRow<Row> = { readonly [Key in keyof Row]: Loose<Row[Key]> };

/** Rows that may have other values where these have a constant: a count that begins with `value(0)`. Choices of several stay. */
export type BegunRow<Row> = {
  [Key in keyof Row]: IsOne<NonNullable<Row[Key]>> extends true ? Loose<Row[Key]> : Row[Key];
};
