import type { MaybePromise } from './sql-handle.js';

/**
 * Promises of the counts that most writes give, made once: inside a transaction Node follows every promise that is made (see
 * `CallScope`), which takes a good part of the time of a small statement.
 */
const NONE: Promise<unknown> = Promise.resolve(0);
const ONE: Promise<unknown> = Promise.resolve(1);

/**
 * Goes on with a value as soon as it is there, without waiting when it is there already.
 *
 * What `next` needs beside the value is given along where calls are many: a closure over it would be made for each call, and
 * three of them take as much memory as a row.
 */
export function chain<Value, Next, First = undefined, Second = undefined>(
  value: MaybePromise<Value>,
  next: (value: Value, first: First, second: Second) => MaybePromise<Next>,
  first?: First,
  second?: Second,
): MaybePromise<Next> {
  return value instanceof Promise
    ? value.then((settled: Value) => next(settled, first as First, second as Second))
    : next(value, first as First, second as Second);
}

/** A promise of what `run` gives or throws; with its arguments for the reason that `chain` has. */
export function promised<Value, First = undefined, Second = undefined>(
  run: (first: First, second: Second) => MaybePromise<Value>,
  first?: First,
  second?: Second,
): Promise<Value> {
  try {
    const value = run(first as First, second as Second);
    if (value instanceof Promise) return value;
    return typeof value === 'number' ? (keptCount(value) as Promise<Value>) : Promise.resolve(value);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}

function keptCount(value: number): Promise<unknown> {
  if (value === 1) return ONE;
  return value === 0 ? NONE : Promise.resolve(value);
}

/** The value of a promise that `promised` keeps; any other is waited for. */
export function atHand<Value>(value: Promise<Value>): MaybePromise<Value> {
  if (value === ONE) return 1 as Value;
  return value === NONE ? (0 as Value) : value;
}
