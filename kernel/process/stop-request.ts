import { constants } from 'node:os';
import { whenStarterEnds } from '../bin/started-by.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One Ctrl-C may come twice: from the terminal, and passed on by the package runner. */
const ONE_PRESS_MS = 300;

/** What asked the process to stop: a signal, or the end of who started it (a start script, npm, the shell between them). */
export type StopCause = (typeof SIGNALS)[number] | 'STARTER-ENDED';

/** A wait for what asks the process to stop. */
export interface StopRequest {
  /** Aborted by the first request, so that a boot in progress is given up. */
  readonly aborted: AbortSignal;
  /** Resolves to the first request. */
  readonly received: Promise<StopCause>;
}

type Listener = (cause: StopCause) => void;

const waiting = new Set<Listener>();
let listens = false;

/**
 * Waits for SIGINT, SIGTERM, SIGHUP, or for the end of the processes that started this one: a script that left its id in
 * `FW_STARTED_BY`, or npm with its shell. A further Ctrl-C ends the process at once, for a person who will not wait; other
 * signals may be repeated, because a supervisor that sends them to a whole group reaches this process several times.
 */
export function untilAskedToStop(): StopRequest {
  listen();
  const controller = new AbortController();
  const received = new Promise<StopCause>((resolve) => {
    let askedAt: number | undefined;
    waiting.add((cause) => {
      if (askedAt !== undefined) {
        if (cause === 'SIGINT' && performance.now() - askedAt > ONE_PRESS_MS) process.exit(exitCodeOf(cause));
        return;
      }
      askedAt = performance.now();
      outliveReaders();
      controller.abort();
      resolve(cause);
    });
  });
  return { aborted: controller.signal, received };
}

/**
 * Lets what asks the process to stop end it by `process.exit`, so that what hangs on the exit (children and their groups) ends
 * with it. Who waits with {@link untilAskedToStop} takes precedence.
 */
export function exitWhenAskedToStop(): void {
  listen();
}

function listen(): void {
  if (listens) return;
  listens = true;
  for (const signal of SIGNALS) process.on(signal, asked);
  whenStarterEnds(() => asked('STARTER-ENDED'));
}

function asked(cause: StopCause): void {
  if (waiting.size === 0) process.exit(exitCodeOf(cause));
  for (const listener of waiting) listener(cause);
}

// The terminal, or the supervisor that read the output, may be gone; what is left to do does not need them.
function outliveReaders(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}

// As shells have it; who lost its starter would have been sent SIGTERM.
function exitCodeOf(cause: StopCause): number {
  return 128 + constants.signals[cause === 'STARTER-ENDED' ? 'SIGTERM' : cause];
}
