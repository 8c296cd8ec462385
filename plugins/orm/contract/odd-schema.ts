/** A database that was not made for the framework, and the expected result of `fw db pull`. */
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

// What every object of the language has, but for what begins with underscores.
const OF_EVERY_OBJECT = Object.getOwnPropertyNames(Object.prototype).filter((name) => /^[a-z]/.test(name));

/** Tables and columns with names that classes and properties cannot have as they are. */
export function commonOdd(id: string, quote: (name: string) => string): string[] {
  return [
    ...TAKEN.map((name) => key(quote(name), id)),
    // Each refers to what some of them are called after.
    ...OF_EVERY_OBJECT.map((name, at) => {
      const columns = OF_EVERY_OBJECT.map((each) => `${quote(each)} int`).join(', ');
      const before = OF_EVERY_OBJECT[at - 1];
      const reference = before === undefined ? '' : `, FOREIGN KEY (${quote(before)}) REFERENCES ${quote(before)} (id)`;
      return `CREATE TABLE ${quote(name)} (id ${id}, ${columns}${reference})`;
    }),
    // Two that make the same class.
    ...['item', 'items'].map((name) => key(name, id)),
    // What the module of the first calls its own types.
    `CREATE TABLE users (id ${id}, name varchar(40))`,
    `CREATE TABLE new_users (id ${id}, user_id int, ${quote('__proto__')} int, FOREIGN KEY (user_id) REFERENCES users (id))`,
    `CREATE TABLE user_paths (id ${id}, constructor_id int, FOREIGN KEY (constructor_id) REFERENCES users (id))`,
    // Two foreign keys of one column, each with actions of its own.
    `CREATE TABLE twice (id ${id}, user_id int, CONSTRAINT twice_plain FOREIGN KEY (user_id) REFERENCES users (id),
      CONSTRAINT twice_gone FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE)`,
    // Properties that a class cannot have, and columns that make the same one.
    `CREATE TABLE members (id ${id}, user_id int, ${quote('userId')} varchar(20), ${quote('constructor')} int,
      ${quote('prototype')} int, ${quote('_2fa')} int, ${quote('__2fa')} int, then_ int, ${quote('_')} int)`,
    // Names that are no identifiers.
    key(quote('order lines'), id),
    `CREATE TABLE ${quote('no name')} (id ${id}, size int, CHECK (size > 0))`,
    key(quote('*/ "a", \'b\''), id),
    key(quote(`long ${'x'.repeat(50)}`), id),
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
  'constructor.ts': ["@table('constructor')\nexport class Constructor {", "@db('valueOf')\n  valueOf_!: Int | null;"],
  'table2fa.ts': ['export class Table2fa {'],
  'item.ts': ["@table('item')"],
  'item2.ts': ["@table('items')"],
  'user.ts': ["@table('users')", 'newUsers?: HasMany<NewUser>;', 'userPaths?: HasMany<UserPath>;'],
  'new-user.ts': ["@db('__proto__')\n  Proto__!: Int | null;"],
  'twice.ts': [
    "{ fk: 'user_id', references: 'id', constraint: true })",
    "{ fk: 'user_id', references: 'id', onDelete: 'cascade' })",
  ],
  'user-path.ts': ['constructor_?: BelongsTo<User>;'],
  'order-line.ts': ["@table('order lines')\nexport class OrderLine {", 'orders?: HasMany<Order>;'],
  'größen.ts': ["@table('größen')\nexport class Größen {"],
  'with-dot.ts': ['@table(\'"with.dot"\')\nexport class WithDot {'],
  'odd.ts': ["@db('only this')\n  onlyThis!: Int | null;"],
  'order.ts': [
    "@db('unit-price,index')\n  unitPrice!: Int | null;",
    "@db('it\\'s')\n  itS!: Int | null;",
    "@db('größe')\n  größe!: Int | null;",
    "@db('x\\nexport const y = 1; //')\n  xExportConstY1!: Int | null;",
    // MySQL makes an index for the foreign key.
    "@db('line no",
    '  lineNo!: Int | null;',
    "@belongsTo(() => OrderLine, { fk: 'line no', references: 'id', constraint: true })\n  lineNoRow?: BelongsTo<OrderLine>;",
  ],
  'cell.ts': ["@db('the row,pk')\n  theRow!: Int;"],
  'member.ts': [
    "@db('user_id')\n  userId2!: Int | null;",
    "@db('userId,size=20')\n  userId!: string | null;",
    "@db('constructor')\n  constructor_!: Int | null;",
    "@db('_2fa')\n  _2fa!: Int | null;",
    "@db('__2fa')\n  _2fa2!: Int | null;",
  ],
};

const WHY = 'is left out: a model cannot say its name; rename it, or have a view that names it otherwise';
/** What is said of {@link commonOdd}. */
export const ODD_WARNED: OddSchema['warned'] = [
  [`the check "no-dragon" of orders ${WHY}`, 'order.ts'],
  ['notes has no primary key', 'note.ts'],
];

/** A name as the standard quotes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
