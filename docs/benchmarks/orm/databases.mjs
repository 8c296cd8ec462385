// The three databases, filled alike. SQLite files are copies of one template; a server gets a database of its own, dropped at
// the end. Each driver is loaded when it is used, here and in the subjects: the start of one subject is measured without the others'.
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keepOffMeasuredCore } from '../harness/cores.mjs';
import { SQLITE_DATES } from '../harness/sqlite-dates.mjs';
import { AUTHORS, COLUMNS, newUser, post, POSTS_EACH, USERS } from './workload.mjs';

/** @typedef {'sqlite' | 'postgres' | 'mariadb'} Engine */

const NAME = 'fw_bench_orm';
const SERVERS = {
  postgres: { variable: 'FW_TEST_POSTGRES', url: 'postgres://postgres@127.0.0.1:5432/postgres' },
  mariadb: { variable: 'FW_TEST_MYSQL', url: 'mysql://root@127.0.0.1:3306/test' },
};

/** @typedef {import('../harness/sqlite-dates.mjs').DateForm} DateForm */

/** @param {'postgres' | 'mariadb'} engine */
const serverUrl = (engine) => process.env[SERVERS[engine].variable] ?? SERVERS[engine].url;

/**
 * Address of the benchmark's own database on a server.
 *
 * @param {'postgres' | 'mariadb'} engine
 */
export function databaseUrl(engine) {
  const url = new URL(serverUrl(engine));
  url.pathname = `/${NAME}`;
  return url.href;
}

/**
 * Makes and fills the databases.
 *
 * @returns {Promise<{ engines: Engine[], missing: string[], drop: () => Promise<void> }>} `missing` says which server did
 *   not answer, and why
 */
