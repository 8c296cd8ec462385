// Kysely leaves booleans and dates to the driver; where the driver gives something else, the rows are fixed as its users do it.
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import { databaseUrl, dropInserted, sqliteFile } from '../databases.mjs';
import { args, COLUMNS, many, ONE, PRELOADED } from '../workload.mjs';

const SELECTED = ['id', ...COLUMNS];
const CHUNK = 1000;

/**
 * @param {import('../databases.mjs').Engine} engine
 * @param {string | undefined} _variant
 * @param {string} owner
 */
export async function open(engine, _variant, owner) {
  const { dialect, file } = await dialectOf(engine, owner);
  const db = /** @type {Kysely<any>} */ (new Kysely({ dialect }));
  const numeric = engine !== 'postgres';
  const fixed = fixerOf(engine);
  const encoded = (/** @type {import('../workload.mjs').NewUser} */ user) => ({
    ...user,
    ...(numeric && { active: user.active ? 1 : 0 }),
    ...(engine === 'sqlite' && { created_at: user.created_at.toISOString() }),
  });
  const users = () => db.selectFrom('users').select(SELECTED);
  const operations = {
    findById: async (/** @type {number} */ n) => fixed(await users().where('id', '=', args.id(n)).executeTakeFirst()),
    first: async (/** @type {number} */ n) =>
      fixed(
        await users()
          .where('age', '=', args.age(n))
          .where('active', '=', numeric ? 1 : true)
          .where('score', '>', 0)
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst(),
      ),
    select50: async (/** @type {number} */ n) =>
      (await users().where('age', '>=', args.minAge(n)).limit(50).execute()).map(fixed),
    find1000: async (/** @type {number} */ n) =>
      (await users().where('id', '>', args.afterId(n)).limit(1000).execute()).map(fixed),
    preload: async (/** @type {number} */ n) => {
      const from = args.firstAuthor(n);
      const range = users()
        .where('id', '>=', from)
        .where('id', '<', from + PRELOADED);
      const found = (await range.execute()).map(fixed);
      /** @type {Map<number, unknown[]>} */
      const byUser = new Map(found.map((user) => [user.id, (user.posts = [])]));
      const posts = await db
        .selectFrom('posts')
        .select(['id', 'user_id', 'title', 'views'])
        .where('user_id', 'in', [...byUser.keys()])
        .execute();
      for (const post of posts) byUser.get(post['user_id'])?.push(post);
      return found;
    },
    update: async (/** @type {number} */ n) => {
      const update = db.updateTable('users').set({ name: args.name(n), score: args.score(n) });
      return Number((await update.where('id', '=', args.id(n)).executeTakeFirst()).numUpdatedRows);
    },
    create: async () => {
      const insert = db.insertInto('users').values(encoded(ONE));
      if (engine === 'postgres') return (await insert.returning('id').executeTakeFirstOrThrow())['id'];
      return Number((await insert.executeTakeFirst()).insertId);
    },
    transaction: async (/** @type {number} */ n) => {
      const tx = await db.startTransaction().execute();
      const score = tx.updateTable('users').set({ score: n }).where('id', '=', args.id(n));
      const first = await score.executeTakeFirst();
      const inner = await tx.savepoint('s').execute();
      const name = inner
        .updateTable('users')
        .set({ name: args.name(n) })
        .where('id', '=', args.nextId(n));
      const second = await name.executeTakeFirst();
      await inner.releaseSavepoint('s').execute();
      await tx.commit().execute();
      return Number(first.numUpdatedRows + second.numUpdatedRows);
    },
    batch: () =>
      db.transaction().execute(async (tx) => {
        for (let from = 0; from < many().length; from += CHUNK) {
          const chunk = many()
            .slice(from, from + CHUNK)
            .map(encoded);
          await tx.insertInto('users').values(chunk).execute();
        }
        return many().length;
      }),
  };
  return { operations, reset: () => dropInserted(engine, file), close: () => db.destroy() };
}

/** @param {import('../databases.mjs').Engine} engine @returns {(row: any) => any} */
function fixerOf(engine) {
  if (engine === 'postgres') return (row) => row;
  return (row) => {
    row.active = row.active === 1;
    if (engine === 'sqlite') row.created_at = new Date(row.created_at);
    return row;
  };
}

/** @param {import('../databases.mjs').Engine} engine @param {string} owner */
async function dialectOf(engine, owner) {
  if (engine === 'sqlite') {
    const file = await sqliteFile('iso', owner);
    const { default: BetterSqlite3 } = await import('better-sqlite3');
    const database = new BetterSqlite3(file);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    return { dialect: new SqliteDialect({ database }), file };
  }
  if (engine === 'postgres') {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({ connectionString: databaseUrl(engine), max: 1 });
    return { dialect: new PostgresDialect({ pool }), file: '' };
  }
  const { default: mysql } = await import('mysql2');
  const pool = mysql.createPool({ uri: databaseUrl(engine), timezone: 'Z', connectionLimit: 1 });
  return { dialect: new MysqlDialect({ pool }), file: '' };
}
