/** A database that nobody made with the framework in mind, and what `fw db pull` must make of it. */
export interface OddSchema {
  /** Statements, in the SQL of the database. */
  readonly sql: readonly string[];
  /** Parts of declarations, by file. */
  readonly declared: Readonly<Record<string, readonly string[]>>;
  /** Parts of the warnings; those that stand in a file are there by its name. */
  readonly warned: readonly (readonly [part: string, file?: string])[];
}

const key = (name: string, id: string): string => `CREATE TABLE ${name} (id ${id})`;

// What the language, the generated code or the ORM calls something else.
const TAKEN = 'columns models dates promise objects classes new indexes texts exclude _2fa _ s writables'.split(' '); // prettier-ignore

function common(id: string, quote: (name: string) => string): string[] {
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

const DECLARED = {
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

const WHY = 'is left out: a model names only what is letters, digits and underscores, and begins with no digit';
const WARNED: OddSchema['warned'] = [
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

const quoted = (name: string): string => `"${name}"`;

/** By the name of the dialect. */
export const ODD: Readonly<Record<string, OddSchema>> = {
  postgres: {
    sql: [
      `CREATE TYPE "Mood" AS ENUM ('so, so', 'it''s "fine"')`,
      'CREATE SCHEMA "Other"',
      `CREATE TYPE "Other"."Kind" AS ENUM ('a', 'b')`,
      ...common('serial PRIMARY KEY', quoted),
      key('"Items"', 'serial PRIMARY KEY'),
      `CREATE TABLE feelings (id serial PRIMARY KEY, mood "Mood" DEFAULT 'so, so' NOT NULL, moods "Mood"[],
        kind "Other"."Kind" DEFAULT 'a', code "char", seen timestamp(3) without time zone DEFAULT '2024-01-02 03:04:05')`,
      'CREATE TABLE counters (first serial, second serial, note text, PRIMARY KEY (second))',
      'CREATE TABLE tallies (first integer GENERATED ALWAYS AS IDENTITY, second bigserial)',
      `CREATE TABLE defaults (id serial PRIMARY KEY, listed text DEFAULT 'a, b,sql=c' NOT NULL, path text DEFAULT 'C:\\dir',
        ending text DEFAULT 'a\\', padded varchar(10) DEFAULT ' a ', blank varchar(1) DEFAULT ' ', hollow text DEFAULT '',
        several text DEFAULT E'a\\r\\nb', settings jsonb DEFAULT '{"a": 1, "b": [2, 3]}', tags text[] DEFAULT '{a,b}', sizes int[] DEFAULT '{1,-2}',
        price numeric(10, 2) DEFAULT 1.50, low integer DEFAULT -1, done boolean DEFAULT false, called text DEFAULT 'f()',
        CONSTRAINT whole CHECK (several <> E'a\\r\\n''b'))`,
      `CREATE TABLE sums (id serial PRIMARY KEY, a int, "aName" text, total int GENERATED ALWAYS AS (a + 1) STORED,
        label varchar(40) GENERATED ALWAYS AS (CASE WHEN a > 1 THEN 'a, b,sql=c' ELSE NULL::text END) STORED)`,
      `CREATE UNIQUE INDEX sums_few ON sums (a, lower("aName") DESC) WHERE a > 0 AND "aName" <> 'it''s'`,
      'CREATE INDEX sums_names ON sums USING gin (string_to_array("aName", \',\'))',
      'CREATE INDEX sums_like ON sums ("aName" text_pattern_ops, a NULLS FIRST, total DESC NULLS LAST, label COLLATE "C")',
      'CREATE UNIQUE INDEX sums_all ON sums (a) INCLUDE ("aName")',
      'CREATE DOMAIN years AS integer CHECK (VALUE > 1900)',
      'CREATE DOMAIN late_years AS years CHECK (VALUE > 1950)',
      `CREATE TABLE made_of (id serial PRIMARY KEY, released late_years, several years[], joined date DEFAULT ('now'::text)::date NOT NULL,
        corners box[], spans interval[])`,
    ],
    declared: {
      ...DECLARED,
      'made-of.ts': [
        "@db('released,sql=late_years')\n  released!: Int | null;",
        "@db('several,sql=years[]')\n  several!: Int[] | null;",
        "@db('joined,default=today')\n  joined!: PlainDate;",
        "@db('corners,sql=box[]')\n  corners!: string | null;",
        '  spans!: Interval[] | null;',
      ],
      'item.ts': ["@table('Items')"],
      'item2.ts': ["@table('item')"],
      'item3.ts': ["@table('items')"],
      'feeling.ts': [
        `@db('mood,default=so\\\\, so,sql="Mood"')\n  mood!: 'so, so' | 'it\\'s "fine"';`,
        `sql="Mood"[]')\n  moods!: ('so, so' | 'it\\'s "fine"')[] | null;`,
        "@db('kind,default=a,enum=native')\n  kind!: 'a' | 'b' | null;",
        `@db('code,sql="char"')`,
      ],
      'counter.ts': ["@db('first,generated')", "@db('second,pk,autoincrement')"],
      'tally.ts': ["@db('first,autoincrement')", "@db('second,generated')"],
      'default.ts': [
        "@db('listed,default=a\\\\, b\\\\,sql=c')",
        "@db('path,default=C:\\\\dir')",
        "@db('padded,size=10,default= a\\\\ ')",
        "@db('blank,size=1,default=\\\\ ')",
        "@db('hollow,default=')",
        "@db('several,default=a\\r\\nb')".replace('\r\n', '\\r\\n'),
        String.raw`@db('tags,default=["a"\\,"b"]')`,
        String.raw`@db('sizes,default=[1\\,-2]')`,
        "@db('called,default=f()')",
      ],
      'sum.ts': [
        "@db('total,generated=(a + 1)')",
        "@db('label,size=40,generated=",
        "{ columns: ['a'], expressions: ['lower(\"aName\") DESC'], where: '((a > 0) AND (\"aName\" <> \\'it\\'\\'s\\'::text))', unique: true, name: 'sums_few' },",
        "using: 'gin', name: 'sums_names' },",
        `{ expressions: ['"aName" text_pattern_ops', 'a NULLS FIRST', 'total DESC NULLS LAST', 'label COLLATE "C"'], name: 'sums_like' },`,
      ],
    },
    warned: [
      ...WARNED,
      ['defaults.ending has the default', 'default.ts'],
      ['the index sums_all of sums is left out: it has parts of its own', 'sum.ts'],
    ],
  },
  mysql: {
    sql: [
      ...common('int AUTO_INCREMENT PRIMARY KEY', (name) => `\`${name}\``),
      `CREATE TABLE defaults (id int AUTO_INCREMENT PRIMARY KEY, listed varchar(40) DEFAULT 'a, b,sql=c' NOT NULL,
        path varchar(40) DEFAULT 'C:\\\\dir', ending varchar(40) DEFAULT 'a\\\\', padded varchar(10) DEFAULT ' a ',
        hollow varchar(10) DEFAULT '', several varchar(40) DEFAULT 'a\\r\\nb', kind enum('a;b', 'it''s, "b"') DEFAULT 'a;b',
        price decimal(10, 2) DEFAULT 1.50, low int DEFAULT -1, done boolean DEFAULT false,
        CONSTRAINT whole CHECK (several <> 'a\\r\\n''b'))`,
      `CREATE TABLE sums (id int AUTO_INCREMENT PRIMARY KEY, a int, name varchar(40), total int GENERATED ALWAYS AS (a + 1) STORED,
        label varchar(40) GENERATED ALWAYS AS (concat(name, ', ', 'it''s')) VIRTUAL)`,
      'CREATE INDEX sums_names ON sums (a, name(3), total DESC)',
    ],
    declared: {
      ...DECLARED,
      'sum.ts': [
        "@db('total,generated=`a` + 1')",
        "@db('label,size=40,virtual,generated=concat(`name`,\\', \\',",
        "{ columns: ['a'], expressions: ['`name`(3)', '`total` DESC'], name: 'sums_names' },",
      ],
      'default.ts': [
        "@db('listed,size=40,default=a\\\\, b\\\\,sql=c')",
        "@db('path,size=40,default=C:\\\\dir')",
        "@db('padded,size=10,default= a\\\\ ')",
        "@db('hollow,size=10,default=')",
        `@db('kind,default=a;b,enum=native')\n  kind!: 'a;b' | 'it\\'s, "b"' | null;`,
      ],
    },
    warned: [...WARNED, ['defaults.ending has the default', 'default.ts']],
  },
  sqlite: {
    sql: [
      ...common('INTEGER PRIMARY KEY', quoted),
      `CREATE TABLE defaults (id INTEGER PRIMARY KEY, listed text DEFAULT 'a, b,sql=c' NOT NULL, path text DEFAULT 'C:\\dir',
        ending text DEFAULT 'a\\', padded text DEFAULT ' a ', hollow text DEFAULT '', several text DEFAULT 'a\r\nb',
        shape "my, type", low integer DEFAULT -1, done boolean DEFAULT false, called text DEFAULT 'f()',
        CONSTRAINT whole CHECK (several <> 'a\r\n''b'))`,
      `CREATE TABLE sums (id INTEGER PRIMARY KEY, a int, name text, total int GENERATED ALWAYS AS (a + 1) STORED,
        label text AS (coalesce(name, 'a, b,sql=c')))`,
      "CREATE UNIQUE INDEX sums_few ON sums (a, lower(name) DESC) WHERE a > 0 AND name <> 'it''s'",
    ],
    declared: {
      ...DECLARED,
      'default.ts': [
        "@db('listed,default=a\\\\, b\\\\,sql=c')",
        "@db('path,default=C:\\\\dir')",
        "@db('padded,default= a\\\\ ')",
        "@db('hollow,default=')",
        "@db('called,default=f()')",
      ],
      'sum.ts': [
        "@db('total,generated=a + 1')",
        "@db('label,virtual,generated=coalesce(name, \\'a, b,sql=c\\')')",
        "{ columns: ['a'], expressions: ['lower(name) DESC'], where: 'a > 0 AND name <> \\'it\\'\\'s\\'', unique: true, name: 'sums_few' },",
      ],
    },
    warned: [...WARNED, ['defaults.ending has the default', 'default.ts']],
  },
};
