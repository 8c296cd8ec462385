import jwt from '@fastify/jwt';
import Driver from 'better-sqlite3';
import { and, desc, eq, gte, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import Fastify from 'fastify';
import { PAGE_SCHEMA, PARAMS_SCHEMA, QUERY_SCHEMA } from '../json-schemas.mjs';
import { SECRET } from '../work.mjs';

const users = sqliteTable('users', {
  id: integer('id').primaryKey(),
  email: text('email').notNull().unique(),
  name: text('name').notNull(),
  active: integer('active', { mode: 'boolean' }).notNull(),
  passwordHash: text('password_hash').notNull(),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
});

const posts = sqliteTable('posts', {
  id: integer('id').primaryKey(),
  userId: integer('user_id').notNull(),
  title: text('title').notNull(),
  views: integer('views').notNull(),
  publishedAt: integer('published_at', { mode: 'timestamp_ms' }).notNull(),
});

/**
 * Fastify with its schemas of inputs and of the answer, its plugin of tokens, and Drizzle's prepared queries.
 *
 * @param {string} file
 * @param {{ readonly tokenCache?: boolean }} variant
 */
export async function start(file, { tokenCache = true }) {
  const { userById, postsOf } = preparedQueries(file);
  const app = Fastify();
  await app.register(jwt, { secret: SECRET, verify: { algorithms: ['HS256'], cache: tokenCache } });
  /** @type {import('fastify').FastifySchema} */
  const schema = { params: PARAMS_SCHEMA, querystring: QUERY_SCHEMA, response: { 200: PAGE_SCHEMA } };
  app.get('/users/:id/posts', { onRequest: (request) => request['jwtVerify'](), schema }, (request, reply) => {
    const { id } = /** @type {{ id: number }} */ (request.params);
    const { limit, minViews } = /** @type {{ limit: number, minViews: number }} */ (request.query);
    const user = userById.get({ id });
    if (user === undefined) return reply.code(404).send({ message: 'There is no such user.' });
    return reply.send({ user, posts: postsOf.all({ id, minViews, limit }) });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return /** @type {import('node:net').AddressInfo} */ (app.server.address()).port;
}

/** @param {string} file */
function preparedQueries(file) {
  const driver = new Driver(file);
  driver.pragma('journal_mode = WAL');
  driver.pragma('synchronous = NORMAL');
  const db = drizzle(driver);
  const given = sql.placeholder;
  const userById = db
    .select()
    .from(users)
    .where(eq(users.id, given('id')))
    .prepare();
  const postsOf = db
    .select()
    .from(posts)
    .where(and(eq(posts.userId, given('id')), gte(posts.views, given('minViews'))))
    .orderBy(desc(posts.publishedAt))
    .limit(given('limit'))
    .prepare();
  return { userById, postsOf };
}
