import { countAll, model, over, rowNumber, sum } from '../index.js';
import { Post, post } from './models.js';
import type { DialectFeature } from './text-form-features.js';

/** Functions over the rows that belong to each row. */
export const WINDOW_FEATURES: readonly DialectFeature[] = [
  {
    name: 'window functions',
    run: (db) =>
      model(db, Post)
        .select(
          'id',
          over(rowNumber(), { partitionBy: [post.authorId], orderBy: [post.views.desc('last')] }).as('place'),
        )
        .select(over(sum(post.views), { orderBy: [post.id.asc()] }).as('running'))
        .find(),
  },
  {
    name: 'a window that begins others',
    run: (db) =>
      model(db, Post)
        .select('id', over(countAll()).as('all'), over(rowNumber(), { orderBy: [post.id.asc()] }).as('place'))
        .select(over(sum(post.views), { partitionBy: [post.authorId] }).as('views'))
        .find(),
  },
];
