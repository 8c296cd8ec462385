import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMs } from '../../../../kernel/contracts/clock.js';
import { anySignal } from '../../../../kernel/contracts/any-signal.js';

const POLL_MS = 500;
const TRY_MS = 5_000;

/** What to wait for. */
export interface Wait {
  /** Addresses that must answer HTTP, with any status. */
  readonly urls: readonly string[];
  readonly seconds: number;
  readonly signal: AbortSignal | undefined;
  /** Called before each round; throws to end the wait. */
  check(): Promise<void>;
  /** Receives the addresses that have not answered yet. */
  waiting(left: readonly string[]): void;
}

/** Waits until every address answers. @returns the addresses that did not answer in time */
export async function untilAnswered({ urls, seconds, signal, check, waiting }: Wait): Promise<readonly string[]> {
  const deadline = monotonicMs() + seconds * 1000;
  let left = urls;
  for (;;) {
    await check();
    const answers = await Promise.all(left.map((url) => answersHttp(url, signal)));
    signal?.throwIfAborted();
    left = left.filter((_, index) => !answers[index]);
    if (left.length === 0 || monotonicMs() >= deadline) return left;
    waiting(left);
    await delay(POLL_MS, undefined, signal && { signal });
  }
}

/** Whether an address answers HTTP. */
export async function answersHttp(url: string, signal?: AbortSignal, timeoutMs = TRY_MS): Promise<boolean> {
  const within = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: signal ? anySignal([signal, within]) : within,
    });
    await response.body?.cancel();
    return true;
  } catch {
    // No answer yet; the caller tries again until its time is over.
    return false;
  }
}
