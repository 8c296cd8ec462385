import { expect, test } from '@jest/globals';
import { declarationsOf } from '../db-pull/declarations.js';
import { add, columnOf, model, modelInfoOf, open, registerModel } from '../index.js';
import { createMissingTables, introspect } from '../schema/index.js';
import { openSqlite, sqlite } from './index.js';

// SQLite takes any default for any type.
test('a default that is none of its type does not end a pull', async () => {
  const db = open(await openSqlite(':memory:'), sqlite);
  await db.sqlDB().script(`CREATE TABLE odd (id integer PRIMARY KEY, n int DEFAULT 'abc', open boolean DEFAULT 'yes',
    at datetime DEFAULT 'tomorrow', big bigint DEFAULT 9007199254740993)`);
  const [odd] = declarationsOf(await introspect(db), sqlite).models;
  expect(odd?.warnings).toEqual([
    "odd.n has the default 'abc', which a tag cannot say",
    "odd.open has the default 'yes', which a tag cannot say",
    "odd.at has the default 'tomorrow', which a tag cannot say",
  ]);
  expect(odd?.content).toContain("@db('big,default=9007199254740993')");
  await db.close();
});

class Tally {
  id!: number;
  big!: bigint;
}
registerModel(Tally, {
  name: 'Tally',
  table: 'tallies',
  columns: [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true },
    { property: 'big', column: 'big', kind: 'bigint' },
  ],
});

// SQLite goes on with a double, which is none of the sum's neighbours in 64 bits.
test('a number beyond 64 bits is unreadable, whether it was computed or kept', async () => {
  const db = open(await openSqlite(':memory:'), sqlite);
  await createMissingTables(db, [Tally]);
  const big = columnOf<Tally, 'big', bigint>(modelInfoOf(Tally), 'big');
  const most = 2n ** 63n - 1n;
  await model(db, Tally).create({ id: 1, big: most - 1n });
  await model(db, Tally).updateAll(big.increment(1n));
  expect((await model(db, Tally).first()).big).toBe(most);
  const unreadable = { code: 'FW_ORM_UNREADABLE', details: { expected: 'a bigint' } };
  await expect(model(db, Tally).select(add(big, 1n).as('next')).first()).rejects.toMatchObject(unreadable);
  await model(db, Tally).updateAll(big.increment(1n));
  await expect(model(db, Tally).first()).rejects.toMatchObject(unreadable);
  for (const stored of ["'12 apples'", '0.5']) {
    await db.sqlDB().script(`UPDATE tallies SET big = ${stored}`);
    await expect(model(db, Tally).first()).rejects.toMatchObject(unreadable);
  }
  await db.close();
});
