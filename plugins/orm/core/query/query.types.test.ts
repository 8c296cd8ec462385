import {
  add,
  and,
  caseWhen,
  cast,
  coalesce,
  collate,
  columnOf,
  concat,
  countAll,
  datePart,
  dateTrunc,
  db,
  derived,
  divide,
  excluded,
  exists,
  from,
  holds,
  lower,
  lag,
  max,
  model,
  modelInfoOf,
  multiply,
  not,
  or,
  over,
  recursive,
  rowNumber,
  scalar,
  selectExpr,
  jsonAgg,
  jsonObject,
  jsonObjectAgg,
  stringAgg,
  sum,
  table,
  textLength,
  tuple,
  value,
  withPreloadLimit,
  type BelongsTo,
  type Column,
  type Condition,
  type Database,
  type Decimal,
  type HasMany,
  type ManyToMany,
  type PlainDate,
  type Int,
  type Query,
  type UpsertBatchOptions,
  type newRow,
  type countedKeys,
  type primaryKeys,
  type tableName,
  type Uuid,
  type writeOnlyKeys,
} from '../../index.js';
import type { PlainRow } from '../model/relation-types.js';

// Checked by the compiler, never run: what must compile, and what must not.

@table('authors')
class Author {
  @db('id,pk,autoincrement') id!: Int;
  @db('email,unique') email!: string;
  @db('age') age!: Int | null;
  books?: HasMany<Book>;

  get domain(): string {
    return this.email;
  }
}

@table('books')
class Book {
  @db('id,pk,autoincrement') id!: Int;
  @db('title') title!: string;
  @db('author_id') authorId!: Int;
  @db('price') price!: Decimal | null;
  @db('sold') sold!: bigint;
  @db('isbn') isbn!: Uuid;
  @db('format') format!: 'paper' | 'audio';
  @db('published') published!: Date;
  @db('inStock') inStock!: boolean;
  @db('cover') cover!: Uint8Array;
  author?: BelongsTo<Author>;
  declare readonly [countedKeys]?: 'id';
}

@table('shelves')
class Shelf {
  @db('id,pk,autoincrement') id?: Int;
  @db('name') name!: string;
  books?: ManyToMany<Book>;
  // As generated code notes them.
  declare readonly [newRow]?: { name: string };
  declare readonly [countedKeys]?: 'id';
}

@table('parcels')
class Parcel {
  @db('id,pk') id!: Uuid;
  @db('weight') weight!: Int;
  // As generated code notes it.
  declare readonly [primaryKeys]?: 'id';
  declare readonly [tableName]?: { readonly [Key in typeof tableName | 'parcels']?: never };
}

@table('stamps')
class Stamp {
  @db('id,pk') id!: Uuid;
  @db('parcel') parcel!: Uuid;
  // As generated code notes it.
  declare readonly [tableName]?: { readonly [Key in typeof tableName | 'stamps']?: never };
}

const author = {
  id: columnOf<Author, 'id', number>(modelInfoOf(Author), 'id'),
  email: columnOf<Author, 'email', string>(modelInfoOf(Author), 'email'),
  age: columnOf<Author, 'age', number | null>(modelInfoOf(Author), 'age'),
};

const info = modelInfoOf(Book);
// As generated code writes them.
const book = {
  id: columnOf(info, 'id') as Column<Book, 'id', Book['id']>,
  title: columnOf(info, 'title') as Column<Book, 'title', Book['title']>,
  authorId: columnOf(info, 'authorId') as Column<Book, 'authorId', Book['authorId']>,
  price: columnOf(info, 'price') as Column<Book, 'price', Book['price']>,
  sold: columnOf(info, 'sold') as Column<Book, 'sold', Book['sold']>,
  isbn: columnOf(info, 'isbn') as Column<Book, 'isbn', Book['isbn']>,
  format: columnOf(info, 'format') as Column<Book, 'format', Book['format']>,
  published: columnOf(info, 'published') as Column<Book, 'published', Book['published']>,
  inStock: columnOf(info, 'inStock') as Column<Book, 'inStock', Book['inStock']>,
  cover: columnOf(info, 'cover') as Column<Book, 'cover', Book['cover']>,
};

const shelfId = columnOf(modelInfoOf(Shelf), 'id') as Column<Shelf, 'id', number>;
const shelfName = columnOf(modelInfoOf(Shelf), 'name') as Column<Shelf, 'name', string>;

export async function reads(on: Database): Promise<void> {
  const [row] = await model(on, Author).find();
  if (!row) return;
  row.email satisfies string;
  row.domain satisfies string;
  row.age satisfies number | null;
  // @ts-expect-error a relation that was not preloaded is not in the type
  void row.books;

  const [loaded] = await model(on, Author).preload('books.author').find();
  loaded?.books[0]?.title satisfies string | undefined;
  loaded?.books[0]?.author?.email satisfies string | undefined;
  // @ts-expect-error the path went one level deep, not two
  void loaded?.books[0]?.author?.books;
  // @ts-expect-error no such relation
  void model(on, Author).preload('bookz');
  // @ts-expect-error no such relation on the second level
  void model(on, Author).preload('books.writer');
  // @ts-expect-error a column is no relation
  void model(on, Author).preload('email');

  const [several] = await model(on, Book).preload('author', withPreloadLimit(1), 'author.books').find();
  several?.author?.books[0]?.title satisfies string | undefined;
  // @ts-expect-error the second path is wrong
  void model(on, Book).preload('author', 'author.bookz');
  // @ts-expect-error no relation goes through a join table
  void model(on, Author).attach({ id: 1 }, 'books', [1]);
  void model(on, Shelf).attach([{ id: 1 }], 'books', [1, { id: 2 }]);
  // @ts-expect-error a book has no such column
  void model(on, Shelf).sync({ id: 1 }, 'books', [{ colour: 'red' }]);

  void model(on, Shelf).create({ name: 'a' });
  // @ts-expect-error the database counts it
  void model(on, Shelf).create({ id: 1, name: 'a' });
  void model(on, Shelf).create({ id: 1, name: 'a' }, { keepKeys: true });
  // @ts-expect-error each row brings its key
  void model(on, Shelf).create({ name: 'a' }, { keepKeys: true });
  void model(on, Shelf).create({ name: lower('A') });
  // @ts-expect-error a length is no name
  void model(on, Shelf).create({ name: textLength('A') });
  // @ts-expect-error rows of a batch hold values
  void model(on, Shelf).createBatch([{ name: lower('A') }]);
  void model(on, Shelf).createBatch([{ id: 1, name: 'a' }], { keepKeys: true, timeout: 5 });
  // @ts-expect-error the database counts it
  void model(on, Shelf).createBatch([{ id: 1, name: 'a' }]);
  (await model(on, Shelf).first()).id satisfies number;

  const [narrow] = await model(on, Author).select('id', author.email, author.age.as('n')).find();
  narrow?.id satisfies number | undefined;
  narrow?.email satisfies string | undefined;
  narrow?.n satisfies number | null | undefined;
  // @ts-expect-error a column that was not selected is not in the type
  void narrow?.age;
  // @ts-expect-error no such column
  void model(on, Author).select('emial');

  (await model(on, Author).max('age')) satisfies number | null;
}

