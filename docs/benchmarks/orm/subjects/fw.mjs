import path from 'node:path';
import { databaseUrl, dropInserted, sqliteFile } from '../databases.mjs';
import { PREPARED } from '../prepared.mjs';
import { args, many, ONE, PRELOADED } from '../workload.mjs';

/**
 * @param {import('../databases.mjs').Engine} engine
 * @param {string | undefined} _variant
 * @param {string} owner
 */
export async function open(engine, _variant, owner) {
  const from = (/** @type {string} */ module) => import(path.join(PREPARED, module));
  // At once, as an application's own imports are.
  const [{ model, open: openDatabase, transaction }, { user }, { User }, { dialect, handle, file }] = await Promise.all(
    [
      from('node_modules/fw/dist/plugins/orm/index.js'),
      from('fw-app/dist/generated/user.js'),
      from('fw-app/dist/models/user.js'),
      opened(engine, owner, from),
    ],
  );
  const database = openDatabase(handle, dialect);
  const users = model(database, User);
  return {
    operations: {
      findById: (/** @type {number} */ n) => users.where(user.id.eq(args.id(n))).first(),
      first: (/** @type {number} */ n) =>
        users
          .where(user.age.eq(args.age(n)))
          .where(user.active.eq(true))
          .where(user.score.gt(0))
          .orderBy(user.id.desc())
          .first(),
      select50: (/** @type {number} */ n) =>
        users
          .where(user.age.gte(args.minAge(n)))
          .limit(50)
          .find(),
      find1000: (/** @type {number} */ n) =>
        users
          .where(user.id.gt(args.afterId(n)))
          .limit(1000)
          .find(),
      preload: (/** @type {number} */ n) => {
        const first = args.firstAuthor(n);
        return users
          .where(user.id.gte(first))
          .where(user.id.lt(first + PRELOADED))
          .preload('posts')
          .find();
      },
      update: (/** @type {number} */ n) =>
        users.where(user.id.eq(args.id(n))).updateAll(user.name.set(args.name(n)), user.score.set(args.score(n))),
      create: async () => (await users.create(ONE)).id,
      transaction: (/** @type {number} */ n) =>
        transaction.run(database, null, null, async (/** @type {any} */ tx) => {
          const first = await model(tx, User)
            .where(user.id.eq(args.id(n)))
            .updateAll(user.score.set(n));
          const second = await transaction.run(tx, null, null, (/** @type {any} */ inner) =>
            model(inner, User)
              .where(user.id.eq(args.nextId(n)))
              .updateAll(user.name.set(args.name(n))),
          );
          return first + second;
        }),
      batch: () => users.createBatch(many()),
    },
    reset: () => dropInserted(engine, file),
    close: () => database.close(),
  };
}

/**
 * @param {import('../databases.mjs').Engine} engine
 * @param {string} owner
 * @param {(module: string) => Promise<any>} from
 */
async function opened(engine, owner, from) {
  if (engine === 'sqlite') {
    const { sqlite, openSqlite } = await from('node_modules/fw/dist/plugins/orm/dialect-sqlite/index.js');
    const file = await sqliteFile('iso', owner);
    return { dialect: sqlite, handle: await openSqlite(file), file };
  }
  if (engine === 'postgres') {
    const { postgres, openPostgres } = await from('node_modules/fw/dist/plugins/orm/dialect-postgres/index.js');
    return { dialect: postgres, handle: await openPostgres(databaseUrl(engine), { connections: 1 }), file: '' };
  }
  const { mysql, openMysql } = await from('node_modules/fw/dist/plugins/orm/dialect-mysql/index.js');
  return { dialect: mysql, handle: await openMysql(databaseUrl(engine), { connections: 1 }), file: '' };
}
