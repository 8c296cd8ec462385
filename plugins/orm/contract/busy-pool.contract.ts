import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { open, transaction, type Dialect, type SqlHandle } from '../index.js';
import { migrations, type Migration } from '../migrations/index.js';

const ASK = 'SELECT 1';

/**
 * What happens when all connections of a pool are in use.
 *
 * @param connect - makes a handle with that many connections, whose calls wait that many milliseconds for one
 */
export function busyPoolContract(
  dialect: Dialect,
  connect: (options: { connections: number; acquireTimeout: number }) => Promise<SqlHandle>,
): void {
  describe('a pool whose connections are all in use', () => {
    const opened = async (acquireTimeout: number) => {
      const db = open(await connect({ connections: 1, acquireTimeout }), dialect);
      return Object.assign(db, { [Symbol.asyncDispose]: () => db.close() });
    };

    test('tells a call on the database from inside a transaction, which would wait for itself', async () => {
      await using db = await opened(50);
      const inside = transaction.run(db, null, null, () => Promise.resolve(db.sqlDB().query(ASK, [])));
      await expect(inside).rejects.toMatchObject({
        code: 'FW_ORM_NO_CONNECTION',
        status: 503,
        details: { waited: 50, connections: 1 },
      });
      expect(await db.sqlDB().query(ASK, [])).toHaveLength(1);
      expect(db.stats().handle.connections).toEqual({ open: 1, idle: 1, waiting: 0 });
    });

    test('keeps a call, a transaction and a stream waiting no longer than they allow', async () => {
      await using db = await opened(0);
      await transaction.run(db, null, null, async () => {
        const timeout = 20;
        const late = { code: 'FW_ORM_TIMEOUT', details: { timeout } };
        const on = db.sqlDB();
        await expect(on.query(ASK, [], { timeout })).rejects.toMatchObject(late);
        await expect(transaction.run(db, { timeout }, null, async () => {})).rejects.toMatchObject(late);
        const stream = on.stream(ASK, [], { batchSize: 1, timeout })[Symbol.asyncIterator]();
        await expect(stream.next()).rejects.toMatchObject(late);
        const signal = AbortSignal.timeout(20);
        await expect(on.query(ASK, [], { signal })).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
        await expect(on.query(ASK, [], { signal })).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      });
      expect(db.stats().handle.connections.waiting).toBe(0);
    });

    test('gives a connection that comes free to whoever still waits', async () => {
      await using db = await opened(0);
      let waiting: PromiseLike<unknown> | undefined;
      await transaction.run(db, null, null, async () => {
        const gone = Promise.resolve(db.sqlDB().query(ASK, [], { timeout: 20 }));
        waiting = Promise.resolve(db.sqlDB().query(ASK, [], { timeout: 60_000 }));
        await expect(gone).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
      });
      await expect(waiting).resolves.toHaveLength(1);
    });

    test('of one connection is enough for migrations', async () => {
      await using db = await opened(500);
      const name = `fw_single_${randomBytes(6).toString('hex')}`;
      const table: Migration = {
        version: '001',
        name: 'table',
        up: async (_context, tx) => tx.script(`CREATE TABLE ${name} (id int)`),
        down: async (_context, tx) => tx.script(`DROP TABLE ${name}`),
      };
      const failing: Migration = { version: '002', name: 'failing', up: async (_context, tx) => tx.script('NONSENSE') };
      const versions = `${name}_versions`;
      const runner = () => migrations.new(db, versions).register(table);
      try {
        expect(await runner().up()).toEqual([table]);
        await expect(runner().register(failing).up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
        expect((await runner().status()).map(({ state }) => state)).toEqual(['applied']);
        expect(await runner().down()).toBe(table);
      } finally {
        await db.sqlDB().script(`DROP TABLE ${versions}`);
      }
      expect(db.stats().handle.connections).toEqual({ open: 1, idle: 1, waiting: 0 });
    });
  });
}
