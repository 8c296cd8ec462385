import { beforeEach, describe, expect, test } from '@jest/globals';
import { model, transaction } from '../index.js';
import type { Database } from '../index.js';
import type { Subject } from './subject.js';
import { Tag } from './models.js';
import { withTables } from './with-tables.js';

/** Transactions and savepoints that no function is around. */
export function openTransactionsContract({ name, dialect, create }: Subject): void {
  describe(`transactions that are begun and ended by hand on ${name}`, () => {
    let db: Database;
    const over = { code: 'FW_ORM_TRANSACTION_OVER' };
    const labels = async () => (await model(db, Tag).find()).map(({ label }) => label).sort();
    const add = (on: Parameters<typeof model>[0], label: string) => model(on, Tag).create({ label });

    withTables(create, dialect, [Tag], (opened) => (db = opened));

    beforeEach(async () => {
      await model(db, Tag).delete();
    });

    test('keep what was done when they are committed, and nothing when they are rolled back', async () => {
      const kept = await transaction.begin(db);
      await add(kept, 'kept');
      await kept.commit();
      const undone = await transaction.begin(db);
      await add(undone, 'undone');
      await undone.rollback();
      expect(await labels()).toEqual(['kept']);
    });

    test('roll back at the end of their block', async () => {
      const leave = async () => {
        await using tx = await transaction.begin(db);
        await add(tx, 'undone');
        throw new RangeError('x');
      };
      await expect(leave()).rejects.toThrow('x');
      await using other = await transaction.begin(db);
      await add(other, 'kept');
      await other.commit();
      await other[Symbol.asyncDispose]();
      expect(await labels()).toEqual(['kept']);
    });

    test('have savepoints that are kept, undone and begun anew', async () => {
      const tx = await transaction.begin(db);
      await add(tx, 'first');
      const undone = await transaction.begin(tx);
      await add(undone, 'second');
      const inner = await transaction.begin(undone);
      await add(inner, 'third');
      await inner.commit();
      await undone.rollback();
      const kept = await transaction.begin(tx);
      await add(kept, 'fourth');
      await kept.commit();
      await transaction.run(tx, null, null, (run) => add(run, 'fifth'));
      await tx.commit();
      expect(await labels()).toEqual(['fifth', 'first', 'fourth']);
    });

    test('are refused a second savepoint while one is open, which nobody could wait for', async () => {
      const tx = await transaction.begin(db);
      const open = await transaction.begin(tx);
      const refused = { code: 'FW_ORM_OUTER_TRANSACTION' };
      await expect(transaction.begin(tx)).rejects.toMatchObject(refused);
      await expect(transaction.run(tx, { timeout: 60_000 }, null, () => add(tx, 'never'))).rejects.toMatchObject(
        refused,
      );
      await add(open, 'kept');
      // As in SQL, the end of a transaction is that of its savepoints.
      await tx.commit();
      await expect(open.rollback()).rejects.toMatchObject(over);
      await open[Symbol.asyncDispose]();
      expect(await labels()).toEqual(['kept']);
    });

    test('end once, and run nothing afterwards', async () => {
      const tx = await transaction.begin(db);
      let told = 0;
      tx.afterCommit(() => void told++);
      expect(told).toBe(0);
      await tx.commit();
      expect(told).toBe(1);
      await expect(tx.commit()).rejects.toMatchObject(over);
      await expect(tx.rollback()).rejects.toMatchObject(over);
      await expect(add(tx, 'late')).rejects.toMatchObject(over);
      const undone = await transaction.begin(db);
      undone.afterCommit(() => void told++);
      await undone.rollback();
      await expect(add(undone, 'late')).rejects.toMatchObject(over);
      expect(told).toBe(1);
    });

    test('are rolled back past their timeout, which the commit tells of', async () => {
      // Long enough to begin on a busy machine.
      const timeout = 500;
      const isPast = () => new Promise((resolve) => setTimeout(resolve, timeout + 50));
      const tx = await transaction.begin(db, { timeout });
      await Promise.allSettled([add(tx, 'late')]);
      await isPast();
      await expect(tx.commit()).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
      const other = await transaction.begin(db, { timeout });
      await isPast();
      await other.rollback();
      expect(await labels()).toEqual([]);
    });

    test('are not begun with options that nobody reads, or that a savepoint has not', async () => {
      const wrong = { accessMode: 'read only' } as object;
      await expect(transaction.begin(db, wrong)).rejects.toMatchObject({ code: 'FW_ORM_OPTIONS' });
      const signal = AbortSignal.abort();
      await expect(transaction.begin(db, { signal })).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      await using tx = await transaction.begin(db, { isolation: 'serializable' });
      const inner = transaction.begin(tx, { isolation: 'serializable' });
      await expect(inner).rejects.toMatchObject({ code: 'FW_ORM_SAVEPOINT_OPTION' });
    });
  });
}
