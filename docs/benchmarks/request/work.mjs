// What every subject does, on the same rows: a user by its id, and a page of its posts, the newest first.

export const SECRET = 'a secret of more than thirty-two bytes';

export const USERS = 1_000;
export const POSTS_EACH = 40;
/** Posts of one answer: each user has more of them that have enough views. */
export const LIMIT = 20;
export const MOST_VIEWS_ASKED = 100;

const START = Date.UTC(2025, 0, 1);
const MS_PER_HOUR = 3_600_000;

/** The user of one id. The hash of its password is in no answer. @param {number} id */
export const userOf = (id) => ({
  id,
  email: `user${id}@example.com`,
  name: `User Name ${id}`,
  active: id % 3 !== 0,
  passwordHash: `$argon2id$v=19$m=65536,t=3,p=4$${String(id).padStart(22, 'x')}$${'y'.repeat(43)}`,
  createdAt: new Date(START + id * 61_007),
});

/** The post of one id. To whom it belongs is in no answer. @param {number} id */
export const postOf = (id) => ({
  id,
  userId: Math.floor((id - 1) / POSTS_EACH) + 1,
  title: `What I learned from post ${id} about caches and queues`,
  views: (id * 7919) % 1000,
  // Not in the order of the ids, so that there is something to order.
  publishedAt: new Date(START + ((id * 37) % POSTS_EACH) * MS_PER_HOUR + id),
});

/** Path of the page that is asked for. @type {(id: number, minViews: number) => string} */
export const pathOf = (id, minViews) => `/users/${id}/posts?limit=${LIMIT}&minViews=${minViews}`;

/**
 * The answer, byte for byte.
 *
 * @type {(id: number, minViews: number) => string}
 */
export function answerOf(id, minViews) {
  const { passwordHash: _passwordHash, ...user } = userOf(id);
  const posts = Array.from({ length: POSTS_EACH }, (_, at) => postOf((id - 1) * POSTS_EACH + at + 1))
    .filter(({ views }) => views >= minViews)
    .sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
    .slice(0, LIMIT)
    .map(({ userId: _userId, ...post }) => post);
  return JSON.stringify({ user, posts });
}
