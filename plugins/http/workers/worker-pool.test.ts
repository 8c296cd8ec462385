import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { RecordingLogger } from '../../../kernel/testing/recording-logger.js';
import { WorkerPool } from './worker-pool.js';

const module = `data:text/javascript,${encodeURIComponent('let calls = 0; export const count = () => ++calls;')}`;
const task = { module, name: 'count' };

let pool: WorkerPool;
beforeEach(() => void (pool = new WorkerPool({ size: 1 }, new RecordingLogger())));
afterEach(() => pool.close());

const LEFT = { name: 'AbortError' };

test('a task whose client has left does not run, whether it left before or while the task waited', async () => {
  const leaving = new AbortController();
  const [first, waiting, gone] = [
    pool.run(task, undefined),
    pool.run(task, undefined, leaving.signal),
    pool.run(task, undefined, AbortSignal.abort()),
  ];
  leaving.abort();
  await expect(waiting).rejects.toMatchObject(LEFT);
  await expect(gone).rejects.toMatchObject(LEFT);
  expect(await first).toBe(1);
  await expect(pool.run(task, undefined, AbortSignal.abort())).rejects.toMatchObject(LEFT);
  expect(await pool.run(task, undefined)).toBe(2);
});
