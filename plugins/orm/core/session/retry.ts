import { failureOf, isFwError } from '../../../../kernel/index.js';
import { isError } from '../../../../kernel/errors/index.js';
import { assertFunction, assertMilliseconds, assertObject, assertWhole } from './checked-options.js';
import { assertWanted } from './deadline.js';

/** When and how often to try again (SPEC "ORM values", RetryPolicy). */
export interface RetryPolicy {
  /** Total attempts including the first. Default 3. */
  readonly maxAttempts: number;
  /** Milliseconds before the second attempt; doubles with each. Default 10. */
  readonly baseDelay: number;
  /** Most milliseconds between two attempts. Default 500. */
  readonly maxDelay: number;
  /**
   * Whether an error is worth another attempt: only `true` is, or a promise of it. If the function throws, the original error is thrown,
   * and a process warning has the function's error.
   */
  readonly isRetryable: (error: unknown) => boolean | Promise<boolean>;
}

const TRANSIENT =
  /deadlock|serialization failure|lock wait timeout|could not serialize|database is locked|database table is locked/i;

const AROUND = new Set(['FW_ORM_HOOK', 'FW_ORM_PLUGIN']);
// A chain of causes may be circular.
const MOST_CAUSES = 10;

/**
 * Whether an error or one of its causes is transient: the driver adapter classified it so, or its text says so (deadlock, serialization
 * failure, lock wait timeout, busy database), across dialects.
 */
export function isTransient(error: unknown): boolean {
  let at = error;
  for (let depth = 0; depth < MOST_CAUSES && isError(at); depth++) {
    if (isFwError(at)) {
      // A call that has already waited for the whole limit of the handle is not retried.
      if (at.code === 'FW_ORM_TRANSIENT') return at.details['waited'] === undefined;
      // Other codes of the ORM are final; for these the cause is examined.
      if (at.code.startsWith('FW_ORM_') && !AROUND.has(at.code)) return false;
    } else if (TRANSIENT.test(at.message)) return true;
    at = at.cause;
  }
  return false;
}

/** The policy of the SPEC. */
export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 3,
  baseDelay: 10,
  maxDelay: 500,
  isRetryable: isTransient,
};

/**
 * Refuses a policy that would try for ever, or at once.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function assertRetryPolicy(policy: Partial<RetryPolicy> | null | undefined): void {
  if (policy === undefined || policy === null) return;
  assertObject('retryPolicy', policy);
  assertWhole('maxAttempts', policy.maxAttempts, 0);
  assertMilliseconds('baseDelay', policy.baseDelay);
  assertMilliseconds('maxDelay', policy.maxDelay);
  assertFunction('isRetryable', policy.isRetryable);
}

const failed = failureOf('isRetryable of a retry policy');

/** Whether a policy has an error tried again. */
export async function isWorthIt(policy: RetryPolicy, error: unknown): Promise<boolean> {
  try {
    return (await policy.isRetryable(error)) === true;
  } catch (failure) {
    failed(failure);
    return false;
  }
}

/** A policy with its defaults; attempts below 1 count as 1. */
export function retryPolicy(policy: Partial<RetryPolicy> | null | undefined): RetryPolicy {
  const full = { ...defaultRetryPolicy, ...policy };
  return { ...full, maxAttempts: Math.max(1, full.maxAttempts) };
}

/** Milliseconds between attempt `attempt` (counted from 1) and the next: the base, doubled with each, up to the most. */
export function backOffDelay({ baseDelay, maxDelay }: RetryPolicy, attempt: number): number {
  return Math.min(baseDelay * 2 ** (attempt - 1), maxDelay);
}

/** Waits before attempt `attempt + 1`. */
export async function backOff(policy: RetryPolicy, attempt: number, signal?: AbortSignal): Promise<void> {
  // Loaded lazily, because most programs never retry.
  const { setTimeout: delay } = await import('node:timers/promises');
  await delay(backOffDelay(policy, attempt), undefined, { signal }).catch(() => assertWanted(signal));
}
