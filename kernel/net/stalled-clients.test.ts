import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { RecordingLogger } from '../testing/recording-logger.js';
import { StalledClients } from './stalled-clients.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const LIMIT = 10_000;

/** A connection for which bytes wait. The system takes them when the test says so. */
class FakeSocket {
  destroyed = false;
  writableLength = 0;
  bytesWritten = 0;
  // Named by Node.
  readonly _handle: { bytesWritten: number; writeQueueSize: number } | undefined;

  constructor(hasHandle: boolean) {
    this._handle = hasHandle ? { bytesWritten: 0, writeQueueSize: 0 } : undefined;
  }

  write(bytes: number): void {
    this.writableLength += bytes;
    this.bytesWritten += bytes;
    if (this._handle === undefined) return;
    this._handle.bytesWritten += bytes;
    this._handle.writeQueueSize += bytes;
  }

  /** The system takes bytes; without a handle only a whole write is told of. */
  take(bytes: number): void {
    if (this._handle) this._handle.writeQueueSize -= bytes;
    if (!this._handle || this._handle.writeQueueSize === 0) this.writableLength -= bytes;
  }

  resetAndDestroy(): void {
    this.destroyed = true;
  }
}

function watching(hasHandle = true) {
  const socket = new FakeSocket(hasHandle);
  const log = new RecordingLogger();
  const stalled = new StalledClients({ limit: LIMIT, log, sockets: () => [socket as unknown as Socket] });
  return { socket, log, stalled };
}

test.each([true, false])('a client that takes nothing is cut, also while more is written (handle: %s)', (hasHandle) => {
  const { socket, stalled, log } = watching(hasHandle);
  for (let second = 0; second < 9; second++) {
    socket.write(1000);
    jest.advanceTimersByTime(1000);
  }
  expect(stalled.cut).toBe(0);
  jest.advanceTimersByTime(3000);
  expect([stalled.cut, socket.destroyed]).toEqual([1, true]);
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { cut: 1, limit: LIMIT } }]);
  jest.advanceTimersByTime(60_000);
  expect(stalled.cut).toBe(1);
});

test('a client that takes a byte of one large write now and then is kept', () => {
  const { socket, stalled } = watching();
  socket.write(1000);
  for (let times = 0; times < 20; times++) {
    jest.advanceTimersByTime(LIMIT - 2000);
    socket.take(1);
  }
  expect(stalled.cut).toBe(0);
  jest.advanceTimersByTime(LIMIT + 2000);
  expect(stalled.cut).toBe(1);
});

test('a client for which nothing waits is kept, and its time begins with what is written next', () => {
  const { socket, stalled } = watching();
  jest.advanceTimersByTime(LIMIT * 3);
  socket.write(10);
  jest.advanceTimersByTime(LIMIT - 1000);
  socket.take(10);
  jest.advanceTimersByTime(LIMIT * 3);
  socket.write(10);
  jest.advanceTimersByTime(LIMIT - 1000);
  expect(stalled.cut).toBe(0);
});

test('the log tells of many at most once in ten seconds', () => {
  const { stalled, log } = watching();
  for (let times = 0; times < 100; times++) {
    stalled.count();
    jest.advanceTimersByTime(1000);
  }
  expect(stalled.cut).toBe(100);
  expect(log.lines).toHaveLength(10);
  stalled.stop();
});
