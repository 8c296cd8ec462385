import { beforeAll, expect, test } from '@jest/globals';
import { currentRequestContext, enableRequestContext, runInRequestContext } from '../context/index.js';
import { LocalEventBus, MemoryEventBackend } from './index.js';

beforeAll(enableRequestContext);

const inRequest = <Result>(requestId: string, run: () => Result): Result =>
  runInRequestContext({ requestId, signal: new AbortController().signal }, run);
const current = () => currentRequestContext()?.requestId;

test('each event of emitAsync is handled in the context of the request that emitted it', async () => {
  const bus = new LocalEventBus<{ visited: string }>();
  const seen: unknown[] = [];
  bus.on('visited', async (by) => {
    await Promise.resolve();
    seen.push([by, current()]);
  });
  for (const id of ['a', 'b']) inRequest(id, () => bus.emitAsync('visited', id));
  bus.emitAsync('visited', 'nobody');
  await bus.idle();
  expect(seen).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['nobody', undefined],
  ]);
});

test('messages of a backend are handled outside of any request, whoever published them', async () => {
  const backend = new MemoryEventBackend();
  const seen: unknown[] = [];
  await backend.subscribe('visits', () => seen.push(current()));
  await inRequest('a', () => backend.publish('visits', new Uint8Array(1)));
  await backend.publish('visits', new Uint8Array(1));
  await backend.close();
  expect(seen).toEqual([undefined, undefined]);
});
