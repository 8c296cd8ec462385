import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  LockForUpdate,
  OpBetween,
  OpEq,
  OpIn,
  OpLike,
  and,
  countAll,
  exists,
  metrics,
  model,
  not,
  open,
  or,
  raw,
  selectExpr,
  softDelete,
  tenant,
  tracing,
  transaction,
  withPlugins,
  withPreloadLimit,
  withPreloadWhere,
  type Database,
  type OrmPlugin,
  type Transaction,
} from '../index.js';
import {
  Author,
  Everything,
  Noted,
  Post,
  PostTag,
  Profile,
  Tag,
  author,
  contractModels,
  everything,
  post,
} from './models.js';
import { aggregatesContract } from './aggregates.contract.js';
import { derivedContract } from './derived.contract.js';
import { setWritesContract } from './set-writes.contract.js';
import { subselectsContract } from './subselects.contract.js';
import { tenantsContract } from './tenants.contract.js';
import { textFormsContract } from './text-forms.contract.js';
import { ownWordsContract } from './own-words.contract.js';
import { truthsContract } from './truths.contract.js';
import { unionsContract } from './unions.contract.js';
import { windowsContract } from './windows.contract.js';
import { filledTimesContract } from './filled-times.contract.js';
import { keptValuesContract } from './kept-values.contract.js';
import { openTransactionsContract } from './open-transactions.contract.js';
import { temporalContract } from './temporal.contract.js';
import { rowVersionsContract } from './row-versions.contract.js';
import { hiddenColumnsContract } from './hidden-columns.contract.js';
import { expressionsContract } from './expressions.contract.js';
import { pagesContract } from './pages.contract.js';
import { randomReadsContract } from './random-reads.contract.js';
import { readsContract } from './reads.contract.js';
import type { Subject, TestDatabase } from './subject.js';
import { withTables } from './with-tables.js';

const PARTS = [
  readsContract,
  pagesContract,
  expressionsContract,
  subselectsContract,
  setWritesContract,
  truthsContract,
  ownWordsContract,
  textFormsContract,
  tenantsContract,
  derivedContract,
  unionsContract,
  windowsContract,
  aggregatesContract,
  randomReadsContract,
  filledTimesContract,
  rowVersionsContract,
  openTransactionsContract,
  keptValuesContract,
  hiddenColumnsContract,
  temporalContract,
];

