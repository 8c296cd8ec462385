import {
  cast,
  collate,
  jsonAgg,
  jsonAt,
  jsonObject,
  jsonObjectAgg,
  LockForUpdateSkipLocked,
  lower,
  model,
  stringAgg,
  type Database,
} from '../index.js';
import { TEMPORAL_FEATURES } from './temporal-features.js';
import { Author, author, Everything, everything, Post, post } from './models.js';

/** One feature of the ORM. */
export interface DialectFeature {
  readonly name: string;
  run(db: Database): Promise<unknown>;
}

/** What most features begin with. */
export const postIds = (db: Database) => model(db, Post).select('id');

/** Lists of texts, casts, collations, what is computed in queries, and locks of some tables. */
export const TEXT_FORM_FEATURES: readonly DialectFeature[] = [
  ...TEMPORAL_FEATURES,
  {
    name: 'what stands at a path of JSON',
    run: (db) =>
      model(db, Everything)
        .select('id', jsonAt(everything.meta, 'b', 0).as('first'))
        .find(),
  },
  {
    name: 'what is computed, in a query',
    run: (db) =>
      postIds(db)
        .where(lower(post.title).notIn(model(db, Author).select(lower(author.email).as('name'))))
        .find(),
  },
  {
    name: 'texts of many rows in one',
    run: (db) =>
      model(db, Post)
        .select('authorId', stringAgg(post.title, ', ', { orderBy: [post.views.desc(), post.id.asc()] }).as('titles'))
        .groupBy('authorId')
        .find(),
  },
  {
    name: 'JSON of many rows',
    run: (db) =>
      model(db, Post)
        .select(
          'authorId',
          jsonAgg(jsonObject({ id: post.id, title: post.title, deletedAt: post.deletedAt }), {
            where: post.views.gt(1),
            orderBy: [post.id.asc()],
          }).as('posts'),
          jsonObjectAgg(post.title, post.views).as('views'),
        )
        .groupBy('authorId')
        .find(),
  },
  {
    name: 'CAST',
    run: (db) =>
      postIds(db)
        .select(cast(post.title, 'int').as('whole'), cast(post.deletedAt, 'plainDate').as('day'))
        .where(cast(post.views, 'text').like('1%'))
        .find(),
  },
  { name: 'COLLATE', run: (db) => postIds(db).orderBy(collate(post.title, 'some_collation').asc()).find() },
  {
    name: 'FOR UPDATE OF',
    run: (db) =>
      postIds(db)
        .innerJoin(Author, 'a', author.id.of('a').eq(post.authorId))
        .lock(LockForUpdateSkipLocked, { of: ['posts'] })
        .find(),
  },
];
