import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, type Dialect, type MaybePromise, model, open, registeredModels } from 'fw/orm';
import { createMissingTables } from 'fw/orm/schema';
import { describeDialects, type DialectTesting } from '../../../plugins/orm/contract/tested-dialects.js';
import { Customer } from '../shop/models/customer.js';
import { Order } from '../shop/models/order.js';
import { OrderLine } from '../shop/models/order-line.js';
import { Product } from '../shop/models/product.js';
import { recipePage, readRecipes, tokensOf } from './page.js';
import { rawRecipes, Remark } from './raw-recipes.js';
import { recipes } from './recipes.js';

const PAGE = join(import.meta.dirname, '../../guides/orm-recipes.md');

test('the page shows the recipes, and what their words come to', () => {
  const made = recipePage();
  if (process.env['FW_UPDATE_DOCS'] === '1') writeFileSync(PAGE, made);
  expect(readFileSync(PAGE, 'utf8')).toBe(made);
});

test('of forty queries thirty-five take no more words than in Kysely, and none of them SQL of its own', () => {
  const { ours, theirs } = readRecipes();
  const names = Object.keys(recipes);
  expect([Object.keys(ours), Object.keys(theirs)]).toEqual([names, names]);
  expect(names.length).toBeGreaterThanOrEqual(40);
  const longer = names.filter((name) => tokensOf(ours[name] ?? '') > tokensOf(theirs[name] ?? ''));
  expect(longer.length).toBeLessThanOrEqual(5);
  expect(Object.values(ours).filter((text) => /raw|selectExpr|sqlDB/i.test(text))).toEqual([]);
});

test('words are those of the language, whatever the lines', () => {
  expect(tokensOf('model(db, Order).find()')).toBe(10);
  expect(tokensOf('model(\n  db,\n  Order, // the model\n).find()')).toBe(10);
});

const DAYS = ['2024-02-28', '2024-03-01', '2024-03-31', '2024-05-01'].map((day) => new Date(`${day}T12:00:00Z`));

async function seed(db: Database): Promise<void> {
  await createMissingTables(db, [...registeredModels(), Remark]);
  const people = ['Ada', 'Bob', 'Cy'].map((name) => ({ name, email: `${name.toLowerCase()}@example.org` }));
  await model(db, Customer).createBatch(people);
  const goods: [string, string, number, number][] = [
    ['PEN-001', 'Pen', 200, 10],
    ['INK-001', 'Ink', 1500, 0],
    ['PAD-001', 'Pad', 450, 3],
    ['BAG-001', 'Bag', 2500, 1],
  ];
  await model(db, Product).createBatch(
    goods.map(([sku, name, priceCents, stock]) => ({ sku, name, priceCents, stock })),
  );
  const states = ['open', 'paid', 'paid', 'shipped'] as const;
  await model(db, Order).createBatch(
    states.map((status, at) => ({ status, customerId: at < 3 ? 1 : 2, createdAt: DAYS[at] as Date })),
  );
  await model(db, Remark).createBatch([
    { about: 'customer', aboutId: 2, words: 'kind' },
    { about: 'product', aboutId: 2, words: 'blue' },
  ]);
  const lines: [number, number, number, number][] = [
    [1, 1, 2, 200],
    [1, 3, 1, 450],
    [2, 2, 1, 1500],
    [4, 1, 5, 200],
  ];
  await model(db, OrderLine).createBatch(
    lines.map(([orderId, productId, quantity, priceCents]) => ({ orderId, productId, quantity, priceCents })),
  );
}