/** What every dialect must do on its real database. */
export function dialectContract(subject: Subject): void {
  const { name, dialect, create, habits = {} } = subject;
  for (const part of PARTS) part(subject);

  describe(`the ORM on ${name}`, () => {
    let made: TestDatabase;
    let db: Database;
    const statements: string[] = [];
    const recorder: OrmPlugin = { name: () => 'recorder', beforeExecute: (_context, sql) => void statements.push(sql) };

    withTables(create, dialect, contractModels, (opened, its) => ([db, made] = [opened, its]), withPlugins(recorder));

    beforeEach(async () => {
      for (const { table } of [...contractModels].reverse())
        await db.sqlDB().script(`DELETE FROM ${dialect.compiler.quote(table)}`);
      statements.length = 0;
      Noted.calls.length = 0;
    });

    const seed = async () => {
      const [ann, ben] = [
        await model(db, Author).create({ email: 'ann@x.org', age: 30 }),
        await model(db, Author).create({ email: 'ben@y.org', age: null }),
      ];
      const posts = Array.from({ length: 6 }, (_, at) => ({
        authorId: at < 4 ? ann.id : ben.id,
        title: `post ${at}`,
        views: at * 10,
      }));
      await model(db, Post).createBatch(posts);
      return { ann, ben, posts: await model(db, Post).orderBy(post.id.asc()).find() };
    };

    test('every kind of value comes back as it went in', async () => {
      const row = {
        big: 9_007_199_254_740_993n,
        ratio: 0.1,
        price: '123456789.125',
        name: `O'Brien "x" \\ \u00e9 \u{1F600}`,
        notes: 'line\nline',
        active: false,
        at: new Date('2024-02-29T23:59:59.987Z'),
        seenAt: new Date('1999-12-31T00:00:00.000Z'),
        meta: { a: 1, b: ['x', "y'z"] },
        bytes: new Uint8Array([0, 1, 254, 255]),
        ref: '6f9619ff-8b86-4011-b42d-00cf4fc964ff',
        tags: ['a', 'b,c'],
      };
      const created = await model(db, Everything).create(row);
      const read = await model(db, Everything).where(everything.id.eq(created.id)).first();
      expect({ ...read, price: read.price.replace(/0+$/, '') }).toEqual({ id: created.id, ...row });
      expect(read).toBeInstanceOf(Everything);
    });

    test('null comes back as null, and a default is read back', async () => {
      const made = await model(db, Everything).create({ big: 1n, ratio: 1, price: '1', name: 'n', at: new Date(0) });
      const read = await model(db, Everything).first();
      expect(read).toMatchObject({
        notes: null,
        seenAt: null,
        meta: null,
        bytes: null,
        ref: null,
        tags: null,
        active: true,
      });
      expect(made).toMatchObject({ id: read.id, active: true, notes: null });
    });

    test('plain values and accessors find the same rows with the same SQL', async () => {
      await seed();
      statements.length = 0;
      const viaAccessor = await model(db, Post)
        .where(post.views.between(10, 30))
        .orderBy(post.id.desc())
        .limit(2)
        .find();
      const viaValue = await model(db, Post)
        .where({ column: 'views', op: OpBetween, value: [10, 30] })
        .orderBy({ column: 'id', desc: true })
        .limit(2)
        .find();
      expect(viaValue).toEqual(viaAccessor);
      expect(viaAccessor.map(({ title }) => title)).toEqual(['post 3', 'post 2']);
      expect(statements[0]).toBe(statements[1]);
    });

    test('conditions combine', async () => {
      await seed();
      const titles = async (condition: Parameters<ReturnType<typeof posts>['where']>[0]) =>
        (await posts().where(condition).orderBy(post.id.asc()).find()).map(({ title }) => title.slice(5)).join('');
      const posts = () => model(db, Post);
      expect(await titles(or(post.views.lt(10), post.views.gte(50)))).toBe('05');
      expect(await titles(and(not(post.title.eq('post 1')), post.views.lte(20)))).toBe('02');
      expect(await titles({ column: 'title', op: OpLike, value: '%4' })).toBe('4');
      expect(await titles(post.title.ilike('POST 3'))).toBe('3');
      expect(await titles({ column: 'views', op: OpIn, value: [0, 20, 40, 999] })).toBe('024');
      expect(await titles(post.views.notIn([0, 20, 40]))).toBe('135');
      expect(await titles(post.deletedAt.isNull())).toBe('012345');
      expect(await titles(raw('views = :a OR views = :b', 'a', 10, 'b', 20))).toBe('12');
      expect(await titles(raw('views IN (:list)', { list: [0, 10] }))).toBe('01');
      expect(await titles(post.authorId.in(model(db, Author).select('id').where(author.email.eq('ben@y.org'))))).toBe(
        '45',
      );
      expect(await titles(exists(model(db, Author).where(and(author.id.eq(post.authorId), author.age.gt(20)))))).toBe(
        '0123',
      );
    });

    test('counts, groups and joins', async () => {
      const { ann } = await seed();
      expect(await model(db, Post).where(post.authorId.eq(ann.id)).count()).toBe(4);
      expect(await model(db, Post).limit(3).count()).toBe(3);
      expect(await model(db, Post).select('authorId').distinct().count()).toBe(2);
      const groups = await model(db, Post)
        .select(post.authorId, countAll().as('n'), post.views.sum().as('total'))
        .groupBy('authorId')
        .having(countAll().gt(1))
        .orderBy({ column: 'n', desc: true })
        .find();
      expect(groups.map(({ n, total }) => [n, Number(total)])).toEqual([
        [4, 60],
        [2, 90],
      ]);
      const joined = await model(db, Post)
        .innerJoin(Author, 'a', author.id.of('a').eq(post.authorId))
        .where(author.email.of('a').like('ben%'))
        .select(post.title, author.email.of('a').as('mail'))
        .orderBy(post.id.asc())
        .find();
      expect(joined).toEqual([
        { title: 'post 4', mail: 'ben@y.org' },
        { title: 'post 5', mail: 'ben@y.org' },
      ]);
    });

    test('limit and offset are values, not part of the text', async () => {
      await seed();
      statements.length = 0;
      const page = async (at: number) =>
        (await model(db, Post).orderBy(post.id.asc()).page(at, 2).find()).map(({ title }) => title);
      expect([await page(1), await page(2), await page(3)]).toEqual([
        ['post 0', 'post 1'],
        ['post 2', 'post 3'],
        ['post 4', 'post 5'],
      ]);
      expect(new Set(statements).size).toBe(1);
      const behind = await model(db, Post).orderBy(post.id.asc()).offset(4).find();
      expect(behind.map(({ title }) => title)).toEqual(['post 4', 'post 5']);
    });

    test('preloads each level with one statement', async () => {
      const { ann, posts } = await seed();
      await model(db, Profile).create({ authorId: ann.id, bio: 'writes' });
      const [red, blue] = [
        await model(db, Tag).create({ label: 'red' }),
        await model(db, Tag).create({ label: 'blue' }),
      ];
      const pairs = posts.flatMap(({ id }, at) =>
        at % 2
          ? [{ postId: id, tagId: red.id }]
          : [
              { postId: id, tagId: blue.id },
              { postId: id, tagId: red.id },
            ],
      );
      await model(db, PostTag).createBatch(pairs);
      statements.length = 0;
      const authors = await model(db, Author)
        .preload('posts.tagged')
        .preload('profile')
        .orderBy(author.id.asc())
        .find();
      expect(statements).toHaveLength(4);
      expect(authors.map((each) => each.posts.length)).toEqual([4, 2]);
      expect(authors[0]?.posts[0]?.tagged.map(({ label }) => label).sort()).toEqual(['blue', 'red']);
      expect(authors[0]?.posts[1]?.tagged.map(({ label }) => label)).toEqual(['red']);
      expect(authors.map(({ profile }) => profile?.bio ?? null)).toEqual(['writes', null]);
      const back = await model(db, Post).preload('author').orderBy(post.id.asc()).find();
      expect(back.map((each) => each.author?.domain)).toEqual(['x.org', 'x.org', 'x.org', 'x.org', 'y.org', 'y.org']);
    });

    test('preload takes a condition and a limit per parent', async () => {
      await seed();
      const authors = await model(db, Author)
        .preload('posts', withPreloadWhere({ column: 'views', op: OpEq, value: 20 }))
        .orderBy(author.id.asc())
        .find();
      expect(authors.map((each) => each.posts.map(({ title }) => title))).toEqual([['post 2'], []]);
      const limited = await model(db, Author).preload('posts', withPreloadLimit(2)).orderBy(author.id.asc()).find();
      expect(limited.map((each) => each.posts.map(({ title }) => title))).toEqual([
        ['post 0', 'post 1'],
        ['post 4', 'post 5'],
      ]);
    });

    test('updates and deletes say how many rows they touched', async () => {
      const { ann } = await seed();
      const hers = model(db, Post).where(post.authorId.eq(ann.id));
      expect(await hers.updateAll(post.views.increment(5), post.deletedAt.set(new Date(0)))).toBe(4);
      expect((await hers.orderBy(post.id.asc()).find()).map(({ views }) => views)).toEqual([5, 15, 25, 35]);
      expect(await hers.updateAll(post.title.setRaw(raw('upper(title)')))).toBe(4);
      expect(await hers.updateAll(post.title.setRaw(raw('coalesce(:none, title)', 'none', null)))).toBe(4);
      expect(await hers.delete()).toBe(4);
      expect(await model(db, Post).count()).toBe(2);
    });

    test('createBatch fills keys and takes iterables of any length', async () => {
      const rows = Array.from({ length: 1201 }, (_, at) => ({ label: `tag ${at}` }) as { label: string; id?: number });
      expect(await model(db, Tag).createBatch(rows)).toBe(1201);
      const read = await model(db, Tag).where({ column: 'label', op: OpEq, value: 'tag 1100' }).first();
      expect(rows[1100]?.id).toBe(read.id);
      async function* more() {
        for (let at = 0; at < 3; at++) yield { label: `more ${at}` };
      }
      expect(await model(db, Tag).createBatch(more())).toBe(3);
      await expect(model(db, Tag).createBatch([{ label: 'new' }, { label: 'tag 5' }])).rejects.toMatchObject({
        code: 'FW_ORM_CONSTRAINT',
      });
      expect(await model(db, Tag).count()).toBe(1204);
    });

    test.each<[string, { readonly tags?: string[] }]>([
      ['without a list', {}],
      ['with a list', { tags: ['a', 'b "c" \\ {d}'] }],
    ])('createBatch keeps every kind of value over several statements: %s', async (_what, list) => {
      const texts = ['plain', '', 'NULL', 'null', '"quoted", {in} \\ and \\"', "it's\na line\t", 'żółć 😀'];
      const textOf = (at: number) => texts[at % texts.length] as string;
      const rows = Array.from({ length: 2100 }, (_, at) => ({
        big: BigInt(at) * 10n ** 14n,
        ratio: at / 3,
        price: `${at}.125`,
        name: textOf(at),
        notes: at % 2 === 0 ? null : textOf(at + 1),
        active: at % 3 === 0,
        at: new Date(Date.UTC(2024, 0, 1) + at * 61_007),
        seenAt: at % 5 === 0 ? new Date(at) : null,
        meta: at % 4 === 0 ? null : { a: at, b: [textOf(at)] },
        bytes: at % 4 === 1 ? null : Uint8Array.of(at % 256, 0, 34, 92),
        ref: at % 7 === 0 ? null : `9b2e7f0a-0000-4000-8000-${String(at).padStart(12, '0')}`,
        ...list,
      }));
      expect(await model(db, Everything).createBatch(rows)).toBe(rows.length);
      const read = await model(db, Everything).orderBy({ column: 'big' }).find();
      expect(read.map((row) => ({ ...row }))).toEqual(
        rows.map((row) => ({ tags: null, ...row, id: expect.any(Number) as unknown })),
      );
    });

    test('createBatch leaves nothing behind when any of its statements fails', async () => {
      const rows = Array.from({ length: 3000 }, (_, at) => ({ label: `tag ${at}` }));
      for (const at of [0, 1500, 2999]) {
        const twice = [...rows.slice(0, at), { label: 'tag 7' }, ...rows.slice(at)];
        await expect(model(db, Tag).createBatch(twice)).rejects.toMatchObject({ code: 'FW_ORM_CONSTRAINT' });
        async function* broken() {
          yield* rows.slice(0, at);
          throw new Error('the source broke');
        }
        await expect(model(db, Tag).createBatch(broken())).rejects.toThrow('the source broke');
        expect(await model(db, Tag).count()).toBe(0);
      }
    });

    test('row writes run their hooks in the documented order', async () => {
      const row = await model(db, Noted).create({ text: ' hello ' });
      expect(row.text).toBe('hello');
      await model(db, Noted).save(Object.assign(row, { text: 'again' }));
      expect((await model(db, Noted).first()).text).toBe('again');
      await model(db, Noted).remove(row);
      expect(Noted.calls).toEqual([
        ...['beforeSave', 'beforeCreate', 'afterCreate', 'afterSave'],
        ...['beforeSave', 'beforeUpdate', 'afterUpdate', 'afterSave'],
        ...['beforeDelete', 'afterDelete'],
      ]);
      await expect(model(db, Noted).create({ text: 'refused' })).rejects.toMatchObject({
        code: 'FW_ORM_HOOK',
        message: 'orm: BeforeCreate hook: this text is refused',
      });
      expect(await model(db, Noted).count()).toBe(0);
      await expect(model(db, Noted).update(row)).rejects.toMatchObject({ code: 'FW_ORM_ROW_GONE' });
    });

    test('upserts by a named key', async () => {
      await model(db, Tag).create({ label: 'a' });
      await model(db, PostTag).upsert({ postId: 1, tagId: 1 }, { conflict: ['post_id', 'tag_id'], update: 'none' });
      await model(db, PostTag).upsert({ postId: 1, tagId: 1 }, { conflict: ['post_id', 'tag_id'], update: 'none' });
      expect(await model(db, PostTag).count()).toBe(1);
      await model(db, Author).upsert({ email: 'a@x', age: 1 }, { conflict: 'email' });
      await model(db, Author).upsert({ email: 'a@x', age: 2 }, { conflict: 'email' });
      expect((await model(db, Author).find()).map(({ email, age }) => [email, age])).toEqual([['a@x', 2]]);
    });

    test('pages by cursor without skipping or repeating rows, nulls included', async () => {
      const ages = [3, null, 1, 3, null, 2, 1];
      await model(db, Author).createBatch(ages.map((age, at) => ({ email: `${at}@x.org`, age })));
      for (const order of [author.age.asc(), author.age.desc()]) {
        const all = model(db, Author).orderBy(order);
        const seen: number[] = [];
        let cursor: string | null = null;
        for (let page = 0; page < 10; page++) {
          const rows: { id: number }[] = await all.after(cursor).limit(2).find();
          if (rows.length === 0) break;
          seen.push(...rows.map(({ id }) => id));
          cursor = all.cursorOf(rows.at(-1) as object);
        }
        expect(seen).toHaveLength(7);
        const tied = model(db, Author).orderBy(order, { column: 'id', desc: order.desc });
        expect(seen).toEqual((await tied.find()).map(({ id }) => id));
      }
      const cursor = model(db, Author)
        .orderBy(author.age.asc())
        .cursorOf(await model(db, Author).first());
      expect(() => model(db, Author).orderBy(author.email.asc()).after(cursor)).toThrow('orm: invalid cursor');
      expect(() => model(db, Author).after('nonsense')).toThrow('orm: invalid cursor');
    });

    test('streams rows in portions, also when the reader stops early', async () => {
      await model(db, Tag).createBatch(Array.from({ length: 25 }, (_, at) => ({ label: `t${at}` })));
      const all: string[] = [];
      for await (const { label } of model(db, Tag).orderBy({ column: 'id' }).stream({ batchSize: 4 })) all.push(label);
      expect(all).toEqual(Array.from({ length: 25 }, (_, at) => `t${at}`));
      for await (const row of model(db, Tag).stream({ batchSize: 4 })) {
        expect(row).toBeInstanceOf(Tag);
        break;
      }
      expect(await model(db, Tag).count()).toBe(25);
    });

    test('a transaction goes on while it streams: writes, relations, and after a reader that stopped early', async () => {
      const { ann } = await seed();
      await model(db, Post).createBatch(
        Array.from({ length: 25 }, (_, at) => ({ authorId: ann.id, title: `streamed ${at}`, views: 1000 })),
      );
      const streamed = (tx: Transaction) => model(tx, Post).where(post.views.eq(1000));
      await transaction.run(db, null, null, async (tx) => {
        for await (const { id, author: by } of streamed(tx).preload('author').stream({ batchSize: 4 })) {
          expect(by?.email).toBe('ann@x.org');
          await model(tx, Post).where(post.id.eq(id)).updateAll(post.views.set(2000));
        }
        for await (const { id } of model(tx, Post).where(post.views.eq(2000)).stream({ batchSize: 4 })) {
          await model(tx, Post).where(post.id.eq(id)).delete();
          break;
        }
        expect(await streamed(tx).count()).toBe(0);
      });
      expect(await model(db, Post).where(post.views.eq(2000)).count()).toBe(24);
    });

    test('a stream inside a stream reads on, and what is wrong with one is told', async () => {
      await seed();
      const seen: string[] = [];
      await transaction.run(db, null, null, async (tx) => {
        const authors = model(tx, Author).orderBy(author.id.asc());
        for await (const { id, email } of authors.stream({ batchSize: 1 })) {
          const posts = model(tx, Post).where(post.authorId.eq(id)).orderBy(post.id.asc());
          for await (const { title } of posts.stream({ batchSize: 1 }))
            seen.push(`${email.slice(0, 3)} ${title.slice(-1)}`);
        }
      });
      expect(seen).toEqual(['ann 0', 'ann 1', 'ann 2', 'ann 3', 'ben 4', 'ben 5']);
      const wrong = transaction.run(db, null, null, async (tx) => {
        for await (const row of model(tx, Tag).where(raw('nonsense = 1')).stream()) expect(row).toBeUndefined();
      });
      await expect(wrong).rejects.toMatchObject({
        code: 'FW_ORM_DATABASE',
        details: { reason: expect.stringContaining('nonsense') },
      });
    });

    test('a stream ends with its signal', async () => {
      await model(db, Tag).createBatch(Array.from({ length: 25 }, (_, at) => ({ label: `t${at}` })));
      const abort = new AbortController();
      let seen = 0;
      const reading = async (on: Database | Transaction) => {
        for await (const row of model(on, Tag).stream({ batchSize: 4, signal: abort.signal })) {
          expect(row).toBeInstanceOf(Tag);
          if (++seen === 6) abort.abort();
        }
      };
      await expect(reading(db)).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      expect(seen).toBe(8);
      await expect(transaction.run(db, null, null, reading)).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      expect(await model(db, Tag).count()).toBe(25);
    });

    test('a stream that outlives its transaction is refused, and disturbs nobody who has the connection then', async () => {
      await model(db, Tag).createBatch(Array.from({ length: 25 }, (_, at) => ({ label: `t${at}` })));
      const left = await transaction.run(db, null, null, async (tx) => {
        const streams = [1, 2].map(() => model(tx, Tag).stream({ batchSize: 4 }));
        for (const stream of streams) expect((await stream.next()).value).toBeInstanceOf(Tag);
        return streams;
      });
      await transaction.run(db, null, null, async (tx) => {
        await model(tx, Tag).create({ label: 'somebody else' });
        const reading = async () => {
          for await (const row of left[0] as AsyncIterable<Tag>) expect(row).toBeInstanceOf(Tag);
        };
        await expect(reading()).rejects.toMatchObject({ code: 'FW_ORM_TRANSACTION_OVER' });
        await left[1]?.return?.();
      });
      expect(await model(db, Tag).count()).toBe(26);
    });

    test('a batch takes the rows of a stream, of the database as of its own transaction', async () => {
      await model(db, Tag).createBatch(Array.from({ length: 25 }, (_, at) => ({ label: `t${at}` })));
      async function* copied(on: Database | Transaction, by: string) {
        for await (const { label } of model(on, Tag).orderBy({ column: 'id' }).limit(25).stream({ batchSize: 4 })) {
          yield { label: `${label} ${by}` };
        }
      }
      expect(await model(db, Tag).createBatch(copied(db, 'outside'))).toBe(25);
      expect(await transaction.run(db, null, null, (tx) => model(tx, Tag).createBatch(copied(tx, 'inside')))).toBe(25);
      async function* wrong() {
        yield* copied(db, 'wrong');
        throw new RangeError('half way');
      }
      await expect(model(db, Tag).createBatch(wrong())).rejects.toThrow('half way');
      expect(await model(db, Tag).count()).toBe(75);
      expect(await model(db, Tag).createBatch((async function* () {})())).toBe(0);
    });

    test('explains without running, and aggregates over all rows', async () => {
      await seed();
      const { sql, plan } = await model(db, Post).where(post.views.gt(1)).explain();
      expect(sql).toMatch(/^SELECT /);
      expect(plan.length).toBeGreaterThan(0);
      expect([await model(db, Post).min('views'), await model(db, Post).max('views')]).toEqual([0, 50]);
      expect([Number(await model(db, Post).sum('views')), await model(db, Post).avg('views')]).toEqual([150, 25]);
    });

    test('only takes one row', async () => {
      await seed();
      expect((await model(db, Author).where(author.email.eq('ann@x.org')).only()).age).toBe(30);
      await expect(model(db, Post).only()).rejects.toMatchObject({ code: 'FW_ORM_SEVERAL_ROWS' });
    });

    test('locks rows inside a transaction', async () => {
      const { ann } = await seed();
      await transaction.run(db, null, null, async (tx) => {
        const locked = await model(tx, Author).where(author.id.eq(ann.id)).lock(LockForUpdate).first();
        await model(tx, Author).where(author.id.eq(locked.id)).updateAll(author.age.increment());
      });
      expect((await model(db, Author).where(author.id.eq(ann.id)).first()).age).toBe(31);
    });

    test('soft delete hides rows from reads, joins, counts and preloads, and shows them on demand', async () => {
      const soft = open(made.handle, dialect, withPlugins(softDelete('deleted_at')));
      const { ann } = await seed();
      const doomed = model(soft, Post).where(post.views.lt(30));
      expect(await doomed.delete()).toBe(3);
      expect(await doomed.delete()).toBe(0);
      expect(await model(soft, Post).count()).toBe(3);
      expect(await model(soft, Post).withDeleted().count()).toBe(6);
      expect(
        (await model(soft, Post).withDeleted('only').find()).every(({ deletedAt }) => deletedAt instanceof Date),
      ).toBe(true);
      const [hers] = await model(soft, Author).where(author.id.eq(ann.id)).preload('posts').find();
      expect(hers?.posts.map(({ title }) => title)).toEqual(['post 3']);
      const joined = model(soft, Author)
        .innerJoin(Post, 'p', post.authorId.of('p').eq(author.id))
        .where(author.id.eq(ann.id));
      expect(await joined.count()).toBe(1);
      expect(await model(soft, Post).withDeleted('force').delete()).toBe(6);
      expect(await model(db, Post).count()).toBe(0);
    });

    test('the tenant plugin limits reads and writes and fills inserts', async () => {
      let current: number | undefined = 1;
      const own = open(made.handle, dialect, withPlugins(tenant('author_id', () => current)));
      await model(own, Post).create({ title: 'one' });
      current = 2;
      expect((await model(own, Post).create({ title: 'two' })).authorId).toBe(2);
      expect((await model(own, Post).find()).map(({ title }) => title)).toEqual(['two']);
      expect(await model(own, Post).updateAll(post.views.set(9))).toBe(1);
      await expect(model(own, Post).create({ title: 'x', authorId: 1 })).rejects.toMatchObject({
        code: 'FW_ORM_TENANT_FOREIGN',
      });
      current = undefined;
      await expect(model(own, Post).find()).rejects.toMatchObject({ code: 'FW_ORM_TENANT_MISSING' });
      expect(await model(db, Post).count()).toBe(2);
    });

    test('plugins see every statement with its values and time; a failing one stops it', async () => {
      const counted = metrics();
      const spans: string[] = [];
      const traced = tracing({
        start: (name, { 'db.system.name': system, 'db.operation.name': operation, 'db.query.text': sql }) => {
          expect([system, operation, sql]).toEqual([
            dialect.telemetry?.system ?? dialect.name,
            'INSERT',
            expect.stringMatching(/^INSERT /),
          ]);
          return { end: (error) => spans.push(`${name} ${error ? 'failed' : 'ok'} ${String(sql).includes('secret')}`) };
        },
      });
      const watched = open(made.handle, dialect, withPlugins(counted, traced));
      await model(watched, Tag).create({ label: 'secret' });
      await expect(model(watched, Tag).create({ label: 'secret' })).rejects.toMatchObject({
        code: 'FW_ORM_CONSTRAINT',
        details: { kind: 'unique' },
      });
      expect(counted.snapshot()).toMatchObject({ queryCount: 2, errorCount: 1 });
      expect(counted.snapshot().totalDuration).toBeGreaterThan(0);
      expect(spans).toEqual(['INSERT Tag ok false', 'INSERT Tag failed false']);
      const refusing = open(
        made.handle,
        dialect,
        withPlugins({ name: () => 'no', beforeExecute: () => Promise.reject(new RangeError('not now')) }),
      );
      await expect(model(refusing, Tag).find()).rejects.toMatchObject({
        message: 'orm: plugin BeforeExecute: no: not now',
      });
    });

    test('every optimizer pass leaves the rows as they are', async () => {
      await seed();
      const plain = open(made.handle, dialect, { optimizerPasses: [] });
      const queries = (on: Database) => [
        model(on, Post)
          .where(and(and(post.views.gt(0), post.views.gt(0)), not(not(post.id.gt(0)))))
          .orderBy(post.id.asc(), post.views.asc()),
        model(on, Post)
          .where(and(post.title.isNotNull(), or(post.views.eq(10), post.views.eq(20))))
          .orderBy(post.id.asc()),
        model(on, Post).where(post.title.isNull()),
        model(on, Post).leftJoin(Author, 'a', author.id.of('a').eq(post.authorId)).orderBy(post.id.asc()),
        model(on, Post)
          .leftJoin(Author, 'a', author.id.of('a').eq(post.authorId))
          .where(author.age.of('a').gt(1))
          .orderBy(post.id.asc()),
        model(on, Post)
          .where(exists(model(on, Author).where(author.id.eq(post.authorId))))
          .orderBy(post.id.asc()),
      ];
      const rows = async (on: Database) => Promise.all(queries(on).map((query) => query.find()));
      expect(await rows(db)).toEqual(await rows(plain));
    });

    test('a transaction is all or nothing, and a nested one is a savepoint', async () => {
      const committed: string[] = [];
      await transaction.run(db, { isolation: 'serializable' }, null, async (tx) => {
        tx.afterCommit(() => void committed.push('outer'));
        await model(tx, Tag).create({ label: 'kept' });
        const nested = transaction.run(tx, null, null, async (inner) => {
          inner.afterCommit(() => void committed.push('inner'));
          await model(inner, Tag).create({ label: 'dropped' });
          throw new RangeError('nested');
        });
        await expect(nested).rejects.toThrow('nested');
        await transaction.run(tx, null, null, async (inner) => model(inner, Tag).create({ label: 'nested' }));
        expect(committed).toEqual([]);
      });
      expect(committed).toEqual(['outer']);
      const failing = transaction.run(db, null, null, async (tx) => {
        await model(tx, Tag).create({ label: 'gone' });
        throw new RangeError('outer');
      });
      await expect(failing).rejects.toThrow('outer');
      const labels = (await model(db, Tag).orderBy({ column: 'id' }).find()).map(({ label }) => label);
      expect(labels).toEqual(['kept', 'nested']);
    });

    test('what a transaction does after an error that its function caught is kept, or the caller learns that it is not', async () => {
      const failing = async (tx: Transaction) => tx.query('SELECT nothing FROM nowhere', []);
      const outcome = await transaction
        .run(db, null, null, async (tx) => {
          await model(tx, Tag).create({ label: 'first' });
          await failing(tx).catch(() => undefined);
        })
        .then(
          () => 'kept',
          (error: { readonly code?: string }) => error.code,
        );
      // PostgreSQL goes on with nothing but a rollback (https://www.postgresql.org/docs/current/tutorial-transactions.html).
      const [expected, labels] = habits.failureEndsTransaction ? ['FW_ORM_TRANSACTION_LOST', []] : ['kept', ['first']];
      expect(outcome).toBe(expected);
      expect((await model(db, Tag).find()).map(({ label }) => label)).toEqual(labels);
      await transaction.run(db, null, null, async (tx) => {
        await transaction
          .run(tx, null, null, async (inner) => void (await failing(inner).catch(() => undefined)))
          .catch(() => undefined);
        await model(tx, Tag).create({ label: 'behind the savepoint' });
      });
      const all = await model(db, Tag).orderBy({ column: 'id' }).find();
      expect(all.map(({ label }) => label)).toEqual([...labels, 'behind the savepoint']);
    });

    // SQLite has one writer and runs a statement in one go: there is no deadlock to be had, and nothing to interrupt.
    const { sleep: pause } = habits;
    const onServers: (name: string, run: () => Promise<void>) => void = pause === undefined ? () => {} : test;
    const paused = (seconds: number) => pause?.(seconds) ?? '';

    const deadlock = async (
      inPlace: (tx: Transaction, touch: (on: Transaction) => Promise<number>) => Promise<number>,
    ) => {
      const [a, b] = [await model(db, Tag).create({ label: 'a' }), await model(db, Tag).create({ label: 'b' })];
      let waiting = 2;
      let open: () => void = () => undefined;
      const bothHoldOne = new Promise<void>((resolve) => (open = resolve));
      let runs = 0;
      const cross = (first: Tag, second: Tag) => {
        let met = false;
        return transaction.run(db, null, null, async (tx) => {
          runs++;
          const touch = (tag: Tag, on: Transaction) =>
            model(on, Tag)
              .where({ column: 'id', op: OpEq, value: tag.id })
              .updateAll({ column: 'label', value: tag.label });
          await touch(first, tx);
          if (!met && --waiting === 0) open();
          met = true;
          await bothHoldOne;
          await inPlace(tx, (on) => touch(second, on));
        });
      };
      await Promise.all([cross(a as Tag, b as Tag), cross(b as Tag, a as Tag)]);
      expect(runs).toBeGreaterThan(2);
    };

    onServers('a real deadlock is retried until both transactions are through', () => {
      return deadlock((tx, touch) => touch(tx));
    });

    onServers('so is one inside of a savepoint', () => {
      return deadlock((tx, touch) => transaction.run(tx, null, null, touch));
    });

    // Two transactions that each hold a row and want the other's; returns the outcomes of both, and the final labels.
    const crossed = async (
      wants: (
        touch: (on?: Transaction) => Promise<unknown>,
        create: (label: string) => Promise<unknown>,
        tx: Transaction,
      ) => Promise<unknown>,
    ) => {
      const [a, b] = [await model(db, Tag).create({ label: 'a' }), await model(db, Tag).create({ label: 'b' })];
      let waiting = 2;
      let open: () => void = () => undefined;
      const bothHoldOne = new Promise<void>((resolve) => (open = resolve));
      const run = (first: Tag, second: Tag) =>
        transaction
          .run(db, null, { maxAttempts: 1 }, async (tx) => {
            const touch = (tag: Tag, on = tx) =>
              model(on, Tag)
                .where({ column: 'id', op: OpEq, value: tag.id })
                .updateAll({ column: 'label', value: `${tag.label} by ${first.label}` });
            await touch(first);
            if (--waiting === 0) open();
            await bothHoldOne;
            await wants(
              (on) => touch(second, on),
              (label) => model(tx, Tag).create({ label: `${label} ${first.label}` }),
              tx,
            );
          })
          .then(
            () => 'kept',
            (error: { readonly code?: string; readonly cause?: { readonly code?: string } }) => {
              causes.push(error.cause?.code);
              return error.code;
            },
          );
      const causes: unknown[] = [];
      const outcomes = await Promise.all([run(a as Tag, b as Tag), run(b as Tag, a as Tag)]);
      const labels = (await model(db, Tag).orderBy({ column: 'id' }).find()).map(({ label }) => label);
      return { outcomes: [...outcomes].sort(), winner: outcomes[0] === 'kept' ? 'a' : 'b', labels, causes };
    };

    onServers('nothing is kept of what a function does after a deadlock that it caught', async () => {
      const { outcomes, winner, labels, causes } = await crossed(async (touch, create) => {
        await touch().catch(() => undefined);
        await create('after').catch(() => undefined);
      });
      expect(outcomes).toEqual(['FW_ORM_TRANSACTION_LOST', 'kept']);
      expect(causes).toEqual(['FW_ORM_TRANSIENT']);
      expect(labels).toEqual([`a by ${winner}`, `b by ${winner}`, `after ${winner}`]);
      // Both connections serve others again.
      const count = () => transaction.run(db, null, null, (tx) => model(tx, Tag).count());
      expect(await Promise.all([count(), count(), count()])).toEqual([3, 3, 3]);
    });

    onServers('nor of what it asks for at the same time as the statement that loses the deadlock', async () => {
      const { outcomes, winner, labels } = await crossed((touch, create) => Promise.all([touch(), create('beside')]));
      expect(outcomes).toEqual(['FW_ORM_TRANSIENT', 'kept']);
      expect(labels).toEqual([`a by ${winner}`, `b by ${winner}`, `beside ${winner}`]);
    });

    // PostgreSQL undoes the savepoint; MySQL the whole transaction (https://dev.mysql.com/doc/refman/8.0/en/innodb-error-handling.html).
    onServers('a deadlock that is caught outside of its savepoint is told as what ended the transaction', async () => {
      const { outcomes, winner, labels, causes } = await crossed(async (touch, create, tx) => {
        await transaction.run(tx, null, null, touch).catch(() => undefined);
        await create('after');
      });
      if (habits.failureEndsTransaction) return expect([outcomes, causes]).toEqual([['kept', 'kept'], []]);
      expect(outcomes).toEqual(['FW_ORM_TRANSACTION_LOST', 'kept']);
      expect(causes).toEqual(['FW_ORM_TRANSIENT']);
      expect(labels).toEqual([`a by ${winner}`, `b by ${winner}`, `after ${winner}`]);
    });

    onServers('a call that gives up while another one runs in its transaction leaves that one alone', async () => {
      await model(db, Tag).create({ label: 'one' });
      const slept = await transaction.run(db, null, null, async (tx) => {
        const slow = model(tx, Tag)
          .select(selectExpr(paused(0.3), 'slept'))
          .find();
        const abort = new AbortController();
        const aborted = model(tx, Tag).where(raw('1 = 1')).find({ signal: abort.signal });
        setImmediate(() => abort.abort());
        const late = model(tx, Tag).create({ label: 'late' }, { timeout: 50 });
        await expect(aborted).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
        await expect(late).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
        await model(tx, Tag).create({ label: 'two' });
        return slow;
      });
      expect(slept).toHaveLength(1);
      expect((await model(db, Tag).orderBy({ column: 'id' }).find()).map(({ label }) => label)).toEqual(['one', 'two']);
    });

    onServers('a statement past its deadline, or aborted, leaves the connection clean', async () => {
      const slow = model(db, Tag).select(selectExpr(paused(5), 's'));
      await model(db, Tag).create({ label: 'one' });
      await expect(slow.find({ timeout: 50 })).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
      const abort = new AbortController();
      const aborted = slow.find({ signal: abort.signal });
      setImmediate(() => abort.abort());
      await expect(aborted).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      expect(await model(db, Tag).count()).toBe(1);
      expect(db.stats().handle.connections).toMatchObject({ waiting: 0 });
    });

    onServers('what would cancel a statement that has just ended by itself does not reach the next one', async () => {
      const sleep = (seconds: number) => `SELECT ${paused(seconds)}`;
      const failures = new Set<unknown>();
      for (let at = 0; at < 40; at++) {
        const abort = new AbortController();
        setTimeout(() => abort.abort(), 2 + (at % 4));
        const call = db.sqlDB().query(sleep(0.003), [], { signal: abort.signal, once: true });
        const [aborted] = await Promise.allSettled([call]);
        if (aborted.status === 'rejected') failures.add((aborted.reason as { readonly code: string }).code);
        await db.sqlDB().query(sleep(0.002), []);
      }
      expect([...failures]).toEqual(['FW_ORM_ABORTED']);
    });

    onServers(
      'a transaction past its deadline, or aborted, does not wait for the statements that are under way',
      async () => {
        const sleep = `SELECT ${paused(50)}`;
        const late = transaction.run(db, { timeout: 100 }, null, async (tx) => {
          await model(tx, Tag).create({ label: 'late' });
          await Promise.all([tx.query(sleep, []), tx.query(sleep, []), model(tx, Tag).create({ label: 'later' })]);
        });
        await expect(late).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT' });
        const abort = new AbortController();
        const aborted = transaction.run(db, { signal: abort.signal }, null, async (tx) => {
          await model(tx, Tag).create({ label: 'aborted' });
          setTimeout(() => abort.abort(), 50);
          for await (const rows of tx.stream(sleep, [], { batchSize: 1 })) expect(rows).toHaveLength(0);
        });
        await expect(aborted).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
        expect(await model(db, Tag).count()).toBe(0);
        expect(db.stats().handle.connections).toMatchObject({ waiting: 0 });
      },
    );

    test('a transaction object is refused once its function has ended', async () => {
      const escaped = await transaction.run(db, null, null, async (tx) => tx);
      await expect(model(escaped, Tag).find()).rejects.toMatchObject({ code: 'FW_ORM_TRANSACTION_OVER' });
    });

    test('a read-only transaction refuses to write', async () => {
      const writing = transaction.run(db, { readOnly: true }, { maxAttempts: 1 }, (tx) =>
        model(tx, Tag).create({ label: 'no' }),
      );
      await expect(writing).rejects.toMatchObject({ code: expect.stringMatching(/^FW_ORM_/) });
      expect(await model(db, Tag).count()).toBe(0);
    });

    test('a transient error runs the whole function again, at most maxAttempts times', async () => {
      let runs = 0;
      const flaky = transaction.run(db, null, { baseDelay: 1 }, async (tx) => {
        await model(tx, Tag).create({ label: `run ${++runs}` });
        if (runs < 3) throw new Error('Deadlock found when trying to get lock');
      });
      await flaky;
      expect((await model(db, Tag).find()).map(({ label }) => label)).toEqual(['run 3']);
      const hopeless = transaction.run(db, null, { maxAttempts: 2, baseDelay: 1 }, async () => {
        runs++;
        throw new Error('could not serialize access');
      });
      await expect(hopeless).rejects.toMatchObject({ code: 'FW_ORM_TRANSACTION_GAVE_UP', details: { attempts: 2 } });
      expect(runs).toBe(5);
    });

    test('a statement never carries values, and hostile text stays text', async () => {
      const hostile = `x'; DROP TABLE tags; --`;
      await model(db, Tag).create({ label: hostile });
      expect((await model(db, Tag).where({ column: 'label', op: OpEq, value: hostile }).first()).label).toBe(hostile);
      expect(statements.join()).not.toContain('DROP');
    });

    test('a call whose signal has fired before writes nothing, and begins no transaction', async () => {
      await model(db, Tag).create({ label: 'old' });
      const call = { signal: AbortSignal.abort() };
      const aborted = { code: 'FW_ORM_ABORTED' };
      await expect(model(db, Tag).create({ label: 'new' }, call)).rejects.toMatchObject(aborted);
      await expect(model(db, Tag).delete(call)).rejects.toMatchObject(aborted);
      let runs = 0;
      const run = transaction.run(db, call, null, async () => void runs++);
      await expect(run).rejects.toMatchObject(aborted);
      expect(runs).toBe(0);
      expect((await model(db, Tag).find()).map(({ label }) => label)).toEqual(['old']);
    });

    test('a batch ends with its signal while its generator is waiting, and tells of the first error', async () => {
      const hanging = async function* (rows: number) {
        for (let at = 0; at < rows; at++) yield { label: `row ${at}` };
        await new Promise(() => undefined);
      };
      for (const rows of [0, 1]) {
        const batch = model(db, Tag).createBatch(hanging(rows), { signal: AbortSignal.timeout(30) });
        await expect(batch).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
      }
      const twice = {
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ done: false as const, value: { label: 5 as unknown as string } }),
          return: () => {
            throw new RangeError('return');
          },
        }),
      };
      await expect(model(db, Tag).createBatch(twice)).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
      expect(await model(db, Tag).count()).toBe(0);
    });

    test('first without a row says so', async () => {
      await expect(model(db, Tag).first()).rejects.toMatchObject({
        code: 'FW_ORM_NO_ROWS',
        message: 'orm: no rows found',
      });
    });
  });
}
