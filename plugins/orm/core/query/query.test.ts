import { describe, expect } from '@jest/globals';
import fc from 'fast-check';
import { anyDatabase, anyDialect, openAny, test } from '../../contract/any-database.js';
import { DIALECTS } from '../../contract/framework-dialects.js';
import { RecordingHandle } from '../../contract/recording-handle.js';
import { columnsOf } from '../../contract/model-columns.js';
import { Post, Tag, author, contractModels, post } from '../../contract/models.js';
import { standard } from '../../contract/standard-dialect.js';
import {
  and,
  concat,
  countAll,
  db as column,
  jsonString,
  model,
  open,
  or,
  selectExpr,
  softDelete,
  table,
  withCompiledQueryCacheSize,
  withPlugins,
  type Database,
  type LogicalPlan,
  type OrmPlugin,
  type Condition,
  type Query,
} from '../../index.js';

@table('occurrences')
class Occurrence {
  @column('id,pk,type=int') id!: number;
  @column('data,type=json') data!: unknown;
}

const occurrence = columnsOf(Occurrence);

const database = () => openAny(contractModels);
const recorded = (...options: Parameters<typeof open>[2][]) => open(new RecordingHandle(), standard, ...options);

type AnyQuery = Query<Post, never>;
const STEPS: readonly ((query: AnyQuery, n: number) => AnyQuery)[] = [
  (query, n) => query.where(post.views.gt(n)),
  (query, n) => query.where(or(post.title.eq(`t${n}`), and(post.id.lt(n), post.views.neq(n)))),
  (query, n) => query.where({ column: 'views', op: 'in', value: [n, n + 1, n + 2] }),
  (query) => query.orderBy(post.id.desc()),
  (query, n) => query.limit(n),
  (query, n) => query.offset(n),
];
const steps = fc.array(fc.tuple(fc.nat(STEPS.length - 1), fc.nat(99)), { maxLength: 6 });

