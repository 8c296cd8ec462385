import { expect } from '@jest/globals';
import { anyDatabase, anyDialect, openAny, test } from '../../../contract/any-database.js';
import { Author, Post, author, contractModels, post } from '../../../contract/models.js';
import { RecordingHandle } from '../../../contract/recording-handle.js';
import { standard } from '../../../contract/standard-dialect.js';
import { and, exists, model, not, open, or, type CallOptions, type Database } from '../../../index.js';
import { defaultPasses } from './index.js';

const posts = (db: Database) => model(db, Post).select('id');
const onAuthor = author.id.of('a').eq(post.authorId);

test.each([
  [
    'predicate_simplification',
    (db: Database) => posts(db).where(and(and(post.id.gt(1)), not(not(post.views.lt(2))))),
    '"id" > $1 AND NOT (NOT ("views" < $2))',
    '"id" > $1 AND "views" < $2',
  ],
  [
    'constant_folding',
    (db: Database) => posts(db).where(or(post.id.eq(1), post.title.isNotNull())),
    ' WHERE ("id" = $1 OR "title" IS NOT NULL)',
    'FROM "posts"',
  ],
  [
    'duplicate_predicate_removal',
    (db: Database) => posts(db).where(and(post.deletedAt.isNull(), post.deletedAt.isNull())),
    '"deleted_at" IS NULL AND "deleted_at" IS NULL',
    'WHERE "deleted_at" IS NULL',
  ],
  [
    'join_optimization',
    (db: Database) => posts(db).leftJoin(Author, 'a', onAuthor),
    ' LEFT JOIN "authors" AS "a"',
    'FROM "posts"',
  ],
  [
    'projection_pruning',
    (db: Database) => posts(db).where(exists(model(db, Author).where(author.id.eq(post.authorId)))),
    'EXISTS (SELECT "authors"."id", ',
    'EXISTS (SELECT 1 FROM "authors"',
  ],
  [
    'order_by_optimization',
    (db: Database) => posts(db).orderBy(post.id.asc(), post.views.asc()),
    'ORDER BY "id", "views"',
    'ORDER BY "id"',
  ],
  [
    'canonical_ordering',
    (db: Database) => posts(db).where(and(post.views.eq(1), post.authorId.eq(2))),
    '"views" = $1 AND "author_id" = $2',
    '"author_id" = $1 AND "views" = $2',
  ],
])('%s changes the SQL, and only it', async (name, query, without, with_) => {
  const handle = new RecordingHandle();
  const sqlOf = async (...names: readonly string[]) => {
    const db = open(handle, standard, { optimizerPasses: defaultPasses.filter((pass) => names.includes(pass.name)) });
    return (await db.planner.plan(query(db).shape, 'find')).sql;
  };
  expect(await sqlOf()).toContain(without);
  const optimized = await sqlOf(name);
  expect(optimized).toContain(with_);
  expect(optimized).not.toContain(without);
});

test('limit_optimization drops the order of a read by primary key', async () => {
  const handle = new RecordingHandle();
  const sqlOf = async (passes: typeof defaultPasses) => {
    const db = open(handle, standard, { optimizerPasses: passes });
    return (await db.planner.plan(posts(db).where(post.id.eq(1)).orderBy(post.views.asc()).shape, 'first')).sql;
  };
  expect(await sqlOf([])).toBe('SELECT "id" FROM "posts" WHERE "id" = $1 ORDER BY "views", "id" LIMIT 1');
  expect(await sqlOf(defaultPasses)).toBe('SELECT "id" FROM "posts" WHERE "id" = $1 LIMIT 1');
});

test('values stay with their columns whatever the order of the conditions', async () => {
  const db = await openAny(contractModels);
  await model(db, Post).createBatch([{ authorId: 20, title: 't', views: 10 }]);
  const found = (query: ReturnType<typeof posts>) => query.find().then((rows) => rows.length);
  expect(await found(posts(db).where(post.views.eq(10)).where(post.authorId.eq(20)))).toBe(1);
  expect(await found(posts(db).where(post.authorId.eq(20)).where(post.views.eq(10)))).toBe(1);
  expect(await found(posts(db).where(post.authorId.eq(10)).where(post.views.eq(20)))).toBe(0);
});

test('a condition that cannot hold needs no round trip', async () => {
  const handle = new RecordingHandle();
  const db = open(handle, standard);
  expect(await posts(db).where(post.title.isNull()).find()).toEqual([]);
  expect(await posts(db).where(post.title.isNull()).count()).toBe(0);
  expect(handle.sql).toEqual([]);
});

test.each<[string, (query: ReturnType<typeof model<Post>>, call: CallOptions) => Promise<unknown>]>([
  ['find', (query, call) => query.find(call)],
  ['first', (query, call) => query.first(call)],
  ['count', (query, call) => query.count(call)],
  ['exists', (query, call) => query.exists(call)],
  ['delete', (query, call) => query.delete(call)],
  ['updateAll', (query, call) => query.updateAll(post.views.set(1), call)],
  [
    'stream',
    async (query, call) => {
      for await (const _ of query.stream(call)) throw new RangeError('a row');
    },
  ],
])('%s that needs no round trip refuses the options and the signal that any other would', async (_, ask) => {
  const handle = await anyDatabase();
  const nothing = () => model(open(handle, anyDialect), Post).where(post.title.isNull());
  const refused = (call: object) => (async () => ask(nothing(), call))();
  await expect(refused({ timeout: 'x' })).rejects.toMatchObject({ code: 'FW_ORM_OPTIONS' });
  await expect(refused({ signal: {} })).rejects.toMatchObject({ code: 'FW_ORM_OPTIONS' });
  await expect(refused({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
});
