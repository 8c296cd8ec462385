import { expect, test } from '@jest/globals';
import { openSqlite, sqlite } from './index.js';
import { db as column, modelInfoOf, open, table, type ModelInfo } from '../index.js';
import { diffSchema, introspect } from '../schema/index.js';

@table('orders')
class Order {
  @column('id,pk,type=int') id!: number;
  @column('note,type=string,nullable') note!: string | null;
}

@table('orders')
class StrictOrder {
  @column('id,pk,type=int') id!: number;
  @column('note,type=string') note!: string;
}

const [orders, strictOrders] = [Order, StrictOrder].map((each) => modelInfoOf(each) as unknown as ModelInfo);

async function tablesOf(sql: string) {
  const db = open(await openSqlite(':memory:'), sqlite);
  await db.sqlDB().script(sql);
  const tables = await introspect(db);
  await db.close();
  return tables;
}

const ODD = `CREATE TABLE "order lines" (id INTEGER PRIMARY KEY);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, note text, "unit price" int CONSTRAINT "a-check" CHECK ("unit price" > 0),
    "the line" int REFERENCES "order lines" (id));
  CREATE UNIQUE INDEX "unit price_key" ON orders ("unit price");
  CREATE INDEX "by-note_idx" ON orders (note);`;

test('what no model can declare because of its name is neither compared nor dropped', async () => {
  const { up, down, warnings } = diffSchema([orders as ModelInfo], await tablesOf(ODD), sqlite);
  expect({ up, down }).toEqual({ up: [], down: [] });
  expect(warnings).toEqual(['the index by-note_idx of orders (note) is not in Order; it stays as it is']);
});

test('tables of such names stay when others are dropped, and are told', async () => {
  const { up, warnings } = diffSchema(
    [orders as ModelInfo],
    await tablesOf(`${ODD} CREATE TABLE gone (id int)`),
    sqlite,
    {
      dropTables: true,
    },
  );
  expect(up).toContain('DROP TABLE "gone"');
  expect(up.join()).not.toContain('order lines');
  expect(warnings).toContain('the table "order lines" is not dropped, because of its name; drop it by hand');
});

test('a table that would lose such parts is not built anew', async () => {
  const tables = await tablesOf(ODD);
  expect(() => diffSchema([strictOrders as ModelInfo], tables, sqlite)).toThrow(
    expect.objectContaining({
      code: 'FW_MIGRATE_REBUILD',
      message: expect.stringContaining('would lose the column "unit price", the column "the line"'),
    }),
  );
});

test('a primary key that no model can declare is not taken for none', async () => {
  const tables = await tablesOf(
    'CREATE TABLE orders ("order no" int NOT NULL PRIMARY KEY, id int NOT NULL, note text)',
  );
  expect(diffSchema([orders as ModelInfo], tables, sqlite)).toEqual({ up: [], down: [], warnings: [] });
});