export function conditions(): void {
  author.email.eq('a@b');
  author.age.eq(null);
  author.id.eq(author.age);
  author.age.in([1, 2]);
  author.email.like('a%');
  // @ts-expect-error a number is no email
  author.email.eq(1);
  // @ts-expect-error a list of texts for a number
  author.age.in(['1']);
  // @ts-expect-error LIKE is for text
  author.age.like('1%');
  // @ts-expect-error columns of other types cannot be compared
  author.email.eq(author.id);
  // @ts-expect-error a column that is not nullable takes no null
  author.email.set(null);
  // @ts-expect-error only numbers count
  author.email.increment();
}

export async function joinedReturns(on: Database): Promise<void> {
  const joined = model(on, Book).innerJoin(Author, 'a', author.id.of('a').eq(book.authorId));
  const rows = await joined.returning('id', author.email.of('a'), author.age.of('a').as('age')).delete();
  rows satisfies { id: number; email: string; age: number | null }[];
  const stranger = model(on, Book).returning('id', author.email);
  // @ts-expect-error the column is of a table that is not joined
  void stranger.delete();
}

export async function computedUpdates(on: Database): Promise<void> {
  await model(on, Author)
    .where({ id: 1 })
    .updateAll(author.age.set(add(author.id, 1)));
  // @ts-expect-error a row holds values: what is computed is set by updateAll
  await model(on, Author).update({ id: 1, age: add(author.id, 1) });
  // @ts-expect-error nor one without a column
  await model(on, Author).save({ id: 1, age: add(1, 1) });
  type Refused = Extract<PlainRow<Author>['age'], { readonly appendValueTo: never }>['types']['value'];
  '' as Refused satisfies `${string}updateAll takes column.set(...)`;
}

export async function truths(on: Database): Promise<void> {
  void model(on, Book).where(value('a').eq(book.title)).where(value('paper').neq(book.format));
  void model(on, Book)
    .where(value(new Date()).lt(book.published))
    .where(value(5n).in([book.sold, add(book.sold, 1n)]));
  // @ts-expect-error a text is no number
  void model(on, Book).where(value('a').eq(book.id));
  // @ts-expect-error the column is of a table that is not joined
  void model(on, Author).where(value('a').eq(book.title)).find();
  void model(on, Author).where(author.age.isDistinctFrom(null)).where(author.age.isNotDistinctFrom(author.id));
  // @ts-expect-error a text is no age
  void model(on, Author).where(author.age.isDistinctFrom('a'));
  const [known] = await model(on, Author).select('id', holds(author.age.gt(1)).as('grown'), value('a').as('kind')).find(); // prettier-ignore
  known satisfies { id: number; grown: boolean | null; kind: 'a' } | undefined;
  const titled = holds(book.title.eq('a')).as('titled');
  // @ts-expect-error the condition names a column of a table that is not joined
  void model(on, Author).select(titled).find();
}

export function filters(on: Database): void {
  void model(on, Author).where({ email: 'a@b', age: null });
  void model(on, Author).where({ column: 'email', op: 'eq', value: 'a@b' });
  // @ts-expect-error no such column
  void model(on, Author).where({ emial: 'a@b' });
  // @ts-expect-error a number is no email
  void model(on, Author).where({ email: 1 });
  // @ts-expect-error the column is never null
  void model(on, Author).where({ email: null });
  // @ts-expect-error a relation is no column
  void model(on, Author).where({ books: [] });
}

export async function expressions(on: Database): Promise<void> {
  const key = author.id.of('a').eq(book.authorId);
  const row = await model(on, Book)
    .leftJoin(Author, 'a', key)
    .select(
      add(book.authorId, 1).as('next'),
      multiply(book.price, 2).as('twice'),
      add(book.sold, 1).as('more'),
      divide(book.authorId, 2).as('half'),
      concat(book.title, ' by ', author.email.of('a')).as('line'),
      caseWhen(book.inStock.eq(true), 'yes').as('maybe'),
      caseWhen(book.inStock.eq(true), 'yes').otherwise('no').as('surely'),
      coalesce(book.price, '0').as('price'),
      coalesce(author.age, author.age).as('age'),
      dateTrunc('month', book.published).as('month'),
      textLength(book.title).as('length'),
      scalar(model(on, Author).select('email')).as('mail'),
      over(rowNumber(), { partitionBy: [book.authorId], orderBy: [book.title.asc()] }).as('place'),
      over(lag(book.title), { orderBy: [book.id.asc()] }).as('before'),
    )
    .orderBy(lower(book.title).asc())
    .first();
  const all = await model(on, Book)
    .select(sum(book.sold).as('sum'), max(book.published).as('last'))
    .orderBy(countAll().desc())
    .first();
  row.next satisfies number;
  row.twice satisfies Decimal | null;
  row.more satisfies bigint;
  row.half satisfies number | null;
  row.line satisfies string | null;
  row.maybe satisfies 'yes' | null;
  row.surely satisfies 'yes' | 'no';
  row.price satisfies Decimal;
  row.age satisfies number | null;
  row.month satisfies Date;
  row.length satisfies number;
  all.sum satisfies bigint | null;
  all.last satisfies Date | null;
  row.mail satisfies string | null;
  row.place satisfies number;
  row.before satisfies string | null;
  // @ts-expect-error the first has none before it
  row.before satisfies string;
  // @ts-expect-error a place is none without a window
  rowNumber().as('n');
  // @ts-expect-error there may be no author
  row.line satisfies string;
  // @ts-expect-error nothing is chosen where nothing holds
  row.maybe satisfies string;
  // @ts-expect-error a book may have no price
  row.twice satisfies Decimal;
  // @ts-expect-error nothing is divided by zero
  row.half satisfies number;
  // @ts-expect-error a text is no number
  add(book.title, 1);
  // @ts-expect-error nor is a date
  multiply(2, book.published);
  // @ts-expect-error a number is no text
  lower(book.authorId);
  // @ts-expect-error nor is a decimal
  concat(book.title, book.price);
  // @ts-expect-error a text has no month
  datePart('month', book.title);
  // @ts-expect-error no such part
  datePart('week', book.published);
  // @ts-expect-error a length is no text
  textLength(book.title).eq('1');
  // @ts-expect-error a number matches no pattern
  textLength(book.title).like('1%');
  // @ts-expect-error one end is no interval
  textLength(book.title).between(1);
  // @ts-expect-error nor of a column
  book.authorId.between(1);
  // @ts-expect-error an expression has no name of its own
  model(on, Book).select(textLength(book.title));
  book.authorId.set(add(book.authorId, 1));
  book.authorId.set(author.id.of('a'));
  // @ts-expect-error an age may be null
  book.authorId.set(author.age);
  // @ts-expect-error a text for a number
  book.authorId.set(lower(book.title));
  book.authorId.eq(textLength(book.title));
  // @ts-expect-error a text is no number
  book.authorId.eq(lower(book.title));
  tuple(book.title, book.authorId).in([['a', 1]]);
  // @ts-expect-error in their order
  tuple(book.title, book.authorId).in([[1, 'a']]);
  // @ts-expect-error all of them
  tuple(book.title, book.authorId).in([['a']]);
}

