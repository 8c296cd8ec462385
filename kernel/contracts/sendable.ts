/** A handler may return any value that JSON turns into the declared type: a Date for a date-time string. */
export type Sendable<Value> = Value extends string
  ? Value | Date
  : Value extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Sendable<Value[Key]> }
      : Value;