export async function prepareDatabases() {
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-bench-orm-'));
  process.env['FW_BENCH_ORM_FILES'] = folder;
  for (const form of /** @type {DateForm[]} */ (Object.keys(SQLITE_DATES)))
    await fillSqlite(path.join(folder, `${form}.db`), form);
  /** @type {Engine[]} */
  const engines = ['sqlite'];
  /** @type {string[]} */
  const missing = [];
  for (const [engine, fill] of /** @type {const} */ ([
    ['postgres', fillPostgres],
    ['mariadb', fillMariadb],
  ])) {
    try {
      await fill();
      engines.push(engine);
    } catch (error) {
      missing.push(
        `${engine} (${SERVERS[engine].variable}): ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const drop = async () => {
    if (engines.includes('postgres')) await onPostgres(serverUrl('postgres'), `DROP DATABASE ${NAME} WITH (FORCE)`);
    if (engines.includes('mariadb')) {
      await onMariadb(serverUrl('mariadb'), `DROP DATABASE ${NAME}`);
      await onMariadb(serverUrl('mariadb'), `SET GLOBAL innodb_flush_log_at_trx_commit = ${flushBefore}`);
    }
    await rm(folder, { recursive: true });
  };
  return { engines, missing, drop };
}

/**
 * A SQLite file of the caller's own.
 *
 * @param {DateForm} form
 * @param {string} owner - part of the file's name
 */
export async function sqliteFile(form, owner) {
  const folder = /** @type {string} */ (process.env['FW_BENCH_ORM_FILES']);
  const file = path.join(folder, `${process.pid}-${owner.replace(/\W/g, '-')}.db`);
  await copyFile(path.join(folder, `${form}.db`), file);
  return file;
}

/**
 * Deletes what the subjects inserted.
 *
 * @param {Engine} engine
 * @param {string} file - of SQLite
 */
export async function dropInserted(engine, file) {
  const sql = `DELETE FROM users WHERE id > ${USERS}`;
  if (engine === 'postgres') await onPostgres(databaseUrl(engine), sql, 'VACUUM users');
  else if (engine === 'mariadb') await onMariadb(databaseUrl(engine), sql);
  else await dropInsertedSqlite(file, sql);
}

/** @param {string} file @param {string} sql */
async function dropInsertedSqlite(file, sql) {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const database = new BetterSqlite3(file, { timeout: 5000 });
  database.exec(sql);
  database.close();
}

/** @param {string} file @param {DateForm} form */
async function fillSqlite(file, form) {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const type = form === 'ms' ? 'INTEGER' : form === 'iso' ? 'TEXT' : 'DATETIME';
  const database = new BetterSqlite3(file);
  database.pragma('journal_mode = WAL');
  database.exec(`
    CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, active INTEGER NOT NULL,
      age INTEGER NOT NULL, score REAL NOT NULL, bio TEXT, created_at ${type} NOT NULL);
    CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users(id), title TEXT NOT NULL,
      views INTEGER NOT NULL);`);
  const insertUser = database.prepare(`INSERT INTO users (${COLUMNS.join()}, id) VALUES (?,?,?,?,?,?,?,?)`);
  const insertPost = database.prepare('INSERT INTO posts (id, user_id, title, views) VALUES (?,?,?,?)');
  database.transaction(() => {
    for (let id = 1; id <= USERS; id++) {
      const { email, name, active, age, score, bio, created_at } = newUser(id);
      insertUser.run(email, name, active ? 1 : 0, age, score, bio, SQLITE_DATES[form](created_at), id);
    }
    for (let id = 1; id <= AUTHORS * POSTS_EACH; id++) insertPost.run(...Object.values(post(id)));
  })();
  database.exec('CREATE INDEX users_age ON users(age); CREATE INDEX posts_user ON posts(user_id)');
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

const BACKENDS = `SELECT pid AS thread FROM pg_stat_activity WHERE datname = '${NAME}' AND pid <> pg_backend_pid()`;
const THREADS = `SELECT TID AS thread FROM information_schema.PROCESSLIST WHERE DB = '${NAME}' AND ID <> CONNECTION_ID()`;

/**
 * Keeps the server's side of every connection that is open off the core of what is measured.
 *
 * @param {Engine} engine
 */
export async function keepServerAway(engine) {
  if (engine === 'sqlite') return;
  const rows =
    engine === 'postgres' ? await onPostgres(serverUrl(engine), BACKENDS) : await onMariadb(serverUrl(engine), THREADS);
  keepOffMeasuredCore(rows.map(({ thread }) => Number(thread)));
}

/** @param {string} url @param {...string} statements @returns {Promise<any[]>} rows of the last */
async function onPostgres(url, ...statements) {
  const { default: pg } = await import('pg');
  const client = new pg.Client(url);
  await client.connect();
  try {
    /** @type {any[]} */
    let rows = [];
    for (const sql of statements) ({ rows } = await client.query(sql));
    return rows;
  } finally {
    await client.end();
  }
}

async function fillPostgres() {
  const { default: pg } = await import('pg');
  await onPostgres(serverUrl('postgres'), `DROP DATABASE IF EXISTS ${NAME}`, `CREATE DATABASE ${NAME}`);
  await onPostgres(serverUrl('postgres'), `ALTER DATABASE ${NAME} SET synchronous_commit = off`);
  const client = new pg.Client(databaseUrl('postgres'));
  await client.connect();
  await client.query(`
    CREATE TABLE users (id serial PRIMARY KEY, email text NOT NULL, name text NOT NULL, active boolean NOT NULL,
      age int NOT NULL, score float8 NOT NULL, bio text, created_at timestamptz(3) NOT NULL);
    CREATE TABLE posts (id serial PRIMARY KEY, user_id int NOT NULL REFERENCES users(id), title text NOT NULL,
      views int NOT NULL);
    ALTER TABLE users SET (autovacuum_enabled = off);`);
  const users = Array.from({ length: USERS }, (_, at) => newUser(at + 1));
  const columns = COLUMNS.map((column) => users.map((user) => user[/** @type {keyof typeof user} */ (column)]));
  const types = ['text', 'text', 'boolean', 'int', 'float8', 'text', 'timestamptz'];
  const arrays = types.map((type, at) => `$${at + 1}::${type}[]`).join();
  await client.query(`INSERT INTO users (${COLUMNS.join()}) SELECT * FROM unnest(${arrays})`, columns);
  const posts = Array.from({ length: AUTHORS * POSTS_EACH }, (_, at) => post(at + 1));
  await client.query(
    'INSERT INTO posts (user_id, title, views) SELECT * FROM unnest($1::int[], $2::text[], $3::int[])',
    [posts.map(({ user_id }) => user_id), posts.map(({ title }) => title), posts.map(({ views }) => views)],
  );
  await client.query('CREATE INDEX users_age ON users(age)');
  await client.query('CREATE INDEX posts_user ON posts(user_id)');
  await client.query('VACUUM ANALYZE');
  await client.end();
}

let flushBefore = 1;

/** @param {string} url @param {...string} statements @returns {Promise<any[]>} rows of the last */
async function onMariadb(url, ...statements) {
  const { default: mysql } = await import('mysql2/promise');
  const connection = await mysql.createConnection(url);
  try {
    /** @type {any} */
    let rows = [];
    for (const sql of statements) [rows] = await connection.query(sql);
    return rows;
  } finally {
    await connection.end();
  }
}

async function fillMariadb() {
  const { default: mysql } = await import('mysql2/promise');
  await onMariadb(
    serverUrl('mariadb'),
    `DROP DATABASE IF EXISTS ${NAME}`,
    `CREATE DATABASE ${NAME} CHARACTER SET utf8mb4`,
  );
  const connection = await mysql.createConnection({ uri: databaseUrl('mariadb'), timezone: 'Z' });
  const [rows] = await connection.query('SELECT @@innodb_flush_log_at_trx_commit AS flush');
  flushBefore = /** @type {{ flush: number }[]} */ (rows)[0]?.flush ?? 1;
  await connection.query('SET GLOBAL innodb_flush_log_at_trx_commit = 2');
  await connection.query(`CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, email varchar(255) NOT NULL,
    name varchar(255) NOT NULL, active tinyint(1) NOT NULL, age int NOT NULL, score double NOT NULL, bio varchar(255),
    created_at datetime(3) NOT NULL, KEY users_age (age))`);
  await connection.query(`CREATE TABLE posts (id int AUTO_INCREMENT PRIMARY KEY, user_id int NOT NULL,
    title varchar(255) NOT NULL, views int NOT NULL, KEY posts_user (user_id))`);
  const users = Array.from({ length: USERS }, (_, at) => newUser(at + 1));
  const values = users.map((user) => COLUMNS.map((column) => user[/** @type {keyof typeof user} */ (column)]));
  await connection.query(`INSERT INTO users (${COLUMNS.join()}) VALUES ?`, [values]);
  const posts = Array.from({ length: AUTHORS * POSTS_EACH }, (_, at) => post(at + 1));
  await connection.query('INSERT INTO posts (id, user_id, title, views) VALUES ?', [posts.map(Object.values)]);
  await connection.query('ANALYZE TABLE users, posts');
  await connection.end();
}
