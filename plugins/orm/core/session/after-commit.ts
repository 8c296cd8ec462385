import { fwError } from '../../../../kernel/index.js';
import { messageOf } from '../../../../kernel/errors/index.js';
import { ORM_ERRORS } from '../errors.js';

/** A callback for after the commit. */
export type AfterCommit = () => void | Promise<void>;

/**
 * Runs callbacks one after the other, each also when one before it fails.
 *
 * @throws FwError `FW_ORM_AFTER_COMMIT` for the first that failed
 */
export async function runAfterCommit(callbacks: readonly AfterCommit[]): Promise<void> {
  const failures: unknown[] = [];
  for (const callback of callbacks) {
    try {
      await callback();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0) return;
  const [cause] = failures;
  const reason = messageOf(cause);
  throw fwError(ORM_ERRORS.FW_ORM_AFTER_COMMIT, { reason }, { cause });
}
