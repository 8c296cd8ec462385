import { expect, test } from '@jest/globals';
import { openSqlite, sqlite } from '../dialect-sqlite/index.js';
import { open } from '../index.js';
import { introspect } from '../schema/index.js';
import { indexInWords } from './read-database.js';

test('an index says which rows and what of them it is about, without which it would promise too much', async () => {
  const db = open(await openSqlite(':memory:'), sqlite);
  try {
    await db.sqlDB().script(`
      CREATE TABLE loans (id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL, note TEXT, returned_at TEXT);
      CREATE INDEX loans_a ON loans (book_id, id);
      CREATE UNIQUE INDEX loans_b ON loans (book_id) WHERE returned_at IS NULL;
      CREATE INDEX loans_c ON loans (lower(note), id DESC);
    `);
    const [loans] = await introspect(db);
    expect(loans?.indexes.map(indexInWords).sort()).toEqual([
      'index (book_id, id)',
      'index (lower(note), id DESC)',
      'unique index (book_id) where returned_at IS NULL',
    ]);
  } finally {
    await db.close();
  }
});