export async function unions(on: Database): Promise<void> {
  const titles = model(on, Book).select(book.title.as('name'), book.id);
  const mails = model(on, Author).select(author.email.as('name'), author.id);
  (await titles.union(mails).orderBy({ column: 'name' }).first()).name satisfies string;
  void model(on, Book).unionAll(model(on, Book));
  const first = model(on, Book).select(value('book').as('kind'), value(1).as('place'), book.title.as('name'));
  const second = model(on, Author).select(value('author').as('kind'), author.id.as('place'), author.email.as('name'));
  const either = await first.union(second).orderBy({ column: 'name' }).first();
  either.kind satisfies 'book' | 'author';
  either.place satisfies number;
  (await first.except(second).first()).kind satisfies 'book';
  // @ts-expect-error a number is no text
  void first.union(model(on, Author).select(value(1).as('kind'), author.id.as('place'), author.email.as('name')));
  const begun = model(on, Book).select('id', value(0).as('depth'), value('').as('path'), value(true).as('top'), caseWhen(book.id.gt(1), 'a').otherwise('b').as('state')); // prettier-ignore
  const rows = recursive('rows', begun, (so) =>
    model(on, Book)
      .innerJoin(so, so.columns.id.eq(book.authorId))
      .select('id', add(so.columns.depth, 1).as('depth'), concat(so.columns.path, '/', book.title).as('path'), value(false).as('top'), so.columns.state)); // prettier-ignore
  const found = await from(on, rows).where(rows.columns.depth.lt(5)).where(rows.columns.path.like('a%')).first();
  found satisfies { id: number; depth: number; path: string; top: boolean; state: 'a' | 'b' };
  const priced = recursive('priced', model(on, Book).select('id', cast(book.id, 'decimal').as('cost')), (so) =>
    model(on, Book)
      .innerJoin(so, so.columns.id.eq(book.id))
      .select('id', add(so.columns.cost, so.columns.cost).as('cost')),
  );
  (await from(on, priced).first()).cost satisfies Decimal;
  // @ts-expect-error a text is no number
  void recursive('rows', begun, (so) => model(on, Book).innerJoin(so, so.columns.id.eq(book.id)).select('id', book.title.as('depth'), so.columns.path, so.columns.top, so.columns.state)); // prettier-ignore
  // @ts-expect-error other names
  void titles.union(model(on, Author).select('email', 'id'));
  // @ts-expect-error an age may be null
  void titles.except(model(on, Author).select(author.email.as('name'), author.age.as('id')));
  // @ts-expect-error rows of another model
  void model(on, Book).intersect(model(on, Author));
}

export function patterns(): void {
  book.title.contains('a');
  book.title.startsWith('a');
  book.title.endsWith('a');
  book.format.like('p%');
  book.price.eq('1.50');
  book.price.in(['1.50']);
  book.isbn.eq('6f9619ff-8b86-4011-b42d-00cf4fc964ff');
  author.email.of('a').ilike('A%');
  // @ts-expect-error a decimal is compared as a number
  book.price.like('1%');
  // @ts-expect-error nor has it a beginning
  book.price.startsWith('1');
  // @ts-expect-error a UUID is no text everywhere
  book.isbn.like('6f%');
  // @ts-expect-error nor in any case
  book.isbn.ilike('6f%');
  // @ts-expect-error a number is no text
  book.sold.contains('1');
  // @ts-expect-error nor is a date
  book.published.like('2024%');
}

export async function aggregates(on: Database): Promise<void> {
  const [row] = await model(on, Book)
    .select(book.price.sum(), book.price.avg(), book.sold.sum(), book.sold.avg(), book.id.sum(), book.inStock.max())
    .find();
  if (!row) return;
  row.price_sum satisfies Decimal | null;
  row.price_avg satisfies number | null;
  row.sold_sum satisfies bigint | null;
  row.sold_avg satisfies number | null;
  row.id_sum satisfies number | null;
  row.inStock_max satisfies boolean | null;
  // @ts-expect-error a sum of decimals is one
  row.price_sum satisfies number | null;
  // @ts-expect-error nothing is added up when there is nothing
  row.id_sum satisfies number;

  (await model(on, Book).sum('price')) satisfies Decimal | null;
  (await model(on, Book).sum('sold')) satisfies bigint | null;
  (await model(on, Book).sum('id')) satisfies number | null;
  (await model(on, Book).avg('price')) satisfies number | null;
  book.price.sum().between('1.5', '2.5');
  book.id.avg().neq(1.5);
  // @ts-expect-error a number loses digits of a decimal
  book.price.sum().gt(1.5);
  // @ts-expect-error texts have no sum
  book.title.sum();
  // @ts-expect-error nor by its name
  void model(on, Book).sum('title');
  // @ts-expect-error booleans have none either
  book.inStock.sum();
  // @ts-expect-error dates have no average
  void model(on, Book).avg('published');
  // @ts-expect-error bytes have no order
  book.cover.min();
}

