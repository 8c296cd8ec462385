import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../../kernel/testing/until.js';
import { CheckWorker } from './check-worker.js';

let folder: string;
let worker: CheckWorker | undefined;
beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'fw-check-worker-'))));
afterEach(async () => {
  await worker?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A worker with threads of this code, and a function that tells how many were started. */
async function workerOf(code: string): Promise<readonly [CheckWorker, () => number]> {
  const file = path.join(folder, 'thread.mjs');
  await writeFile(file, `import { parentPort } from 'node:worker_threads';\n${code}`);
  let starts = 0;
  worker = new CheckWorker(
    { deadline: 60_000, maxHeap: 64 },
    () => undefined,
    () => (starts++, Promise.resolve(file)),
  );
  return [worker, () => starts];
}

test('a thread that ends before it is ready is an error', async () => {
  const [checks] = await workerOf('process.exit(7);');
  await expect(checks.run([{ read: 1 }])).rejects.toMatchObject({
    code: 'FW_FLEET_CHECK_THREAD',
    message: expect.stringContaining('the thread ended with code 7 before it was ready'),
  });
});

test('one that ends in a batch without a word is an error, and the next batch gets another', async () => {
  const [checks, started] = await workerOf(
    "parentPort.once('message', () => process.exit()); parentPort.postMessage([]);",
  );
  for (let nth = 1; nth <= 2; nth++) {
    await expect(checks.run([{ read: 1 }])).rejects.toMatchObject({ code: 'FW_FLEET_CHECK_THREAD' });
    expect(started()).toBe(nth);
  }
});

test('one that ends between two batches is replaced', async () => {
  const ended = path.join(folder, 'ended');
  // Once nothing listens any more, the thread ends by itself.
  const [checks, started] = await workerOf(
    `import { writeFileSync } from 'node:fs';
     process.once('exit', () => writeFileSync(${JSON.stringify(ended)}, ''));
     parentPort.once('message', () => parentPort.postMessage([{ failure: 'x' }]));
     parentPort.postMessage([]);`,
  );
  const run = () => checks.run([{ read: 1 }]);
  expect(await run()).toEqual([{ failure: 'x' }]);
  await until(() => existsSync(ended), 'the end of the thread');
  await delay(100);
  // On a slow machine the thread may still be ending; then this batch fails.
  expect(await run().catch(run)).toEqual([{ failure: 'x' }]);
  expect(started()).toBe(2);
});
