import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isFwError } from '../../../kernel/index.js';
import {
  ValidationError,
  model,
  open,
  transaction,
  withPreloadWhere,
  type Database,
  type Dialect,
  type PreloadOptions,
} from '../index.js';
import { migrations } from '../migrations/index.js';
import { RecordingHandle } from './recording-handle.js';
import { Author, Everything, Post, Tag, author, post } from './models.js';

/** A character that occurs in no SQL of ours and in no identifier. */
const MARK = '\u00a7';
/** A name that is an identifier, and nothing's name. */
const NAME = 'zqzq';

const WORDS = [
  'id', 'title', 'views', 'posts', 'posts.id', 'p', 'author_id', 'eq', 'neq', 'like', 'in', 'notIn', 'isNull', 'between', 'raw', 'desc',
  'first', 'last', 'update', 'share', 'updateNoWait', 'with', 'only', 'all', 'none', 'inner', 'serializable', 'author', 'tagged',
  'constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', 'length', '', ' ', '*', 'DESC', 'Symbol(fw.orm.raw)',
]; // prettier-ignore
const KEYS = [
  'column', 'op', 'value', 'desc', 'dir', 'nulls', 'expr', 'alias', 'sql', 'raw', 't', 'part', 'key', 'step', 'target', 'info', 'kind',
  'where', 'limit', 'batch', 'path', 'timeout', 'signal', 'isolation', 'readOnly', 'maxAttempts', 'baseDelay', 'conflict', 'update',
  'id', 'title', 'views', 'label', 'email', 'constructor', '__proto__', 'toString', 'toJSON', 'length', 'then', 'batchSize', 'count',
]; // prettier-ignore

const hostile = fc
  .constantFrom(`${MARK}`, `'${MARK}`, `"${MARK}`, `]${MARK}`, `\`${MARK}`, `) OR 1=1 -- ${MARK}`, `; DROP TABLE posts; ${MARK}`)
  .chain((text) => fc.constantFrom(...WORDS).map((word) => `${word}${text}`)); // prettier-ignore
const text = fc.oneof(fc.constantFrom(...WORDS), hostile, fc.constant(NAME));
const number = fc.oneof(fc.integer({ min: -3, max: 50 }), fc.constantFrom(0.5, 2 ** 31, 2 ** 53, 1e308, NaN, Infinity));
const scalar = fc.oneof(text, text, number, fc.boolean(), fc.constant(null), fc.constant(undefined));

// Forms in which data reaches a handler: from a JSON body, from a query string (no prototype), as a class instance.
function shaped(entries: readonly (readonly [string, unknown])[], form: 'json' | 'bare' | 'inherited' | 'class'): unknown {
  if (form === 'json')
    return JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`).join()}}`);
  const own = (target: object) => {
    for (const [key, value] of entries)
      Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    return target;
  };
  if (form === 'bare') return own(Object.create(null) as object);
  if (form === 'inherited') return Object.create(own({})) as object;
  return own(new (class Anything {})());
} // prettier-ignore

const form = fc.constantFrom('json', 'json', 'bare', 'inherited', 'class');
const { data } = fc.letrec<{ data: unknown; object: unknown; list: unknown }>((tie) => ({
  data: fc.oneof({ maxDepth: 3 }, scalar, tie('object'), tie('list')),
  object: fc
    .tuple(fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('data')), { maxLength: 4 }), form)
    .map(([entries, as]) => shaped(entries, as)),
  list: fc.array(tie('data'), { maxLength: 3 }),
}));

/** Nearly valid objects: each property is valid or arbitrary. */
const nearly = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.tuple(...Object.entries(fields).map(([key, good]) => fc.tuple(fc.constant(key), fc.oneof(good, data)))),
      form,
    )
    .map(([entries, as]) => shaped(entries as [string, unknown][], as));

const column = fc.constantFrom('id', 'title', 'views');
const op = fc.constantFrom('eq', 'neq', 'gt', 'like', 'ilike', 'in', 'notIn', 'between', 'isNull', 'isNotNull', 'raw');
const predicate = nearly({ column, op, value: fc.oneof(text, number, fc.array(number)) });
const term = nearly({ column, desc: fc.boolean(), nulls: fc.constantFrom('first', 'last', undefined) });
const call = nearly({ timeout: fc.nat(), signal: fc.constant(undefined) });

