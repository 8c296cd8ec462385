import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSqlite } from './index.js';
import { readSqlite } from './read-sqlite.js';

const folder = mkdtempSync(join(tmpdir(), 'fw-read-'));
const file = join(folder, 'app.db');
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  const db = await openSqlite(file);
  await db.script(`CREATE TABLE Users (id INTEGER PRIMARY KEY, email TEXT, Password_Hash TEXT, big INTEGER, bytes BLOB);
    INSERT INTO Users VALUES (1, 'a@x', 's3cret', 9007199254740993, x'00ff'), (2, 'b@x', 's3cret', 1, NULL);
    CREATE VIEW leak AS SELECT password_hash AS p FROM users; CREATE TABLE orders (id INTEGER PRIMARY KEY);
    INSERT INTO orders VALUES (1)`);
  await db.close();
});

const hidden = [{ table: 'users', column: 'password_hash' }];
const read = (sql: string, rest: object = {}) =>
  readSqlite({ file }, { sql, maxRows: 10, timeoutMs: 1_000, hidden: [], ...rest });

describe.each([
  ['nothing hidden', []],
  ['a hidden column', hidden],
])('reads of SQLite with %s', (_, columns) => {
  test('give columns and rows, exactly', async () => {
    const sql = 'SELECT u.id, email, big, bytes FROM users u JOIN orders USING (id)';
    expect(await read(sql, { hidden: columns })).toEqual({
      columns: ['id', 'email', 'big', 'bytes'],
      rows: [[1, 'a@x', '9007199254740993', "x'00ff'"]],
      isCut: false,
    });
  });

  test('give no more rows than asked for, of however many there are', async () => {
    const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
    expect(await read(sql, { maxRows: 2, hidden: columns })).toEqual({ columns: ['i'], rows: [[1], [2]], isCut: true });
  });

  const other = join(folder, 'other.db');
  test.each([
    ['INSERT INTO orders VALUES (2) RETURNING id'],
    ['UPDATE orders SET id = 3'],
    ['DROP TABLE orders'],
    ['CREATE TABLE x (id)'],
    ['PRAGMA journal_mode = DELETE'],
    ['PRAGMA user_version = 7'],
    [`ATTACH '${other}' AS other`],
    [`VACUUM INTO '${other}'`],
    ['SELECT 1; DROP TABLE orders'],
    ["SELECT load_extension('x')"],
    ['BEGIN IMMEDIATE'],
    [''],
  ])('refuse %s, and leave the file as it is', async (sql) => {
    const before = readFileSync(file);
    await expect(read(sql, { hidden: columns })).rejects.toMatchObject({ code: 'FW_ORM_READ_REFUSED' });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(other)).toBe(false);
  });
});

test.each([
  ['SELECT password_hash FROM users'],
  ["SELECT count(*) FROM users WHERE PASSWORD_HASH LIKE 's%'"],
  ['SELECT p FROM leak'],
  ['SELECT id FROM users ORDER BY password_hash'],
  ['SELECT (SELECT group_concat("password_hash") FROM users)'],
  ['SELECT data FROM sqlite_dbpage'],
])('a private column is not read by %s', async (sql) => {
  const answer = await read(sql, { hidden }).catch((error: unknown) => error);
  expect(JSON.stringify(answer)).not.toContain('s3cret');
});

test('a private column is named in the refusal, with what to do', async () => {
  await expect(read('SELECT password_hash FROM users', { hidden })).rejects.toThrow(
    /users\.password_hash is private: name the other columns/,
  );
});
