import { expect, test } from '@jest/globals';
import { Author, Post, author, post } from '../../../contract/models.js';
import { openSqlite, sqlite } from '../../../dialect-sqlite/index.js';
import { and, exists, model, not, open, or, type Database } from '../../../index.js';
import { defaultPasses } from './index.js';

const posts = (db: Database) => model(db, Post).select('id');
const onAuthor = author.id.of('a').eq(post.authorId);

test.each([
  [
    'predicate_simplification',
    (db: Database) => posts(db).where(and(and(post.id.gt(1)), not(not(post.views.lt(2))))),
    '"id" > ? AND NOT (NOT ("views" < ?))',
    '"id" > ? AND "views" < ?',
  ],
  [
    'constant_folding',
    (db: Database) => posts(db).where(or(post.id.eq(1), post.title.isNotNull())),
    ' WHERE ("id" = ? OR "title" IS NOT NULL)',
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
    '"views" = ? AND "author_id" = ?',
    '"author_id" = ? AND "views" = ?',
  ],
])('%s changes the SQL, and only it', async (name, query, without, with_) => {
  const handle = await openSqlite(':memory:');
  const sqlOf = async (...names: readonly string[]) => {
    const db = open(handle, sqlite, { optimizerPasses: defaultPasses.filter((pass) => names.includes(pass.name)) });
    return (await db.planner.plan(query(db).shape, 'find')).sql;
  };
  expect(await sqlOf()).toContain(without);
  const optimized = await sqlOf(name);
  expect(optimized).toContain(with_);
  expect(optimized).not.toContain(without);
  await handle.close();
});

test('limit_optimization drops the order of a read by primary key', async () => {
  const handle = await openSqlite(':memory:');
  const sqlOf = async (passes: typeof defaultPasses) => {
    const db = open(handle, sqlite, { optimizerPasses: passes });
    return (await db.planner.plan(posts(db).where(post.id.eq(1)).orderBy(post.views.asc()).shape, 'first')).sql;
  };
  expect(await sqlOf([])).toBe('SELECT "id" FROM "posts" WHERE "id" = ? ORDER BY "views" LIMIT 1');
  expect(await sqlOf(defaultPasses)).toBe('SELECT "id" FROM "posts" WHERE "id" = ? LIMIT 1');
  await handle.close();
});

test('values stay with their columns whatever the order of the conditions', async () => {
  const handle = await openSqlite(':memory:');
  const db = open(handle, sqlite);
  await handle.script(
    "CREATE TABLE posts (id INTEGER, author_id INTEGER, title TEXT, views INTEGER, deleted_at TEXT); INSERT INTO posts VALUES (1, 20, 't', 10, NULL)",
  );
  const found = (query: ReturnType<typeof posts>) => query.find().then((rows) => rows.length);
  expect(await found(posts(db).where(post.views.eq(10)).where(post.authorId.eq(20)))).toBe(1);
  expect(await found(posts(db).where(post.authorId.eq(20)).where(post.views.eq(10)))).toBe(1);
  expect(await found(posts(db).where(post.authorId.eq(10)).where(post.views.eq(20)))).toBe(0);
  await handle.close();
});

test('a condition that cannot hold needs no round trip', async () => {
  const handle = await openSqlite(':memory:');
  const db = open(handle, sqlite);
  // There is no such table: only a query that is not sent can succeed.
  expect(await posts(db).where(post.title.isNull()).find()).toEqual([]);
  expect(await posts(db).where(post.title.isNull()).count()).toBe(0);
  await handle.close();
});
