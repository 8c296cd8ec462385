import { describe, expect, test } from '@jest/globals';
import { Project } from 'ts-morph';
import { modelGenerator } from './index.js';

function generate(files: Readonly<Record<string, string>>, note?: (text: string) => void) {
  const project = new Project({ useInMemoryFileSystem: true, skipAddingFilesFromTsConfig: true });
  const models = Object.entries(files).map(([name, text]) =>
    project.createSourceFile(`/app/models/${name}.ts`, withImports(text)).getFilePath(),
  );
  return modelGenerator.generate({
    project,
    root: '/app',
    outDir: '/app/generated',
    models,
    routes: [],
    config: undefined,
    ...(note && { note }),
  });
}

const NAMES = ['belongsTo', 'db', 'hasMany', 'hasOne', 'json', 'table', 'validate'];
const TYPES = ['BelongsTo', 'HasMany', 'HasOne', 'Decimal', 'Int', 'Json'];

// On the first line, so that the lines of a test's own text stay what they are.
function withImports(text: string): string {
  if (text.includes("'fw/orm'")) return text;
  const others = ['User', 'Post', 'Visit'].filter(
    (name) => new RegExp(`=> ${name}\\b`).test(text) && !text.includes(`class ${name}`),
  );
  const imported = text.includes('import') ? [] : others;
  const imports = imported.map((name) => `import { ${name} } from './${name.toLowerCase()}.js';`);
  return `import { ${NAMES.join(', ')}, ${TYPES.map((name) => `type ${name}`).join(', ')} } from 'fw/orm'; ${imports.join(' ')}${text}`;
}

const USER = `
import { db, hasMany, table, validate, type HasMany, type Int } from 'fw/orm';
import { Post } from './post.js';
type Role = 'admin' | 'guest';
/** Somebody who writes. More text. */
@table('users')
export class User {
  @db('id,pk,autoincrement') id!: Int;
  @db('email,unique') @validate('required,email') email!: string;
  @db('role,default=guest') role!: Role;
  @db('seen_at') seenAt!: Date | null;
  @hasMany(() => Post, { fk: 'author_id' }) posts?: HasMany<Post>;
}`;
const POST = `
import { belongsTo, db, table, type BelongsTo, type Int, type Json } from 'fw/orm';
import { User } from './user.js';
@table()
export class Post {
  @db('id,pk,autoincrement') id!: Int;
  @db('author_id') authorId!: Int;
  @db('meta') meta!: Json<{ a: number }>;
  @db('tags') tags!: string[];
  @db('days') days!: (Date | null)[] | null;
  @db('marks') marks!: (1 | 2)[];
  @db('grid') grid!: Int[][];
  @belongsTo(() => User, { fk: 'author_id' }) author?: BelongsTo<User>;
}`;

