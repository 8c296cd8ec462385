import { expect, jest, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { LIES, lyingServer } from '../../../kernel/testing/lying-servers.js';
import { until } from '../../../kernel/testing/until.js';
import { AggregatorLink } from './aggregator-link.js';

const linkTo = (url: string) => new AggregatorLink({ url }, { url: () => url, aggregator: undefined });
/** More than an answer may have, and than kernels hold between two sockets. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What a call came to, in a form that is small where it is printed: an error may hold its connection, and a body megabytes. */
function inWords(outcome: unknown): object {
  if (!(outcome instanceof Error)) return { bytes: (outcome as Buffer).length };
  return { code: (outcome as { readonly code?: unknown }).code, message: outcome.message };
}

/** Lies that only a deadline ends; whoever waits for one of the others needs none, however slow the machine is. */
const ENDLESS = /^(?:never answers|says 102 for ever|drips|falls silent)/;

test.each(Object.keys(LIES))('a page whose aggregator %s gets a problem that names it', async (lie) => {
  await using server = await lyingServer(LIES[lie] as never);
  const link = linkTo(server.url);
  const leave = new AbortController();
  const read = link.read({ path: 'stats', signal: leave.signal }).catch((error: unknown) => error);
  if (ENDLESS.test(lie)) {
    await until(() => server.connections > 0, 'connection');
    await delay(100);
    leave.abort();
  }
  const outcome = await read;
  // A body of JSON is the browser's to read, whatever it holds.
  const isPassedOn = /^(?:sends (?:broken JSON|null|a number)|nests without end|says gzip and sends none)$/.test(lie);
  if (isPassedOn) expect(Buffer.isBuffer(outcome)).toBe(true);
  else
    expect(inWords(outcome)).toMatchObject({
      code: expect.stringMatching(/^FW_DASHBOARD_FLEET_(?:UNREACHABLE|ANSWER|REFUSED)$/),
    });
  expect(server.written).toBeLessThan(MOST_BYTES);
  link.close();
});

test.each(['drips headers', 'says 102 for ever', 'drips a body'])(
  'an aggregator that %s holds a connection for half a minute at most',
  async (lie) => {
    jest.useFakeTimers({
      now: 0,
      doNotFake: ['setInterval', 'clearInterval', 'setImmediate', 'nextTick', 'performance'],
    });
    try {
      await using server = await lyingServer(LIES[lie] as never);
      const link = linkTo(server.url);
      const outcome = link
        .read({ path: 'stats', signal: new AbortController().signal })
        .catch((error: unknown) => error);
      let hasEnded = false;
      void outcome.then(() => (hasEnded = true));
      while (server.written < 100 && !hasEnded) await new Promise((resolve) => setImmediate(resolve));
      // Twice the limit, because the beginning of an answer and its rest have one each.
      for (let passed = 0; passed < 60; passed++) {
        jest.advanceTimersByTime(1_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(inWords(await outcome)).toMatchObject({
        code: 'FW_DASHBOARD_FLEET_UNREACHABLE',
        message: expect.stringMatching(/took longer/),
      });
      link.close();
    } finally {
      jest.useRealTimers();
    }
  },
);
