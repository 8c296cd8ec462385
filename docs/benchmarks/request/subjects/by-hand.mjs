import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import Driver from 'better-sqlite3';
import { SECRET } from '../work.mjs';

const PATH = /^\/users\/([1-9]\d*)\/posts(?:\?(.*))?$/;
const WHOLE = /^\d+$/;

/**
 * node:http and the driver alone, with no more than this one answer needs: as fast as it gets without tricks.
 *
 * @param {string} file
 */
export async function start(file) {
  const page = pageOf(file);
  const server = createServer((request, response) => {
    const { status, text } = answer(request, page);
    const head = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };
    response.writeHead(status, head).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/** @type {(request: import('node:http').IncomingMessage, page: ReturnType<typeof pageOf>) => { readonly status: number, readonly text: string }} */
function answer({ headers, url = '' }, page) {
  if (!isValid(headers.authorization)) return { status: 401, text: '{}' };
  const [, id, query] = PATH.exec(url) ?? [];
  const given = new URLSearchParams(query);
  const [limit, minViews] = [numberOf(given.get('limit') ?? '20'), numberOf(given.get('minViews') ?? '0')];
  if (id === undefined || !(limit >= 1 && limit <= 100) || !(minViews >= 0)) return { status: 400, text: '{}' };
  const found = page(Number(id), minViews, limit);
  return found ? { status: 200, text: JSON.stringify(found) } : { status: 404, text: '{}' };
}

/** @param {string} text */
const numberOf = (text) => (WHOLE.test(text) ? Number(text) : Number.NaN);

/** Tokens that were valid, until when. @type {Map<string, number>} */
const known = new Map();

/** @param {string} [header] */
function isValid(header) {
  if (!header?.startsWith('Bearer ')) return false;
  const token = header.slice(7);
  const exp = known.get(token) ?? verified(token);
  if (!(exp > Date.now() / 1000)) return false;
  if (known.size < 4096) known.set(token, exp);
  return true;
}

/** When a token ends; 0 for one that is not ours. @param {string} token */
function verified(token) {
  const at = token.lastIndexOf('.');
  const own = createHmac('sha256', SECRET).update(token.slice(0, at)).digest();
  const given = Buffer.from(token.slice(at + 1), 'base64url');
  if (given.length !== own.length || !timingSafeEqual(given, own)) return 0;
  const [head = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  return JSON.parse(head).alg === 'HS256' ? Number(JSON.parse(claims).exp) : 0;
}

/** @param {string} file */
function pageOf(file) {
  const driver = new Driver(file);
  driver.pragma('journal_mode = WAL');
  driver.pragma('synchronous = NORMAL');
  const userById = driver.prepare('SELECT id, email, name, active, created_at FROM users WHERE id = ?').raw(true);
  const postsOf = driver
    .prepare(
      `SELECT id, title, views, published_at FROM posts WHERE user_id = ? AND views >= ?
      ORDER BY published_at DESC LIMIT ? + 0`,
    )
    .raw(true);
  return (/** @type {number} */ id, /** @type {number} */ minViews, /** @type {number} */ limit) => {
    const row = /** @type {any[] | undefined} */ (userById.get(id));
    if (row === undefined) return undefined;
    const user = { id: row[0], email: row[1], name: row[2], active: row[3] === 1, createdAt: row[4] };
    const rows = /** @type {any[][]} */ (postsOf.all(id, minViews, limit));
    return {
      user,
      posts: rows.map(([id, title, views, publishedAt]) => ({ id, title, views, publishedAt })),
    };
  };
}
