const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** A wait for the first signal that asks the process to stop. */
export interface SignalWait {
  /** Aborted by the first signal, so that a boot in progress is given up. */
  readonly aborted: AbortSignal;
  /** Resolves to the first signal. */
  readonly received: Promise<NodeJS.Signals>;
}

/** Waits for SIGINT or SIGTERM. A second one ends the process at once, for a person who will not wait for the drain. */
export function untilSignal(): SignalWait {
  const controller = new AbortController();
  const received = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (controller.signal.aborted) process.exit(EXIT_CODES[signal]);
        controller.abort();
        resolve(signal);
      });
    }
  });
  return { aborted: controller.signal, received };
}

/**
 * Lets SIGINT and SIGTERM end the process by `process.exit`, so that what hangs on the exit (children and their groups) ends
 * with it. A command that waits for signals itself, as {@link untilSignal} does, takes precedence.
 */
export function exitOnSignals(): void {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(EXIT_CODES[signal]);
    });
  }
}
