import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { openAny, test } from '../../contract/any-database.js';
import { RecordingHandle } from '../../contract/recording-handle.js';
import { Post, Tag, contractModels, post } from '../../contract/models.js';
import { standard } from '../../contract/standard-dialect.js';
import {
  model,
  open,
  selectExpr,
  transaction,
  withCompiledQueryCacheSize,
  withDefaultTimeout,
  withExecutorOptions,
  withOptimizerPasses,
  withPlugins,
  withRetryPolicy,
  withScanPlanCacheSize,
  withStmtCacheSize,
  type OptimizerPass,
  type SqlHandle,
} from '../../index.js';

const recorded = (...options: Parameters<typeof open>[2][]) => {
  const handle = new RecordingHandle();
  return { handle, db: open(handle, standard, ...options) };
};
const database = (...options: Parameters<typeof open>[2][]) => openAny(contractModels, ...options);

describe('the options of open', () => {
  test('both plan caches hold 2000 unless told [ORM-OPEN-QUERY-CACHE, ORM-OPEN-SCAN-CACHE, LIMIT-ORM-PLANS]', async () => {
    const { db } = recorded();
    expect([db.stats().plan.capacity, db.stats().scan.capacity]).toEqual([2000, 2000]);
    const small = recorded(withCompiledQueryCacheSize(8), withScanPlanCacheSize(1)).db;
    for (let n = 1; n < 20; n++)
      await model(small, Post)
        .select(selectExpr(`${n}`, 'n'))
        .find();
    for (const of of [Post, Tag]) await model<object>(small, of).find();
    expect(small.stats()).toMatchObject({ plan: { capacity: 8 }, scan: { size: 1, capacity: 1 } });
    expect(small.stats().plan.size).toBeLessThanOrEqual(8);
    expect(() => recorded(withCompiledQueryCacheSize(0))).toThrow('compiledQueryCacheSize');
  });

  test('plugins run on every query; there are none by default [ORM-OPEN-PLUGINS]', async () => {
    expect(recorded().db.options.plugins).toEqual([]);
    const seen: string[] = [];
    const plugin = (name: string) => ({ name: () => name, beforeExecute: () => void seen.push(name) });
    const { db } = recorded(withPlugins(plugin('a'), plugin('b')), withPlugins(plugin('c')));
    await model(db, Tag).find();
    await model(db, Tag).delete();
    expect(seen).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  test('optimizer passes replace the default ones [ORM-OPEN-PASSES]', async () => {
    const runs: string[] = [];
    const pass: OptimizerPass = { name: 'own', apply: (plan) => (runs.push(plan.kind), plan) };
    const sqlOf = async (...options: Parameters<typeof recorded>) => {
      const { db, handle } = recorded(...options);
      await model(db, Post).select('id').where(post.deletedAt.isNull()).where(post.deletedAt.isNull()).find();
      return handle.sql[0];
    };
    expect(await sqlOf()).toBe('SELECT "id" FROM "posts" WHERE "deleted_at" IS NULL');
    expect(await sqlOf(withOptimizerPasses(pass))).toBe(
      'SELECT "id" FROM "posts" WHERE "deleted_at" IS NULL AND "deleted_at" IS NULL',
    );
    expect(runs).toEqual(['select']);
  });

  test('there are no executor options by default, so no timeout either [ORM-OPEN-EXECUTOR-01]', async () => {
    const { db, handle } = recorded();
    expect(db.options.executor).toEqual({});
    await model(db, Tag).find();
    expect(handle.options[0]?.timeout).toBeUndefined();
  });

  test('withDefaultTimeout limits calls that say nothing [ORM-OPEN-EXECUTOR-03]', async () => {
    const { db, handle } = recorded(withExecutorOptions(withDefaultTimeout(70)));
    await model(db, Tag).find();
    await model(db, Tag).find({ timeout: 5 });
    expect(handle.options.map((each) => each?.timeout)).toEqual([70, 5]);
  });

  test('withStmtCacheSize bounds the prepared statements, or is refused where there are none [ORM-OPEN-EXECUTOR-02, LIMIT-ORM-STATEMENTS]', async () => {
    const statements = async (...options: Parameters<typeof database>) => {
      const db = await database(...options);
      for (let n = 1; n < 30; n++)
        await model(db, Post)
          .select(selectExpr(`${n}`, 'n'))
          .find();
      return db.stats().handle.statements;
    };
    expect((await statements()).evicted).toBe(0);
    const bounded = await statements(withExecutorOptions(withStmtCacheSize(8)));
    expect(bounded.size).toBeLessThanOrEqual(16);
    expect(bounded.evicted).toBeGreaterThan(10);
    expect(() => recorded(withExecutorOptions(withStmtCacheSize(512)))).toThrow('keeps no prepared statements');
    expect(() => recorded(withExecutorOptions(withStmtCacheSize(0.5)))).toThrow('a whole number above 0');
  });

  test('withRetryPolicy is what transaction.run does when it is given null [ORM-OPEN-EXECUTOR-04]', async () => {
    const db = await database(withExecutorOptions(withRetryPolicy({ maxAttempts: 5, baseDelay: 0 })));
    const attempts = async (policy: Parameters<typeof transaction.run>[2]) => {
      let runs = 0;
      const run = transaction.run(db, null, policy, async () => {
        runs++;
        throw new Error('deadlock');
      });
      await run.catch(() => undefined);
      return runs;
    };
    expect([await attempts(null), await attempts({ maxAttempts: 2, baseDelay: 0 })]).toEqual([5, 2]);
  });
});

describe('the ORM', () => {
  test('is generic over a small handle that anybody can bring [ORM-OVERVIEW-01]', async () => {
    const handle: SqlHandle = new RecordingHandle();
    const row = await model(open(handle, standard), Post).first();
    const title: string = row.title;
    // @ts-expect-error -- a title is a text
    const wrong: number = row.title;
    expect([title, wrong]).toEqual([0, 0]);
    expect(row).toBeInstanceOf(Post);
  });

  test('imports no driver [ORM-OVERVIEW-02]', () => {
    const core = join(import.meta.dirname, '..');
    const sources = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    );
    expect(sources.length).toBeGreaterThan(30);
    const outside = sources.flatMap((file) =>
      [...readFileSync(join(core, file), 'utf8').matchAll(/\bfrom '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/g)].map(
        ([, from, lazily]) => from ?? lazily,
      ),
    );
    // Words, no database.
    expect([...new Set(outside)].filter((name) => !name?.startsWith('node:'))).toEqual(['pluralize']);
  });
});