export async function joins(on: Database): Promise<void> {
  const key = author.id.of('a').eq(book.authorId);
  const mail = author.email.of('a').as('mail');
  const left = await model(on, Book).leftJoin(Author, 'a', key).select('title', mail, author.age.of('a')).first();
  left.title satisfies string;
  left.mail satisfies string | null;
  left.age satisfies number | null;
  // @ts-expect-error there may be no author
  left.mail satisfies string;

  const inner = await model(on, Book).innerJoin(Author, 'a', key).select('title', mail, author.email).first();
  [inner.title, inner.mail, inner.email] satisfies string[];
  const cross = await model(on, Book).crossJoin(Author, 'a').select(mail, 'id').first();
  [cross.mail] satisfies string[];

  const right = await model(on, Book).rightJoin(Author, 'a', key).select(book.title, mail, author.email).first();
  [right.mail, right.email] satisfies string[];
  // @ts-expect-error there may be no book
  right.title satisfies string;
  const whole = await model(on, Book).rightJoin(Author, 'a', key).first();
  whole.title satisfies string | null;
  // @ts-expect-error nor any of its columns
  whole.title satisfies string;

  const full = await model(on, Book).fullJoin(Author, 'a', key).select('title', mail).first();
  // @ts-expect-error there may be no book
  full.title satisfies string;
  // @ts-expect-error or no author
  full.mail satisfies string;

  const several = await model(on, Book)
    .leftJoin(Author, 'a', key)
    .innerJoin(Book, 'b', book.id.of('b').eq(book.id))
    .select(mail, book.title.of('b').as('other'))
    .first();
  several.other satisfies string;
  // @ts-expect-error the inner join finds one, the left join may not
  several.mail satisfies string;
  const late = await model(on, Book).select('title', mail).leftJoin(Author, 'a', key).first();
  late.title satisfies string;
  // @ts-expect-error a join may follow
  late.mail satisfies string;

  // A query with another join can stand for one without.
  let query = model(on, Book);
  query = query.leftJoin(Author, 'a', key);
  query = query.innerJoin(Author, 'c', author.id.of('c').eq(book.authorId));
  // @ts-expect-error but not one whose rows may be missing
  query = query.rightJoin(Author, 'd', key);
  void query;
}

export function picked<Key extends 'id' | 'title'>(on: Database, key: Key, keys: readonly Key[]): void {
  void model(on, Book).select(key);
  void model(on, Book).select(key, 'isbn');
  void model(on, Book).select(...keys);
}

export async function textForms(on: Database): Promise<void> {
  const books = model(on, Book);
  const row = await books
    .select(
      cast(book.id, 'text').as('a'),
      cast(book.title, 'int').as('b'),
      cast(book.price, 'float').as('c'),
      cast(book.published, 'plainDate').as('d'),
      cast(book.sold, 'int').as('e'),
      collate(book.title, 'C').as('f'),
    )
    .first();
  row.a satisfies string;
  row.b satisfies number | null;
  // @ts-expect-error a text may be no number
  row.b satisfies number;
  row.c satisfies number | null;
  row.d satisfies PlainDate;
  row.e satisfies number;
  row.f satisfies string;
  // @ts-expect-error doubles and decimals are written as texts in many ways
  cast(book.price, 'text');
  // @ts-expect-error so are moments
  cast(book.published, 'text');
  // @ts-expect-error and whether something holds
  cast(book.inStock, 'int');
  // @ts-expect-error a number has no collation
  collate(book.id, 'C');
  const titles = stringAgg(book.title, ', ', { orderBy: [book.id.desc()], where: book.id.gt(1) });
  (await books.select('authorId', titles.as('titles')).groupBy('authorId').first()).titles satisfies string | null;
  // @ts-expect-error the list is of texts
  stringAgg(book.id, ', ');
  // @ts-expect-error "title" is beside a list of all titles
  void books.select('title', titles.as('titles')).find();
  // @ts-expect-error its order names "age" of a table that is not joined
  void books.select(stringAgg(book.title, ', ', { orderBy: [author.age.asc()] }).as('titles')).find();
  // @ts-expect-error as does its condition
  void books.select(stringAgg(book.title, ', ', { where: author.age.gt(1) }).as('titles')).find();
  // @ts-expect-error and what is cast
  void books.where(cast(author.age, 'text').eq('1')).find();
  const facts = jsonObject({ id: book.id, title: book.title, at: value(new Date()), by: author.age.of('a') });
  const list = jsonAgg(facts, { orderBy: [book.id.asc()] });
  const listed = books.leftJoin(Author, 'a', author.id.of('a').eq(book.authorId)).select(list.as('list'));
  (await listed.first()).list satisfies { id: number; title: string; at: string; by: number | null }[];
  (await books.select(jsonObjectAgg(book.title, book.id).as('ids')).first()).ids satisfies Record<string, number>;
  // @ts-expect-error an "at" of JSON is a text
  (await listed.first()).list satisfies { at: Date }[];
  // @ts-expect-error "age" is of a table that is not joined
  void books.select(jsonAgg(jsonObject({ age: author.age })).as('list')).find();
  // @ts-expect-error as is what it is ordered by
  void books.select(jsonAgg(book.id, { orderBy: [author.age.asc()] }).as('list')).find();
  // @ts-expect-error "title" is beside a list of all books
  void books.select('title', jsonAgg(facts).as('list')).find();
  // @ts-expect-error members of JSON have names that are texts
  jsonObjectAgg(book.id, book.title);
  const names = model(on, Author).select(lower(author.email).as('name'));
  void books.where(lower(book.title).in(names)).find();
  void books.where(lower(book.title).notIn(names)).updateAll(book.title.set('x'));
  // @ts-expect-error neither the query nor the one around it has "name" of a shelf
  void books.where(lower(book.title).in(names.where(shelfName.eq('x')))).find();
  // @ts-expect-error a text is no list
  void books.where(lower(book.title).in('abc')).find();
  void books.lock('update', { of: ['books'] });
  // @ts-expect-error a lock is of tables
  void books.lock('update', { from: ['books'] });
}

