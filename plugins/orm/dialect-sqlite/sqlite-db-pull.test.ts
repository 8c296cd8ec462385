import { expect, test } from '@jest/globals';
import { openSqlite, sqlite } from './index.js';
import { dbPullContract } from '../contract/db-pull.contract.js';
import { guideModelsContract } from '../contract/guide-models.contract.js';
import { pullModels } from '../db-pull/index.js';
import { open } from '../index.js';
import { ODD } from './testing/odd-schema.js';

const types = { id: 'INTEGER PRIMARY KEY', date: 'DATETIME', json: 'JSON', bytes: 'BLOB', float: 'REAL' };
const create = async () => ({ handle: await openSqlite(':memory:'), drop: () => Promise.resolve() });
const subject = { name: 'SQLite', dialect: sqlite, create };
dbPullContract(subject, types, ODD);
guideModelsContract(subject);

// https://sqlite.org/vtab.html#the_xshadowname_method
test('the tables in which a virtual table keeps its content are no models', async () => {
  const db = open(await openSqlite(':memory:'), sqlite);
  try {
    await db
      .sqlDB()
      .script('CREATE VIRTUAL TABLE texts USING fts5(body); CREATE TABLE texts_about (id INTEGER PRIMARY KEY)');
    expect((await pullModels(db)).models.map(({ file }) => file)).toEqual(['text-row.ts', 'texts-about.ts']);
  } finally {
    await db.close();
  }
});
