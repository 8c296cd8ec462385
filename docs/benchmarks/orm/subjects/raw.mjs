// The drivers themselves, prepared statements, as a careful developer would write it by hand. `raw` takes rows as objects, which is
// what the drivers' own documentation shows; `raw:rows` takes positional rows and builds the objects, which is as fast as it gets.
import { databaseUrl, dropInserted, sqliteFile } from '../databases.mjs';
import { args, COLUMNS, many, ONE, PRELOADED, valuesOf } from '../workload.mjs';

const SELECT = `SELECT id, ${COLUMNS.join(', ')} FROM users`;
const POSTS = 'SELECT id, user_id, title, views FROM posts WHERE user_id';
const INSERT = `INSERT INTO users (${COLUMNS.join(', ')}) VALUES`;
const CHUNK = 500;

/** @typedef {import('../workload.mjs').User} User */
/** @typedef {import('../workload.mjs').Post} Post */

/**
 * @param {import('../databases.mjs').Engine} engine
 * @param {string | undefined} variant
 * @param {string} owner
 */
export function open(engine, variant, owner) {
  const positional = variant === 'rows';
  if (engine === 'sqlite') return openSqlite(positional, owner);
  return engine === 'postgres' ? openPostgres(positional) : openMariadb(positional);
}

/**
 * Gives each user its posts.
 *
 * @param {(User & { posts?: Post[] })[]} users
 * @param {readonly Post[]} posts
 */
function joined(users, posts) {
  /** @type {Map<number, Post[]>} */
  const byUser = new Map();
  for (const user of users) byUser.set(user.id, (user.posts = []));
  for (const post of posts) byUser.get(post.user_id)?.push(post);
  return users;
}

const postOf = (/** @type {any} */ [id, user_id, title, views]) => ({ id, user_id, title, views });