export function writesOfOtherTables(on: Database): void {
  const books = model(on, Book);
  const book1 = { title: 'a', authorId: 1, price: '1' as Decimal };
  void books.create({ ...book1, authorId: add(1, 2) });
  void books.create({ ...book1, authorId: coalesce(scalar(model(on, Author).select(max(author.id).as('id'))), 0) });
  // @ts-expect-error a new row has no "age" of an author
  void books.create({ ...book1, authorId: add(author.id, 1) });
  // @ts-expect-error nor one of its own, which is not there yet
  void books.create({ ...book1, authorId: add(book.authorId, 1) });
  // @ts-expect-error nor inside a query that stands for a value
  void books.create({ ...book1, authorId: coalesce(scalar(model(on, Author).select('id').where(author.id.eq(book.id))), 0) }); // prettier-ignore
  // @ts-expect-error many rows have one statement, in which nothing is computed
  void books.createBatch([{ ...book1, authorId: add(1, 2) }]);
  // @ts-expect-error nor is it in an upsert
  void books.upsert({ ...book1, authorId: add(1, 2) });

  const rows = [book1];
  void books.upsertBatch(rows, { update: ['title'], set: [book.authorId.set(add(book.authorId, excluded(book.authorId)))], where: excluded(book.price).gt(book.price) }); // prettier-ignore
  void books.upsertBatch(rows, { set: [book.title.set('x'), book.authorId.increment(1)] });
  void books.upsertBatch(rows, { conflict: 'title' });
  void books.upsertBatch(rows);
  const given: UpsertBatchOptions = { set: [book.title.set('x')], where: book.id.gt(1) };
  void books.upsertBatch(rows, given);
  // @ts-expect-error column "age" is of another table
  void books.upsertBatch(rows, { set: [author.age.set(1)] });
  // @ts-expect-error also beside one of its own
  void books.upsertBatch(rows, { set: [book.title.set('x'), author.age.set(1)] });
  // @ts-expect-error as what a column is set to
  void books.upsertBatch(rows, { set: [book.authorId.set(author.id)] });
  // @ts-expect-error inside of what it is set to
  void books.upsertBatch(rows, { set: [book.authorId.set(add(author.id, excluded(book.id)))] });
  // @ts-expect-error of the new row there is none of it either
  void books.upsertBatch(rows, { set: [book.authorId.set(excluded(author.id))] });
  // @ts-expect-error in a condition
  void books.upsertBatch(rows, { where: author.age.gt(3) });
  // @ts-expect-error on either side
  void books.upsertBatch(rows, { where: excluded(book.id).gt(excluded(author.id)) });

  const twins = books.innerJoin(Book, 'b', book.id.of('b').eq(book.authorId));
  void twins.updateAll(book.title.set(book.title.of('b')));
  // @ts-expect-error "title" of "b" is of a joined table, which an update does not write
  void twins.updateAll(book.title.of('b').set('x'));
  // @ts-expect-error nor counts on
  void twins.updateAll(book.authorId.of('b').increment(1));
}

export async function names(on: Database): Promise<void> {
  const books = model(on, Book).innerJoin(Author, 'a', author.id.of('a').eq(book.authorId));
  const fine = await books.select('id', author.id.of('a').as('author')).select(selectExpr('1', 'one')).first();
  [fine.id, fine.author] satisfies number[];
  void books.select(selectExpr('count(*)'), selectExpr('max(id)'));

  const twice = await books.select('title', 'id', author.id.of('a')).first();
  twice.title satisfies string;
  // @ts-expect-error "id" is selected twice
  twice.id satisfies number;
  const later = await books
    .select('id')
    .select(author.id.of('a'), author.age.of('a').as('count'), 'title', book.title.as('count'))
    .first();
  // @ts-expect-error "id" was selected before
  later.id satisfies number;
  // @ts-expect-error "count" is selected twice
  later.count satisfies number;
}

