import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { RecordingHandle } from '../../contract/recording-handle.js';
import { standard } from '../../contract/standard-dialect.js';
import { Tag } from '../../contract/models.js';
import { model, open, type PositionalRow, type StreamOptions, withObservers } from '../../index.js';

const broken = new RangeError('lost');
const MS = 1_000_000n;

let now = 0n;
beforeEach(() => {
  jest.spyOn(process.hrtime, 'bigint').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Gives a row every ten milliseconds, and may break after some. */
class SlowHandle extends RecordingHandle {
  left = false;

  constructor(private readonly breaksAfter = Infinity) {
    super();
  }

  override async *stream(): AsyncGenerator<readonly PositionalRow[]> {
    try {
      for (let id = 1; id <= 3; id++) {
        now += 10n * MS;
        if (id > this.breaksAfter) throw broken;
        yield [[id, `tag ${id}`]];
      }
    } finally {
      this.left = true;
    }
  }
}

const request = new AsyncLocalStorage<string>();

function observed(handle: SlowHandle) {
  const told: { sql: string; ms: number; error: unknown; within: string | undefined }[] = [];
  const observer = {
    name: () => 'watching',
    afterExecute: (_context: unknown, sql: string, nanos: bigint, error: unknown) =>
      void told.push({ sql, ms: Number(nanos / MS), error, within: request.getStore() }),
  };
  const db = open(handle, standard, withObservers(observer));
  const read = {
    query: (options?: StreamOptions) => model(db, Tag).stream(options),
    raw: () => db.sqlDB().stream('SELECT id, label FROM tags', [], { batchSize: 1 }),
  };
  return { told, read };
}

test('an observer that throws after a statement of the application is told of in its words', async () => {
  const fails = (): never => {
    throw new RangeError('no room');
  };
  const db = open(new RecordingHandle(), standard, withObservers({ name: () => 'failing', afterExecute: fails }));
  const running = (async () => db.sqlDB().query('SELECT 1', []))();
  await expect(running).rejects.toMatchObject({ code: 'FW_ORM_PLUGIN', details: { reason: 'no room' } });
});

describe.each(['query', 'raw'] as const)('a stream (%s)', (kind) => {
  test('that is read to its end took as long as it was read', async () => {
    const { told, read } = observed(new SlowHandle());
    let rows = 0;
    for await (const _ of read[kind]()) rows++;
    expect(rows).toBe(3);
    expect(told).toMatchObject([{ sql: expect.stringMatching(/^SELECT .* FROM .?tags/), ms: 30, error: undefined }]);
  });

  test('that is left early ends there, without an error', async () => {
    const handle = new SlowHandle();
    const { told, read } = observed(handle);
    for await (const _ of read[kind]()) break;
    expect(told).toMatchObject([{ ms: 10, error: undefined }]);
    expect(handle.left).toBe(true);
  });

  test('whose reader throws is no failed statement', async () => {
    const { told, read } = observed(new SlowHandle());
    const reading = (async () => {
      for await (const _ of read[kind]()) throw new TypeError('of the reader');
    })();
    await expect(reading).rejects.toThrow('of the reader');
    expect(told).toMatchObject([{ ms: 10, error: undefined }]);
  });

  test('that breaks in the middle has its error', async () => {
    const { told, read } = observed(new SlowHandle(1));
    let rows = 0;
    const reading = (async () => {
      for await (const _ of read[kind]()) rows++;
    })();
    await expect(reading).rejects.toBe(broken);
    expect(rows).toBe(1);
    expect(told).toMatchObject([{ ms: 20, error: broken }]);
  });

  test('is told within the request that opened it, whoever reads on', async () => {
    const { told, read } = observed(new SlowHandle());
    const rows = request.run('the request', () => read[kind]()[Symbol.asyncIterator]());
    await request.run('the request', () => rows.next());
    await request.run('a socket', async () => {
      while ((await rows.next()).done !== true);
    });
    expect(told).toMatchObject([{ ms: 30, within: 'the request' }]);
  });
});