type Position = readonly [name: string, values: fc.Arbitrary<unknown>, run: (db: Database, given: never) => unknown];

const posts = (db: Database) => model(db, Post).where(post.views.gt(1));
const at = <Given>(
  name: string,
  values: fc.Arbitrary<unknown>,
  run: (db: Database, given: Given) => unknown,
): Position => [name, values, run];

/** Every place of the library that takes a plain value. */
const POSITIONS: readonly Position[] = [
  at<never>('where', predicate, (db, given) => model(db, Post).where(given).find()),
  at<never>('where of anything', data, (db, given) => model(db, Post).where(given).count()),
  at<never>('where of a delete', predicate, (db, given) => model(db, Post).where(given).delete()),
  at<never>('orderBy', term, (db, given) => posts(db).orderBy(given).find()),
  at<never>('orderBy of anything', data, (db, given) => posts(db).orderBy(given).find()),
  at<never>('asc', data, (db, given) => posts(db).orderBy(post.title.asc(given)).find()),
  at<never>('desc', text, (db, given) => posts(db).orderBy(post.title.desc(given)).find()),
  at<never>('select', nearly({ expr: text, alias: column }), (db, given) => posts(db).select('id', given).find()),
  at<never>('select of anything', data, (db, given) => posts(db).select(given).find()),
  at<never>('as', data, (db, given) => posts(db).select(post.id.as(given)).find()),
  at<never>('lock', fc.oneof(text, data), (db, given) => posts(db).lock(given).find()),
  at<never>('withDeleted', fc.oneof(text, data), (db, given) => posts(db).withDeleted(given).find()),
  at<never>('groupBy', data, (db, given) => model(db, Post).select('id').groupBy(given).find()),
  at<never>('having', predicate, (db, given) => posts(db).select('id').groupBy('id').having(given).find()),
  at<never>('a joined table', data, (db, given) => posts(db).innerJoin(given, 'p', post.id.eq(1)).find()),
  at<never>('the alias of a join', data, (db, given) => posts(db).leftJoin(Author, given, author.id.of(given).eq(1)).find()), // prettier-ignore
  at<never>('the condition of a join', predicate, (db, given) => posts(db).innerJoin(Tag, 'p', given).find()),
  at<never>('the condition of a join, of anything', data, (db, given) => posts(db).leftJoin(Tag, 'p', given).find()),
  at<never>('limit', data, (db, given) => posts(db).limit(given).find()),
  at<never>('offset', data, (db, given) => posts(db).offset(given).find()),
  at<never>('page', data, (db, given) => posts(db).page(given, given).find()),
  at<never>('after', data, (db, given) => posts(db).orderBy(post.title.asc()).after(given).find()),
  at<never>('after what a cursor may hold', data, (db, given) => {
    const cursor = JSON.stringify({ v: 1, o: 'title+,id+', k: [given, 1] });
    return posts(db).orderBy(post.title.asc()).after(Buffer.from(cursor).toString('base64url')).find();
  }),
  at<never>('preload', data, (db, given) => posts(db).preload(given).find()),
  at<PreloadOptions>('the options of a preload', nearly({ where: fc.array(predicate), limit: fc.nat(), batch: fc.boolean() }), (db, given) => posts(db).preload('author', given).find()), // prettier-ignore
  at<never>('withPreloadWhere', predicate, (db, given) => posts(db).preload('author', withPreloadWhere(given)).find()),
  at<never>('updateAll', nearly({ column, value: text }), (db, given) => posts(db).updateAll(given)),
  at<never>('updateAll of anything', data, (db, given) => posts(db).updateAll(given, given)),
  at<never>('create', nearly({ title: text, authorId: number, views: number }), (db, given) => model(db, Post).create(given)), // prettier-ignore
  at<never>('create of anything', data, (db, given) => model(db, Post).create(given)),
  at<never>('create with JSON', data, (db, given) => model(db, Everything).create({ name: 'x', meta: given } as never)),
  at<never>('createBatch', fc.oneof(data, fc.array(nearly({ label: text }))), (db, given) => model(db, Tag).createBatch(given)), // prettier-ignore
  at<never>('save', nearly({ id: number, label: text }), (db, given) => model(db, Tag).save(given)),
  at<never>('update', nearly({ id: number, label: text }), (db, given) => model(db, Tag).update(given)),
  at<never>('remove', nearly({ id: number }), (db, given) => model(db, Tag).remove(given)),
  at<never>('upsert', nearly({ id: number, label: text }), (db, given) => model(db, Tag).upsert(given)),
  at<never>('the options of an upsert', nearly({ conflict: fc.constant('label'), update: fc.constant('all') }), (db, given) => model(db, Tag).upsert({ label: 'x' } as never, given)), // prettier-ignore
  at<never>('the options of an upsert, of anything', data, (db, given) => model(db, Tag).upsert({ label: 'x' } as never, given)), // prettier-ignore
  at<never>('the options of a call', fc.oneof(call, data), (db, given) => posts(db).find(given)),
  at<never>('the options of a stream', fc.oneof(nearly({ batchSize: fc.nat() }), data), async (db, given) => {
    for await (const row of posts(db).stream(given)) expect(row).toBeDefined();
  }),
  at<never>('the options of a transaction', fc.oneof(nearly({ isolation: fc.constant('serializable'), readOnly: fc.constant(false), timeout: fc.nat() }), data), (db, given) => transaction.run(db, given, null, async (tx) => posts(tx as never).find())), // prettier-ignore
  at<never>('the policy of a transaction', fc.oneof(nearly({ maxAttempts: fc.nat(3), baseDelay: fc.constant(0) }), data), (db, given) => transaction.run(db, null, given, async (tx) => posts(tx as never).find())), // prettier-ignore
  at<never>('an aggregate', data, (db, given) => posts(db).sum(given)),
  at<never>('the version table of migrations', data, (db, given) => migrations.new(db, given)),
  at<never>('the version and name of a migration', nearly({ version: text, name: text }), (db, given) => migrations.new(db).register(given)), // prettier-ignore
];

