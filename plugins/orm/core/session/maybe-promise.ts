import type { MaybePromise } from './sql-handle.js';

/**
 * Shared promises of common row counts: inside a transaction Node tracks every new promise (see `CallScope`), which takes a considerable
 * part of the time of a small statement.
 */
const NONE: Promise<unknown> = Promise.resolve(0);
const ONE: Promise<unknown> = Promise.resolve(1);

/**
 * Calls `next` with a value, synchronously if the value is no promise.
 *
 * Further arguments of `next` can be passed instead of being captured, because a closure for each call costs memory: three of them as much
 * as a row.
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

/** What `run` gives; what it throws, or rejects with, is thrown as `other` of it. */
export function rethrown<Value>(
  run: () => MaybePromise<Value>,
  other: (error: unknown) => unknown,
): MaybePromise<Value> {
  const fail = (error: unknown): never => {
    throw other(error);
  };
  try {
    const value = run();
    return value instanceof Promise ? value.catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
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

/** The value of a promise that `promised` shares; any other promise is returned. */
export function atHand<Value>(value: Promise<Value>): MaybePromise<Value> {
  if (value === ONE) return 1 as Value;
  return value === NONE ? (0 as Value) : value;
}
