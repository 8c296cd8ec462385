// Drizzle as its documentation shows it, and with its prepared statements (`drizzle:prepared`), which only some operations
// can use: there are none inside of a transaction's callback in its documentation, and batches vary in length.
import { and, desc, eq, gt, gte, inArray, lt, relations, sql } from 'drizzle-orm';
import { databaseUrl, dropInserted, sqliteFile } from '../databases.mjs';
import { args, many, ONE, PRELOADED } from '../workload.mjs';

const CHUNK = 1000;

/**
 * @param {import('../databases.mjs').Engine} engine
 * @param {string | undefined} variant
 * @param {string} owner
 */
export async function open(engine, variant, owner) {
  const { db, users, posts, close, file } = await opened(engine, owner);
  const operations = {
    ...plain(engine, db, users, posts),
    ...(variant === 'prepared' && prepared(engine, db, users, posts)),
  };
  return { operations, reset: () => dropInserted(engine, file), close };
}

/** @param {import('../databases.mjs').Engine} engine @param {string} owner @returns {Promise<any>} */
async function opened(engine, owner) {
  if (engine === 'sqlite') {
    const { integer, real, sqliteTable, text } = await import('drizzle-orm/sqlite-core');
    const { drizzle } = await import('drizzle-orm/better-sqlite3');
    const users = sqliteTable('users', {
      id: integer('id').primaryKey(),
      email: text('email').notNull(),
      name: text('name').notNull(),
      active: integer('active', { mode: 'boolean' }).notNull(),
      age: integer('age').notNull(),
      score: real('score').notNull(),
      bio: text('bio'),
      created_at: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    });
    const posts = sqliteTable('posts', {
      id: integer('id').primaryKey(),
      user_id: integer('user_id').notNull(),
      title: text('title').notNull(),
      views: integer('views').notNull(),
    });
    const file = await sqliteFile('ms', owner);
    const { default: BetterSqlite3 } = await import('better-sqlite3');
    const client = new BetterSqlite3(file);
    client.pragma('journal_mode = WAL');
    client.pragma('synchronous = NORMAL');
    const schema = withRelations(users, posts);
    return { db: drizzle(client, { schema }), users, posts, file, close: () => client.close() };
  }
  if (engine === 'postgres') {
    const { boolean, doublePrecision, integer, pgTable, serial, text, timestamp } = await import('drizzle-orm/pg-core');
    const { drizzle } = await import('drizzle-orm/node-postgres');
    const users = pgTable('users', {
      id: serial('id').primaryKey(),
      email: text('email').notNull(),
      name: text('name').notNull(),
      active: boolean('active').notNull(),
      age: integer('age').notNull(),
      score: doublePrecision('score').notNull(),
      bio: text('bio'),
      created_at: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    });
    const posts = pgTable('posts', {
      id: serial('id').primaryKey(),
      user_id: integer('user_id').notNull(),
      title: text('title').notNull(),
      views: integer('views').notNull(),
    });
    const { default: pg } = await import('pg');
    const client = new pg.Client(databaseUrl(engine));
    await client.connect();
    const schema = withRelations(users, posts);
    return { db: drizzle(client, { schema }), users, posts, file: '', close: () => client.end() };
  }
  const { boolean, datetime, double, int, mysqlTable, varchar } = await import('drizzle-orm/mysql-core');
  const { drizzle } = await import('drizzle-orm/mysql2');
  const users = mysqlTable('users', {
    id: int('id').autoincrement().primaryKey(),
    email: varchar('email', { length: 255 }).notNull(),
    name: varchar('name', { length: 255 }).notNull(),
    active: boolean('active').notNull(),
    age: int('age').notNull(),
    score: double('score').notNull(),
    bio: varchar('bio', { length: 255 }),
    created_at: datetime('created_at', { fsp: 3 }).notNull(),
  });
  const posts = mysqlTable('posts', {
    id: int('id').autoincrement().primaryKey(),
    user_id: int('user_id').notNull(),
    title: varchar('title', { length: 255 }).notNull(),
    views: int('views').notNull(),
  });
  const { default: mysql } = await import('mysql2/promise');
  const client = await mysql.createConnection({ uri: databaseUrl(engine), timezone: 'Z' });
  const schema = withRelations(users, posts);
  return { db: drizzle(client, { schema, mode: 'default' }), users, posts, file: '', close: () => client.end() };
}

/** @param {any} users @param {any} posts */
function withRelations(users, posts) {
  const userRelations = relations(users, ({ many }) => ({ posts: many(posts) }));
  const postRelations = relations(posts, ({ one }) => ({
    user: one(users, { fields: [posts.user_id], references: [users.id] }),
  }));
  return { users, posts, userRelations, postRelations };
}

const affected = (/** @type {any} */ result) => result.changes ?? result.rowCount ?? result[0].affectedRows;

