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
  const { PrismaClient } = await import(path.join(PREPARED, `prisma-${engine}.mjs`));
  const { adapter, file } = await adapterOf(engine, owner);
  const prisma = new PrismaClient({ adapter });
  await prisma.$connect();
  if (engine === 'sqlite') {
    await prisma.$queryRawUnsafe('PRAGMA journal_mode = WAL');
    await prisma.$queryRawUnsafe('PRAGMA synchronous = NORMAL');
  }
  // A promise of Prisma starts when it is awaited, so each is.
  const operations = {
    findById: async (/** @type {number} */ n) => prisma.user.findUnique({ where: { id: args.id(n) } }),
    first: async (/** @type {number} */ n) => {
      const where = { age: args.age(n), active: true, score: { gt: 0 } };
      return prisma.user.findFirst({ where, orderBy: { id: 'desc' } });
    },
    select50: async (/** @type {number} */ n) =>
      prisma.user.findMany({ where: { age: { gte: args.minAge(n) } }, take: 50 }),
    find1000: async (/** @type {number} */ n) =>
      prisma.user.findMany({ where: { id: { gt: args.afterId(n) } }, take: 1000 }),
    preload: async (/** @type {number} */ n) => {
      const gte = args.firstAuthor(n);
      return prisma.user.findMany({ where: { id: { gte, lt: gte + PRELOADED } }, include: { posts: true } });
    },
    update: async (/** @type {number} */ n) => {
      const data = { name: args.name(n), score: args.score(n) };
      return (await prisma.user.updateMany({ where: { id: args.id(n) }, data })).count;
    },
    create: async () => (await prisma.user.create({ data: ONE })).id,
    // Prisma has no nested transactions: the savepoint is SQL of our own.
    transaction: async (/** @type {number} */ n) =>
      prisma.$transaction(async (/** @type {any} */ tx) => {
        const first = await tx.user.updateMany({ where: { id: args.id(n) }, data: { score: n } });
        await tx.$executeRawUnsafe('SAVEPOINT s');
        const second = await tx.user.updateMany({ where: { id: args.nextId(n) }, data: { name: args.name(n) } });
        await tx.$executeRawUnsafe('RELEASE SAVEPOINT s');
        return first.count + second.count;
      }),
    batch: async () => (await prisma.user.createMany({ data: many() })).count,
  };
  return { operations, reset: () => dropInserted(engine, file), close: () => prisma.$disconnect() };
}

/** @param {import('../databases.mjs').Engine} engine @param {string} owner */
async function adapterOf(engine, owner) {
  if (engine === 'sqlite') {
    const file = await sqliteFile('prisma', owner);
    const { PrismaBetterSqlite3 } = await import('@prisma/adapter-better-sqlite3');
    return { adapter: new PrismaBetterSqlite3({ url: `file:${file}` }), file };
  }
  if (engine === 'postgres') {
    const { PrismaPg } = await import('@prisma/adapter-pg');
    return { adapter: new PrismaPg({ connectionString: databaseUrl(engine), max: 1 }), file: '' };
  }
  const { PrismaMariaDb } = await import('@prisma/adapter-mariadb');
  const { hostname, port, username, password, pathname } = new URL(databaseUrl(engine));
  const settings = {
    host: hostname,
    port: Number(port || 3306),
    user: username,
    password,
    database: pathname.slice(1),
  };
  return { adapter: new PrismaMariaDb({ ...settings, connectionLimit: 1 }), file: '' };
}
