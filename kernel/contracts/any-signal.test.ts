import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { anySignal } from './any-signal.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a signal of several is aborted by a timeout that nobody else has, also after garbage was collected', async () => {
  const never = new AbortController();
  const outcomes = Array.from({ length: 20 }, async () => {
    const signal = anySignal([never.signal, AbortSignal.timeout(50)]);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return (signal.reason as Error).name;
  });
  await setImmediate();
  collectGarbage();
  const late = setTimeout(10_000, ['late'], { ref: false });
  expect(await Promise.race([Promise.all(outcomes), late])).toEqual(Array(20).fill('TimeoutError'));
});

test('it has the reason of the first, and is aborted at once by one that already is', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const signal = anySignal([one.signal, other.signal]);
  other.abort('second');
  one.abort('first');
  expect([signal.aborted, signal.reason]).toEqual([true, 'second']);
  expect(anySignal([one.signal, other.signal]).reason).toBe('first');
});
