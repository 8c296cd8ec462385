/** `= $1` */
export const OpEq = 'eq';
/** `<> $1` */
export const OpNeq = 'neq';
/** `< $1` */
export const OpLt = 'lt';
/** `<= $1` */
export const OpLte = 'lte';
/** `> $1` */
export const OpGt = 'gt';
/** `>= $1` */
export const OpGte = 'gte';
/** `LIKE $1` */
export const OpLike = 'like';
/** `ILIKE $1`; emulated by `LOWER(...) LIKE LOWER(...)` where the database has none. */
export const OpILike = 'ilike';
/** `IN (...)`; the value is a list. */
export const OpIn = 'in';
/** `NOT IN (...)`; the value is a list. */
export const OpNotIn = 'notIn';
/** `IS NULL` */
export const OpIsNull = 'isNull';
/** `IS NOT NULL` */
export const OpIsNotNull = 'isNotNull';
/** `BETWEEN $1 AND $2`; the value is a two-element array. */
export const OpBetween = 'between';
/**
 * A literal SQL fragment; the value is its text. The one operator whose value becomes SQL, and a symbol, so that nothing that was
 * data can name it: neither JSON nor a message to a worker carries one.
 */
export const OpRaw: unique symbol = Symbol.for('fw.orm.raw');

/** Every operator of the SPEC ("ORM values", operators), in its order. */
export const OPERATORS = [
  OpEq, OpNeq, OpLt, OpLte, OpGt, OpGte, OpLike, OpILike, OpIn, OpNotIn, OpIsNull, OpIsNotNull, OpBetween, OpRaw,
] as const; // prettier-ignore

/** One of {@link OPERATORS}: how a condition compares a column. */
export type Operator = (typeof OPERATORS)[number];
