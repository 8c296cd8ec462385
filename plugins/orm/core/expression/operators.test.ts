import { describe, expect, test } from '@jest/globals';
import { RecordingHandle } from '../../contract/recording-handle.js';
import { Post, post } from '../../contract/models.js';
import { standard } from '../../contract/standard-dialect.js';
import {
  OpBetween,
  OpEq,
  OpGt,
  OpGte,
  OpILike,
  OpIn,
  OpIsNotNull,
  OpIsNull,
  OpLike,
  OpLt,
  OpLte,
  OpNeq,
  OpNotIn,
  OpRaw,
  and,
  model,
  not,
  open,
  or,
  raw,
  selectExpr,
  type Dialect,
  type Operator,
  type OrderTerm,
  type PlainAssignment,
  type Predicate,
  type SelectExpr,
} from '../../index.js';

type Posts = ReturnType<typeof posts>;
const posts = (handle: RecordingHandle, dialect: Dialect) =>
  model(open(handle, dialect, { optimizerPasses: [] }), Post);

/** What follows SELECT ... FROM "posts", with its parameters. */
async function sent(build: (query: Posts) => { find(): Promise<unknown> }, dialect: Dialect = standard) {
  const handle = new RecordingHandle();
  await build(posts(handle, dialect)).find();
  return [handle.sql[0]?.replace(/^.* FROM "posts" ?/, ''), ...(handle.parameters[0] ?? [])];
}
const where = (condition: Parameters<Posts['where']>[0]) => sent((query) => query.where(condition));

describe('operators', () => {
  test.each([
    { id: 'ORM-OP-EQ', column: 'title', op: OpEq, value: 'a', sql: '"title" = $1' },
    { id: 'ORM-OP-NEQ', column: 'title', op: OpNeq, value: 'a', sql: '"title" <> $1' },
    { id: 'ORM-OP-LT', column: 'title', op: OpLt, value: 'a', sql: '"title" < $1' },
    { id: 'ORM-OP-LTE', column: 'title', op: OpLte, value: 'a', sql: '"title" <= $1' },
    { id: 'ORM-OP-GT', column: 'title', op: OpGt, value: 'a', sql: '"title" > $1' },
    { id: 'ORM-OP-GTE', column: 'title', op: OpGte, value: 'a', sql: '"title" >= $1' },
    { id: 'ORM-OP-LIKE', column: 'title', op: OpLike, value: 'a', sql: '"title" LIKE $1' },
    { id: 'ORM-OP-ILIKE', column: 'title', op: OpILike, value: 'a', sql: '"title" ILIKE $1' },
    { id: 'ORM-OP-IS-NULL', column: 'title', op: OpIsNull, value: undefined, sql: '"title" IS NULL' },
    { id: 'ORM-OP-IS-NOT-NULL', column: 'title', op: OpIsNotNull, value: undefined, sql: '"title" IS NOT NULL' },
    { id: 'ORM-OP-RAW', column: '', op: OpRaw, value: 'views > 3', sql: '(views > 3)' },
  ])('$op compiles as specified [$id]', async ({ column, op: name, value, sql }) => {
    const op = name as Operator;
    expect(await where({ column, op, value })).toEqual([`WHERE ${sql}`, ...(sql.includes('$1') ? ['a'] : [])]);
  });

  test('between takes an array of two values and nothing else [ORM-OP-BETWEEN]', async () => {
    expect(await where({ column: 'views', op: OpBetween, value: [1, 9] })).toEqual([
      'WHERE "views" BETWEEN $1 AND $2',
      1,
      9,
    ]);
    await expect(where({ column: 'views', op: OpBetween, value: [1] })).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
  });

  test.each([
    { id: 'ORM-OP-IN', op: OpIn, words: 'IN' },
    { id: 'ORM-OP-NOT-IN', op: OpNotIn, words: 'NOT IN' },
  ])('$op takes a list and nothing else [$id]', async ({ op: name, words }) => {
    const op = name as Operator;
    const build = (value: unknown) => sent((query) => query.where({ column: 'views', op, value }));
    expect(await build([1, 2])).toEqual([`WHERE "views" ${words} ($1, $2)`, 1, 2]);
    await expect(build(1)).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
  });
});

describe('combinators', () => {
  const [a, b] = [post.views.eq(1), post.title.eq('t')];

  test('and joins by AND, or by OR, not negates [ORM-EXPR-AND, ORM-EXPR-OR, ORM-EXPR-NOT]', async () => {
    expect(await where(and(a, b))).toEqual(['WHERE "views" = $1 AND "title" = $2', 1, 't']);
    expect(await where(or(a, b))).toEqual(['WHERE ("views" = $1 OR "title" = $2)', 1, 't']);
    expect(await where(not(a))).toEqual(['WHERE NOT ("views" = $1)', 1]);
  });

  test('raw binds each name to the value behind it [ORM-EXPR-RAW]', async () => {
    expect(await where(raw('views > :low AND views < :high', 'high', 9, 'low', 1))).toEqual([
      'WHERE (views > $1 AND views < $2)',
      1,
      9,
    ]);
    expect(() => raw('views > :low', 'high', 1)).toThrow('low');
  });
});

describe('plain values', () => {
  test('a predicate is column, op and value [ORM-VALUE-PREDICATE]', async () => {
    const predicate: Predicate = { column: 'author_id', op: OpGt, value: 4 };
    expect(await where(predicate)).toEqual(['WHERE "author_id" > $1', 4]);
  });

  test('an order term is column and desc [ORM-VALUE-ORDER-TERM]', async () => {
    const terms: OrderTerm[] = [
      { column: 'views', desc: true },
      { column: 'id', desc: false },
    ];
    expect(await sent((query) => query.orderBy(...terms))).toEqual(['ORDER BY "views" DESC, "id"']);
  });

  test('a selected expression is expr [ORM-VALUE-SELECT-EXPR]', async () => {
    const handle = new RecordingHandle();
    const selected: SelectExpr = selectExpr('views * 2');
    await posts(handle, standard).select(selected).find();
    expect(handle.sql[0]).toMatch(/^SELECT views \* 2 .*FROM "posts"$/);
  });

  test('an assignment is column and value [ORM-VALUE-ASSIGNMENT]', async () => {
    const handle = new RecordingHandle();
    const assignment: PlainAssignment = { column: 'author_id', value: 5 };
    await posts(handle, standard).updateAll(assignment);
    expect([handle.sql[0], handle.parameters[0]]).toEqual(['UPDATE "posts" SET "author_id" = $1', [5]]);
  });
});
