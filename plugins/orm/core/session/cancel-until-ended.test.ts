import { expect, test } from '@jest/globals';
import { cancelUntilEnded } from './cancel-until-ended.js';

test('a statement that was not yet there to be cancelled is cancelled again', async () => {
  let fail: (error: Error) => void = () => undefined;
  const running = new Promise<never>((_, reject) => (fail = reject));
  let times = 0;
  const cancel = async () => {
    if (++times === 3) fail(new RangeError('cancelled'));
  };
  await cancelUntilEnded(running, cancel, 0);
  expect(times).toBe(3);
  await expect(running).rejects.toThrow('cancelled');
});

test('one that ends by itself is left alone, and who cannot be reached is told of', async () => {
  let times = 0;
  const ending = new Promise<void>((resolve) => setTimeout(resolve, 5));
  await cancelUntilEnded(ending, async () => void times++, 0);
  expect(times).toBe(1);
  const unreachable = cancelUntilEnded(new Promise(() => undefined), () => Promise.reject(new RangeError('nobody')), 0);
  await expect(unreachable).rejects.toThrow('nobody');
});

test('one that never ends although the server has taken notice is given up', async () => {
  const silent = cancelUntilEnded(new Promise(() => undefined), async () => undefined, 1);
  await expect(silent).rejects.toThrow('not ended within 1 ms');
});
