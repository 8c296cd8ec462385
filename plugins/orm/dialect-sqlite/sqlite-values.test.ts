import { expect, test } from '@jest/globals';
import { declarationsOf } from '../db-pull/declarations.js';
import { open } from '../index.js';
import { introspect } from '../schema/index.js';
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
