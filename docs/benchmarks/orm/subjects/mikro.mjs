// A fork of the entity manager per call, as its documentation asks for per request.
import { EntitySchema } from '@mikro-orm/core';
import { databaseUrl, dropInserted, sqliteFile } from '../databases.mjs';
import { args, many, ONE, PRELOADED } from '../workload.mjs';

const CHUNK = 1000;
const DRIVERS = {
  sqlite: '@mikro-orm/better-sqlite',
  postgres: '@mikro-orm/postgresql',
  mariadb: '@mikro-orm/mariadb',
};

/**
 * @param {import('../databases.mjs').Engine} engine
 * @param {string | undefined} _variant
 * @param {string} owner
 */
export async function open(engine, _variant, owner) {
  const { MikroORM } = await import(DRIVERS[engine]);
  const { User, Post } = entitiesOf(engine);
  const file = engine === 'sqlite' ? await sqliteFile('ms', owner) : '';
  const orm = await MikroORM.init({
    entities: [User, Post],
    discovery: { warnWhenNoEntities: false },
    forceUtcTimezone: true,
    pool: { min: 0, max: 1 },
    debug: false,
    ...(engine === 'mariadb' && { timezone: 'Z' }),
    ...(engine === 'sqlite' ? { dbName: file } : { clientUrl: databaseUrl(engine) }),
  });
  if (engine === 'sqlite') {
    await orm.em.getConnection().execute('PRAGMA journal_mode = WAL');
    await orm.em.getConnection().execute('PRAGMA synchronous = NORMAL');
  }
  const fork = () => orm.em.fork();
  const operations = {
    findById: (/** @type {number} */ n) => fork().findOne(User, { id: args.id(n) }),
    first: (/** @type {number} */ n) =>
      fork().findOne(User, { age: args.age(n), active: true, score: { $gt: 0 } }, { orderBy: { id: 'desc' } }),
    select50: (/** @type {number} */ n) => fork().find(User, { age: { $gte: args.minAge(n) } }, { limit: 50 }),
    find1000: (/** @type {number} */ n) => fork().find(User, { id: { $gt: args.afterId(n) } }, { limit: 1000 }),
    preload: (/** @type {number} */ n) => {
      const from = args.firstAuthor(n);
      const where = { id: { $gte: from, $lt: from + PRELOADED } };
      return fork().find(User, where, { populate: ['posts'], strategy: 'select-in' });
    },
    update: (/** @type {number} */ n) =>
      fork().nativeUpdate(User, { id: args.id(n) }, { name: args.name(n), score: args.score(n) }),
    create: () => fork().insert(User, { ...ONE }),
    transaction: (/** @type {number} */ n) =>
      fork().transactional(async (/** @type {any} */ tx) => {
        const first = await tx.nativeUpdate(User, { id: args.id(n) }, { score: n });
        const second = await tx.transactional((/** @type {any} */ inner) =>
          inner.nativeUpdate(User, { id: args.nextId(n) }, { name: args.name(n) }),
        );
        return first + second;
      }),
    batch: () =>
      fork().transactional(async (/** @type {any} */ tx) => {
        for (let from = 0; from < many().length; from += CHUNK)
          await tx.insertMany(User, many().slice(from, from + CHUNK));
        return many().length;
      }),
  };
  return { operations, reset: () => dropInserted(engine, file), close: () => orm.close(true) };
}

/** @param {import('../databases.mjs').Engine} engine */
function entitiesOf(engine) {
  const text = { type: engine === 'mariadb' ? 'string' : 'text' };
  const id = { type: 'number', primary: true, autoincrement: true };
  /** @type {EntitySchema<any>} */
  const User = new EntitySchema({
    name: 'User',
    tableName: 'users',
    properties: /** @type {any} */ ({
      id,
      email: text,
      name: text,
      active: { type: 'boolean' },
      age: { type: 'number' },
      score: { type: 'double' },
      bio: { ...text, nullable: true },
      created_at: { type: 'Date', fieldName: 'created_at', length: 3 },
      posts: { kind: '1:m', entity: () => Post, mappedBy: 'user' },
    }),
  });
  /** @type {EntitySchema<any>} */
  const Post = new EntitySchema({
    name: 'Post',
    tableName: 'posts',
    properties: /** @type {any} */ ({
      id,
      user_id: { type: 'number', fieldName: 'user_id', persist: false },
      user: { kind: 'm:1', entity: () => User, fieldName: 'user_id', joinColumn: 'user_id' },
      title: text,
      views: { type: 'number' },
    }),
  });
  return { User, Post };
}
