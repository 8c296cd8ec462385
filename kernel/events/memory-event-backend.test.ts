import { describe, expect, test } from '@jest/globals';
import type { EventMessage } from '../contracts/events.js';
import { eventBackendContract } from '../testing/contracts/event-backend.contract.js';
import { RecordingLogger } from '../testing/recording-logger.js';
import { MemoryEventBackend } from './index.js';

describe('publishes and subscribes like every backend [EVENT-BACKEND-01]', () => {
  eventBackendContract('in-memory', () => new MemoryEventBackend());
});

const bytes = (length: number): Uint8Array => new Uint8Array(length);

describe('the in-memory event backend', () => {
  test('needs no infrastructure: it is made without options [EVENT-BACKEND-03]', () => {
    expect(new MemoryEventBackend()).toMatchObject({ name: 'memory', replays: false });
  });

  test('lets the oldest messages make room when a handler is too slow, and counts them', async () => {
    const backend = new MemoryEventBackend({ maxWaiting: 3 });
    const lengths: number[] = [];
    await backend.subscribe('t', (message) => lengths.push(message.payload.length));
    for (let length = 1; length <= 10; length++) await backend.publish('t', bytes(length));
    expect(backend.stats()).toMatchObject({ waiting: 3, dropped: 7 });
    await backend.close();
    expect(lengths).toEqual([8, 9, 10]);
    expect(backend.stats()).toEqual({
      subscriptions: 0,
      published: 10,
      delivered: 3,
      failed: 0,
      dropped: 7,
      waiting: 0,
    });
  });

  test('is bounded in bytes as well, but takes one message of any size', async () => {
    const backend = new MemoryEventBackend({ maxWaitingBytes: 10 });
    const lengths: number[] = [];
    await backend.subscribe('t', (message) => lengths.push(message.payload.length));
    for (const length of [4, 5, 6, 4, 11]) await backend.publish('t', bytes(length));
    await backend.close();
    expect(lengths).toEqual([11]);
    expect(backend.stats().dropped).toBe(4);
  });

  test('counts what a cancelled subscription still had to get as dropped', async () => {
    const backend = new MemoryEventBackend();
    const cancel = await backend.subscribe('t', () => undefined);
    await backend.publish('t', bytes(1));
    await cancel();
    expect(backend.stats()).toMatchObject({ delivered: 0, dropped: 1, subscriptions: 0 });
  });

  test('hands every subscription the same message, which nobody can add meta to', async () => {
    const backend = new MemoryEventBackend();
    const seen: EventMessage[] = [];
    for (let i = 0; i < 2; i++) await backend.subscribe('t', (message) => seen.push(message));
    await backend.publish('t', bytes(1), { a: '1' });
    await backend.close();
    expect(seen[0]).toBe(seen[1]);
    expect(Object.isFrozen(seen[0]?.meta)).toBe(true);
  });

  test('does not keep I/O waiting while a handler publishes to its own topic', async () => {
    const backend = new MemoryEventBackend();
    let ioHadItsTurn = false;
    setTimeout(() => (ioHadItsTurn = true), 1);
    await new Promise<void>((done) => {
      let echoes = 0;
      const echo = async ({ payload }: EventMessage): Promise<void> => {
        if (++echoes > 1 && ioHadItsTurn) done();
        else await backend.publish('t', payload);
      };
      void backend.subscribe('t', echo).then(() => backend.publish('t', bytes(1)));
    });
    expect(ioHadItsTurn).toBe(true);
  });

  test('logs a handler that fails, with its topic', async () => {
    const log = new RecordingLogger();
    const backend = new MemoryEventBackend({ log });
    await backend.subscribe('t', () => Promise.reject(new RangeError('no')));
    await backend.publish('t', bytes(1));
    await backend.close();
    expect(log.lines).toMatchObject([{ level: 'error', message: 'A subscriber of t failed.', fields: { topic: 't' } }]);
  });

  test.each([{ maxWaiting: 0 }, { maxWaiting: 1.5 }, { maxWaitingBytes: -1 }])('refuses the bounds %j', (options) => {
    expect(() => new MemoryEventBackend(options)).toThrow(/Expected a whole number of at least 1/);
  });
});
