import { beforeEach, describe, expect, test } from '@jest/globals';
import { model, transaction, type CallOptions, type Database, type Session } from '../index.js';
import type { Subject } from './subject.js';
import { Author, Noted, Post, PostTag, Tag, contractModels } from './models.js';
import { withTables } from './with-tables.js';

/** Rows that are there before each test. */
interface Stored {
  readonly author: Author;
  readonly post: Post;
  readonly tag: Tag;
  readonly noted: Noted;
}

interface Operation {
  readonly name: string;
  /** Whether it writes; some databases are read while somebody else writes. */
  readonly writes: boolean;
  run(on: Session, stored: Stored, call: CallOptions): unknown;
}

const read = (name: string, run: Operation['run']): Operation => ({ name, writes: false, run });
const write = (name: string, run: Operation['run']): Operation => ({ name, writes: true, run });
const by = (id: number) => ({ column: 'id', op: 'eq', value: id }) as const;

async function collected(rows: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

async function* labelled(...labels: readonly string[]) {
  for (const label of labels) yield { label };
}

const OPERATIONS: readonly Operation[] = [
  read('find', (on, _, call) => model(on, Tag).find(call)),
  read('find with relations', (on, _, call) => model(on, Author).preload('posts').find(call)),
  read('find with relations of relations', (on, _, call) => model(on, Author).preload('posts.tagged').find(call)),
  read('first', (on, _, call) => model(on, Tag).first(call)),
  read('first with relations', (on, _, call) => model(on, Author).preload('posts').first(call)),
  read('only', (on, _, call) => model(on, Tag).only(call)),
  read('count', (on, _, call) => model(on, Tag).count(call)),
  read('exists', (on, _, call) => model(on, Tag).exists(call)),
  read('sum', (on, _, call) => model(on, Post).sum('views', call)),
  read('avg', (on, _, call) => model(on, Post).avg('views', call)),
  read('min', (on, _, call) => model(on, Post).min('views', call)),
  read('max', (on, _, call) => model(on, Post).max('views', call)),
  read('explain', (on, _, call) => model(on, Tag).explain(call)),
  read('stream', (on, _, call) => collected(model(on, Tag).stream(call))),
  read('query of SQL', (on, _, call) => on.connection.query('SELECT label FROM tags', [], call)),
  write('create', (on, _, call) => model(on, Tag).create({ label: 'new' }, call)),
  write('create with hooks', (on, _, call) => model(on, Noted).create({ text: 'new' }, call)),
  write('createBatch', (on, _, call) => model(on, Tag).createBatch([{ label: 'new' }, { label: 'newer' }], call)),
  write('createBatch of a stream', (on, _, call) => model(on, Tag).createBatch(labelled('new', 'newer'), call)),
  write('upsert', (on, { tag }, call) => model(on, Tag).upsert({ label: tag.label }, { conflict: 'label' }, call)),
  write('update', (on, { tag }, call) => model(on, Tag).update({ id: tag.id, label: 'new' }, call)),
  write('update with hooks', (on, { noted }, call) => model(on, Noted).update({ id: noted.id, text: 'new' }, call)),
  write('save of a row that is there', (on, { tag }, call) => model(on, Tag).save({ id: tag.id, label: 'new' }, call)),
  write('save of a new row', (on, _, call) => model(on, Tag).save({ label: 'new' }, call)),
  write('save of a row with a key of its own', (on, { post, tag }, call) =>
    model(on, PostTag).save({ postId: post.id, tagId: tag.id }, call),
  ),
  write('updateAll', (on, { tag }, call) =>
    model(on, Tag).where(by(tag.id)).updateAll({ column: 'label', value: 'new' }, call),
  ),
  write('remove', (on, { tag }, call) => model(on, Tag).remove({ id: tag.id }, call)),
  write('delete', (on, _, call) => model(on, Tag).delete(call)),
  write('execute of SQL', (on, _, call) => on.connection.execute('DELETE FROM tags', [], call)),
  write('a script of SQL', (on, _, call) => on.connection.script('DELETE FROM tags; DELETE FROM posts', call)),
];

/** What every operation does with the `timeout` and the `signal` of its call. */
export function callLimitsContract({ name, dialect, create, habits = {} }: Subject): void {
  describe(`limits of a call on ${name}`, () => {
    let db: Database;
    let stored: Stored;

    withTables(create, dialect, contractModels, (opened) => (db = opened));

    beforeEach(async () => {
      for (const { table } of contractModels) await db.sqlDB().script(`DELETE FROM ${dialect.compiler.quote(table)}`);
      const author = await model(db, Author).create({ email: 'a@x', age: 1 });
      const post = await model(db, Post).create({ authorId: author.id, title: 't', views: 1 });
      const tag = await model(db, Tag).create({ label: 'old' });
      stored = { author, post, tag, noted: await model(db, Noted).create({ text: 'old' }) };
    });

    const contents = async () => [
      (await model(db, Tag).find()).map(({ label }) => label),
      (await model(db, Noted).find()).map(({ text }) => text),
      await model(db, PostTag).count(),
    ];
    const untouched = [['old'], ['old'], 0];
    const run = async ({ run: start }: Operation, on: Session, call: CallOptions) => start(on, stored, call);

    test.each(OPERATIONS)('$name is not begun with a signal that has fired', async (operation) => {
      const call = { signal: AbortSignal.abort() };
      await expect(run(operation, db, call)).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      expect(await contents()).toEqual(untouched);
    });

    test.each(OPERATIONS)('$name is not begun in a transaction either, which goes on', async (operation) => {
      await transaction.run(db, null, null, async (tx) => {
        const call = { signal: AbortSignal.abort() };
        await expect(run(operation, tx, call)).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
        expect(await model(tx, Tag).count()).toBe(1);
      });
      expect(await contents()).toEqual(untouched);
    });

    // Runs work while another transaction holds the tables, or the only connection.
    const whileHeld = async (work: () => Promise<void>) => {
      const holder = await db.sqlDB().begin({});
      const { take, giveBack } = habits.holdTables?.(['posts', 'tags', 'post_tags', 'noted']) ?? {};
      if (take !== undefined) await holder.script(take);
      try {
        await work();
      } finally {
        if (giveBack !== undefined) await holder.script(giveBack);
        await holder.rollback();
      }
    };
    const keepsReadersOut = habits.holdTables !== undefined || habits.onlyConnection === true;
    const waiting = OPERATIONS.filter(({ writes }) => writes || keepsReadersOut);

    test.each(waiting)('$name waits no longer than its timeout', async (operation) => {
      await whileHeld(async () => {
        const late = { code: 'FW_ORM_TIMEOUT', details: { timeout: 40 } };
        await expect(run(operation, db, { timeout: 40 })).rejects.toMatchObject(late);
      });
      expect(await contents()).toEqual(untouched);
      expect(db.stats().handle.connections.waiting).toBe(0);
    });

    test.each(waiting)('$name stops waiting when its signal fires', async (operation) => {
      await whileHeld(async () => {
        const call = { signal: AbortSignal.timeout(40) };
        await expect(run(operation, db, call)).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      });
      expect(await contents()).toEqual(untouched);
    });

    // Something slow: a statement of the server, or, where statements are instant, the function itself.
    const slow = (tx: Session): PromiseLike<unknown> => {
      if (habits.sleep === undefined) return new Promise(() => undefined);
      return Promise.resolve(tx.connection.query(`SELECT ${habits.sleep(50)}`, []));
    };
    const slowScript = (tx: Session): PromiseLike<unknown> => {
      if (habits.sleep === undefined) return slow(tx);
      return Promise.resolve(tx.connection.script(`SELECT ${habits.sleep(50)}`));
    };
    const labels = async (on: Session) =>
      (await model(on, Tag).orderBy({ column: 'id' }).find()).map(({ label }) => label);

    describe('a savepoint', () => {
      test.each<[string, (ms: number) => { timeout: number } | { signal: AbortSignal }, string]>([
        ['past its timeout', (ms) => ({ timeout: ms }), 'FW_ORM_TIMEOUT'],
        ['whose signal fires', (ms) => ({ signal: AbortSignal.timeout(ms) }), 'FW_ORM_ABORTED'],
      ])('%s is rolled back with all that runs in it, and the transaction goes on', async (_when, limits, code) => {
        for (const [at, long] of [slow, slowScript].entries()) {
          await transaction.run(db, null, null, async (tx) => {
            await model(tx, Tag).create({ label: `outer ${at}` });
            const late = transaction.run(tx, limits(60), null, async (inner) => {
              await model(inner, Tag).create({ label: 'inner' });
              await transaction.run(inner, null, null, async (innermost) => {
                await model(innermost, Tag).create({ label: 'innermost' });
                await long(innermost);
              });
            });
            await expect(late).rejects.toMatchObject({ code });
            // A limit that no server reaches, however busy the machine is.
            await transaction.run(tx, limits(30_000), null, (next) => model(next, Tag).create({ label: `next ${at}` }));
          });
        }
        expect(await labels(db)).toEqual(['old', 'outer 0', 'next 0', 'outer 1', 'next 1']);
        expect(db.stats().handle.connections.waiting).toBe(0);
      });

      test('past its timeout leaves the statements of the transaction around it alone', async () => {
        if (habits.sleep === undefined) return;
        const sleep = `SELECT ${habits.sleep(0.3)}`;
        await transaction.run(db, null, null, async (tx) => {
          let slept: PromiseLike<unknown> | undefined;
          const late = transaction.run(tx, { timeout: 60 }, null, async (inner) => {
            slept = Promise.resolve(tx.query(sleep, []));
            await model(inner, Tag).create({ label: 'behind it' });
          });
          await expect(late).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
          await expect(slept).resolves.toHaveLength(1);
          await model(tx, Tag).create({ label: 'kept' });
        });
        expect(await labels(db)).toEqual(['old', 'kept']);
      });

      test('past its timeout gives the connection back in the middle of a stream', async () => {
        await model(db, Tag).createBatch(Array.from({ length: 3000 }, (_, at) => ({ label: `many ${at}` })));
        await transaction.run(db, null, null, async (tx) => {
          let seen = 0;
          const late = transaction.run(tx, { timeout: 1_000 }, null, async (inner) => {
            for await (const { id } of model(inner, Tag).stream({ batchSize: 10 })) {
              seen += id > 0 ? 1 : 0;
              await new Promise(() => undefined);
            }
          });
          await expect(late).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
          expect(seen).toBe(1);
          await model(tx, Tag).create({ label: 'kept' });
          expect(await model(tx, Tag).count()).toBe(3002);
        });
        expect(await model(db, Tag).count()).toBe(3002);
      });

      test('refuses what belongs to the transaction as a whole, and the transaction goes on', async () => {
        await transaction.run(db, null, null, async (tx) => {
          for (const options of [{ isolation: 'serializable' }, { readOnly: true }, { readOnly: false }] as const) {
            const refused = transaction.run(tx, options, null, () => model(tx, Tag).delete());
            await expect(refused).rejects.toMatchObject({
              code: 'FW_ORM_SAVEPOINT_OPTION',
              details: { option: Object.keys(options)[0] },
            });
          }
          await model(tx, Tag).create({ label: 'kept' });
        });
        expect(await labels(db)).toEqual(['old', 'kept']);
      });
    });
  });
}
