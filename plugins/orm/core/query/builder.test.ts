import { describe, expect } from '@jest/globals';
import { anyDatabase, anyDialect, openAny, test } from '../../contract/any-database.js';
import { RecordingHandle } from '../../contract/recording-handle.js';
import { Author, Post, Tag, author, contractModels, post } from '../../contract/models.js';
import { standard } from '../../contract/standard-dialect.js';
import {
  LockForUpdate,
  and,
  model,
  modelInfoOf,
  not,
  open,
  or,
  registerModel,
  selectExpr,
  withBatchPreload,
  withPlugins,
  withPreloadLimit,
  withPreloadWhere,
  type Condition,
  type Database,
  type ModelInfo,
} from '../../index.js';

/** A database of three authors, the second with two posts, and the statements that it was sent. */
async function blog(): Promise<{ db: Database; sent: string[] }> {
  const sent: string[] = [];
  const plugin = { name: () => 'seen', beforeExecute: (_context: unknown, sql: string) => void sent.push(sql) };
  const db = await openAny(contractModels, withPlugins(plugin));
  await model(db, Author).createBatch(['a@x', 'b@x', 'c@x'].map((email, at) => ({ email, age: at * 10 })));
  await model(db, Post).createBatch([1, 2].map((views) => ({ authorId: 2, title: `t${views}`, views })));
  sent.length = 0;
  return { db, sent };
}

function recorded() {
  const handle = new RecordingHandle();
  return { handle, db: open(handle, standard) };
}

async function sqlOf(build: (query: ReturnType<typeof ids>) => { find(): Promise<unknown> }) {
  const { handle, db } = recorded();
  await build(ids(db)).find();
  return [handle.sql[0], ...(handle.parameters[0] ?? [])];
}
const ids = (db: Database) => model(db, Post).select('id');

describe('the handle', () => {
  test('opens on a handle and a dialect, shows the handle, and closes it [ORM-HANDLE-OPEN, ORM-HANDLE-CLOSE, ORM-HANDLE-SQLDB]', async () => {
    const handle = await anyDatabase();
    const db = open(handle, anyDialect, { compiledQueryCacheSize: 9 });
    expect(db.stats().plan.capacity).toBe(9);
    expect(db.sqlDB()).toBe(handle);
    await db.close();
    await expect(db.ping()).rejects.toMatchObject({ code: 'FW_ORM_CLOSED' });
    await expect((async () => handle.ping())()).rejects.toMatchObject({ code: 'FW_ORM_CLOSED' });
  });
});

