import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, type Dialect, model, open, registeredModels, type SqlHandle } from 'fw/orm';
import { createMissingTables } from 'fw/orm/schema';
import { mysql } from 'fw/orm/mysql';
import { postgres } from 'fw/orm/postgres';
import { openSqlite, sqlite } from 'fw/orm/sqlite';
import { order } from '../../../generated/order.js';
import '../../../generated/order-line.js';
import '../../../generated/product.js';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { MYSQL, mysqlDatabase, POSTGRES, postgresDatabase } from '../../../plugins/orm/contract/test-servers.js';
import { Order } from '../shop/models/order.js';
import { pay, readRows, writeRows } from './tour.js';

function tour(dialect: Dialect, create: () => Promise<{ readonly handle: SqlHandle; drop(): Promise<void> }>): void {
  let db: Database;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const made = await create();
    drop = made.drop;
    db = open(made.handle, dialect);
    await createMissingTables(db, registeredModels());
  }, 60_000);
  afterAll(() => drop?.(), 60_000);

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
  });
}

describe('on SQLite', () => {
  tour(sqlite, async () => {
    const handle = await openSqlite(':memory:');
    return { handle, drop: () => handle.close() };
  });
});
describeWith(POSTGRES, 'on PostgreSQL', (url) => tour(postgres, () => postgresDatabase(url)));
describeWith(MYSQL, 'on MySQL', (url) => tour(mysql, () => mysqlDatabase(url)));

test('every TypeScript line of the guide to the ORM is one of the program, or of the models', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../guides/orm.md'), 'utf8');
  const sources = ['tour.ts', '../shop/models/customer.ts', '../shop/models/order.ts', '../shop/models/product.ts'];
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
