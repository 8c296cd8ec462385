import { expect, test } from '@jest/globals';
import { openSqlite, sqlite } from './index.js';
import { db as column, modelInfoOf, nameParts, nameText, open, table, type ModelInfo } from '../index.js';
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

const CHECK = `CONSTRAINT "a-check" CHECK ("unit price" > 0)`;
const ODD = `CREATE TABLE "order lines" (id INTEGER PRIMARY KEY);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, note text, "unit price" int ${CHECK},
    "the line" int REFERENCES "order lines" (id));
  CREATE UNIQUE INDEX "unit price_key" ON orders ("unit price");
  CREATE INDEX "by-note_idx" ON orders (note);`;

test('what has a name of any kind is compared, and a check that no model can name is left alone', async () => {
  const { up, down, warnings } = diffSchema([orders as ModelInfo], await tablesOf(ODD.replace(CHECK, '')), sqlite);
  expect(up).toContainEqual(expect.stringContaining('INSERT INTO "fw_new_orders" ("id", "note")'));
  expect(down).toContainEqual(expect.stringContaining('"unit price" int'));
  expect(warnings).toEqual([
    expect.stringContaining('orders (the line) no longer refers to order lines'),
    'the index by-note_idx of orders (note) is not in Order; it stays as it is',
    expect.stringContaining('orders.unit price is dropped with its values'),
    expect.stringContaining('orders.the line is dropped with its values'),
  ]);
});

test('tables of such names go with others that are dropped, and come back', async () => {
  const tables = await tablesOf(`${ODD.replace(CHECK, '')} CREATE TABLE "a.""b" (id int)`);
  const { up, down } = diffSchema([orders as ModelInfo], tables, sqlite, { dropTables: true });
  expect(up).toEqual(expect.arrayContaining(['DROP TABLE "order lines"', 'DROP TABLE "a.""b"']));
  expect(down).toEqual(expect.arrayContaining(['CREATE TABLE "a.""b" (id int)']));
});

test('a table that would lose a part that no model can name is not built anew', async () => {
  const tables = await tablesOf(ODD);
  expect(() => diffSchema([strictOrders as ModelInfo], tables, sqlite)).toThrow(
    expect.objectContaining({
      code: 'FW_MIGRATE_REBUILD',
      message: expect.stringContaining('would lose the check "a-check"'),
    }),
  );
});

test('names of schemas, dots and quotes are told apart', () => {
  const parts = ['orders', 'a.b.c', '"a.b"', '"a.""b".c d', 'say "hi"', '"', 'a..b', '', 'a.b.c.d', 'a\0b', '"a"b'].map(
    nameParts,
  );
  const told = [['orders'], ['a', 'b', 'c'], ['a.b'], ['a."b', 'c d'], ['say "hi"']];
  expect(parts).toEqual([...told, undefined, undefined, undefined, undefined, undefined, undefined]);
  for (const name of ['a.b', '"', 'x"y', '.']) expect(nameParts(nameText(name))).toEqual([name]);
});
