/** A database that nobody made with the framework in mind, and what `fw db pull` must make of it. */
export interface OddSchema {
  /** Statements, in the SQL of the database. */
  readonly sql: readonly string[];
  /** Parts of declarations, by file. */
  readonly declared: Readonly<Record<string, readonly string[]>>;
  /** Parts of the warnings; those that stand in a file are there by its name. */
  readonly warned: readonly (readonly [part: string, file?: string])[];
}

/** A table with a key. */
export const key = (name: string, id: string): string => `CREATE TABLE ${name} (id ${id})`;

// What the language, the generated code or the ORM calls something else.
const TAKEN = 'columns models dates promise objects classes new indexes texts exclude _2fa _ s writables'.split(' '); // prettier-ignore

/** Tables and columns with names that models cannot have as they are. */
export function commonOdd(id: string, quote: (name: string) => string): string[] {
  return [
    ...TAKEN.map((name) => key(quote(name), id)),
    // Two that make the same class.
    ...['item', 'items'].map((name) => key(name, id)),
    // What the module of the first calls its own types.
    `CREATE TABLE users (id ${id}, name varchar(40))`,
    `CREATE TABLE new_users (id ${id}, user_id int, ${quote('__proto__')} int, FOREIGN KEY (user_id) REFERENCES users (id))`,
    `CREATE TABLE user_paths (id ${id}, constructor_id int, FOREIGN KEY (constructor_id) REFERENCES users (id))`,
    // Properties that a class cannot have, and columns that make the same one.
    `CREATE TABLE members (id ${id}, user_id int, ${quote('userId')} varchar(20), ${quote('constructor')} int,
      ${quote('prototype')} int, ${quote('_2fa')} int, ${quote('__2fa')} int, then_ int, ${quote('_')} int)`,
    // Names that are no identifiers.
    key(quote('order lines'), id),
    key(quote('größen'), id),
    key(quote('with.dot'), id),
    `CREATE TABLE odd (${quote('only this')} int)`,
    `CREATE TABLE orders (id ${id}, ${quote('unit-price')} int, ${quote("it's")} int, ${quote('größe')} int,
      ${quote('x\nexport const y = 1; //')} int, ${quote('line no')} int, note varchar(40),
      FOREIGN KEY (${quote('line no')}) REFERENCES ${quote('order lines')} (id),
      CONSTRAINT ${quote('no-dragon')} CHECK (note <> 'dragon'), CONSTRAINT ${quote('short')} CHECK (length(note) < 9))`,
    `CREATE INDEX ${quote('by price_idx')} ON orders (${quote('unit-price')})`,
    `CREATE INDEX ${quote('by-note_idx')} ON orders (note)`,
    `CREATE TABLE cells (id int NOT NULL, ${quote('the row')} int NOT NULL, PRIMARY KEY (id, ${quote('the row')}))`,
    'CREATE TABLE notes (body varchar(40))',
  ];
}

/** What is declared for {@link commonOdd}. */
export const ODD_DECLARED = {
  'date-row.ts': ["@table('dates')\nexport class DateRow {"],
  'promise-row.ts': ['export class PromiseRow {'],
  'object-row.ts': ['export class ObjectRow {'],
  'text-row.ts': ['export class TextRow {'],
  'column.ts': ['export class Column {'],
  'class.ts': ['export class Class {'],
  'index.ts': ['export class Index {'],
  'table2fa.ts': ['export class Table2fa {'],
  'item.ts': ["@table('item')"],
  'item2.ts': ["@table('items')"],
  'user.ts': ["@table('users')", 'newUsers?: HasMany<NewUser>;', 'userPaths?: HasMany<UserPath>;'],
  'new-user.ts': ["@db('__proto__')\n  Proto__!: Int | null;"],
  'user-path.ts': ['constructor_?: BelongsTo<User>;'],
  'member.ts': [
    "@db('user_id')\n  userId2!: Int | null;",
    "@db('userId,size=20')\n  userId!: string | null;",
    "@db('constructor')\n  constructor_!: Int | null;",
    "@db('_2fa')\n  _2fa!: Int | null;",
    "@db('__2fa')\n  _2fa2!: Int | null;",
  ],
};

const WHY =
  'is left out: a model names only what is letters, digits and underscores, and begins with no digit; rename it, or have a view that names it otherwise';
/** What is said of {@link commonOdd}. */
export const ODD_WARNED: OddSchema['warned'] = [
  [`the table "order lines" ${WHY}`],
  [`the table "größen" ${WHY}`],
  [`the table "with.dot" ${WHY}`],
  ['the table odd is left out: it has no column that a model can have'],
  [`the column "unit-price" of orders ${WHY}`, 'order.ts'],
  [`the column "it's" of orders ${WHY}`, 'order.ts'],
  [`the column "x\\nexport const y = 1; //" of orders ${WHY}`, 'order.ts'],
  [`the check "no-dragon" of orders ${WHY}`, 'order.ts'],
  [`the foreign key ("line no") to "order lines" of orders ${WHY}`, 'order.ts'],
  [`the primary key ("id", "the row") of cells ${WHY}`, 'cell.ts'],
  ['notes has no primary key', 'note.ts'],
];

/** A name as the standard quotes it. */
export const quoted = (name: string): string => `"${name}"`;