export function refusals(on: Database): void {
  const ofAuthor = author.id.of('a').eq(book.authorId);
  // @ts-expect-error column "age" is of a table that is not joined
  void model(on, Book).where(author.age.gt(3)).find();
  // @ts-expect-error nor is that of a comparison's other side, which "id" is of
  void model(on, Book).where(book.authorId.eq(author.id)).first();
  // @ts-expect-error nor under a name that no join gives
  void model(on, Book).where(author.age.of('a').isNull()).count();
  // @ts-expect-error nor deep inside
  void model(on, Book)
    .where(or(book.id.eq(1), not(and(book.id.gt(3), author.age.in([1])))))
    .exists();
  // @ts-expect-error nor as an operand of an expression
  void model(on, Book).where(add(author.age, 1).gt(3)).delete();
  // @ts-expect-error which a write that has lost it would do to all rows
  void model(on, Book).where(author.age.between(1, 2)).updateAll(book.title.set('x'));
  // A join brings it, before or behind, whatever its kind and whoever it is named by.
  void model(on, Book).leftJoin(Author, 'a', ofAuthor).where(author.age.of('a').gt(3)).find();
  void model(on, Book).where(author.age.gt(3)).innerJoin(Author, 'a', ofAuthor).find();
  void model(on, Book)
    .rightJoin(Author, 'a', ofAuthor)
    .where(or(author.age.gt(3), book.id.isNull()))
    .find();
  void model(on, Book).fullJoin(Author, 'a', ofAuthor).where(author.age.of('a').gt(book.authorId)).find();
  // @ts-expect-error one of another name does not
  void model(on, Book).innerJoin(Author, 'b', ofAuthor).where(author.age.of('a').gt(3)).find();
  // A query in the place of a value sees the tables around it, and none else.
  const hers = model(on, Book).where(book.authorId.eq(author.id));
  void model(on, Author).where(exists(hers)).find();
  void model(on, Author)
    .where(not(exists(hers.where(book.title.eq('x')))))
    .find();
  void model(on, Author)
    .select('id', scalar(hers.select(countAll())).as('books'))
    .find();
  void model(on, Author)
    .where(author.id.in(hers.select('authorId')))
    .find();
  // @ts-expect-error a shelf is not among them, so "id" is of nothing
  void model(on, Shelf).where(exists(hers)).find();
  // @ts-expect-error by itself it is of nothing either
  void hers.find();
  // A name is that of the table around it, or of a join of that query, as far as generated code notes what tables are called.
  const parcelId = columnOf(modelInfoOf(Parcel), 'id') as Column<Parcel, 'id', Uuid>;
  const weight = columnOf(modelInfoOf(Parcel), 'weight') as Column<Parcel, 'weight', number>;
  const parcelOf = columnOf(modelInfoOf(Stamp), 'parcel') as Column<Stamp, 'parcel', Uuid>;
  const later = model(on, Parcel).as('later');
  const parcels = model(on, Parcel);
  const stamps = model(on, Stamp);
  void parcels.where(exists(later.where(weight.gt(weight.of('parcels'))))).find();
  void parcels
    .select('id', scalar(stamps.where(parcelOf.eq(parcelId.of('parcels'))).select(countAll())).as('n'))
    .find();
  void stamps
    .innerJoin(Parcel, 'p', parcelId.of('p').eq(parcelOf))
    .where(exists(later.where(weight.gt(weight.of('p')))))
    .find();
  // Through a query between them.
  const deep = later.where(exists(stamps.where(parcelOf.eq(parcelId.of('parcels')))));
  void parcels.where(exists(deep)).find();
  // What is not known to be called anything may be called that.
  void model(on, Book)
    .where(exists(later.where(weight.gt(weight.of('books')))))
    .find();
  // @ts-expect-error "nowhere" of column "weight" names no table
  void parcels.where(exists(later.where(weight.gt(weight.of('nowhere'))))).find();
  // @ts-expect-error nor through a query between them
  void stamps.where(exists(deep)).find();
  // @ts-expect-error nor by itself
  void deep.find();
  // @ts-expect-error nor in a list, a join, an order, what is selected, an update
  void parcels.where(parcelId.in(stamps.where(parcelOf.eq(parcelId.of('nowhere'))).select('parcel'))).find();
  const lost = scalar(stamps.where(parcelOf.eq(parcelId.of('nowhere'))).select(countAll()));
  // @ts-expect-error the same
  void stamps.innerJoin(Parcel, 'p', parcelId.of('p').eq(parcelOf)).where(coalesce(lost, 1).gt(2)).find();
  // @ts-expect-error the same
  void parcels.orderBy(lost.asc()).find();
  // @ts-expect-error the same
  void parcels.select('id', lost.as('n')).find();
  // @ts-expect-error the same
  void parcels.select(sum(lost).as('n')).find();
  // @ts-expect-error the same
  void parcels.select(countAll()).groupBy(lost).find();
  // @ts-expect-error the same
  void parcels.select('id', over(sum(lost), { partitionBy: [parcelId] }).as('n')).find();
  // @ts-expect-error the same
  void parcels.updateAll(weight.set(coalesce(lost, 1)));
  // @ts-expect-error the same
  void parcels.select(caseWhen(lost.gt(3), 'a').otherwise('b').as('kind')).find();

  // What is only known to be a condition may be anything.
  const some: Condition[] = [author.age.gt(3)];
  void model(on, Book)
    .where(and(...some))
    .find();
  let open: Query<Book, unknown> = model(on, Book);
  open = open.where(author.age.gt(3));
  void open.innerJoin(Author, 'a', ofAuthor).find();

  // @ts-expect-error "title" is not what groups are made by
  void model(on, Book).select('authorId', 'title', countAll()).groupBy('authorId').find();
  void model(on, Book).distinctOn('authorId', lower(book.title)).orderBy(book.title.asc()).find();
  // @ts-expect-error column "age" among what rows are told apart by
  void model(on, Book).distinctOn(author.age).find();
  // @ts-expect-error inside a value among them
  void model(on, Book).distinctOn(lower(author.name)).find();
  // @ts-expect-error nor without any groups beside an aggregate
  void model(on, Book).select(book.title, book.price.max()).first();
  // @ts-expect-error nor is it under another name
  void model(on, Book).select(book.title.as('name'), countAll()).groupBy(book.authorId).find();
  // @ts-expect-error nor beside groups of a value
  void model(on, Book).select('title').groupBy(lower(book.title)).find();
  void model(on, Book).groupBy(book.authorId).select('authorId', countAll()).find();
  // A group of one row has one of everything in it.
  void model(on, Shelf).select('id', 'name', countAll()).groupBy('id').find();
  // @ts-expect-error a name is no key: "id" is many
  void model(on, Shelf).select('id', 'name', countAll()).groupBy('name').find();
  const shelves = model(on, Book).innerJoin(Shelf, 's', shelfId.of('s').eq(book.id));
  void shelves.select(shelfName.of('s'), countAll()).groupBy(shelfId.of('s')).find();
  // @ts-expect-error but not of the book
  void shelves.select(shelfName.of('s'), 'title', countAll()).groupBy(shelfId.of('s')).find();

  // What groups are ordered and kept by has one value in each, too, wherever it stands.
  const grouped = model(on, Book).select('authorId', countAll().as('n')).groupBy('authorId');
  void grouped.orderBy(book.authorId.asc(), countAll().desc(), book.sold.sum().desc(), { column: 'n' }).find();
  void grouped.having(and({ authorId: 1 }, book.sold.sum().gt(3n), or(countAll().gt(1), book.authorId.gt(2)))).find();
  void model(on, Book).orderBy(book.authorId.asc()).having(book.authorId.gt(1)).select(countAll()).groupBy('authorId').find(); // prettier-ignore
  // @ts-expect-error groups are ordered by column "title"
  void grouped.orderBy(book.title.asc()).find();
  // @ts-expect-error behind one that they are made by
  void grouped.orderBy(book.authorId.asc(), book.title.desc('last')).first();
  // @ts-expect-error before the groups are made
  void model(on, Book).orderBy(book.title.asc()).select('authorId').groupBy('authorId').find();
  // @ts-expect-error inside a value
  void grouped.orderBy(lower(book.title).asc()).find();
  // @ts-expect-error in a choice
  void grouped.orderBy(caseWhen(book.title.eq('a'), 1).otherwise(2).asc()).find();
  // @ts-expect-error groups are kept by column "title"
  void grouped.having(book.title.eq('a')).find();
  // @ts-expect-error deep inside
  void grouped.having(or(countAll().gt(1), not(and(book.title.eq('a'), book.authorId.gt(1))))).count();
  // @ts-expect-error inside a value
  void grouped.having(lower(book.title).eq('a')).find();
  // @ts-expect-error by its name in an object
  void grouped.having(or({ title: 'a' }, countAll().gt(1))).find();
  // @ts-expect-error before the groups are made
  void model(on, Book).having(book.title.eq('a')).select('authorId').groupBy('authorId').exists();
  // @ts-expect-error without groups all rows are one
  void model(on, Book).select(countAll()).having(book.title.eq('a')).find();
  // @ts-expect-error of which "title" is many
  void model(on, Book).select('title').having(countAll().gt(1)).find();
  // @ts-expect-error in a query that stands for a table
  void derived('d', grouped.orderBy(book.title.asc()).limit(3));
  void grouped.innerJoin(Author, 'a', ofAuthor).orderBy(author.age.of('a').max().asc()).find();
  // @ts-expect-error of a joined table
  void grouped.innerJoin(Author, 'a', ofAuthor).orderBy(author.age.of('a').asc()).find();
  // The values that they are made by, and all of a table by whose key they are made.
  const initial = lower(book.title);
  void model(on, Book).select(initial.as('t')).groupBy(initial).having(initial.gt('a')).orderBy(initial.desc()).find();
  // @ts-expect-error but not the column that a value is of
  void model(on, Book).select(initial.as('t')).groupBy(initial).orderBy(book.title.asc()).find();
  void model(on, Shelf).select('id').groupBy('id').having(shelfName.eq('a')).orderBy(shelfName.asc(), lower(shelfName).desc()).find(); // prettier-ignore
  // @ts-expect-error a name is no key
  void model(on, Shelf).select('name').groupBy('name').orderBy(shelfId.asc()).find();
  // One row is in any order, and rows that are not counted together too.
  void model(on, Book).select(countAll()).orderBy(book.title.asc()).find();
  void model(on, Book).select('id').orderBy(book.title.asc()).find();
  let kept = model(on, Book);
  kept = kept.orderBy(book.title.asc()).where(book.id.gt(1)).orderBy({ column: 'id' });
  void kept.select('authorId').find();

  // The same in the other places that name columns.
  // @ts-expect-error column "age" in an order
  void model(on, Book).orderBy(book.id.asc(), author.age.desc()).find();
  // @ts-expect-error inside a value in an order
  void model(on, Book).orderBy(add(author.age, 1).asc()).find();
  // @ts-expect-error under a name that no join gives
  void model(on, Book).orderBy(author.age.of('a').asc()).first();
  void model(on, Book).orderBy(author.age.of('a').asc(), { column: 'id' }).leftJoin(Author, 'a', ofAuthor).first();
  void model(on, Author)
    .where(exists(hers.orderBy(author.age.asc())))
    .find();
  // @ts-expect-error column "age" in a condition on groups
  void model(on, Book).select('authorId', countAll()).groupBy('authorId').having(author.age.gt(3)).find();
  // @ts-expect-error inside an aggregate
  void model(on, Book).select('authorId', countAll()).groupBy('authorId').having(author.age.sum().gt(3)).find();
  // @ts-expect-error in an order by an aggregate of a value
  void model(on, Book).select('authorId').groupBy('authorId').orderBy(max(author.age).asc()).find();
  void model(on, Book).select('authorId').groupBy('authorId').having(book.sold.sum().gt(3n)).find();
  // @ts-expect-error column "age" is selected
  void model(on, Book).select('id', author.age).find();
  // @ts-expect-error and what is computed of it
  void model(on, Book).select('id', add(author.age, 1).as('next')).find();
  // @ts-expect-error and what groups are made by
  void model(on, Book).select(countAll()).groupBy(author.age).find();
  // @ts-expect-error "name" of the condition of a join
  void model(on, Book)
    .innerJoin(Author, 'a', shelfName.eq(author.email.of('a')))
    .find();
  // @ts-expect-error of a join that stands behind
  void model(on, Book)
    .leftJoin(Shelf, 's', shelfName.of('s').eq(author.email.of('a')))
    .find();
  void model(on, Book)
    .leftJoin(Author, 'a', ofAuthor)
    .leftJoin(Shelf, 's', shelfName.of('s').eq(author.email.of('a')))
    .find();
  // @ts-expect-error column "age" decides about a choice
  void model(on, Book)
    .select(caseWhen(author.age.gt(3), 'old').otherwise('new').as('age'))
    .find();
  // @ts-expect-error in its second condition
  void model(on, Book)
    .where(caseWhen(book.id.eq(1), 1).when(author.age.gt(3), 2).otherwise(3).eq(1))
    .find();
  // @ts-expect-error a write that gives rows back
  void model(on, Book).returning('id', author.age).delete();
  // @ts-expect-error column "age" of what an update assigns
  void model(on, Book).updateAll(book.title.set('x'), book.authorId.set(add(author.age, 1)));
  // @ts-expect-error by itself
  void model(on, Book).where({ id: 1 }).updateAll(book.authorId.set(author.id), { timeout: 5 });
  // @ts-expect-error under a name that no join gives
  void model(on, Book)
    .innerJoin(Author, 'b', ofAuthor)
    .updateAll(book.authorId.set(author.id.of('a')));
  void model(on, Book)
    .innerJoin(Author, 'a', ofAuthor)
    .updateAll(book.authorId.set(author.id.of('a')));
  // @ts-expect-error in a choice
  void model(on, Book).updateAll(book.title.set(caseWhen(author.age.gt(3), 'a').otherwise('b')));
  // @ts-expect-error inside a query in the place of a value
  void model(on, Shelf).updateAll(shelfName.set(coalesce(scalar(hers.select('title')), '')));
  void model(on, Author).updateAll(author.email.set(coalesce(scalar(hers.select('title')), '')));
  // @ts-expect-error where rows are given back
  void model(on, Book).returning('id').updateAll(book.authorId.set(author.id));
  // @ts-expect-error "title" is of another table than the one that is written
  void model(on, Author).updateAll(book.title.set('x'));
  // @ts-expect-error which a count is too
  void model(on, Author).returning().updateAll(author.age.set(1), book.authorId.increment(), { timeout: 5 });
  // @ts-expect-error column "age" of a window's rows that belong together
  void model(on, Book).select(over(rowNumber(), { partitionBy: [book.id, author.age], orderBy: [book.id.asc()] }).as('n')).find(); // prettier-ignore
  // @ts-expect-error of its order
  void model(on, Book)
    .select(over(rowNumber(), { orderBy: [author.age.asc()] }).as('n'))
    .find();
  // @ts-expect-error of its aggregate
  void model(on, Book)
    .select(over(author.age.sum(), { partitionBy: [book.id] }).as('n'))
    .find();
  // @ts-expect-error of the rows that an aggregate is of
  void model(on, Book)
    .select(sum(book.sold, { where: author.age.gt(3) }).as('n'))
    .find();
  void model(on, Book)
    .select(sum(book.sold, { where: book.inStock.eq(true), distinct: true }).as('n'))
    .find();
  // @ts-expect-error of the row before, in an order
  void model(on, Book)
    .orderBy(over(lag(author.age), { orderBy: [book.id.asc()] }).desc())
    .find();
  // @ts-expect-error under a name that no join gives
  void model(on, Book)
    .select('id', over(sum(author.age.of('a'))).as('n'))
    .find();
  const window = { partitionBy: [author.age.of('a')], orderBy: [lower(author.email.of('a')).desc()] };
  void model(on, Book).innerJoin(Author, 'a', ofAuthor).select(over(countAll(), window).as('n')).find();
  // @ts-expect-error one that lost a table in its condition
  void model(on, Book).where(author.age.gt(3)).returning().updateAll(book.title.set('x'));
  void model(on, Book).where({ id: 1 }).returning('id').updateAll(book.title.set('x'));

  // @ts-expect-error "title" is not what the groups of a query in FROM are made by
  void derived('d', model(on, Book).select('title', countAll()));
  // @ts-expect-error nor of one in the place of a value
  void scalar(model(on, Book).select('title').groupBy('authorId'));
  // @ts-expect-error nor of one that a condition looks into
  void model(on, Author).where(author.email.in(model(on, Book).select('title').groupBy('authorId')));
  void model(on, Author).where(author.age.in(model(on, Book).select('authorId').where(book.title.eq(author.email))));
  void model(on, Author).where(lower(author.email).in(model(on, Book).select(lower(book.title).as('word'))));
  // @ts-expect-error a number is no text
  void model(on, Author).where(author.email.in(model(on, Book).select('authorId')));
  // @ts-expect-error nor are two of them
  void model(on, Author).where(author.email.notIn(model(on, Book).select('title', 'authorId')));
  // @ts-expect-error nor where the database computes it
  void model(on, Author).where(lower(author.email).in(model(on, Book).select('authorId')));
  // @ts-expect-error nor beside one value
  void model(on, Author).where(author.email.eq(model(on, Book).select('authorId').limit(1)));
  // @ts-expect-error nor of the other one of a union
  void model(on, Author)
    .select(author.email.as('n'))
    .union(model(on, Book).select(book.title.as('n')).groupBy('authorId'))
    .find();
  // @ts-expect-error "title" is not what the groups are made by, however it is shown
  void model(on, Book).select('authorId', lower(book.title).as('t')).groupBy('authorId').find();
  // @ts-expect-error nor beside an aggregate without groups
  void model(on, Book)
    .select(lower(book.title).as('t'), divide(sum(book.id), 2).as('half'))
    .find();
  void model(on, Book).select(lower(book.title).as('t'), countAll()).groupBy('title').find();
  const letter = lower(book.title);
  void model(on, Book).select(letter.as('t'), add(book.id.max(), 1).as('next')).groupBy(letter).find();
  void model(on, Shelf).select('id', lower(shelfName).as('n'), countAll()).groupBy('id').find();
  // What is a window makes no groups, and neither does a query of its own.
  void model(on, Book)
    .select('title', over(sum(book.sold), { partitionBy: [book.authorId] }).as('s'))
    .find();
  void model(on, Author)
    .select('email', scalar(hers.select(countAll())).as('n'))
    .find();
  // A key that the database does not count is one too.
  void model(on, Parcel).select('id', 'weight', countAll()).groupBy('id').find();
  // @ts-expect-error "id" is many where groups are made by "weight"
  void model(on, Parcel).select('id', 'weight', countAll()).groupBy('weight').find();

  // @ts-expect-error between of "authorId" takes two values
  void model(on, Book).where(book.authorId.between(1)).find();

  void model(on, Book)
    .where(or({ title: 'a' }, and({ authorId: 1, price: null }, book.sold.gt(1n)), not({ id: 3 })))
    .find();
  // @ts-expect-error no such column
  void model(on, Book)
    .where(or({ titel: 'a' }, book.id.eq(1)))
    .find();
  // @ts-expect-error a number is no title
  void model(on, Book)
    .where(or({ title: 1 }, { id: 1 }))
    .find();
  // @ts-expect-error the column is never null
  void model(on, Book)
    .where(not({ title: null }))
    .find();
}