describe('the query builder', () => {
  test('never changes: every step gives another query, and branches share nothing [ORM-MODEL-01, ORM-MODEL-02]', async () => {
    const { handle, db } = recorded();
    const base = ids(db).where(post.views.gt(1));
    const [left, right] = [base.where(post.id.lt(5)).limit(2), base.orderBy(post.id.desc())];
    for (const query of [left, right, base]) await query.find();
    expect(handle.sql).toEqual([
      'SELECT "id" FROM "posts" WHERE "id" < $1 AND "views" > $2 ORDER BY "id" LIMIT $3',
      'SELECT "id" FROM "posts" WHERE "views" > $1 ORDER BY "id" DESC',
      'SELECT "id" FROM "posts" WHERE "views" > $1',
    ]);
    expect(handle.parameters).toEqual([[5, 1, 2], [1], [1]]);
  });

  test('where takes a predicate or an expression [ORM-QUERY-WHERE-01]', async () => {
    expect(await sqlOf((query) => query.where({ column: 'views', op: 'gt', value: 3 }))).toEqual(
      await sqlOf((query) => query.where(post.views.gt(3))),
    );
    expect(() => ids(recorded().db).where('views > 3' as unknown as Condition)).toThrow('a condition');
    const nested = or({ authorId: 1, deletedAt: null }, not({ views: 2 }), and());
    expect(await sqlOf((query) => query.where(nested).where(or(post.id.eq(1), {})))).toEqual(
      await sqlOf((query) =>
        query
          .where(or(and(post.authorId.eq(1), post.deletedAt.isNull()), not(post.views.eq(2)), and()))
          .where(or(post.id.eq(1), and())),
      ),
    );
    expect(() => ids(recorded().db).where(or({ views: undefined }))).toThrow(
      expect.objectContaining({ code: 'FW_ORM_VALUE' }),
    );
    expect(() => ids(recorded().db).where(or({ veiws: 1 }) as Condition)).toThrow(
      expect.objectContaining({ code: 'FW_ORM_UNKNOWN_COLUMN' }),
    );
  });

  test('several calls of where are joined by AND [ORM-QUERY-WHERE-02]', async () => {
    expect(await sqlOf((query) => query.where(post.authorId.eq(1)).where(post.views.eq(2)))).toEqual([
      'SELECT "id" FROM "posts" WHERE "author_id" = $1 AND "views" = $2',
      1,
      2,
    ]);
  });

  test('orders, limits and skips [ORM-QUERY-ORDER-BY, ORM-QUERY-LIMIT, ORM-QUERY-OFFSET]', async () => {
    expect(await sqlOf((query) => query.orderBy({ column: 'views', desc: true }).limit(2).offset(1))).toEqual([
      'SELECT "id" FROM "posts" ORDER BY "views" DESC, "id" DESC LIMIT $1 OFFSET $2',
      2,
      1,
    ]);
    const { db } = await blog();
    const emails = (await model(db, Author).orderBy(author.age.desc()).limit(1).offset(1).find()).map((at) => at.email);
    expect(emails).toEqual(['b@x']);
  });

  test('page(3, 20) is limit 20 offset 40 [ORM-QUERY-PAGE, ORM-OVERVIEW-07]', async () => {
    expect(await sqlOf((query) => query.page(3, 20))).toEqual(await sqlOf((query) => query.limit(20).offset(40)));
  });

  test('after makes a keyset predicate of the order terms [ORM-QUERY-AFTER]', async () => {
    const { handle, db } = recorded();
    const ordered = model(db, Post).select('id').orderBy(post.views.desc());
    await ordered.after(ordered.cursorOf({ id: 9, views: 5 })).find();
    expect([handle.sql[0], handle.parameters[0]]).toEqual([
      'SELECT "id" FROM "posts" WHERE ("views" < $1 OR ("id" < $2 AND "views" = $3)) ORDER BY "views" DESC, "id" DESC',
      [5, 9, 5],
    ]);
  });

  test('select sets the projection, distinct drops repeated rows [ORM-QUERY-SELECT, ORM-QUERY-DISTINCT]', async () => {
    const { db } = await blog();
    const authors = model(db, Post).select(selectExpr('author_id', 'by'));
    expect(await authors.find()).toEqual([{ by: 2 }, { by: 2 }]);
    expect(await authors.distinct().find()).toEqual([{ by: 2 }]);
  });

  test('a lock for update is SELECT ... FOR UPDATE [ORM-QUERY-LOCK]', async () => {
    expect(await sqlOf((query) => query.lock(LockForUpdate))).toEqual(['SELECT "id" FROM "posts" FOR UPDATE']);
  });

  const on = author.id.of('a').eq(post.authorId);
  type Join = (
    table: string | typeof Author,
    alias: string,
    on: Condition,
  ) => Parameters<Parameters<typeof sqlOf>[0]>[0];
  test.each([
    { id: 'ORM-QUERY-INNER-JOIN', join: 'innerJoin', words: 'INNER JOIN' },
    { id: 'ORM-QUERY-LEFT-JOIN', join: 'leftJoin', words: 'LEFT JOIN' },
    { id: 'ORM-QUERY-RIGHT-JOIN', join: 'rightJoin', words: 'RIGHT JOIN' },
    { id: 'ORM-QUERY-FULL-JOIN', join: 'fullJoin', words: 'FULL JOIN' },
  ] as const)('$join takes table, alias and condition [$id]', async ({ join, words }) => {
    const joined = (table: string | typeof Author) =>
      sqlOf((query) => {
        // The four take more than a table, each in its own types.
        const joinable = query.select(author.email.of('a').as('mail')) as unknown as Record<typeof join, Join>;
        return joinable[join](table, 'a', on);
      });
    expect(await joined(Author)).toEqual([
      `SELECT "posts"."id", "a"."email" AS "mail" FROM "posts" ${words} "authors" AS "a" ON "a"."id" = "posts"."author_id"`,
    ]);
    expect(await joined('authors')).toEqual(await joined(Author));
  });

  test('crossJoin takes table and alias [ORM-QUERY-CROSS-JOIN]', async () => {
    expect(await sqlOf((query) => query.crossJoin('tags', 't'))).toEqual([
      'SELECT "posts"."id" FROM "posts" CROSS JOIN "tags" AS "t"',
    ]);
  });
});

