import { and, holds, model, value } from '../index.js';
import { Post, post } from './models.js';
import { postIds as posts, type DialectFeature } from './text-form-features.js';

const NEW_YEAR = new Date('2024-01-01T00:00:00.000Z');

/** Conditions to which null is a value, values before columns, and conditions as values. */
export const TRUTH_FEATURES: readonly DialectFeature[] = [
  {
    name: 'IS DISTINCT FROM',
    run: (db) =>
      posts(db)
        .where(and(post.deletedAt.isDistinctFrom(NEW_YEAR), post.views.isNotDistinctFrom(post.authorId)))
        .find(),
  },
  {
    name: 'a value before a column',
    run: (db) => posts(db).where(value(7).between(post.authorId, post.views)).find(),
  },
  {
    name: 'a condition as a value',
    run: (db) =>
      model(db, Post)
        .select('id', holds(and(post.views.gt(9), post.title.like('a%'))).as('liked'))
        .find(),
  },
];
