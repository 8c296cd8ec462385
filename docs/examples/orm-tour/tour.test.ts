import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, type Dialect, type MaybePromise, model, open, registeredModels } from 'fw/orm';
import { createMissingTables } from 'fw/orm/schema';
import { customer } from '../../../generated/customer.js';
import { order } from '../../../generated/order.js';
import '../../../generated/order-line.js';
import '../../../generated/product.js';
import { describeDialects, type DialectTesting } from '../../../plugins/orm/contract/tested-dialects.js';
import { Order } from '../shop/models/order.js';
import { Customer } from '../shop/models/customer.js';
import { addDora, pay, readRows, writeRows } from './tour.js';

function tour(dialect: Dialect, create: () => ReturnType<DialectTesting['create']>): void {
  let db: Database;
  let drop: () => MaybePromise<void>;

  beforeAll(async () => {
    const made = await create();
    drop = made.drop;
    db = open(made.handle, dialect);
    await createMissingTables(db, registeredModels());
  });
  afterAll(() => drop?.());

  test('the program of the guide does what the guide says', async () => {
    await writeRows(db);
    const found = await readRows(db);
    expect(found.names.map(({ name }) => name)).toEqual(['Ada L.', 'Bobby', 'Cyrus']);
    expect(found.same.name).toBe('Ada L.');
    expect(found.orders).toBe(2);
    expect(found.perStatus.map(({ status, count }) => [status, count])).toEqual([
      ['open', 3],
      ['paid', 2],
    ]);
    expect(found.days.map(({ createdAt }) => createdAt.getDate())).toEqual([5, 4, 3, 2]);
    expect(found.streamed).toBe(5);
    const { id } = await model(db, Order).where(order.status.eq('open')).orderBy(order.id.asc()).first();
    expect([await pay(db, id), await pay(db, id)]).toEqual([true, false]);
    expect(await model(db, Order).where(order.status.eq('paid')).count()).toBe(3);
    await addDora(db);
    expect((await model(db, Customer).orderBy(customer.id.desc()).first()).name).toBe('Dora');
  });
}

describeDialects('the tour', ({ create, dialect }, server) => tour(dialect, () => create(server)));

test('every TypeScript line of the guide to the ORM is one of the program, or of the models', () => {
  // Several databases have a program of their own, in the folder of the dialect that it imports.
  const guide = readFileSync(join(import.meta.dirname, '../../guides/orm.md'), 'utf8').replace(
    /### Several databases[^]*?(?=\n## )/,
    '',
  );
  const sources = [
    'tour.ts',
    'one-database.ts',
    ...['customer', 'order', 'product'].map((name) => `../shop/models/${name}.ts`),
    // Compiled, and stored in databases, by codegen/corpus/corpus.test.ts.
    ...['private-columns', 'times-of-rows', 'temporal'].map((name) => `../../../codegen/corpus/projects/${name}.txt`),
  ];
  const known = new Set(
    sources.flatMap((file) =>
      readFileSync(join(import.meta.dirname, file), 'utf8')
        .split('\n')
        .map((line) => line.trim()),
    ),
  );
  const shown = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
  expect(shown.length).toBeGreaterThan(40);
  expect(shown.map((line) => line.trim()).filter((line) => !known.has(line))).toEqual([]);
});
