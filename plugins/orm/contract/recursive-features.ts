import { add, concat, from, model, recursive, value } from '../index.js';
import { Post, post } from './models.js';
import type { DialectFeature } from './text-form-features.js';

/** Rows that lead to further rows. */
export const RECURSIVE_FEATURES: readonly DialectFeature[] = [
  {
    name: 'WITH RECURSIVE',
    run: (db) => {
      const chain = recursive('chain', model(db, Post).where(post.id.eq(1)).select('id', 'views'), (rows) =>
        model(db, Post).innerJoin(rows, rows.columns.views.eq(post.id)).select('id', 'views'),
      );
      return from(db, chain).find();
    },
  },
  {
    name: 'WITH RECURSIVE, computed',
    run: (db) => {
      const first = model(db, Post).where(post.id.eq(1)).select('id', 'title', value(0).as('depth'));
      const chain = recursive('chain', first, (rows) =>
        model(db, Post)
          .innerJoin(rows, rows.columns.id.eq(post.authorId))
          .select('id', concat(rows.columns.title, post.title).as('title'), add(rows.columns.depth, 1).as('depth')),
      );
      return from(db, chain).find();
    },
  },
];
