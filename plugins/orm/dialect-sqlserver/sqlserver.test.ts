import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FaultProxy } from '../../../kernel/testing/fault-proxy.js';
import { TDS_PROTOCOL } from './testing/tds-protocol.js';
import { Author, Post, Tag, author, post } from '../contract/models.js';
import { model, open, registerModel, transaction, type ColumnDefinition, type Database, type Transaction } from '../index.js'; // prettier-ignore
import { openSqlServer, sqlserver } from './index.js';
import { sqlserverError } from './sqlserver-errors.js';
import { TdsPeer, type TdsAnswer, type TdsStatement } from './testing/tds-peer.js';

class Limited {
  count!: number | null;
  title!: string | null;
  price!: string | null;
}

test.each([
  [
    2628,
    "String or binary data would be truncated in table 'shop.dbo.orders', column 'note'. Truncated value: 'a'.",
    'note',
  ],
  [8115, 'Arithmetic overflow error converting expression to data type int.', undefined],
])('a value that the server refuses is an error of the caller: %i', (number, message, column) => {
  const error = sqlserverError(Object.assign(new Error(message), { number }), 'INSERT');
  expect(error).toMatchObject({ code: 'FW_ORM_VALUE_REFUSED' });
  expect(error.details['column']).toBe(column);
});