describe('the model generator', () => {
  test('writes one module per model, with accessors, scanner and schema', () => {
    const [user, post] = generate({ user: USER, post: POST });
    expect(user?.path).toBe('user.ts');
    expect(user?.sources).toEqual(['/app/models/user.ts']);
    expect(user?.content).toContain("import { User } from '../models/user.js';");
    expect(user?.content).toContain(
      "{ property: 'role', column: 'role', kind: 'enum', default: 'guest', values: ['admin', 'guest'] },",
    );
    expect(user?.content).toContain('made.seenAt = row[3] === null ? (null as never) : date(row[3]);');
    expect(user?.content).toContain("email: columnOf(userModel, 'email') as Column<User, 'email', User['email']>,");
    expect(user?.content).toContain("target: () => Post, fk: 'author_id' }");
    expect(user?.content).toContain("export type UserPath = 'posts' | 'posts.author' | 'posts.author.posts';");
    expect(user?.content).toContain("description: 'Somebody who writes.'");
    expect(post?.content).toContain("table: 'posts'");
    expect(post?.content).toContain("kind: 'array', element: 'string'");
    expect(post?.content).toContain("made.tags = array(row[3], 'string');");
    expect(post?.content).toContain("made.days = row[4] === null ? (null as never) : array(row[4], 'date');");
    expect(post?.content).toContain("kind: 'array', values: [1, 2], element: 'int' }");
    expect(post?.content).toContain("property: 'grid', column: 'grid', kind: 'array', element: 'int' }");
    expect(post?.content.replace(/\s+/g, ' ')).toContain("items: { type: 'array', items: { type: 'integer' } }");
  });

  test('brings the generated code of related models along, so that they are registered when they are preloaded', () => {
    const [user, post] = generate({ user: USER, post: POST });
    expect(user?.content).toContain("import './post.js';");
    expect(post?.content).toContain("import './user.js';");
  });

  test('says which columns create asks for, and tells the class so', () => {
    const [post] = generate({
      post: `
import { db, table, type Int } from 'fw/orm';
@table('posts')
export class Post {
  @db('id,pk,autoincrement') id!: Int;
  @db('title') title!: string;
  @db('slug,filled') slug!: string;
  @db('views,default=0') views!: Int;
  @db('rank,generated') rank!: Int;
  @db('read_at') readAt!: Date | null;
  @db('note,nullable') note?: string;
}`,
    });
    expect(post?.content).toContain(`export interface NewPost {
  title: Post['title'];
  slug?: Post['slug'] | undefined;
  views?: Post['views'] | undefined;
  readAt?: Post['readAt'] | undefined;
  note?: Exclude<Post['note'], undefined> | undefined;
}

declare module '../models/post.js' {
  interface Post {
    readonly [newRow]?: NewPost;
    readonly [tableName]?: { readonly [Key in typeof tableName | 'posts']?: never };
    readonly [countedKeys]?: 'id';
  }
}
`);
  });

  test('gives text a length by its rules, and numbers a range, but not to those that are text on the wire', () => {
    const [goods] = generate({
      goods: `
import { db, table, validate, type Decimal, type Int } from 'fw/orm';
@table('goods')
export class Goods {
  @db('id,pk,autoincrement') id!: Int;
  @db('name') @validate('min=2,max=9') name!: string;
  @db('stock') @validate('min=2,max=9') stock!: Int;
  @db('price') @validate('required,min=2,max=9') price!: Decimal;
  @db('weight') @validate('min=5,max=9') weight!: bigint;
}`,
    });
    expect(goods?.content).toContain("name: { type: 'string', minLength: 2, maxLength: 9 }");
    expect(goods?.content).toContain("stock: { type: 'integer', minimum: 2, maximum: 9 }");
    expect(goods?.content).toContain("price: { type: 'string', pattern: '^-?\\\\d+(\\\\.\\\\d+)?$', minLength: 1 }");
    expect(goods?.content).toContain("weight: { type: 'string', pattern: '^-?\\\\d+$' }");
  });

  test('has a table for each database that has one of the name, and one model for each of those', () => {
    const note = (name: string, database: string, more = '') =>
      `@table('notes', { database: ${database} }) export class ${name} { @db('id,pk,autoincrement') id!: Int; ${more} }`;
    const files = {
      note: note('Note', "'default'"),
      other: note('ReportNote', "'reports'", "@db('body') body!: string;"),
    };
    expect(generate(files).map(({ path }) => path)).toEqual(['note.ts', 'report-note.ts']);
    const both = { note: note('Note', "['reports', 'default']"), other: note('ReportNote', "'reports'") };
    expect(() => generate(both)).toThrow(
      'ReportNote has the table "notes" in the database reports, and so has Note of /app/models/note.ts; name another table with @table, or another database',
    );
  });

  test('goes through the join table of its own database', () => {
    const key = `@db('id,pk,autoincrement') id!: Int;`;
    const files = (database: string, columns: readonly string[]) => ({
      post: `import { manyToMany, type ManyToMany } from 'fw/orm'; import { db, table, type Int } from 'fw/orm';
        @table('tags', { database: ${database} }) export class Tag { ${key} }
        @table('posts', { database: ${database} }) export class Post { ${key}
          @manyToMany(() => Tag, { join: 'post_tags' }) tags?: ManyToMany<Tag>; }
        @table('post_tags', { database: 'reports' }) export class ReportTag { ${key} }
        @table('post_tags') export class PostTag { ${columns.map((name) => `@db('${name}') ${name}!: Int;`).join(' ')} }`,
    });
    expect(generate(files("'default'", ['post_id', 'tag_id']))).toHaveLength(4);
    expect(() => generate(files("'default'", ['post_id']))).toThrow('looks for the column "tag_id" in PostTag');
    expect(() => generate(files("'reports'", ['post_id', 'tag_id']))).toThrow('in ReportTag');
    expect(() => generate(files("['default', 'reports']", ['post_id', 'tag_id']))).toThrow(
      'goes through post_tags, which is not the table of one model in default and reports; declare one model of it for all of them',
    );
  });

  test('takes over checks, foreign keys and types of the database', () => {
    const [visit] = generate({
      visit: `
import { belongsTo, db, table, type BelongsTo, type Int } from 'fw/orm';
@table('visits', { checks: { positive: 'fee >= 0' } })
export class Visit {
  @db('id,pk,autoincrement') id!: Int;
  @db('boss_id') bossId!: Int | null;
  @db("fee,default=0,sql=enum('a','b')") fee!: string;
  @belongsTo(() => Visit, { fk: 'boss_id', constraint: true, onDelete: 'set null' }) boss?: BelongsTo<Visit>;
}`,
    });
    expect(visit?.content).toContain("  checks: { positive: 'fee >= 0' },");
    expect(visit?.content).toContain("fk: 'boss_id', constraint: true, onDelete: 'set null' }");
    expect(visit?.content).toContain(`default: '0', sqlType: "enum('a','b')" }`);
  });

  test('takes over indexes of several columns, in their order', () => {
    const [seat] = generate({
      seat: `
import { db, table, type Int } from 'fw/orm';
@table('seats', { indexes: [{ columns: ['tenantId', 'email'], unique: true }, { columns: ['email', 'tenantId'], name: 'by_mail' }] })
export class Seat {
  @db('id,pk,autoincrement') id!: Int;
  @db('tenant_id') tenantId!: Int;
  @db('email') email!: string;
}`,
    });
    expect(seat?.content).toContain(
      "  indexes: [\n    { columns: ['tenantId', 'email'], unique: true },\n    { columns: ['email', 'tenantId'], name: 'by_mail' },\n  ],",
    );
  });

  test.each([
    ["columns: ['email', 'tenant']", 'User: the index of (email, tenant) names "tenant", which is no property with a column; those are: email'], // prettier-ignore
    ["columns: ['email', 'email']", 'User: the index of (email, email) names a property twice'],
    ['columns: []', 'User: an index has neither columns nor expressions'],
    ["expressions: [' ']", 'User: the index of ( ) has an empty expression'],
    ["columns: ['email'], where: ''", 'User: the index of (email) has an empty condition'],
    ["columns: ['email'], using: 'gin (x)'", 'User: the index of (email) has the method "gin (x)", which is no name'],
    ["columns: ['email'], name: 'a b'", 'has the name "a b"; a name is letters, digits and underscores, at most 63'],
    ["columns: ['email'] }, { columns: ['email']", 'User: the index of (email) is there twice'],
    ["columns: ['email'], where: 1", "an index is { columns: ['<property>', ...] }"],
  ])('refuses an index of %s', (index, message) => {
    const source = `@table('users', { indexes: [{ ${index} }] })\nexport class User {\n  @db('email') email!: string;\n}`;
    expect(() => generate({ user: source })).toThrow(message);
  });

  test('takes over what of an index is more than its columns, and how a column is computed', () => {
    const [line] = generate({
      line: `
import { db, table, type Int } from 'fw/orm';
@table('lines', { indexes: [{ columns: ['price'], expressions: ['lower(note)'], where: "note <> ''", using: 'btree' }] })
export class Line {
  @db('id,pk,autoincrement') id!: Int;
  @db('price') price!: Int;
  @db('note') note!: string;
  @db('total,virtual,sql=numeric(10,2),generated=coalesce(price, 0) * 2') total!: Int;
  @db('other,generated=price') other?: Int;
}`,
    });
    expect(line?.content).toContain(
      `{ columns: ['price'], expressions: ['lower(note)'], where: "note <> ''", using: 'btree' }`,
    );
    expect(line?.content).toMatch(
      /virtual: true,\s+expression: 'coalesce\(price, 0\) \* 2',\s+sqlType: 'numeric\(10,2\)',/,
    );
    expect(line?.content).toContain(
      "export interface NewLine {\n  price: Line['price'];\n  note: Line['note'];\n  other?: undefined;\n}",
    );
  });

  test.each(['toString', 'valueOf', 'hasOwnProperty', '__proto__'])(
    'refuses %s, which every object has',
    (property) => {
      const source = `@table('users')\nexport class User {\n  @db('id,pk') id!: Int;\n  @db('b') ${property}!: Int;\n}`;
      expect(() => generate({ user: source })).toThrow(`call the property ${property}_ and name the column in its tag`);
    },
  );

  test.each([
    ['generated=', 'generated= needs an expression in SQL'],
    ['default=3,generated=a + 1', 'what generated= computes takes no other value, so default= stands for nothing'],
    ['autoincrement,generated=a + 1', 'so autoincrement stands for nothing'],
    ['virtual', 'virtual is for a column with generated=<SQL>'],
    ['generated,generated=a', 'the option "generated" appears twice'],
  ])('refuses a column with %s, at its place', (options, message) => {
    const source = `@table('users')\nexport class User {\n  @db('id,pk') id!: Int;\n  @db('b,${options}') b!: Int;\n}`;
    expect(() => generate({ user: source })).toThrow(message);
    expect(() => generate({ user: source })).toThrow(/\/app\/models\/user\.ts:4:\d+/);
  });

  test.each([
    ['hasMany', 'posts?: HasMany<Post>', '', 'User.posts (@hasMany) looks for the column "user_id" in Post, which has only id, writer_id'], // prettier-ignore
    ['hasOne', 'posts?: HasOne<Post>', ", { fk: 'owner_id' }", 'User.posts (@hasOne) looks for the column "owner_id" in Post'], // prettier-ignore
    ['hasMany', 'posts?: HasMany<Post>', ", { fk: 'writer_id', references: 'nr' }", 'User.posts (@hasMany) looks for the column "nr" in User'], // prettier-ignore
    ['belongsTo', 'post?: BelongsTo<Post>', '', 'User.post (@belongsTo) looks for the column "post_id" in User'],
  ])('refuses %s of %s%s whose key column is not there', (kind, property, options, message) => {
    const user = `@table('users')\nexport class User {\n  @db('id,pk') id!: Int;\n  @${kind}(() => Post${options}) ${property};\n}`;
    const post = `@table('posts')\nexport class Post {\n  @db('id,pk') id!: Int;\n  @db('writer_id') writerId!: Int;\n}`;
    expect(() => generate({ user, post })).toThrow(message);
    expect(() => generate({ user, post })).toThrow(/\/app\/models\/user\.ts:4:\d+/);
  });

  test.each([
    ['Class', 'class_', 'classModel', 'class.ts'],
    ['Default', 'default_', 'defaultModel', 'default.ts'],
    ['Index', 'index', 'indexModel', 'index-model.ts'],
    ['Validators', 'validators', 'validatorsModel', 'validators-model.ts'],
  ])('calls the columns of %s %s, for the sake of the language and of other modules', (name, accessor, info, file) => {
    const source = `@table('any')\nexport class ${name} {\n  @db('id,pk') id!: Int;\n}`;
    const [made] = generate({ any: source });
    expect(made?.path).toBe(file);
    expect(made?.content).toContain(`export const ${accessor} = {`);
    expect(made?.content).toContain(`export const ${info} = registerModel(${name}, {`);
  });

  test('imports under another name what has the name of something that the module declares or uses', () => {
    const [, column] = generate({
      user: `@table('users')\nexport class UserPath {\n  @db('id,pk') id!: Int;\n}`,
      column: `import { UserPath } from './user.js';\n@table('columns')\nexport class Column {\n  @db('id,pk') id!: Int;\n}`,
    });
    expect(column?.content).toContain(
      '  type Column as Column_,\n  type newRow,\n  type primaryKeys,\n  type tableName,\n',
    );
    expect(column?.content).toContain("id: columnOf(columnModel, 'id') as Column_<Column, 'id', Column['id']>,");
    const [user] = generate({
      user: `import { UserPath } from './path.js';\n@table('users')\nexport class User {\n  @db('id,pk') id!: Int;
  @hasMany(() => UserPath, { fk: 'user_id' }) paths?: HasMany<UserPath>;\n}`,
      path: `@table('paths')\nexport class UserPath {\n  @db('id,pk') id!: Int;\n  @db('user_id') userId!: Int;\n}`,
    });
    expect(user?.content).toContain("import { UserPath as UserPath_ } from '../models/path.js';");
    expect(user?.content).toContain('target: () => UserPath_,');
    expect(user?.content).toContain("export type UserPath = 'paths';");
  });

  test('writes texts with line ends and quotes so that they are what they were', () => {
    const [made] = generate({
      any: `@table('any', { checks: { odd: 'a <> \\'\\r\\n\\u2028\\'' } })\nexport class Any {\n  @db('id,pk') id!: Int;\n}`,
    });
    expect(made?.content).toContain(`checks: { odd: "a <> '\\r\\n\\u2028'" },`);
  });

  test('gives the same text for the same input', () => {
    expect(generate({ user: USER, post: POST })).toEqual(generate({ user: USER, post: POST }));
  });

  test.each([
    ["@db('email,uniq') email!: string;", 'User.email: the tag "email,uniq" is not valid: unknown option "uniq"'],
    ["@db('size=20') email!: string;", '"size=20" is no name of a column (one with a dot stands in double quotes); options stand behind a comma: ",size=20"'], // prettier-ignore
    ["@db('age,default=abc') age!: Int;", 'User.age: the tag "default=abc" is not valid: the default of a column of the kind int is a whole number'], // prettier-ignore
    ["@db('role,default=root') role!: 'admin' | 'guest';", 'the default of a column of the kind enum is one of admin, guest'], // prettier-ignore
    ["@db('email') email!: Map<string, string>;", 'User.email has the type Map<string, string>'],
    ['@db(name) email!: string;', '@db(name) cannot be read before the program runs: name is not a const of this file'],
    ["@db('email') private email!: string;", 'User.email must be public'],
    ["@db('email') '2nd'!: string;", 'User.2nd must have a plain name'],
    ["@db('email') @validate('requird') email!: string;", 'unknown rule "requird"'],
    [
      "@hasMany(() => Nobody) nobodies?: HasMany<Nobody>; @db('a') a!: string;",
      'User.nobodies refers to Nobody, which is not known',
    ],
    ["@hasMany(() => User) users?: User[]; @db('a') a!: string;", 'User.users must have the type HasMany<...>'],
    ["@db('a') a!: string; @db('a') b!: string;", 'User.b repeats the column "a"'],
    ["@db('a') a!: string; constructor(x: string) {}", 'User must be constructible without arguments'],
    ["@db('a,sql=1;2') a!: string;", 'sql needs a type of the database, got "1;2"'],
  ])('refuses %s with place and expectation', (member, message) => {
    const run = () => generate({ user: `@table('users')\nexport class User {\n  ${member}\n}` });
    expect(run).toThrow(message);
    expect(run).toThrow(/\/app\/models\/user\.ts:[123]:\d+/);
  });

  test('names a model without a key, and a column that is called like an option', () => {
    const notes: string[] = [];
    const member = "@db('pk') id!: Int; @db('index') index!: Int; @db('type=int') rank!: Int;";
    const run = (text: string) =>
      generate({ user: `@table('users')\nexport class User { ${text} }` }, (note) => notes.push(note));
    run("@db('pk') id!: Int; @db('index') index!: Int;");
    expect(notes).toEqual([
      expect.stringMatching(/user\.ts:\d+ User\.id gets a column called "pk".*write @db\(',pk'\)/),
      expect.stringMatching(/User has no primary key/),
    ]);
    expect(() => run(member)).toThrow('options stand behind a comma: ",type=int"');
  });

  test('takes quotes from the name of a table that needs none, and refuses what is no name', () => {
    const members = "@db('id,pk') id!: Int; @hasMany(() => Line) lines?: HasMany<Line>;";
    const line = "@table('lines')\nexport class Line { @db('id,pk') id!: Int; @db('order_id') orderId!: Int; }";
    const run = (table: string) =>
      generate({ order: `@table('${table}')\nexport class Order { ${members} }\n${line}` });
    expect(JSON.stringify(run('"order"'))).toContain("table: 'order'");
    expect(() => run('a..b')).toThrow('Order: the name of a table is a text of up to three parts');
  });

  test('says nothing of keys of a view, whose rows are only read', () => {
    const notes: string[] = [];
    const text = "@table('totals', { view: 'SELECT 1 AS total' })\nexport class Total { @db('total') total!: Int; }";
    generate({ total: text }, (note) => notes.push(note));
    expect(notes).toEqual([]);
  });

  test('names a property that may be left out of a row whose column takes no null', () => {
    const notes: string[] = [];
    const members = [
      "@db('id,pk,autoincrement') id?: Int",
      "@db('phone') phone?: string",
      "@db('fax') fax?: string | null",
      "@db('telex,nullable') telex?: string",
      "@db('state,default=new') state?: string",
      "@db('slug,filled') slug?: string",
      "@db('pin') @json('pin,writeonly') pin?: string",
    ];
    const user = `import { db, json, table, type Int } from 'fw/orm';\n@table('users')\nexport class User { ${members.join(';\n')} }`;
    generate({ user }, (note) => notes.push(note));
    expect(notes).toEqual([
      expect.stringMatching(/user\.ts:\d+ User\.phone may be left out.*write phone: \.\.\. \| null/),
    ]);
  });

  const JOINED = (user: string, post: string, more = '') => `
import { db, manyToMany, table, type Int, type ManyToMany } from 'fw/orm';
@table('users')
export class User {
  @db('id,pk,autoincrement') id!: Int;
  @manyToMany(() => Post, { ${user} }) posts?: ManyToMany<Post>;
}
@table('posts')
export class Post {
  @db('id,pk,autoincrement') id!: Int;
  @manyToMany(() => User, { ${post} }) users?: ManyToMany<User>;
}
${more}`;
  const LINK = (columns: string) => `@table('links') export class Link { ${columns} }`;

  test.each<[string, string, string, string, string]>([
    [
      'two columns for one end',
      "join: 'links'",
      "join: 'links', joinFk: 'article_id'",
      '',
      'where User.posts expects post_id for Post and user_id for User',
    ],
    [
      'one column for both ends',
      "join: 'links', joinRefFk: 'user_id'",
      "join: 'others'",
      '',
      'the column "user_id" of links for both ends',
    ],
    [
      'a model of the table without the column',
      "join: 'links'",
      "join: 'links'",
      LINK("@db('user_id,pk') userId!: Int; @db('article_id,pk') articleId!: Int;"),
      'looks for the column "post_id" in Link',
    ],
    [
      'a model of the table with another kind',
      "join: 'links'",
      "join: 'links'",
      LINK("@db('user_id,pk') userId!: string; @db('post_id,pk') postId!: Int;"),
      'Link.userId, which is string, to User.id, which is int',
    ],
  ])('refuses of a join table %s', (_what, user, post, more, problem) => {
    expect(() => generate({ user: JOINED(user, post, more) })).toThrow(problem);
  });

  test('takes a join table that no model has, and one of which the model fits', () => {
    expect(generate({ user: JOINED("join: 'links'", "join: 'links'") })).toHaveLength(2);
    const own = LINK("@db('user_id,pk') userId!: Int; @db('post_id,pk') postId!: Int; @db('at') at!: Date;");
    expect(generate({ user: JOINED("join: 'links'", "join: 'links'", own) })).toHaveLength(3);
  });
});
