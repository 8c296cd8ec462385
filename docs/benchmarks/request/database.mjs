import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SQLITE_DATES } from '../harness/index.mjs';
import { POSTS_EACH, postOf, userOf, USERS } from './work.mjs';

/** @typedef {import('../harness/sqlite-dates.mjs').DateForm} DateForm */

/**
 * Files of SQLite with the same rows, in write-ahead mode: one for each way in which the subjects write dates.
 *
 * @param {readonly DateForm[]} forms
 * @returns {Promise<{ readonly files: Readonly<Record<string, string>>, readonly drop: () => Promise<void> }>}
 */
export async function makeDatabases(forms) {
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-bench-request-'));
  /** @type {Record<string, string>} */
  const files = {};
  for (const form of forms) await fill((files[form] = path.join(folder, `${form}.db`)), form);
  return { files, drop: () => rm(folder, { recursive: true }) };
}

/** @param {string} file @param {DateForm} form */
async function fill(file, form) {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const type = { iso: 'TEXT', ms: 'INTEGER', typeorm: 'DATETIME', prisma: 'DATETIME' }[form];
  const dateOf = SQLITE_DATES[form];
  const database = new BetterSqlite3(file);
  database.pragma('journal_mode = WAL');
  database.exec(`
    CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, active INTEGER NOT NULL,
      password_hash TEXT NOT NULL, created_at ${type} NOT NULL);
    CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users(id), title TEXT NOT NULL,
      views INTEGER NOT NULL, published_at ${type} NOT NULL);
    CREATE INDEX posts_of_user ON posts(user_id, published_at);`);
  const insertUser = database.prepare('INSERT INTO users VALUES (?, ?, ?, ?, ?, ?)');
  const insertPost = database.prepare('INSERT INTO posts VALUES (?, ?, ?, ?, ?)');
  database.transaction(() => {
    for (let n = 1; n <= USERS; n++) {
      const { id, email, name, active, passwordHash, createdAt } = userOf(n);
      insertUser.run(id, email, name, active ? 1 : 0, passwordHash, dateOf(createdAt));
    }
    for (let n = 1; n <= USERS * POSTS_EACH; n++) {
      const { id, userId, title, views, publishedAt } = postOf(n);
      insertPost.run(id, userId, title, views, dateOf(publishedAt));
    }
  })();
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}
