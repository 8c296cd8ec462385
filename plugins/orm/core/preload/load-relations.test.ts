import { describe, expect } from '@jest/globals';
import { anyDatabase, anyDialect, openAny, test } from '../../contract/any-database.js';
import { Author, Post, PostTag, Profile, Tag, contractModels } from '../../contract/models.js';
import {
  belongsTo,
  db as column,
  model,
  open,
  table,
  withPlugins,
  type BelongsTo,
  type Database,
  type Dialect,
} from '../../index.js';
import { createMissingTables } from '../../schema/index.js';

@table('leaves')
class Leaf {
  @column('book,pk,type=string,size=20') book!: string;
  @column('leaf,pk,type=string,size=20') leaf!: string;
}

@table('marks')
class Mark {
  @column('id,pk,type=int') id!: number;
  @column('book,type=string,size=20') book!: string;
  @column('leaf,type=string,size=20,nullable') leaf!: string | null;
  @belongsTo(() => Leaf, { fk: ['book', 'leaf'], references: ['book', 'leaf'] }) page?: BelongsTo<Leaf>;
}

const AUTHORS = 5;
const numbers = Array.from({ length: AUTHORS }, (_, at) => at + 1);

// Preloading leaves room for 100 parameters of the query's own conditions, so this one has room for two keys.
const TWO_KEYS: Dialect = {
  ...anyDialect,
  capabilities: { ...anyDialect.capabilities, arrayParameters: false, maxParameters: 102 },
};

/** Five authors with a profile and two posts each, every post with two tags; and the statements that were sent since. */
async function blog(dialect: Dialect = anyDialect): Promise<{ db: Database; sent: string[] }> {
  const sent: string[] = [];
  const plugin = { name: () => 'seen', beforeExecute: (_context: unknown, sql: string) => void sent.push(sql) };
  const db = open(await anyDatabase(), dialect, withPlugins(plugin));
  await createMissingTables(db, contractModels);
  await model(db, Author).createBatch(numbers.map((id) => ({ email: `${id}@x`, age: id })));
  await model(db, Profile).createBatch(numbers.map((id) => ({ authorId: id, bio: `bio${id}` })));
  await model(db, Post).createBatch(
    numbers.flatMap((id) => ['a', 'b'].map((part) => ({ authorId: id, title: `${part}${id}`, views: id }))),
  );
  await model(db, Tag).createBatch([{ label: 'red' }, { label: 'blue' }]);
  const posts = Array.from({ length: AUTHORS * 2 }, (_, at) => at + 1);
  await model(db, PostTag).createBatch(posts.flatMap((postId) => [1, 2].map((tagId) => ({ postId, tagId }))));
  sent.length = 0;
  return { db, sent };
}

describe('the statements of a preload', () => {
  test.each<[string, number, (db: Database) => Promise<readonly object[]>]>([
    ['hasOne', 2, (db) => model(db, Author).preload('profile').find()],
    ['hasMany', 2, (db) => model(db, Author).preload('posts').find()],
    ['belongsTo', 2, (db) => model(db, Post).preload('author').find()],
    ['manyToMany', 2, (db) => model(db, Post).preload('tagged').find()],
    ['two relations', 3, (db) => model(db, Author).preload('profile').preload('posts').find()],
    ['a nested path', 3, (db) => model(db, Author).preload('posts.tagged').find()],
  ])('%s: one for the rows and one per relation and level, however many rows', async (_kind, statements, find) => {
    const { db, sent } = await blog();
    expect((await find(db)).length).toBeGreaterThanOrEqual(AUTHORS);
    expect(sent).toHaveLength(statements);
  });

  test('more parents than the dialect has parameters are asked for in chunks, and none is lost', async () => {
    const { db, sent } = await blog(TWO_KEYS);
    const found = await model(db, Author).orderBy({ column: 'id' }).preload('posts.tagged').find();
    // Two keys each: three statements for five authors, five for their ten posts.
    expect(sent.map((sql) => / FROM \W(\w+)/.exec(sql)?.[1])).toEqual([
      'authors',
      ...Array<string>(3).fill('posts'),
      ...Array<string>(5).fill('tags'),
    ]);
    expect(found.map(({ posts }) => posts.map(({ title }) => title))).toEqual(
      numbers.map((id) => [`a${id}`, `b${id}`]),
    );
    for (const { posts } of found)
      for (const { tagged } of posts) expect(tagged.map(({ label }) => label).sort()).toEqual(['blue', 'red']);
  });
});

test('a key of several columns with a null in it refers to nothing, whatever texts other keys have', async () => {
  const db = await openAny([Leaf, Mark]);
  await model(db, Leaf).create({ book: 'x', leaf: 'null' });
  await model(db, Mark).createBatch(['null', null].map((leaf, at) => ({ id: at + 1, book: 'x', leaf })));
  const marks = await model(db, Mark).orderBy({ column: 'id' }).preload('page').find();
  expect(marks.map(({ page }) => page)).toEqual([{ book: 'x', leaf: 'null' }, null]);
});