describe('SQL Server', () => {
  let peer: TdsPeer;
  let db: Database;
  let answers: TdsAnswer[];
  const sent = () => peer.seen.map(({ sql }) => sql);

  beforeEach(async () => {
    answers = [];
    peer = await TdsPeer.listen(
      ({ kind }: TdsStatement) => (kind === 'batch' ? undefined : answers.shift()) ?? { affected: 0 },
    );
    db = open(await openSqlServer(peer.url, { encrypt: false, connections: 1 }), sqlserver);
  });

  afterEach(async () => {
    await db.close();
    await peer.close();
  });

  test('reads rows and nulls as instances of the model', async () => {
    answers = [{ columns: ['id', 'email', 'age'], rows: [[1, 'ann@x', 30], [2, '\u{1F600}', null]] }]; // prettier-ignore
    const found = await model(db, Author).find();
    expect(found).toEqual([
      { id: 1, email: 'ann@x', age: 30 },
      { id: 2, email: '\u{1F600}', age: null },
    ]);
    expect(found[0]).toBeInstanceOf(Author);
  });

  test('sends values as typed parameters, never in the text', async () => {
    answers = [{ columns: ['id'], rows: [] }];
    const hostile = `x'; DROP TABLE posts; --`;
    await model(db, Post)
      .select('id')
      .where(post.title.eq(hostile))
      .where(post.views.gt(7))
      .where(post.deletedAt.lt(new Date(0)))
      .find();
    const [statement] = peer.seen;
    expect(statement?.sql).not.toContain('DROP');
    expect(statement?.parameters).toEqual(expect.arrayContaining([hostile, 7]));
    expect(statement?.declared).toMatch(/nvarchar.*/);
    expect(statement?.declared).toMatch(/ int\b/);
    expect(statement?.declared).toContain('datetime2(3)');
  });

  test('says how many rows a write touched', async () => {
    answers = [{ affected: 4 }, { affected: 0 }];
    expect(await model(db, Post).where(post.id.gt(1)).updateAll(post.views.set(2))).toBe(4);
    expect(await model(db, Post).where(post.id.gt(1)).delete()).toBe(0);
  });

  test('a created row gets its key from OUTPUT', async () => {
    answers = [{ columns: ['id'], rows: [[41]] }];
    expect(await model(db, Tag).create({ label: 'red' })).toEqual({ id: 41, label: 'red' });
    expect(sent()).toEqual(['INSERT INTO [tags] ([label]) OUTPUT INSERTED.[id] VALUES (@p1)']);
  });

  test('a duplicate key is a constraint, another error keeps its number', async () => {
    answers = [
      { error: 2627, message: 'Violation of UNIQUE KEY' },
      { error: 208, message: 'Invalid object name' },
    ];
    await expect(model(db, Tag).create({ label: 'red' })).rejects.toMatchObject({
      code: 'FW_ORM_CONSTRAINT',
      details: { kind: 'unique', driverCode: 2627 },
    });
    await expect(model(db, Tag).find()).rejects.toMatchObject({
      code: 'FW_ORM_DATABASE',
      details: { driverCode: 208 },
    });
    expect(await model(db, Tag).delete()).toBe(0);
  });

  test('the victim of a deadlock runs its whole transaction again', async () => {
    answers = [{ error: 1205, message: 'chosen as the deadlock victim' }, { affected: 1 }];
    let runs = 0;
    const affected = await transaction.run(db, null, { baseDelay: 0 }, (tx) => {
      runs++;
      return model(tx, Post).where(post.id.eq(1)).updateAll(post.views.increment());
    });
    expect([runs, affected]).toEqual([2, 1]);
    expect(sent().filter((sql) => !sql.startsWith('UPDATE'))).toEqual([
      'BEGIN TRANSACTION',
      'IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION',
      'BEGIN TRANSACTION',
      'COMMIT TRANSACTION',
    ]);
  });

  test('after an error that rolled the transaction back, nothing more is sent in its name', async () => {
    answers = [{ error: 1205, message: 'chosen as the deadlock victim', rollsBack: true }];
    const increment = (tx: Transaction) => model(tx, Post).where(post.id.eq(1)).updateAll(post.views.increment());
    const atOnce = transaction.run(db, null, { maxAttempts: 1 }, (tx) => Promise.all([increment(tx), increment(tx)]));
    await expect(atOnce).rejects.toMatchObject({ code: 'FW_ORM_TRANSIENT' });
    answers = [{ error: 1205, message: 'chosen as the deadlock victim', rollsBack: true }];
    const caught = transaction.run(db, null, null, async (tx) => {
      await increment(tx).catch(() => undefined);
      await increment(tx).catch(() => undefined);
    });
    await expect(caught).rejects.toMatchObject({
      code: 'FW_ORM_TRANSACTION_LOST',
      cause: expect.objectContaining({ code: 'FW_ORM_TRANSIENT' }),
    });
    expect(sent().map((sql) => sql.replace(/^(UPDATE).*/, '$1'))).toEqual([
      'BEGIN TRANSACTION',
      'UPDATE',
      'IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION',
      'BEGIN TRANSACTION',
      'UPDATE',
    ]);
    expect(await transaction.run(db, null, null, increment)).toBe(0);
  });

  test('a transaction goes on while it streams: the rest of the result waits in memory', async () => {
    const rows = Array.from({ length: 7 }, (_, at) => [at + 1, `t${at}`]);
    answers = [{ columns: ['id', 'label'], rows }];
    const seen: number[] = [];
    await transaction.run(db, null, null, async (tx) => {
      for await (const { id } of model(tx, Tag).stream({ batchSize: 2 })) {
        seen.push(id);
        await model(tx, Post).where(post.id.eq(id)).delete();
      }
    });
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(sent().filter((sql) => sql.startsWith('DELETE'))).toHaveLength(7);
  });

  test('transactions and savepoints are batches around their statements', async () => {
    await transaction.run(db, { isolation: 'serializable' }, null, async (tx) => {
      const failing = transaction.run(tx, null, null, async (inner) => {
        await model(inner, Author).where(author.id.eq(1)).delete();
        throw new RangeError('no');
      });
      await expect(failing).rejects.toThrow('no');
    });
    expect(peer.seen.map(({ kind, sql }) => `${kind}: ${sql}`)).toEqual([
      'batch: SET TRANSACTION ISOLATION LEVEL SERIALIZABLE',
      'batch: BEGIN TRANSACTION',
      'batch: SAVE TRANSACTION sp_1',
      'rpc: DELETE FROM [authors] WHERE [id] = @p1',
      'batch: ROLLBACK TRANSACTION sp_1',
      'batch: COMMIT TRANSACTION',
    ]);
  });

  test.each<[string, Partial<Limited>]>([
    ['a text that is longer in pairs of bytes', { title: '😀😀a' }],
    ['a number of 33 bits', { count: 2 ** 31 }],
    ['digits before the point', { price: '-10000' }],
  ])('%s is refused before it is sent', async (_what, row) => {
    const columns: ColumnDefinition[] = [
      { property: 'count', column: 'count', kind: 'int', nullable: true },
      { property: 'title', column: 'title', kind: 'string', size: 4, nullable: true },
      { property: 'price', column: 'price', kind: 'decimal', precision: 6, scale: 2, nullable: true },
    ];
    registerModel(Limited, { name: 'Limited', table: 'limited', columns });
    await expect((async () => model(db, Limited).create(row as Limited))()).rejects.toMatchObject({
      code: 'FW_ORM_VALUE',
      details: { model: 'Limited', field: Object.keys(row)[0] },
    });
    expect(sent()).toEqual([]);
  });

  test('a connection that is lost behind any packet is a coded error, and replaced; a COMMIT without an answer is not known', async () => {
    const proxy = await FaultProxy.to(peer.url, TDS_PROTOCOL);
    const own = new URL(peer.url);
    own.port = String(proxy.port);
    const codes = new Set<string | undefined>();
    for (const fault of ['reset', 'close'] as const) {
      for (let after = 1, goesOn = true; goesOn; after++) {
        const through = open(await openSqlServer(own.href, { encrypt: false, connections: 1 }), sqlserver);
        proxy.plan(after, fault);
        const run = transaction.run(through, null, null, (tx) => model(tx, Tag).delete());
        const error: unknown = await run.catch((failure: unknown) => failure);
        codes.add((error as { readonly code?: string }).code);
        goesOn = !proxy.isPlanned;
        proxy.unplan();
        await through.ping().catch(() => through.ping());
        await through.close();
      }
    }
    await proxy.close();
    expect([...codes].sort()).toEqual(['FW_ORM_COMMIT_UNKNOWN', 'FW_ORM_CONNECTION', undefined]);
  });

  test.each([
    ['its timeout', () => ({ timeout: 1_500 })],
    ['the grace of a signal', () => ({ signal: AbortSignal.timeout(1_500) })],
  ])('a COMMIT without an answer within %s is not known, and its connection is thrown away', async (_, limits) => {
    const proxy = await FaultProxy.to(peer.url, TDS_PROTOCOL);
    const own = new URL(peer.url);
    own.port = String(proxy.port);
    const through = open(await openSqlServer(own.href, { encrypt: false, connections: 1 }), sqlserver);
    const run = transaction.run(through, limits(), null, async (tx) => {
      await model(tx, Tag).delete();
      proxy.plan(1, 'silence');
    });
    await expect(run).rejects.toMatchObject({ code: 'FW_ORM_COMMIT_UNKNOWN', details: { dialect: 'SQL Server' } });
    expect(sent().at(-1)).toBe('COMMIT TRANSACTION');
    expect(through.stats().handle.connections).toEqual({ open: 0, idle: 0, waiting: 0 });
    await through.ping();
    await through.close();
    await proxy.close();
  });

  test('a read-only transaction is refused, and the connection stays usable', async () => {
    const run = transaction.run(db, { readOnly: true }, null, async () => undefined);
    await expect(run).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
    expect(sent()).toEqual([]);
    await db.ping();
  });
});
