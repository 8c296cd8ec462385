import { expect, test } from '@jest/globals';
import { LIES, lyingServer } from '../testing/lying-servers.js';
import { exchange } from './index.js';

const LIMITS = { timeoutMs: 150, maxBytes: 10_000 };
/** More than kernels hold between two sockets, and far below what a lying server would like to send. */
const MOST_BYTES = 32 * 1024 * 1024;

test.each(Object.keys(LIES))('an exchange with a server that %s comes to an end within its limits', async (lie) => {
  await using server = await lyingServer(LIES[lie] as never);
  const { signal } = new AbortController();
  const outcome = await exchange({ url: server.url, signal, ...LIMITS }).catch((error: Error) => error);
  if ('message' in outcome) expect(outcome.message).not.toBe('');
  else {
    const { body, truncated } = outcome;
    expect(body.length).toBeLessThanOrEqual(LIMITS.maxBytes);
    expect(truncated).toBe(body.length === LIMITS.maxBytes);
  }
  expect(server.written).toBeLessThan(MOST_BYTES);
});

test.each([
  'never answers',
  'drips headers',
  'drips a body',
  'says 102 for ever',
  'falls silent in a body without a length',
])('a server that %s is told from one that is not there', async (lie) => {
  await using server = await lyingServer(LIES[lie] as never);
  const { signal } = new AbortController();
  await expect(exchange({ url: server.url, signal, ...LIMITS, maxBytes: 1e6 })).rejects.toThrow('no answer within');
});