export async function writes(on: Database): Promise<void> {
  await model(on, Author).create({ email: 'a@b' });
  // @ts-expect-error no such column
  await model(on, Author).create({ emial: 'a@b' });
  // @ts-expect-error a number is no email
  await model(on, Author).create({ email: 1 });
  await model(on, Author).updateAll(author.age.set(1), { column: 'email', value: 'x' }, { timeout: 5 });
  // @ts-expect-error no such option
  await model(on, Author).updateAll(author.age.set(1), { timeOut: 5 });
  // @ts-expect-error relations are written on their own
  await model(on, Author).create({ email: 'a@b', books: [] });
}

// As generated code declares it.
interface NewNote {
  id?: Int | undefined;
  text?: string | null | undefined;
  pin?: string | undefined;
}

@table('notes')
class Note {
  declare readonly [newRow]?: NewNote;
  declare readonly [writeOnlyKeys]?: 'pin';
  @db('id,pk,autoincrement') id!: Int;
  @db('text') text?: string | null;
  @db('pin') pin?: string;
  shown?: boolean;
  lines?: HasMany<Book>;

  get isLong(): boolean {
    return (this.text ?? '').length > 80;
  }
}

export async function optionalColumns(on: Database): Promise<void> {
  const [note] = await model(on, Note).find();
  note?.text satisfies string | null | undefined;
  const read = await model(on, Note).first();
  read.text satisfies string | null;
  read.isLong satisfies boolean;
  read satisfies Note;
  // @ts-expect-error it is no column, so a row need not have it
  read.shown satisfies boolean;
  // @ts-expect-error it is never read
  read.pin satisfies string;
  // @ts-expect-error it was not preloaded
  void read.lines;
  (await model(on, Note).preload('lines').first()).text satisfies string | null;
  (await model(on, Note).select('text').first()).text satisfies string | null;
  (await model(on, Note).create({ text: null })).text satisfies string | null;
  // @ts-expect-error an update names no more than it was given
  (await model(on, Note).update({ id: 1 })).text satisfies string | null;
}

export class Tags {
  @db('a,pk,autoincrement,default=1,size=3') a!: string;
  // @ts-expect-error unknown option "primary"
  @db('b,primary') b!: string;
}
