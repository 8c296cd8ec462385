import {
  and,
  arrayContained,
  arrayContains,
  arrayHas,
  arrayOverlaps,
  cte,
  from,
  jsonNumber,
  model,
  percentileCont,
  percentileDisc,
} from '../index.js';
import { columnsOf } from './model-columns.js';
import { Everything, everything, Post, post } from './models.js';
import type { DialectFeature } from './text-form-features.js';

const { tags, name } = columnsOf(Everything);

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
