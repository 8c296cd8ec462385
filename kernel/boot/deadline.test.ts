import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DeadlinePassed, type LateOutcome, withDeadline } from './deadline.js';

/** A promise that the test settles itself. */
function held<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<Value>((settle, refuse) => ([resolve, reject] = [settle, refuse]));
  return { promise, resolve, reject };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('withDeadline', () => {
  test('gives what the work gives, and throws what it throws, at once or later', async () => {
    expect(await withDeadline(() => 5, 1000)).toBe(5);
    expect(await withDeadline(() => Promise.resolve(5), 1000)).toBe(5);
    await expect(withDeadline(() => Promise.reject(new Error('later')), 1000)).rejects.toThrow('later');
    await expect(withDeadline(() => { throw new Error('at once'); }, 1000)).rejects.toThrow('at once'); // prettier-ignore
  });

  test('ends the wait when the parent is aborted, also for work that ignores its signal', async () => {
    const parent = new AbortController();
    const reason = new Error('given up');
    const waiting = withDeadline(() => new Promise(() => {}), 2 ** 31 - 1, { parent: parent.signal });
    parent.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    let ran = false;
    await expect(withDeadline(() => void (ran = true), 1000, { parent: parent.signal })).rejects.toBe(reason);
    expect(ran).toBe(false);
  });

  test('tells how work ended that nobody waited for, whichever way it was given up and ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.boolean(), fc.boolean(), async (byParent, succeeds, heeds) => {
        const parent = new AbortController();
        const work = held<string>();
        const told: LateOutcome[] = [];
        let aborted = false;
        const waiting = withDeadline(
          (signal) => {
            signal.addEventListener('abort', () => ((aborted = true), heeds && work.reject(signal.reason)));
            return work.promise;
          },
          byParent ? 2 ** 31 - 1 : 1,
          { parent: parent.signal, late: (outcome) => void told.push(outcome) },
        );
        if (byParent) parent.abort(new Error('given up'));
        await expect(waiting).rejects.toThrow(byParent ? 'given up' : DeadlinePassed);
        if (succeeds) work.resolve('late');
        else work.reject(new Error('late'));
        await turns();
        expect(aborted).toBe(true);
        expect(told.map(({ succeeded }) => succeeded)).toEqual([succeeds && !heeds]);
      }),
      { numRuns: 30 },
    );
  });
});
