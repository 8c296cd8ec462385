/** A value of a class of Temporal, whichever declarations of them a program has. */
interface TemporalText {
  readonly [Symbol.toStringTag]: `Temporal.${string}`;
  toJSON(): string;
}

/** A handler may return any value that JSON turns into the declared type: for a string of a time a Date, or a value of Temporal. */
export type Sendable<Value> = Value extends string
  ? Value | Date | TemporalText
  : Value extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Sendable<Value[Key]> }
      : Value;
