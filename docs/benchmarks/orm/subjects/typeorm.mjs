import 'reflect-metadata';
import { And, DataSource, EntitySchema, LessThan, MoreThan, MoreThanOrEqual } from 'typeorm';
import { databaseUrl, dropInserted, sqliteFile } from '../databases.mjs';
import { args, many, ONE, PRELOADED } from '../workload.mjs';

const CHUNK = 1000;

/**
 * @param {import('../databases.mjs').Engine} engine
 * @param {string | undefined} _variant
 * @param {string} owner
 */
export async function open(engine, _variant, owner) {
  const file = engine === 'sqlite' ? await sqliteFile('typeorm', owner) : '';
  const { User, entities } = entitiesOf(engine);
  const source = new DataSource({ ...settingsOf(engine, file), entities });
  await source.initialize();
  const users = source.getRepository(User);
  // On SQLite it does not say how many rows an update changed.
  const affected = (/** @type {any} */ result) => result.affected ?? 1;
  const operations = {
    findById: (/** @type {number} */ n) => users.findOneBy({ id: args.id(n) }),
    first: (/** @type {number} */ n) =>
      users.findOne({ where: { age: args.age(n), active: true, score: MoreThan(0) }, order: { id: 'DESC' } }),
    select50: (/** @type {number} */ n) => users.find({ where: { age: MoreThanOrEqual(args.minAge(n)) }, take: 50 }),
    find1000: (/** @type {number} */ n) => users.find({ where: { id: MoreThan(args.afterId(n)) }, take: 1000 }),
    preload: (/** @type {number} */ n) => {
      const from = args.firstAuthor(n);
      const where = { id: And(MoreThanOrEqual(from), LessThan(from + PRELOADED)) };
      // Its other strategy, 'query', is many times slower here.
      return users.find({ where, relations: { posts: true }, relationLoadStrategy: 'join' });
    },
    update: async (/** @type {number} */ n) =>
      affected(await users.update({ id: args.id(n) }, { name: args.name(n), score: args.score(n) })),
    create: async () => (await users.insert({ ...ONE })).identifiers[0]?.['id'],
    transaction: (/** @type {number} */ n) =>
      source.transaction(async (tx) => {
        const first = await tx.update(User, { id: args.id(n) }, { score: n });
        const second = await tx.transaction((inner) =>
          inner.update(User, { id: args.nextId(n) }, { name: args.name(n) }),
        );
        return affected(first) + affected(second);
      }),
    batch: () =>
      source.transaction(async (tx) => {
        for (let from = 0; from < many().length; from += CHUNK) {
          const chunk = many().slice(from, from + CHUNK);
          await tx.createQueryBuilder().insert().into(User).values(chunk).updateEntity(false).execute();
        }
        return many().length;
      }),
  };
  return { operations, reset: () => dropInserted(engine, file), close: () => source.destroy() };
}

/** @param {import('../databases.mjs').Engine} engine @param {string} file @returns {any} */
function settingsOf(engine, file) {
  if (engine === 'sqlite') {
    const prepareDatabase = (/** @type {any} */ database) => database.pragma('synchronous = NORMAL');
    return { type: 'better-sqlite3', database: file, enableWAL: true, prepareDatabase };
  }
  if (engine === 'postgres') return { type: 'postgres', url: databaseUrl(engine), poolSize: 1 };
  return { type: 'mysql', url: databaseUrl(engine), timezone: 'Z', poolSize: 1 };
}

/** @param {import('../databases.mjs').Engine} engine */
function entitiesOf(engine) {
  const text = engine === 'mariadb' ? 'varchar' : 'text';
  const dates = { sqlite: { type: 'datetime' }, postgres: { type: 'timestamptz', precision: 3 } };
  const id = { type: 'int', primary: true, generated: true };
  /** @type {EntitySchema<any>} */
  const User = new EntitySchema({
    name: 'User',
    tableName: 'users',
    columns: /** @type {any} */ ({
      id,
      email: { type: text },
      name: { type: text },
      active: { type: 'boolean' },
      age: { type: 'int' },
      score: { type: engine === 'postgres' ? 'float8' : 'double' },
      bio: { type: text, nullable: true },
      created_at: engine === 'mariadb' ? { type: 'datetime', precision: 3 } : dates[engine],
    }),
    relations: { posts: { type: 'one-to-many', target: 'Post', inverseSide: 'user' } },
  });
  const Post = new EntitySchema({
    name: 'Post',
    tableName: 'posts',
    columns: /** @type {any} */ ({ id, user_id: { type: 'int' }, title: { type: text }, views: { type: 'int' } }),
    relations: {
      user: { type: 'many-to-one', target: 'User', joinColumn: { name: 'user_id' }, inverseSide: 'posts' },
    },
  });
  return { User, entities: [User, Post] };
}
