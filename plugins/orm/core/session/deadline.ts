import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { StatementOptions } from './sql-handle.js';

/** How long a call goes on: milliseconds, 0 for ever, and what aborts it. */
export type Limits = Pick<StatementOptions, 'timeout' | 'signal'> & {
  /** The timeout that the caller has given, where `timeout` is what is left of it. */
  readonly asked?: number | undefined;
};

/** @throws FwError `FW_ORM_ABORTED` when the signal was aborted already */
export function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw fwError(ORM_ERRORS.FW_ORM_ABORTED, {});
}

/**
 * Waits for a statement of a server, but not past its deadline or abort. When it is given up, `cancel` is called, and its
 * end awaited, so that the connection can be used again or is known to be lost.
 */
export function withinDeadline<Result>(
  running: Promise<Result>,
  limits: Limits,
  cancel: (reason: Error) => Promise<void>,
): Promise<Result> {
  const { timeout = 0, signal } = limits;
  return timeout > 0 || signal !== undefined ? limited(running, limits, cancel) : running;
}

/** The remaining limits of a call that has waited since `from`, in milliseconds of `performance.now()`. */
export function limitsAfter<Given extends Limits>(limits: Given, from: number): Given {
  if (limits.timeout === undefined || limits.timeout <= 0) return limits;
  const timeout = Math.max(1, Math.round(limits.timeout - (performance.now() - from)));
  return { ...limits, timeout, asked: limits.asked ?? limits.timeout };
}

async function limited<Result>(
  running: Promise<Result>,
  { timeout = 0, asked = timeout, signal }: Limits,
  cancel: (reason: Error) => Promise<void>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  let reason: Error | undefined;
  let cancelled: Promise<void> | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = (error: Error) => {
      if (reason !== undefined) return;
      reason = error;
      cancelled = cancel(error).finally(() => reject(error));
    };
    const late = () => giveUp(fwError(ORM_ERRORS.FW_ORM_TIMEOUT, { timeout: asked }));
    if (timeout > 0) timer = setTimeout(late, timeout);
    onAbort = () => giveUp(fwError(ORM_ERRORS.FW_ORM_ABORTED, {}));
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    const result = await Promise.race([running, givenUp]);
    // Some servers end a cancelled statement as if nothing had happened.
    if (reason) throw reason;
    return result;
  } catch (error) {
    // If the statement ends before it is cancelled, the pending cancel request could reach the connection's next statement, so it is
    // awaited.
    await cancelled;
    // A cancelled statement fails with its own error; the caller gets the reason of the cancellation.
    throw reason ?? error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    running.catch(() => undefined);
  }
}