/** @param {boolean} positional @param {string} owner */
async function openSqlite(positional, owner) {
  const file = await sqliteFile('iso', owner);
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const database = new BetterSqlite3(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  const prepared = (/** @type {string} */ sql) => /** @type {any} */ (database.prepare(sql));
  const reading = (/** @type {string} */ sql) => (positional ? prepared(sql).raw(true) : prepared(sql));
  const q = {
    byId: reading(`${SELECT} WHERE id = ?`),
    first: reading(`${SELECT} WHERE age = ? AND active = ? AND score > ? ORDER BY id DESC LIMIT 1`),
    fifty: reading(`${SELECT} WHERE age >= ? LIMIT 50`),
    thousand: reading(`${SELECT} WHERE id > ? LIMIT 1000`),
    range: reading(`${SELECT} WHERE id >= ? AND id < ?`),
    posts: reading(`${POSTS} IN (${Array(PRELOADED).fill('?').join()})`),
    update: prepared('UPDATE users SET name = ?, score = ? WHERE id = ?'),
    score: prepared('UPDATE users SET score = ? WHERE id = ?'),
    name: prepared('UPDATE users SET name = ? WHERE id = ?'),
    insert: prepared(`${INSERT} (?, ?, ?, ?, ?, ?, ?)`),
    begin: prepared('BEGIN'),
    commit: prepared('COMMIT'),
    savepoint: prepared('SAVEPOINT s'),
    release: prepared('RELEASE s'),
  };
  const fixed = (/** @type {any} */ row) => {
    row.active = row.active === 1;
    row.created_at = new Date(row.created_at);
    return row;
  };
  const made = (/** @type {any} */ row) => ({
    id: row[0],
    email: row[1],
    name: row[2],
    active: row[3] === 1,
    age: row[4],
    score: row[5],
    bio: row[6],
    created_at: new Date(row[7]),
  });
  const one = positional ? made : fixed;
  const all = positional
    ? (/** @type {any[]} */ rows) => {
        const users = new Array(rows.length);
        for (let at = 0; at < rows.length; at++) users[at] = made(rows[at]);
        return users;
      }
    : (/** @type {any[]} */ rows) => {
        for (const row of rows) fixed(row);
        return rows;
      };
  const insert = (/** @type {import('../workload.mjs').NewUser} */ user) =>
    q.insert.run(
      user.email,
      user.name,
      user.active ? 1 : 0,
      user.age,
      user.score,
      user.bio,
      user.created_at.toISOString(),
    );
  return {
    operations: {
      findById: (/** @type {number} */ n) => one(q.byId.get(args.id(n))),
      first: (/** @type {number} */ n) => one(q.first.get(args.age(n), 1, 0)),
      select50: (/** @type {number} */ n) => all(q.fifty.all(args.minAge(n))),
      find1000: (/** @type {number} */ n) => all(q.thousand.all(args.afterId(n))),
      preload: (/** @type {number} */ n) => {
        const from = args.firstAuthor(n);
        const users = all(q.range.all(from, from + PRELOADED));
        const posts = q.posts.all(users.map(({ id }) => id));
        return joined(users, positional ? posts.map(postOf) : posts);
      },
      update: (/** @type {number} */ n) => q.update.run(args.name(n), args.score(n), args.id(n)).changes,
      create: () => Number(insert(ONE).lastInsertRowid),
      transaction: (/** @type {number} */ n) => {
        q.begin.run();
        const first = q.score.run(n, args.id(n)).changes;
        q.savepoint.run();
        const second = q.name.run(args.name(n), args.nextId(n)).changes;
        q.release.run();
        q.commit.run();
        return first + second;
      },
      batch: () => {
        q.begin.run();
        for (const user of many()) insert(user);
        q.commit.run();
        return many().length;
      },
    },
    reset: () => dropInserted('sqlite', file),
    close: () => database.close(),
  };
}

/** @param {boolean} positional */
async function openPostgres(positional) {
  const { default: pg } = await import('pg');
  const client = new pg.Client(databaseUrl('postgres'));
  await client.connect();
  const rowMode = positional ? /** @type {const} */ ('array') : undefined;
  const query = async (/** @type {string} */ name, /** @type {string} */ text, /** @type {unknown[]} */ values) =>
    /** @type {any} */ (await client.query(/** @type {any} */ ({ name, text, values, rowMode })));
  const made = (/** @type {any} */ row) => ({
    id: row[0],
    email: row[1],
    name: row[2],
    active: row[3],
    age: row[4],
    score: row[5],
    bio: row[6],
    created_at: row[7],
  });
  const one = positional ? made : (/** @type {any} */ row) => row;
  const all = positional ? (/** @type {any[]} */ rows) => rows.map(made) : (/** @type {any[]} */ rows) => rows;
  const batch = `${INSERT} ${placeholders(CHUNK, COLUMNS.length, (at) => `$${at}`)}`;
  return {
    operations: {
      findById: async (/** @type {number} */ n) =>
        one((await query('byId', `${SELECT} WHERE id = $1`, [args.id(n)])).rows[0]),
      first: async (/** @type {number} */ n) => {
        const sql = `${SELECT} WHERE age = $1 AND active = $2 AND score > $3 ORDER BY id DESC LIMIT 1`;
        return one((await query('first', sql, [args.age(n), true, 0])).rows[0]);
      },
      select50: async (/** @type {number} */ n) =>
        all((await query('fifty', `${SELECT} WHERE age >= $1 LIMIT 50`, [args.minAge(n)])).rows),
      find1000: async (/** @type {number} */ n) =>
        all((await query('thousand', `${SELECT} WHERE id > $1 LIMIT 1000`, [args.afterId(n)])).rows),
      preload: async (/** @type {number} */ n) => {
        const from = args.firstAuthor(n);
        const range = await query('range', `${SELECT} WHERE id >= $1 AND id < $2`, [from, from + PRELOADED]);
        const users = all(range.rows);
        const { rows } = await query('posts', `${POSTS} = ANY($1::int[])`, [users.map(({ id }) => id)]);
        return joined(users, positional ? rows.map(postOf) : rows);
      },
      update: async (/** @type {number} */ n) => {
        const sql = 'UPDATE users SET name = $1, score = $2 WHERE id = $3';
        return (await query('update', sql, [args.name(n), args.score(n), args.id(n)])).rowCount;
      },
      create: async () => {
        const { rows } = await query('insert', `${INSERT} ($1, $2, $3, $4, $5, $6, $7) RETURNING id`, valuesOf(ONE));
        return positional ? rows[0][0] : rows[0].id;
      },
      transaction: async (/** @type {number} */ n) => {
        await client.query('BEGIN');
        const first = await query('score', 'UPDATE users SET score = $1 WHERE id = $2', [n, args.id(n)]);
        await client.query('SAVEPOINT s');
        const second = await query('name', 'UPDATE users SET name = $1 WHERE id = $2', [args.name(n), args.nextId(n)]);
        await client.query('RELEASE SAVEPOINT s');
        await client.query('COMMIT');
        return first.rowCount + second.rowCount;
      },
      batch: async () => {
        await client.query('BEGIN');
        for (let from = 0; from < many().length; from += CHUNK) {
          await query(
            'batch',
            batch,
            many()
              .slice(from, from + CHUNK)
              .flatMap(valuesOf),
          );
        }
        await client.query('COMMIT');
        return many().length;
      },
    },
    reset: () => dropInserted('postgres', ''),
    close: () => client.end(),
  };
}

/** @param {boolean} positional */
async function openMariadb(positional) {
  const { default: mysql } = await import('mysql2/promise');
  const connection = await mysql.createConnection({ uri: databaseUrl('mariadb'), timezone: 'Z' });
  const execute = async (/** @type {string} */ sql, /** @type {any[]} */ values) =>
    /** @type {any} */ ((await connection.execute({ sql, rowsAsArray: positional }, values))[0]);
  const made = (/** @type {any} */ row) => ({
    id: row[0],
    email: row[1],
    name: row[2],
    active: row[3] === 1,
    age: row[4],
    score: row[5],
    bio: row[6],
    created_at: row[7],
  });
  const fixed = (/** @type {any} */ row) => {
    row.active = row.active === 1;
    return row;
  };
  const one = positional ? made : fixed;
  const all = (/** @type {any[]} */ rows) => rows.map(one);
  const batch = `${INSERT} ${placeholders(CHUNK, COLUMNS.length, () => '?')}`;
  const postsOf = `${POSTS} IN (${Array(PRELOADED).fill('?').join()})`;
  return {
    operations: {
      findById: async (/** @type {number} */ n) => one((await execute(`${SELECT} WHERE id = ?`, [args.id(n)]))[0]),
      first: async (/** @type {number} */ n) => {
        const sql = `${SELECT} WHERE age = ? AND active = ? AND score > ? ORDER BY id DESC LIMIT 1`;
        return one((await execute(sql, [args.age(n), 1, 0]))[0]);
      },
      select50: async (/** @type {number} */ n) =>
        all(await execute(`${SELECT} WHERE age >= ? LIMIT 50`, [args.minAge(n)])),
      find1000: async (/** @type {number} */ n) =>
        all(await execute(`${SELECT} WHERE id > ? LIMIT 1000`, [args.afterId(n)])),
      preload: async (/** @type {number} */ n) => {
        const from = args.firstAuthor(n);
        const users = all(await execute(`${SELECT} WHERE id >= ? AND id < ?`, [from, from + PRELOADED]));
        const rows = await execute(
          postsOf,
          users.map(({ id }) => id),
        );
        return joined(users, positional ? rows.map(postOf) : rows);
      },
      update: async (/** @type {number} */ n) => {
        const sql = 'UPDATE users SET name = ?, score = ? WHERE id = ?';
        return (await execute(sql, [args.name(n), args.score(n), args.id(n)])).affectedRows;
      },
      create: async () => (await execute(`${INSERT} (?, ?, ?, ?, ?, ?, ?)`, valuesOf(ONE))).insertId,
      transaction: async (/** @type {number} */ n) => {
        await connection.query('BEGIN');
        const first = await execute('UPDATE users SET score = ? WHERE id = ?', [n, args.id(n)]);
        await connection.query('SAVEPOINT s');
        const second = await execute('UPDATE users SET name = ? WHERE id = ?', [args.name(n), args.nextId(n)]);
        await connection.query('RELEASE SAVEPOINT s');
        await connection.query('COMMIT');
        return first.affectedRows + second.affectedRows;
      },
      batch: async () => {
        await connection.query('BEGIN');
        for (let from = 0; from < many().length; from += CHUNK) {
          await execute(
            batch,
            many()
              .slice(from, from + CHUNK)
              .flatMap(valuesOf),
          );
        }
        await connection.query('COMMIT');
        return many().length;
      },
    },
    reset: () => dropInserted('mariadb', ''),
    close: () => connection.end(),
  };
}

/**
 * @param {number} rows
 * @param {number} columns
 * @param {(at: number) => string} spelled
 */
function placeholders(rows, columns, spelled) {
  const row = (/** @type {number} */ first) =>
    `(${Array.from({ length: columns }, (_, at) => spelled(first + at + 1)).join()})`;
  return Array.from({ length: rows }, (_, at) => row(at * columns)).join();
}