// In every place, whatever else comes.
const EXAMPLES: readonly unknown[] = [
  'posts.id',
  `first; DROP TABLE posts; ${MARK}`,
  'constructor',
  JSON.parse('{"op":"raw","value":"1"}'),
];

/** Looks at a statement: throws when the database would not take it. */
export type Prepare = (sql: string) => Promise<void> | void | undefined;

/** What the database says of a name that is in its place, and not there or there twice (an alias that is the table's own name). */
const NOT_THERE =
  /no such (table|column)|does not exist|doesn't exist|unknown (table|column)|ambiguous|specified more than once|not unique/i;

/**
 * Plain values from outside, in every place that takes one, give a coded error, or a statement that contains none of their text except
 * quoted identifiers.
 */
export function hostileValuesContract(
  dialect: Dialect,
  prepared: () => Promise<{ readonly prepare: Prepare; readonly end: () => Promise<void> }>,
  numRuns = 60,
): void {
  describe(`plain values from outside on ${dialect.capabilities.dialect}`, () => {
    let database: Awaited<ReturnType<typeof prepared>>;
    // What the database has taken, from whichever position: nothing of it is run, so that it would take it again.
    const taken = new Set<string>();

    beforeAll(async () => {
      database = await prepared();
    }, 240_000);

    afterAll(() => database.end(), 240_000);

    test.each(POSITIONS)('%s', async (_name, values, run) => {
      const property = fc.asyncProperty(values, async (given) => {
        const handle = new RecordingHandle();
        await outcome(async () => run(open(handle, dialect), given as never));
        for (const sql of handle.sql) {
          expectOurs(sql);
          if (taken.has(sql)) continue;
          await Promise.resolve(database.prepare(sql)).catch((error: Error) =>
            expect(error.message).toMatch(NOT_THERE),
          );
          taken.add(sql);
        }
      });
      await fc.assert(property, { numRuns, examples: EXAMPLES.map((given) => [given]) });
    });
  });
}

async function outcome(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isFwError(error) || error instanceof ValidationError) return;
    throw error;
  }
}

function expectOurs(sql: string): void {
  expect(sql).not.toContain(MARK);
  expect(sql.replace(new RegExp(`(["\`])${NAME}\\1|\\[${NAME}\\]`, 'g'), '')).not.toContain(NAME);
  expect(sql).not.toMatch(/\bundefined\b|\[object|function|NaN/);
}