/** @param {import('../databases.mjs').Engine} engine @param {any} db @param {any} users @param {any} posts */
function plain(engine, db, users, posts) {
  const returning = engine !== 'mariadb';
  const score = (/** @type {any} */ tx, /** @type {number} */ n) =>
    tx
      .update(users)
      .set({ score: n })
      .where(eq(users.id, args.id(n)));
  const name = (/** @type {any} */ tx, /** @type {number} */ n) =>
    tx
      .update(users)
      .set({ name: args.name(n) })
      .where(eq(users.id, args.nextId(n)));
  return {
    findById: async (/** @type {number} */ n) =>
      (
        await db
          .select()
          .from(users)
          .where(eq(users.id, args.id(n)))
      )[0],
    first: async (/** @type {number} */ n) =>
      (
        await db
          .select()
          .from(users)
          .where(and(eq(users.age, args.age(n)), eq(users.active, true), gt(users.score, 0)))
          .orderBy(desc(users.id))
          .limit(1)
      )[0],
    select50: (/** @type {number} */ n) =>
      db
        .select()
        .from(users)
        .where(gte(users.age, args.minAge(n)))
        .limit(50)
        .then(),
    find1000: (/** @type {number} */ n) =>
      db
        .select()
        .from(users)
        .where(gt(users.id, args.afterId(n)))
        .limit(1000)
        .then(),
    preload: (/** @type {number} */ n) => preload(engine, db, users, posts, args.firstAuthor(n)),
    update: async (/** @type {number} */ n) =>
      affected(
        await db
          .update(users)
          .set({ name: args.name(n), score: args.score(n) })
          .where(eq(users.id, args.id(n))),
      ),
    create: async () =>
      returning
        ? (await db.insert(users).values(ONE).returning({ id: users.id }))[0].id
        : (await db.insert(users).values(ONE))[0].insertId,
    // better-sqlite3's transactions are synchronous, and so are Drizzle's on it.
    transaction: (/** @type {number} */ n) =>
      engine === 'sqlite'
        ? db.transaction((/** @type {any} */ tx) => {
            const first = score(tx, n).run().changes;
            return first + tx.transaction((/** @type {any} */ inner) => name(inner, n).run().changes);
          })
        : db.transaction(async (/** @type {any} */ tx) => {
            const first = affected(await score(tx, n));
            return first + (await tx.transaction(async (/** @type {any} */ inner) => affected(await name(inner, n))));
          }),
    batch: async () => {
      const chunks = Array.from({ length: many().length / CHUNK }, (_, at) =>
        many().slice(at * CHUNK, (at + 1) * CHUNK),
      );
      if (engine === 'sqlite') {
        db.transaction((/** @type {any} */ tx) => {
          for (const chunk of chunks) tx.insert(users).values(chunk).run();
        });
      } else {
        await db.transaction(async (/** @type {any} */ tx) => {
          for (const chunk of chunks) await tx.insert(users).values(chunk);
        });
      }
      return many().length;
    },
  };
}

// The relational API needs LATERAL, which MariaDB 10.11 does not have: two queries there.
/** @param {string} engine @param {any} db @param {any} users @param {any} posts @param {number} from */
async function preload(engine, db, users, posts, from) {
  const range = and(gte(users.id, from), lt(users.id, from + PRELOADED));
  if (engine !== 'mariadb') return db.query.users.findMany({ where: range, with: { posts: true } });
  const found = await db.select().from(users).where(range);
  const byUser = new Map(found.map((/** @type {any} */ user) => [user.id, (user.posts = [])]));
  const rows = await db
    .select()
    .from(posts)
    .where(inArray(posts.user_id, [...byUser.keys()]));
  for (const post of rows) byUser.get(post.user_id).push(post);
  return found;
}

/** @param {import('../databases.mjs').Engine} engine @param {any} db @param {any} users @param {any} posts */
function prepared(engine, db, users, posts) {
  const p = sql.placeholder;
  const ready = (/** @type {any} */ query, /** @type {string} */ name) =>
    engine === 'postgres' ? query.prepare(name) : query.prepare();
  const byId = ready(
    db
      .select()
      .from(users)
      .where(eq(users.id, p('id'))),
    'd_by_id',
  );
  const first = ready(
    db
      .select()
      .from(users)
      .where(and(eq(users.age, p('age')), eq(users.active, p('active')), gt(users.score, p('score'))))
      .orderBy(desc(users.id))
      .limit(1),
    'd_first',
  );
  const fifty = ready(
    db
      .select()
      .from(users)
      .where(gte(users.age, p('age')))
      .limit(50),
    'd_fifty',
  );
  const thousand = ready(
    db
      .select()
      .from(users)
      .where(gt(users.id, p('id')))
      .limit(1000),
    'd_thousand',
  );
  const update = ready(
    db
      .update(users)
      .set({ name: sql`${p('name')}`, score: sql`${p('score')}` })
      .where(eq(users.id, p('id'))),
    'd_update',
  );
  const values = Object.fromEntries(Object.keys(ONE).map((column) => [column, p(column)]));
  const insert = db.insert(users).values(values);
  const create = ready(engine === 'mariadb' ? insert : insert.returning({ id: users.id }), 'd_insert');
  const range =
    engine === 'mariadb'
      ? undefined
      : ready(
          db.query.users.findMany({
            where: and(gte(users.id, p('from')), lt(users.id, p('to'))),
            with: { posts: true },
          }),
          'd_range',
        );
  const active = engine === 'sqlite' ? 1 : true;
  return {
    findById: async (/** @type {number} */ n) => (await byId.execute({ id: args.id(n) }))[0],
    first: async (/** @type {number} */ n) => (await first.execute({ age: args.age(n), active, score: 0 }))[0],
    select50: async (/** @type {number} */ n) => fifty.execute({ age: args.minAge(n) }),
    find1000: async (/** @type {number} */ n) => thousand.execute({ id: args.afterId(n) }),
    preload: async (/** @type {number} */ n) => {
      const from = args.firstAuthor(n);
      return range ? range.execute({ from, to: from + PRELOADED }) : preload(engine, db, users, posts, from);
    },
    update: async (/** @type {number} */ n) =>
      affected(await update.execute({ name: args.name(n), score: args.score(n), id: args.id(n) })),
    create: async () => {
      const made = await create.execute(ONE);
      return engine === 'mariadb' ? made[0].insertId : made[0].id;
    },
  };
}
