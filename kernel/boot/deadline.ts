/** The deadline passed before the work settled. */
export class DeadlinePassed extends Error {}

/** How a deadline is kept. */
interface DeadlineOptions {
  /** Ends the wait too, when aborted; work that settles in the same turn still counts. */
  readonly parent?: AbortSignal | undefined;
  /** Called with the outcome of work that settled after its deadline. Without it that outcome is ignored. */
  readonly late?: (outcome: LateOutcome) => void;
}

/** How work ended after its deadline. */
export interface LateOutcome {
  /** What it was rejected with; undefined when it succeeded. */
  readonly error?: unknown;
  readonly succeeded: boolean;
}

/**
 * Waits for work, but not for ever: when the deadline passes or the parent is aborted, the work's signal is aborted and the
 * wait ends, whether the work heeds its signal or not.
 *
 * @param work - gets a signal that is aborted at the deadline or with `parent`
 * @param deadlineMs - milliseconds
 * @throws DeadlinePassed when the work has not settled in time
 * @throws the parent's reason when that is aborted
 */
export async function withDeadline<Result>(
  work: (signal: AbortSignal) => Result | Promise<Result>,
  deadlineMs: number,
  { parent, late }: DeadlineOptions = {},
): Promise<Result> {
  parent?.throwIfAborted();
  const controller = new AbortController();
  const { promise: ended, reject: end } = withRejection();
  const giveUp = (reason: unknown) => {
    end(reason);
    controller.abort(reason);
  };
  const timer = setTimeout(() => giveUp(new DeadlinePassed()), deadlineMs);
  const follow = () => giveUp((parent as AbortSignal).reason);
  parent?.addEventListener('abort', follow, { once: true });
  const running = (async () => work(controller.signal))();
  try {
    return await Promise.race([running, ended]);
  } catch (error) {
    if (controller.signal.aborted) tellLate(running, late);
    else controller.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener('abort', follow);
  }
}

function tellLate(running: Promise<unknown>, late: DeadlineOptions['late']): void {
  running.then(
    () => late?.({ succeeded: true }),
    (error: unknown) => late?.({ succeeded: false, error }),
  );
}

function withRejection(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<never>((_, settle) => (reject = settle));
  return { promise, reject };
}
