// What those who take JSON Schema are given.

/** @type {(properties: Readonly<Record<string, object>>, optional?: readonly string[]) => object} */
const objectOf = (properties, optional = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

export const PARAMS_SCHEMA = objectOf({ id: { type: 'integer', minimum: 1 } });

export const QUERY_SCHEMA = objectOf(
  {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    minViews: { type: 'integer', minimum: 0, default: 0 },
  },
  ['limit', 'minViews'],
);

const DATE = { type: 'string', format: 'date-time' };

const USER = objectOf({
  id: { type: 'integer' },
  email: { type: 'string' },
  name: { type: 'string' },
  active: { type: 'boolean' },
  createdAt: DATE,
});

const POST = objectOf({
  id: { type: 'integer' },
  title: { type: 'string' },
  views: { type: 'integer' },
  publishedAt: DATE,
});

export const PAGE_SCHEMA = objectOf({ user: USER, posts: { type: 'array', items: POST } });
