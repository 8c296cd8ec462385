import { model, type Database } from '../index.js';
import { Author, author, Post, post, Tag, tag } from './models.js';
import type { DialectFeature } from './text-form-features.js';

/** The titles of some posts. */
export const names = (db: Database) => model(db, Post).select(post.title.as('name')).where(post.views.gt(1));
/** The labels of tags, as if they were such titles. */
export const labels = (db: Database) => model(db, Tag).select(tag.label.as('name'));

/** Unions in unions. */
export const UNION_FEATURES: readonly DialectFeature[] = [
  {
    name: 'INTERSECT in UNION',
    run: (db) =>
      names(db)
        .union(labels(db).intersect(names(db)))
        .find(),
  },
  { name: 'UNION, and INTERSECT of both', run: (db) => names(db).union(labels(db)).intersect(names(db)).find() },
  {
    name: 'UNION with the first rows of a query',
    run: (db) => names(db).union(labels(db).orderBy(tag.label.asc()).limit(2)).find(),
  },
];

const written = (db: Database) =>
  model(db, Post)
    .innerJoin(Author, 'a', author.id.of('a').eq(post.authorId))
    .where(post.views.gt(9))
    .returning('id', author.email.of('a'));

/** Writes that give what joined rows hold. */
export const WRITE_FEATURES: readonly DialectFeature[] = [
  {
    name: 'an update that gives columns of joined rows',
    run: (db) => written(db).updateAll(post.views.set(0)),
  },
  { name: 'a delete that gives columns of joined rows', run: (db) => written(db).delete() },
];
