import {
  columnOf,
  countAll,
  db,
  model,
  modelInfoOf,
  selectExpr,
  table,
  withPreloadLimit,
  type BelongsTo,
  type Column,
  type Database,
  type Decimal,
  type HasMany,
  type ManyToMany,
  type Int,
  type newRow,
  type countedKeys,
  type Uuid,
  type writeOnlyKeys,
} from '../../index.js';

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
  void model(on, Shelf).createBatch([{ id: 1, name: 'a' }], { keepKeys: true, timeout: 5 });
  // @ts-expect-error the database counts it
  void model(on, Shelf).createBatch([{ id: 1, name: 'a' }]);
  (await model(on, Shelf).first()).id satisfies number;

  const [narrow] = await model(on, Author).select('id', author.email, countAll().as('n')).find();
  narrow?.id satisfies number | undefined;
  narrow?.email satisfies string | undefined;
  narrow?.n satisfies number | undefined;
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
  query = query.innerJoin(Author, 'c', key);
  // @ts-expect-error but not one whose rows may be missing
  query = query.rightJoin(Author, 'd', key);
  void query;
}

export function picked<Key extends 'id' | 'title'>(on: Database, key: Key, keys: readonly Key[]): void {
  void model(on, Book).select(key);
  void model(on, Book).select(key, 'isbn');
  void model(on, Book).select(...keys);
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
  const later = await books.select('id').select(author.id.of('a'), countAll(), author.age.of('a').as('count')).first();
  // @ts-expect-error "id" was selected before
  later.id satisfies number;
  // @ts-expect-error "count" is selected twice
  later.count satisfies number;
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
