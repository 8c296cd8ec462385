import {
  columnOf,
  countAll,
  db,
  model,
  modelInfoOf,
  table,
  type BelongsTo,
  type Database,
  type HasMany,
  type Int,
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
  author?: BelongsTo<Author>;
}

const author = {
  id: columnOf<Author, 'id', number>(modelInfoOf(Author), 'id'),
  email: columnOf<Author, 'email', string>(modelInfoOf(Author), 'email'),
  age: columnOf<Author, 'age', number | null>(modelInfoOf(Author), 'age'),
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

export async function writes(on: Database): Promise<void> {
  await model(on, Author).create({ email: 'a@b' });
  // @ts-expect-error no such column
  await model(on, Author).create({ emial: 'a@b' });
  // @ts-expect-error a number is no email
  await model(on, Author).create({ email: 1 });
  // @ts-expect-error relations are written on their own
  await model(on, Author).create({ email: 'a@b', books: [] });
}

export class Tags {
  @db('a,pk,autoincrement,default=1,size=3') a!: string;
  // @ts-expect-error unknown option "primary"
  @db('b,primary') b!: string;
}
