import { expect } from '@jest/globals';
import { openAny, test } from '../../contract/any-database.js';
import { Tag, contractModels } from '../../contract/models.js';
import { NoopPlugin, model, open, withPlugins, type LogicalPlan, type OrmPlugin } from '../../index.js';

async function withPlugin(plugin: OrmPlugin) {
  const plain = await openAny(contractModels);
  return open(plain.sqlDB(), plain.dialect, withPlugins(plugin));
}

/** What a plugin was told about two inserts of one label, the second of which fails. */
async function told() {
  const before: unknown[][] = [];
  const after: unknown[][] = [];
  const db = await withPlugin({
    name: () => 'told',
    beforeExecute: (context, sql, args) => void before.push([sql, args, context.model]),
    afterExecute: (context, sql, nanos, error) => void after.push([sql, context.args, nanos, error]),
  });
  await model(db, Tag).create({ label: 'red' });
  const failure: unknown = await model(db, Tag)
    .create({ label: 'red' })
    .catch((error: unknown) => error);
  return { before, after, failure };
}
const INSERT = expect.stringMatching(/^INSERT INTO \Wtags\W \(\Wlabel\W\) VALUES \(\S+\)/);

test('a plugin is told the SQL and the arguments before and after [ORM-PLUGIN-BEFORE-EXECUTE, EVENT-PLUGIN-01, EVENT-PLUGIN-02, ORM-OVERVIEW-10]', async () => {
  const { before, after } = await told();
  expect(before[0]).toEqual([INSERT, ['red'], 'Tag']);
  expect(after[0]?.slice(0, 2)).toEqual([INSERT, ['red']]);
});

test('afterwards it is told the duration in nanoseconds as a 64-bit integer, and the error [EVENT-PLUGIN-03, EVENT-PLUGIN-04, ORM-PLUGIN-AFTER-EXECUTE]', async () => {
  const { after, failure } = await told();
  expect(after.map(([, , nanos]) => typeof nanos === 'bigint' && nanos > 0n)).toEqual([true, true]);
  expect(after.map(([, , , error]) => error)).toEqual([undefined, failure]);
  expect(failure).toMatchObject({ code: 'FW_ORM_CONSTRAINT' });
});

test('beforePlan rewrites what is compiled [ORM-PLUGIN-BEFORE-PLAN]', async () => {
  const db = await withPlugin({
    name: () => 'one',
    beforePlan: (plan: LogicalPlan) => (plan.kind === 'select' ? { ...plan, limit: { literal: 1 } } : plan),
  });
  await model(db, Tag).createBatch([{ label: 'a' }, { label: 'b' }]);
  expect(await model(db, Tag).find()).toHaveLength(1);
});

test('the name stands in the error of a plugin that fails [ORM-PLUGIN-NAME]', async () => {
  const db = await withPlugin({ name: () => 'guard', beforeExecute: () => Promise.reject(new RangeError('shut')) });
  await expect(model(db, Tag).find()).rejects.toMatchObject({ message: 'orm: plugin BeforeExecute: guard: shut' });
});

test('NoopPlugin needs a name only and changes nothing [ORM-PLUGIN-NOOP]', async () => {
  class Idle extends NoopPlugin {
    override name(): string {
      return 'idle';
    }
  }
  const idle = new Idle();
  const db = await withPlugin(idle);
  await model(db, Tag).create({ label: 'a' });
  await model(db, Tag).find();
  await model(db, Tag).find();
  expect(idle.isRequestScoped()).toBe(false);
  expect(db.stats().plan).toMatchObject({ size: 1, hits: 1 });
  expect((await model(db, Tag).first()).label).toBe('a');
});
