import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isFwError } from '../../../kernel/index.js';
import { FaultProxy } from '../../../kernel/testing/fault-proxy.js';
import { until } from '../../../kernel/testing/until.js';
import { open, transaction, type Database, type Dialect, type SqlHandle } from '../index.js';

/** How a server is asked about its connections. */
export interface ConnectionKiller {
  readonly dialect: Dialect;
  readonly open: (connections: number) => Promise<SqlHandle>;
  /** Opens one connection at a time through a port of this machine. */
  readonly openThrough: (port: number, connectTimeout: number) => Promise<SqlHandle>;
  readonly url: string;
  /** Gives the number of the connection that it runs on. */
  readonly whoAmI: string;
  /** Ends a connection from another one. */
  readonly kill: (id: number) => string;
  /** Cancels the statement of a connection, from another one. */
  readonly stop: (id: number) => string;
  /** A query that takes longer than the test waits. */
  readonly sleep: string;
  /** Gives a row while the query of a connection sleeps. */
  readonly asleep: (id: number) => string;
}

/** What happens when the server, or something on the way to it, drops a connection. */
export function lostConnectionContract(server: ConnectionKiller): void {
  describe('a connection that is lost', () => {
    const lost = expect.objectContaining({ code: 'FW_ORM_CONNECTION', status: 503 });
    let db: Database;
    let admin: SqlHandle;
    beforeAll(async () => {
      db = open(await server.open(1), server.dialect);
      admin = await server.open(1);
    });
    afterAll(async () => {
      await db.close();
      await admin.close();
    });

    const idOf = async (on: Pick<SqlHandle, 'query'>) => Number((await on.query(server.whoAmI, []))[0]?.[0]);
    const kill = (id: number) => admin.script(server.kill(id));
    const isAsleep = (id: number) =>
      until(async () => (await admin.query(server.asleep(id), [])).length > 0, 'query that sleeps');
    // Cancelling has to run out of the time to connect where nothing comes through, so that it is short; on a busy machine connecting itself
    // may take longer.
    const connected = (through: Database) =>
      until(
        () =>
          through.ping().then(
            () => true,
            (error: unknown) => {
              if (!isFwError(error) || error.code !== 'FW_ORM_CONNECTION') throw error;
              expect(through.stats().handle.connections).toEqual({ open: 0, idle: 0, waiting: 0 });
              return false;
            },
          ),
        'connection',
      );

    test('when nothing comes through any more, a deadline still holds, and everything is let go of', async () => {
      const network = await FaultProxy.to(server.url);
      const through = open(await server.openThrough(network.port, 300), server.dialect);
      // BEGIN has the same deadline, which a busy machine may let pass before anything is silent.
      while (!network.isSilent) {
        await connected(through);
        const late = transaction.run(through, { timeout: 100 }, { maxAttempts: 1 }, async (tx) => {
          network.isSilent = true;
          await tx.query(server.whoAmI, []);
        });
        await expect(late).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
      }
      expect(through.stats().handle.connections).toEqual({ open: 0, idle: 0, waiting: 0 });
      network.isSilent = false;
      await connected(through);
      await through.close();
      await network.close();
    });

    test('while it was idle is replaced, and nobody notices', async () => {
      const network = await FaultProxy.to(server.url);
      const through = open(await server.openThrough(network.port, 30_000), server.dialect);
      const before = await idOf(through.sqlDB());
      await kill(before);
      await until(() => network.openSides === 0, 'end on this side');
      expect(await idOf(through.sqlDB())).not.toBe(before);
      await through.close();
      await network.close();
    });

    test('in the middle of a query fails that query with a coded error, and no other', async () => {
      const id = await idOf(db.sqlDB());
      const sleeping = Promise.resolve(db.sqlDB().query(server.sleep, [])).catch((error: unknown) => error);
      await isAsleep(id);
      await kill(id);
      expect(await sleeping).toEqual(lost);
      expect(await idOf(db.sqlDB())).not.toBe(id);
    });

    test('is not one whose statement somebody stopped at the server', async () => {
      const id = await idOf(db.sqlDB());
      const sleeping = Promise.resolve(db.sqlDB().query(server.sleep, [])).catch((error: unknown) => error);
      await isAsleep(id);
      await admin.script(server.stop(id));
      expect(await sleeping).toMatchObject({ code: 'FW_ORM_STOPPED', status: 503 });
      expect(await idOf(db.sqlDB())).toBe(id);
    });

    const ASKED: Readonly<Record<string, (db: Database) => Promise<unknown>>> = {
      ping: (through) => through.ping({ timeout: 100 }),
      'the first portion of a stream': async (through) => {
        for await (const rows of through.sqlDB().stream(server.whoAmI, [], { batchSize: 1, timeout: 100 })) return rows;
        return [];
      },
    };
    test.each(Object.entries(ASKED))('is not waited for longer than asked by %s', async (_, ask) => {
      const network = await FaultProxy.to(server.url);
      const through = open(await server.openThrough(network.port, 300), server.dialect);
      await connected(through);
      network.isSilent = true;
      await expect(ask(through)).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
      network.isSilent = false;
      await connected(through);
      await through.close();
      await network.close();
    });

    test('is not given to the call that follows at once', async () => {
      const id = await idOf(db.sqlDB());
      const sleeping = Promise.resolve(db.sqlDB().query(server.sleep, []));
      const after = sleeping.catch(async (error: unknown) => [error, await idOf(db.sqlDB())]);
      await isAsleep(id);
      await kill(id);
      expect(await after).toEqual([lost, expect.any(Number)]);
    });

    test('in the middle of a result that is read by and by fails the reader with the same error', async () => {
      const id = await idOf(db.sqlDB());
      const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT a.i FROM n a, n b`;
      const reading = async () => {
        let portions = 0;
        for await (const rows of db.sqlDB().stream(numbers, [], { batchSize: 10 })) {
          expect(rows).toHaveLength(10);
          if (++portions === 1) await kill(id);
        }
      };
      await expect(reading()).rejects.toEqual(lost);
      expect(await idOf(db.sqlDB())).not.toBe(id);
    });

    test('in the middle of a transaction fails the transaction with the same error, and is not used again', async () => {
      const run = transaction.run(db, null, null, async (tx) => {
        await kill(await idOf(tx));
        await tx.query(server.whoAmI, []);
      });
      await expect(run).rejects.toEqual(lost);
      expect(await transaction.run(db, null, null, (tx) => idOf(tx))).toBeGreaterThan(0);
      expect(db.stats().handle.connections).toMatchObject({ open: 1, idle: 1, waiting: 0 });
    });
  });
}

/** The URL of the same database through another port of this machine. */
export function portOf(url: string, port: number): string {
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return through.href;
}
