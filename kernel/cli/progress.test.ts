import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { commandOutput } from './progress.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function made({ isTTY = false, quiet = false, columns = 40 } = {}) {
  const written: string[] = [];
  const stream = (name: string) => ({ isTTY, columns, write: (text: string) => void written.push(`${name}${text}`) });
  return { written, ...commandOutput({ out: stream('out '), err: stream('') }, quiet) };
}

const lasting = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

describe('progress', () => {
  test('says nothing of what takes less than a second', async () => {
    const { written, progress } = made();
    const done = progress('building', () => lasting(900).then(() => 7));
    await jest.advanceTimersByTimeAsync(5000);
    expect(await done).toBe(7);
    expect(written).toEqual([]);
  });

  test('is a line for each phase that takes longer, where lines stay', async () => {
    const { written, progress } = made();
    const done = progress('building', async (next) => {
      await lasting(5000);
      next('packing');
      await lasting(500);
      next('installing');
      await lasting(3000);
    });
    await jest.advanceTimersByTimeAsync(10_000);
    await done;
    expect(written).toEqual(['building\n', 'installing\n']);
  });

  test('is rewritten in place on a terminal, cut to its width, out of the way of results, and gone at the end', async () => {
    const { written, progress, out } = made({ isTTY: true, columns: 16 });
    const done = progress('building it all', async () => {
      await lasting(2500);
      out('a result\n');
      await lasting(1000);
    });
    await jest.advanceTimersByTimeAsync(10_000);
    await done;
    const line = '\r\u001b[2Kbuilding it all';
    expect(written).toEqual([line, line, '\r\u001b[2K', 'out a result\n', line, '\r\u001b[2K']);
  });

  test('shows the innermost of several, and the outer one again', async () => {
    const { written, progress } = made({ isTTY: true });
    const done = progress('outer', () => progress('inner', () => lasting(1500)).then(() => lasting(1600)));
    await jest.advanceTimersByTimeAsync(10_000);
    await done;
    expect(written.filter((each) => /er \(/.test(each))).toEqual([
      '\r\u001b[2Kinner (1 s)',
      '\r\u001b[2Kouter (2 s)',
      '\r\u001b[2Kouter (3 s)',
    ]);
  });

  test('is shown by work that keeps the event loop busy, when it goes on or is known to take long', async () => {
    const { written, progress } = made();
    let at = 0;
    const hrtime = (): [number, number] => [Math.floor(at / 1000), (at % 1000) * 1e6];
    const clock = jest.spyOn(process, 'hrtime').mockImplementation(hrtime);
    const busy = (ms: number) => (at += ms);
    await progress('reading', async (next) => {
      for (let file = 0; file < 9; file++) {
        next('reading');
        busy(300);
      }
      next('writing');
      busy(5000);
      next('checking', true);
    });
    clock.mockRestore();
    expect(written).toEqual(['reading\n', 'checking\n']);
  });

  test('ends with an error of the work, and is silent when it shall be', async () => {
    const { written, progress, err } = made({ quiet: true });
    const done = expect(progress('building', () => lasting(3000).then(() => Promise.reject(new Error('no'))))).rejects.toThrow('no'); // prettier-ignore
    await jest.advanceTimersByTimeAsync(10_000);
    await done;
    err('what is wrong\n');
    expect(written).toEqual(['what is wrong\n']);
  });
});
