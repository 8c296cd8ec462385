import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMs, Type, validatorOf } from '../../../../kernel/index.js';
import { exchange } from '../../../../kernel/net/index.js';
import { Text } from '../../../../kernel/schema/index.js';

const POLL_MS = 500;
const TRY_MS = 2_000;
/** Bytes of a list of services. */
const MAX_BYTES = 1024 * 1024;

/** Options of {@link untilHeard}. */
interface HeardOptions {
  readonly username: string;
  readonly password: string;
  readonly names: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const Services = Type.Array(Type.Object({ name: Text }));

/** Waits until an aggregator has spans of services. @returns the services without spans when the time is over */
export async function untilHeard(aggregatorUrl: string, options: HeardOptions): Promise<readonly string[]> {
  const { names, timeoutMs, signal } = options;
  const deadline = monotonicMs() + timeoutMs;
  for (;;) {
    const heard = await heardServices(aggregatorUrl, options);
    signal.throwIfAborted();
    const missing = names.filter((name) => !heard.has(name));
    if (missing.length === 0 || monotonicMs() >= deadline) return missing;
    await delay(POLL_MS, undefined, { signal });
  }
}

async function heardServices(
  aggregatorUrl: string,
  { username, password, signal }: HeardOptions,
): Promise<ReadonlySet<string>> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  try {
    const url = `${aggregatorUrl}/api/services`;
    const read = { url, headers: { authorization }, timeoutMs: TRY_MS, maxBytes: MAX_BYTES, signal };
    const answer: unknown = JSON.parse((await exchange(read)).body.toString());
    if (validatorOf(Services).check(answer).length > 0) return new Set();
    return new Set((answer as { name: string }[]).map(({ name }) => name));
  } catch {
    // Not reachable yet; the caller tries again until its time is over.
    return new Set();
  }
}
