import {
  and,
  arrayContained,
  arrayContains,
  arrayHas,
  arrayOverlaps,
  columnOf,
  cte,
  from,
  jsonNumber,
  model,
  modelInfoOf,
  percentileCont,
  percentileDisc,
} from '../index.js';
import { Everything, everything, Post, post } from './models.js';
import type { DialectFeature } from './text-form-features.js';

const tags = columnOf<Everything, 'tags', string[] | null>(modelInfoOf(Everything), 'tags');
const name = columnOf<Everything, 'name', string>(modelInfoOf(Everything), 'name');

/** What not every database has. */
export const OWN_WORDS_FEATURES: readonly DialectFeature[] = [
  {
    name: 'operators of arrays',
    run: (db) =>
      model(db, Everything)
        .select('id')
        .where(and(arrayContains(tags, ['a']), arrayContained(tags, ['a', 'b']), arrayOverlaps(tags, ['c'])))
        .where(arrayHas(tags, name))
        .find(),
  },
  {
    name: 'percentiles',
    run: (db) =>
      model(db, Post)
        .select(percentileCont(post.views, 0.5).as('median'), percentileDisc(post.views, 0.95).as('most'))
        .find(),
  },
  {
    name: 'places of JSON from the end',
    run: (db) =>
      model(db, Everything)
        .select('id')
        .where(jsonNumber(everything.meta, 'b', -1).gt(1))
        .find(),
  },
  {
    name: 'WITH, computed by itself',
    run: (db) => {
      const many = cte('many', model(db, Post).where(post.views.gt(9)).select('id'), { materialized: true });
      return from(db, many).find();
    },
  },
];