describe('queries', () => {
  test('branches share nothing: what is built on one never shows in another', async () => {
    const db = recorded();
    const build = (from: AnyQuery, path: [number, number][]) =>
      path.reduce((query, [step, n]) => (STEPS[step] as (typeof STEPS)[0])(query, n), from);
    const sqlOf = async (query: AnyQuery) => [(await db.planner.plan(query.shape, 'find')).sql, query.values()];
    await fc.assert(
      fc.asyncProperty(steps, steps, steps, async (trunk, left, right) => {
        const root = model(db, Post) as unknown as AnyQuery;
        const base = build(root, trunk);
        const before = await sqlOf(base);
        const a = await sqlOf(build(base, left));
        await sqlOf(build(base, right));
        expect(await sqlOf(base)).toEqual(before);
        expect(await sqlOf(build(build(root, trunk), left))).toEqual(a);
      }),
    );
  });

  test('equal shapes share a plan whatever their values, and counts show it', async () => {
    const db = recorded();
    for (let n = 0; n < 10; n++)
      await model(db, Post)
        .where(post.views.eq(n))
        .limit(n + 1)
        .find();
    expect(db.stats().plan).toMatchObject({ size: 1, hits: 9, misses: 1 });
    for (let n = 1; n <= 64; n++)
      await model(db, Post)
        .where(post.id.in(Array.from({ length: n }, (_, at) => at)))
        .find();
    expect(db.stats().plan.size).toBe(8);
  });

  test('two expressions of one path into JSON are the same', async () => {
    const db = await openAny([Occurrence]);
    const rows = model(db, Occurrence);
    await rows.createBatch([1, 2].map((id) => ({ id, data: { kind: 'a', type: id } })));
    const at = (name: string) => jsonString(occurrence.data, name);
    const found = await rows.select(at('kind').as('kind'), countAll()).groupBy(at('kind')).find();
    expect(found).toEqual([{ kind: 'a', count: 2 }]);
    const other = async () => rows.select(at('kind').as('kind')).groupBy(at('type')).find();
    await expect(other()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
  });

  test('joins of two models with one name and one table have plans of their own', async () => {
    const slim = () => {
      @table('guests')
      class Guest {
        @column('id,pk,type=int') id!: number;
      }
      return Guest;
    };
    const whole = () => {
      @table('guests')
      class Guest {
        @column('id,pk,type=int') id!: number;
        @column('deleted_at,type=date,nullable') deletedAt!: Date | null;
      }
      return Guest;
    };
    const handle = new RecordingHandle();
    const db = open(handle, standard, withPlugins(softDelete('deleted_at')));
    for (const guest of [slim(), whole()])
      await model(db, Tag)
        .innerJoin(guest as never, 'g', { column: 'g.id', op: 'eq', value: 1 })
        .count();
    expect(handle.sql.map((sql) => sql.includes('deleted_at'))).toEqual([false, true]);
  });

  test('groups by other values than are selected are refused where their rows are inserted, too', async () => {
    const db = await database();
    const rows = model(db, Post).select(concat(post.title, 'a').as('label')).groupBy(concat(post.title, 'b'));
    const inserting = async () => model(db, Tag).createFrom(rows as never);
    await expect(inserting()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
  });

  test('the plan cache is bounded and gives up the least recently used', async () => {
    const db = recorded(withCompiledQueryCacheSize(16));
    const used = () => model(db, Post).where(post.id.eq(1)).find();
    for (let n = 0; n < 100; n++) {
      await used();
      await model(db, Post)
        .select(selectExpr(`${n}`, `n${n}`))
        .find();
    }
    const { plan } = db.stats();
    expect(plan.size).toBeLessThanOrEqual(16);
    expect(plan.evicted).toBeGreaterThan(50);
    expect(plan.misses).toBe(101);
  });

  test('plans of inserts are bounded, and those that went are counted', async () => {
    const db = recorded(withCompiledQueryCacheSize(16));
    for (let rows = 1; rows <= 60; rows++)
      await model(db, Tag).createBatch(Array.from({ length: rows }, (_, id) => ({ id, label: 'a' })));
    const { inserts } = db.stats();
    expect(inserts.size).toBeLessThanOrEqual(16);
    expect([inserts.size + inserts.evicted, inserts.misses]).toEqual([60, 60]);
  });

  test('concurrent first compiles of one shape are one, and a request-scoped plugin bypasses the cache [ORM-PLAN-COALESCE, ORM-PLAN-BYPASS, ORM-PLUGIN-REQUEST-SCOPED]', async () => {
    let compiles = 0;
    const slow: OrmPlugin = { name: () => 'slow', beforePlan: async (plan: LogicalPlan) => (compiles++, plan) };
    const db = recorded(withPlugins(slow));
    await Promise.all(Array.from({ length: 5 }, (_, n) => model(db, Post).where(post.id.eq(n)).find()));
    expect(compiles).toBe(1);
    const scoped = open(db.sqlDB(), standard, withPlugins({ ...slow, isRequestScoped: () => true }));
    await model(scoped, Post).find();
    await model(scoped, Post).find();
    expect(compiles).toBe(3);
    expect(scoped.stats().plan.size).toBe(0);
    for (const id of [901, 902]) await model(scoped, Tag).create({ id, label: String(id) });
    expect(compiles).toBe(5);
  });

  // What each message must name, so that whoever reads it finds the place: model and field, or what was given.
  test.each<[string, (db: Database) => unknown, string, RegExp]>([
    [
      'an unknown column',
      (db) => model(db, Post).where({ column: 'nope', op: 'eq', value: 1 }),
      'FW_ORM_UNKNOWN_COLUMN',
      /^Post has no column "nope"/,
    ],
    [
      'an identifier with quotes',
      (db) => model(db, Post).where({ column: 'x.y"', op: 'eq', value: 1 }),
      'FW_ORM_IDENTIFIER',
      /invalid identifier .*y"/,
    ],
    [
      'a table with quotes',
      (db) => model(db, Post).innerJoin('tags"; --', 't', and()),
      'FW_ORM_IDENTIFIER',
      /invalid identifier "tags"; --"/,
    ],
    [
      'an unknown operator',
      (db) => model(db, Post).where({ column: 'id', op: 'is' as never, value: 1 }),
      'FW_ORM_OPERATOR',
      /^Post\.id: the operator "is"/,
    ],
    ['an empty IN list', (db) => model(db, Post).where(post.id.in([])), 'FW_ORM_EMPTY_LIST', /^Post\.id: IN/],
    [
      'a wrong value type',
      (db) =>
        model(db, Post)
          .where(post.views.eq('1; DROP' as never))
          .find(),
      'FW_ORM_VALUE',
      /^Post\.views: expected/,
    ],
    ['a negative limit', (db) => model(db, Post).limit(-1), 'FW_ORM_NUMBER', /^limit must be/],
    ['a raw separator', (db) => model(db, Post).select(selectExpr('1; DROP TABLE posts')), 'FW_ORM_RAW', /./],
    [
      'a model that is not joined',
      (db) =>
        model(db, Post)
          .where(author.age.eq(1) as Condition)
          .find(),
      'FW_ORM_COLUMN_OUT_OF_REACH',
      /query on Post uses Author\.age/,
    ],
    ['a relation that is none', (db) => model(db, Post).preload('nope' as never), 'FW_ORM_RELATION', /"nope" on Post/],
    ['a missing value', (db) => model(db, Tag).create({}), 'FW_ORM_NULL_VALUE', /^Tag\.label must not be null/],
    [
      'an unknown property',
      (db) => model(db, Tag).create({ labl: 'x' } as never),
      'FW_ORM_UNKNOWN_COLUMN',
      /^Tag has no column "labl"/,
    ],
    [
      'an unknown property in a later row of a batch',
      (db) => model(db, Tag).createBatch([{ label: 'a' }, { label: 'b' }, { labl: 'c' } as never]),
      'FW_ORM_UNKNOWN_COLUMN',
      /^Tag has no column "labl"/,
    ],
    [
      'an unknown property beside known ones in a batch',
      (db) => model(db, Tag).createBatch([{ label: 'a' }, { label: 'b', colour: 'c' } as never]),
      'FW_ORM_UNKNOWN_COLUMN',
      /^Tag has no column "colour"/,
    ],
    ...[null, undefined, 5, 'abc', {}, { label: 'x' }].map(
      (rows) =>
        [
          `a batch of ${JSON.stringify(rows)}`,
          (db: Database) => model(db, Tag).createBatch(rows as never),
          'FW_ORM_EXPRESSION',
          /^The query on Tag was given .* where rows \(an array, or another iterable\) was expected/,
        ] as [string, (db: Database) => unknown, string, RegExp],
    ),
    ...[null, undefined, 5, 'abc', [], [{ label: 'x' }]].flatMap((row) =>
      (['create', 'update', 'save', 'remove', 'upsert', 'createBatch'] as const).map(
        (operation) =>
          [
            `${operation} of ${JSON.stringify(row)}`,
            (db: Database) =>
              (model(db, Tag) as unknown as Record<string, (row: unknown) => unknown>)[operation]?.(
                operation === 'createBatch' ? [row] : row,
              ),
            'FW_ORM_EXPRESSION',
            /^The query on Tag was given .* where a row was expected/,
          ] as [string, (db: Database) => unknown, string, RegExp],
      ),
    ),
    ...[null, 5, 'views', { colum: 'label', value: 'x' }, { timeOut: 5 }].map(
      (given) =>
        [
          `updateAll of ${JSON.stringify(given)}`,
          (db: Database) => model(db, Tag).updateAll({ column: 'label', value: 'x' }, given as never),
          'FW_ORM_EXPRESSION',
          /^The query on Tag was given .* where an assignment/,
        ] as [string, (db: Database) => unknown, string, RegExp],
    ),
    [
      'an update of nothing within a time',
      (db) => model(db, Tag).updateAll({ timeout: 5 } as never),
      'FW_ORM_NOTHING_TO_SET',
      /Tag/,
    ],
    ['a write with a limit', (db) => model(db, Tag).limit(1).delete(), 'FW_ORM_QUERY_FORM', /Tag/],
    ['an update of nothing', (db) => model(db, Tag).updateAll(), 'FW_ORM_NOTHING_TO_SET', /Tag/],
    [
      'a cursor of another order',
      async (db) => {
        const cursor = model(db, Post).orderBy(post.views.asc()).cursorOf({ id: 1, views: 2 });
        await model(db, Post).orderBy(post.id.desc()).after(cursor).find();
      },
      'FW_ORM_CURSOR',
      /invalid cursor/,
    ],
  ])('%s gets a coded error that names the place, and no SQL is sent', async (_name, run, code, names) => {
    const handle = new RecordingHandle();
    await expect((async () => run(open(handle, standard)))()).rejects.toMatchObject({
      code,
      message: expect.stringMatching(names),
    });
    expect(handle.sql).toEqual([]);
  });

  test.each<[string, number, (query: AnyQuery) => Promise<unknown>]>([
    ['first', 0, (query) => query.first().catch(() => undefined)],
    ['first', 5, (query) => query.first()],
    ['exists', 0, (query) => query.exists()],
    ['exists', 5, (query) => query.exists()],
  ])('%s of a query limited to %d asks for one row at most', async (_name, limit, run) => {
    const handle = new RecordingHandle();
    for (const dialect of DIALECTS) {
      await run(model(open(handle, dialect), Post).limit(limit) as unknown as AnyQuery);
    }
    expect(handle.parameters).toEqual(DIALECTS.map(() => [Math.min(limit, 1)]));
    const db = await database();
    await model(db, Post).createBatch([1, 2].map((views) => ({ authorId: 1, title: 't', views })));
    const found = run(model(db, Post).limit(limit) as unknown as AnyQuery);
    await (limit === 0 ? expect(found).resolves.toBeFalsy() : expect(found).resolves.toBeTruthy());
    await db.close();
  });

  test('a table that is not there gets the error of the database, with the statement and without its values', async () => {
    const db = open(await anyDatabase(), anyDialect);
    await expect(model(db, Tag).where({ column: 'label', op: 'eq', value: 'a secret' }).find()).rejects.toMatchObject({
      code: 'FW_ORM_DATABASE',
      message: expect.stringMatching(/tags/),
      details: expect.objectContaining({ sql: expect.not.stringContaining('a secret') }),
    });
    await db.close();
  });

  test('a closed handle says so', async () => {
    const db = await database();
    await db.close();
    await expect(model(db, Tag).find()).rejects.toMatchObject({ code: 'FW_ORM_CLOSED' });
  });
});
