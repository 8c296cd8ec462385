import { countAll, model, modulo, over, rowNumber, sum } from '../index.js';
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

/** Groups that are kept by what is not selected. */
export const GROUP_FEATURES: readonly DialectFeature[] = [
  {
    name: 'having of a computed value',
    run: (db) => {
      const rest = modulo(post.views, 2);
      return model(db, Post).select(countAll()).groupBy(rest).having(rest.eq(1)).find();
    },
  },
  {
    name: 'having of a column of a grouped key',
    run: (db) => model(db, Post).select(countAll()).groupBy('id').having(post.views.gt(9)).find(),
  },
];
