import type { MaybePromise } from './sql-handle.js';

/** Goes on with a value as soon as it is there, without waiting when it is there already. */
export function chain<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Goes on with what `run` gives or throws, without waiting when it is there already. What `done` throws is not given to
 * `failed`.
 */
export function settle<Value, Next>(
  run: () => MaybePromise<Value>,
  done: (value: Value) => MaybePromise<Next>,
  failed: (error: unknown) => MaybePromise<Next>,
): MaybePromise<Next> {
  let value: MaybePromise<Value>;
  try {
    value = run();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(done, failed) : done(value);
}

/** A promise of what `run` gives or throws. */
export function promised<Value>(run: () => MaybePromise<Value>): Promise<Value> {
  try {
    const value = run();
    return value instanceof Promise ? value : Promise.resolve(value);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}
