import type { LockMode } from '../plan/parts.js';
import type { Step } from '../plan/steps.js';
import { LOCKS } from '../plan/words.js';
import { assertKnown, assertList } from '../session/checked-options.js';

/** No lock; the default. */
export const LockNone = undefined;
/** `FOR UPDATE` */
export const LockForUpdate = 'update';
/** `FOR SHARE` */
export const LockForShare = 'share';
/** `FOR NO KEY UPDATE`; as `FOR UPDATE` where there is no such lock. */
export const LockForNoKeyUpdate = 'noKeyUpdate';
/** `FOR UPDATE SKIP LOCKED` */
export const LockForUpdateSkipLocked = 'updateSkipLocked';
/** `FOR UPDATE NOWAIT` */
export const LockForUpdateNoWait = 'updateNoWait';

/** Options of `Query.lock`. */
export interface LockOptions {
  /** Names of the tables whose rows are locked. */
  readonly of?: readonly string[];
}

const OPTIONS: readonly (keyof LockOptions)[] = ['of'];

/** The step of a lock. @throws FwError `FW_ORM_WORD`, `FW_ORM_OPTIONS` */
export function lockStep(mode: LockMode, options: LockOptions): Step {
  LOCKS.checked(mode);
  assertKnown('of the lock', options, OPTIONS);
  const { of } = options;
  if (of === undefined) return { key: `lock:${mode}`, part: { t: 'lock', mode, values: 0 } };
  assertList('of', of);
  return { key: `lock:${mode}:${JSON.stringify(of)}`, part: { t: 'lock', mode, of: [...of], values: 0 } };
}