describe('preload', () => {
  test('loads a relation, a dot goes to the nested one [ORM-QUERY-PRELOAD-01, ORM-QUERY-PRELOAD-02, ORM-OVERVIEW-06]', async () => {
    const { db } = await blog();
    const [, second] = await model(db, Author).preload('posts.author').orderBy(author.id.asc()).find();
    expect(second?.posts.map(({ title }) => title)).toEqual(['t1', 't2']);
    expect(second?.posts.map((each) => each.author?.email)).toEqual(['b@x', 'b@x']);
    const [, plain] = await model(db, Author).orderBy(author.id.asc()).find();
    expect(plain).not.toHaveProperty('posts');
  });

  test('takes a condition and a limit [ORM-QUERY-PRELOAD-WHERE, ORM-QUERY-PRELOAD-LIMIT]', async () => {
    const { db } = await blog();
    const titles = async (...options: Parameters<typeof withPreloadWhere>[0][]) => {
      const query = model(db, Author).where(author.id.eq(2));
      const [first] = await (
        options[0] ? query.preload('posts', withPreloadWhere(options[0])) : query.preload('posts', withPreloadLimit(1))
      ).find();
      return first?.posts.map(({ title }) => title);
    };
    expect(await titles({ column: 'views', op: 'eq', value: 2 })).toEqual(['t2']);
    expect(await titles()).toEqual(['t1']);
  });

  test('loads with one WHERE IN, however many rows there are [ORM-QUERY-PRELOAD-BATCH]', async () => {
    const { db, sent } = await blog();
    await model(db, Author).preload('posts', withBatchPreload()).find();
    expect(sent).toHaveLength(2);
    expect(sent[1]).toMatch(/ FROM \Wposts\W WHERE \Wauthor_id\W (IN \(\?, \?, \?, \?\)|= ANY)/);
  });
});

describe('reads', () => {
  test('find gives every matching row [ORM-READ-FIND-01]', async () => {
    const { db } = await blog();
    const found = await model(db, Author).where(author.age.gte(10)).orderBy(author.id.asc()).find();
    expect(found.map(({ email }) => email)).toEqual(['b@x', 'c@x']);
  });

  test('find uses the scanner that generated code registered [ORM-READ-FIND-02]', async () => {
    class Label extends Tag {}
    const { definition } = modelInfoOf(Tag) as ModelInfo<Tag>;
    registerModel(Label, {
      ...definition,
      name: 'Label',
      scanner: () => (row) => ({ id: 0, label: `fast ${row[1]}` }),
    });
    const { db } = await blog();
    await model(db, Tag).create({ label: 'red' });
    expect(await model(db, Label).find()).toEqual([{ id: 0, label: 'fast red' }]);
  });

  test('first appends LIMIT 1 [ORM-READ-FIRST-01]', async () => {
    const { handle, db } = recorded();
    await ids(db).where(post.views.gt(0)).first();
    expect(handle.sql).toEqual(['SELECT "id" FROM "posts" WHERE "views" > $1 LIMIT 1']);
  });

  test('first without a match rejects with the text of the specification [ORM-READ-FIRST-02, ORM-READ-FIRST-03, ERR-ORM-FIRST]', async () => {
    const { db } = await blog();
    const missing = model(db, Author).where(author.id.eq(99)).first();
    const error = await missing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ message: 'orm: no rows found', code: 'FW_ORM_NO_ROWS' });
  });

  test('count is a number, from a projection of COUNT(*) [ORM-READ-COUNT-01, ORM-READ-COUNT-02]', async () => {
    const { db, sent } = await blog();
    expect(await model(db, Author).select('email').where(author.age.gt(0)).count()).toBe(2);
    expect(sent).toEqual([expect.stringMatching(/^SELECT COUNT\(\*\) FROM \Wauthors\W WHERE \Wage\W > \S+$/)]);
  });

  test('exists is a boolean, from at most one row [ORM-READ-EXISTS]', async () => {
    const { db, sent } = await blog();
    expect(await model(db, Author).exists()).toBe(true);
    expect(await model(db, Author).where(author.id.eq(99)).exists()).toBe(false);
    expect(sent[0]).toMatch(/ LIMIT 1$/);
  });
});

describe('plans', () => {
  test('the key is the structure and never a value [ORM-PLAN-KEY-01, ORM-PLAN-KEY-02, ORM-OVERVIEW-03]', async () => {
    const { db } = await blog();
    const plans = async (...queries: { find(): Promise<unknown> }[]) => {
      const before = db.stats().plan.misses;
      for (const query of queries) await query.find();
      return db.stats().plan.misses - before;
    };
    const by = (n: number) => model(db, Post).where(post.views.eq(n));
    expect(await plans(by(1), by(2), by(3))).toBe(1);
    expect(await plans(by(1).limit(1), by(2).limit(7))).toBe(1);
    expect(await plans(by(1).offset(1), by(1).limit(1).offset(2), by(1).select('id'))).toBe(3);
    expect(await plans(model(db, Post).where(post.views.gt(1)), model(db, Post).where(post.id.eq(1)))).toBe(2);
    expect(await plans(model(db, Tag), model(db, Author))).toBe(2);
  });
});
