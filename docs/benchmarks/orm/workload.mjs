// What every subject does, on the same rows: ten thousand users, ten posts for each of the first thousand.
import assert from 'node:assert/strict';

export const USERS = 10_000;
export const AUTHORS = 1000;
export const POSTS_EACH = 10;
/** Rows of one call of `batch`. */
export const BATCH_ROWS = 10_000;
const START = Date.UTC(2024, 0, 1);
const BIO = 'The quick brown fox jumps over the lazy dog, again and again.';

/** Columns of `users` that an insert sets. */
export const COLUMNS = ['email', 'name', 'active', 'age', 'score', 'bio', 'created_at'];

/**
 * @typedef {object} NewUser
 * @property {string} email
 * @property {string} name
 * @property {boolean} active
 * @property {number} age
 * @property {number} score
 * @property {string | null} bio
 * @property {Date} created_at
 */

/** @typedef {NewUser & { readonly id: number }} User */
/** @typedef {{ readonly id: number, readonly user_id: number, readonly title: string, readonly views: number }} Post */

/**
 * The user of one id.
 *
 * @param {number} id
 * @returns {NewUser}
 */
export const newUser = (id) => ({
  email: `user${id}@example.com`,
  name: `User Name ${id}`,
  active: id % 3 !== 0,
  age: (id * 7919) % 1000,
  score: id * 1.25,
  bio: id % 2 ? null : BIO,
  created_at: new Date(START + id * 61_007),
});

/**
 * The post of one id.
 *
 * @param {number} id
 * @returns {Post}
 */
export const post = (id) => ({
  id,
  user_id: Math.floor((id - 1) / POSTS_EACH) + 1,
  title: `Post title ${id}`,
  views: id % 97,
});

/** Arguments of the operations for the n-th call. */
export const args = {
  id: (/** @type {number} */ n) => 1 + (n % USERS),
  nextId: (/** @type {number} */ n) => 1 + ((n + 1) % USERS),
  minAge: (/** @type {number} */ n) => n % 900,
  afterId: (/** @type {number} */ n) => n % 5000,
  age: (/** @type {number} */ n) => n % 1000,
  firstAuthor: (/** @type {number} */ n) => 1 + (n % 900),
  name: (/** @type {number} */ n) => `New Name ${n}`,
  score: (/** @type {number} */ n) => n * 1.5,
};
export const PRELOADED = 100;

/** Reads; the others write. */
export const READS = ['findById', 'first', 'select50', 'find1000', 'preload'];
export const WRITES = ['update', 'create', 'transaction', 'batch'];

/**
 * The values of an insert, in the order of `COLUMNS`.
 *
 * @param {NewUser} user
 */
export const valuesOf = ({ email, name, active, age, score, bio, created_at }) => [
  email,
  name,
  active,
  age,
  score,
  bio,
  created_at,
];

/** One row to insert, the same in each call. */
export const ONE = newUser(1);
/** @type {readonly NewUser[] | undefined} */
let batch;
/** The rows of one batch; made by the first call, because who measures a start or memory has no use for them. */
export const many = () => (batch ??= Array.from({ length: BATCH_ROWS }, (_, at) => newUser(at + 1)));

/**
 * Throws unless both did the same work.
 *
 * @param {string} operation
 * @param {unknown} baseline
 * @param {unknown} subject
 */
export function check(operation, baseline, subject) {
  if (operation === 'create') {
    assert.ok(Number(baseline) > USERS && Number(subject) > USERS, `${operation} gave no new id: ${String(subject)}`);
  } else if (operation === 'select50' || operation === 'find1000') {
    // Without an order, which of the matching rows come is the database's affair; some subjects add an order of their own.
    checkUsers(operation, /** @type {object[]} */ (subject), /** @type {object[]} */ (baseline).length);
  } else {
    assert.deepEqual(plain(subject), plain(baseline), operation);
  }
}

/** @param {string} operation @param {object[]} users @param {number} count */
function checkUsers(operation, users, count) {
  assert.equal(users.length, count, operation);
  for (const user of users) {
    const { id, name, score, ...rest } = /** @type {User} */ (plain(user));
    const { name: _name, score: _score, ...known } = newUser(id);
    assert.deepEqual(rest, known, operation);
    assert.deepEqual([typeof name, typeof score], ['string', 'number'], operation);
    if (operation === 'find1000') assert.ok(id > args.afterId(1), operation);
    else assert.ok(rest.age >= args.minAge(1), operation);
  }
}

/**
 * A row by value, whatever class it is of; posts in the order of their ids, because nobody is asked for an order.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const { posts, user: _user, ...columns } = /** @type {Record<string, any>} */ ({ ...value });
  if (posts === undefined || posts.isInitialized?.() === false) return columns;
  const own = /** @type {Post[]} */ ([...posts].map(plain));
  return { ...columns, posts: own.sort((a, b) => a.id - b.id) };
}
