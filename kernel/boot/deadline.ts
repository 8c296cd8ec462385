/** The deadline passed before the work settled. */
export class DeadlinePassed extends Error {}

/**
 * Waits for work, but not for ever: when the deadline passes, the work's signal is aborted and the wait ends.
 *
 * @param work - gets a signal that is aborted at the deadline or with `parent`
 * @param deadlineMs - milliseconds
 * @throws DeadlinePassed when the work has not settled in time
 */
export async function withDeadline<Result>(
  work: (signal: AbortSignal) => Result | Promise<Result>,
  deadlineMs: number,
  parent?: AbortSignal,
): Promise<Result> {
  const controller = new AbortController();
  const signal = parent ? AbortSignal.any([parent, controller.signal]) : controller.signal;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlinePassed()), deadlineMs);
  });
  try {
    return await Promise.race([work(signal), deadline]);
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