/** What each gives on the rows above, as those before it left them; see {@link inShort}. */
const GIVES: Readonly<Record<keyof typeof recipes | keyof typeof rawRecipes, string | RegExp>> = {
  // Whether an upsert tells the key is up to the database.
  'All rows': '1:Ada:ada@example.org 2:Bob:bob@example.org 3:Cy:cy@example.org',
  'One row by its key': '1',
  'Some columns': '1:Ada 2:Bob 3:Cy',
  'Several conditions': '1',
  'A comparison': '2 4',
  'One of several conditions': '2 3 4',
  'Conditions in conditions': '2 3',
  'One of a list': '1 2 3',
  'Pairs of a list': '1 3',
  'A text in another, whatever its case': '1:Ada:ada@example.org',
  'A span of time': '2 3',
  'The ten dearest': '1 2 3 4',
  'The second page': '1 3',
  'The page behind a row': '1',
  'How many': '1',
  'Whether there is one': 'true',
  'A sum': '3',
  'How many of each': 'open:1 paid:2 shipped:1',
  'Groups of more than one': '1:3',
  'Groups by a computed value': '2024-02-01:1 2024-03-01:2 2024-05-01:1',
  'Columns of two tables': '1:open:Ada 2:paid:Ada 3:paid:Ada 4:shipped:Bob',
  'All, and what belongs to them if there is': 'Ada:open Ada:paid Ada:paid Bob:shipped Cy:null',
  'Rows with the rows that belong to them': '1(1 2 3) 2(4) 3()',
  'Rows, what belongs to them, and to that':
    '1(1:Ada:ada@example.org)(1(1) 2(3)) 2(1:Ada:ada@example.org)(3(2)) 3(1:Ada:ada@example.org)() 4(2:Bob:bob@example.org)(4(1))',
  'The newest of each': '3 4',
  'The newest two with each': '1(2 3) 2(4) 3()',
  'Those that have some': '1:Ada:ada@example.org 2:Bob:bob@example.org',
  'Those that have none': '4',
  'Those that another query names': '1 2 3',
  'A value of another query': '1:3 2:1 3:0',
  'A choice': 'BAG-001:there INK-001:gone PAD-001:there PEN-001:there',
  'A calculation': '1:400 2:450 3:1500 4:1000',
  'A place in an order': '1:3 2:2 3:1 4:1',
  'Rows of two queries': 'Ada Bag Bob Cy Ink Pad Pen',
  'A query that is named': '1:2',
  'A join with a query': '1:850 2:1500 3:0 4:1000',
  'A new row': 'Eve:eve@example.org:4',
  'Several new rows': '2',
  'A new row, or a change of the one that is there': /^(1|PEN-001:250)$/,
  'Several of them': 'undefined',
  'A change of a row': '2:Bob B.',
  'A change of many': '2',
  'A counter': '1',
  'A change, and the rows': '4',
  'Rows that are removed': '1',
  'Rows that are removed by what belongs to them': '1',
  'A row that nobody else changes meanwhile': '1',
  'Full-text search': '1',
  'One of an array, as one parameter': '1 2',
  'A lateral join: the newest two of each': '2 3 4',
  'A relation to one table or another': 'blue:Ink kind:Bob B.',
  'The dearest, and those that cost as much': '2 4',
  'Writes within one statement': '1:',
  'Rows of another table, merged': '4:',
  'Values of many rows in one update': '2',
};

/** Of a row its key, or else its values; of rows that are in no order the list by its text. */
function inShort(found: unknown): string {
  if (Array.isArray(found)) return (found as unknown[]).map(inShort).sort().join(' ');
  if (typeof found !== 'object' || found === null) return String(found);
  if (found instanceof Date) return found.toISOString().slice(0, 10);
  const { id, ...rest } = found as Readonly<Record<string, unknown>>;
  const lists = Object.values(rest).filter(
    (value) => typeof value === 'object' && value !== null && !(value instanceof Date),
  );
  if (id !== undefined && Object.keys(rest).length > 2)
    return `${String(id)}${lists.map((list) => `(${inShort(list)})`).join('')}`;
  return Object.values(found).map(inShort).join(':');
}

function cooking(dialect: Dialect, create: () => ReturnType<DialectTesting['create']>): void {
  let db: Database;
  let drop: () => MaybePromise<void>;

  beforeAll(async () => {
    const made = await create();
    drop = made.drop;
    db = open(made.handle, dialect);
    await seed(db);
  });
  afterAll(() => drop?.());

  test('each recipe gives what its name asks for', async () => {
    const all = dialect.name === 'postgres' ? { ...recipes, ...rawRecipes } : recipes;
    const given: Record<string, string> = {};
    for (const [name, run] of Object.entries(all)) given[name] = inShort(await run(db));
    const expected = Object.fromEntries(
      Object.entries(GIVES)
        .filter(([name]) => name in all)
        .map(([name, gives]) => [name, typeof gives === 'string' ? gives : (expect.stringMatching(gives) as unknown)]),
    );
    expect(given).toEqual(expected);
  });
}

describeDialects('recipes', ({ create, dialect }, server) => cooking(dialect, () => create(server)));
