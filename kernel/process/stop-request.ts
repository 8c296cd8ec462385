import { constants } from 'node:os';
import { whenStarterEnds } from '../bin/started-by.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One Ctrl-C may arrive twice: from the terminal and from the package runner. */
const ONE_PRESS_MS = 300;

/** What asked the process to stop: a signal, or the end of the process that started it (a start script, npm, a shell). */
export type StopCause = (typeof SIGNALS)[number] | 'STARTER-ENDED';

/** A pending request to stop. */
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
 * Ends the process by `process.exit` when it is asked to stop, so that exit listeners end its children and their groups. A wait by {@link
 * untilAskedToStop} takes precedence.
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

// Ignores write errors of the outputs: the terminal or supervisor may be gone, and the shutdown does not need them.
function outliveReaders(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}

// The exit code that shells give for a signal; the end of the starting process counts as SIGTERM.
function exitCodeOf(cause: StopCause): number {
  return 128 + constants.signals[cause === 'STARTER-ENDED' ? 'SIGTERM' : cause];
}
