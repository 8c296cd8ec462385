import { isFwError } from '../../../kernel/index.js';
import {
  abs,
  add,
  avg,
  caseWhen,
  coalesce,
  concat,
  dateAdd,
  datePart,
  dateTrunc,
  divide,
  jsonNumber,
  jsonString,
  LockForNoKeyUpdate,
  LockForShare,
  LockForUpdate,
  LockForUpdateNoWait,
  LockForUpdateSkipLocked,
  and,
  count,
  countAll,
  cte,
  derived,
  excluded,
  exists,
  from,
  lower,
  max,
  model,
  modulo,
  multiply,
  not,
  open,
  or,
  raw,
  scalar,
  substring,
  subtract,
  sum,
  textLength,
  trim,
  tuple,
  upper,
  value,
  type ColumnDefinition,
  type Database,
  type TableIndex,
  type Dialect,
  type ModelInfo,
} from '../index.js';
import { type ActualTable, diffSchema } from '../schema/index.js';
import { remarksOf } from './dialect-remarks.js';
import { nativeTypePage } from './native-type-table.js';
import { column, things } from './schema-pairs.js';
import { DIALECTS } from './framework-dialects.js';
import { RecordingHandle } from './recording-handle.js';
import { RECURSIVE_FEATURES } from './recursive-features.js';
import { TEXT_FORM_FEATURES, type DialectFeature } from './text-form-features.js';
import { OWN_WORDS_FEATURES } from './own-words-features.js';
import { TRUTH_FEATURES } from './truth-features.js';
import { GROUP_FEATURES, WINDOW_FEATURES } from './window-features.js';
import { labels, names, UNION_FEATURES, WRITE_FEATURES } from './set-features.js';
import { Author, Counted, Everything, Post, Tag, author, everything, post } from './models.js';

/** The SQL of a feature in one dialect, or why there is none. */
export type DialectCell =
  | { readonly sql: readonly string[]; readonly parameters: readonly (readonly unknown[])[]; readonly note?: string }
  | { readonly unsupported: string };

const posts = (db: Database) => model(db, Post).select('id');
const hers = (db: Database) => posts(db).where(post.authorId.eq(7));

/** Every feature whose SQL differs, or could. */
export const FEATURES: readonly DialectFeature[] = [
  { name: 'find', run: (db) => model(db, Tag).find() },
  { name: 'first', run: (db) => model(db, Tag).where({ column: 'id', op: 'eq', value: 1 }).first() },
  {
    name: 'comparison operators',
    run: (db) =>
      posts(db)
        .where(and(post.views.gt(1), post.views.lte(9), post.title.neq('x')))
        .find(),
  },
  {
    name: 'an object as a condition',
    run: (db) => posts(db).where({ authorId: 7, deletedAt: null }).find(),
  },
  {
    name: 'objects inside or and not',
    run: (db) =>
      posts(db)
        .where(or({ authorId: 7, deletedAt: null }, not({ title: 'a' })))
        .find(),
  },
  { name: 'LIKE', run: (db) => posts(db).where(post.title.like('a%')).find() },
  {
    name: 'LIKE with an escape, and a text as it is',
    run: (db) =>
      posts(db)
        .where(or(post.title.like('50\\%%'), post.title.startsWith('[50%')))
        .find(),
  },
  { name: 'ILIKE', run: (db) => posts(db).where(post.title.ilike('a%')).find() },
  {
    name: 'IN',
    run: (db) =>
      posts(db)
        .where(post.views.in([1, 2, 3]))
        .find(),
  },
  {
    name: 'NOT IN',
    run: (db) =>
      posts(db)
        .where(post.views.notIn([1, 2]))
        .find(),
  },
  ...TRUTH_FEATURES,
  { name: 'BETWEEN', run: (db) => posts(db).where(post.views.between(1, 9)).find() },
  { name: 'IS NULL', run: (db) => posts(db).where(post.deletedAt.eq(null)).find() },
  {
    name: 'AND, OR, NOT',
    run: (db) =>
      posts(db)
        .where(or(post.views.eq(1), not(and(post.title.eq('a'), post.title.like('b%')))))
        .find(),
  },
  {
    name: 'raw',
    run: (db) =>
      posts(db)
        .where(raw('views > :n AND title <> :t', 'n', 1, 't', 'x'))
        .find(),
  },
  {
    name: 'boolean and date values',
    run: (db) =>
      posts(db)
        .where(post.deletedAt.lt(new Date('2024-01-02T03:04:05.678Z')))
        .find(),
  },
  {
    name: 'decimal values',
    run: (db) =>
      model(db, Everything)
        .select('id')
        .where({ column: 'price', op: 'gt', value: '9.50' })
        .orderBy({ column: 'price' })
        .find(),
  },
  {
    name: 'a tuple in a list',
    run: (db) =>
      posts(db)
        .where(tuple(post.authorId, post.views).in([[1, 2]]))
        .find(),
  },
  {
    name: 'a tuple in a query',
    run: (db) =>
      posts(db)
        .where(tuple(post.authorId, post.views).in(model(db, Author).select('id', 'age')))
        .find(),
  },
  {
    name: 'arithmetic',
    run: (db) =>
      model(db, Post)
        .select(add(post.views, 1).as('more'), divide(post.views, 2).as('half'), modulo(post.views, 2).as('odd'))
        .where(multiply(post.views, 2).gt(subtract(abs(post.authorId), 1)))
        .find(),
  },
  {
    name: 'arithmetic of decimals and of 64 bits',
    run: (db) =>
      model(db, Everything)
        .select(add(everything.price, '0.10').as('dearer'), multiply(everything.big, 3n).as('more'))
        .find(),
  },
  {
    name: 'functions of text',
    run: (db) =>
      model(db, Post)
        .select(concat(lower(post.title), '!').as('a'), textLength(trim(post.title)).as('b'))
        .where(substring(upper(post.title), 1, 3).eq('ABC'))
        .find(),
  },
  {
    name: 'parts of moments, and moments later',
    run: (db) =>
      model(db, Post)
        .select(datePart('year', post.deletedAt).as('year'), dateTrunc('month', post.deletedAt).as('month'))
        .where(dateAdd(post.deletedAt, 2, 'day').isNotNull())
        .find(),
  },
  {
    name: 'paths of JSON',
    run: (db) =>
      model(db, Everything)
        .select('id')
        .where(and(jsonString(everything.meta, 'b', 0).eq('x'), jsonNumber(everything.meta, 'a').gt(1)))
        .find(),
  },
  {
    name: 'CASE and COALESCE',
    run: (db) =>
      model(db, Post)
        .select(caseWhen(post.views.gt(9), 'many').when(post.views.gt(0), 'some').otherwise('none').as('size'))
        .where(coalesce(post.deletedAt, post.deletedAt).isNull())
        .find(),
  },
  {
    name: 'order and groups by an expression',
    run: (db) => {
      const rest = modulo(post.views, 3);
      return model(db, Post).select(rest.as('rest'), countAll()).groupBy(rest).orderBy(rest.desc('last')).find();
    },
  },
  {
    name: 'aggregates of an expression',
    run: (db) =>
      model(db, Post)
        .select('authorId', sum(multiply(post.views, 2)).as('n'))
        .groupBy('authorId')
        .having(avg(add(post.views, 1)).gt(1.5))
        .find(),
  },
  {
    name: 'aggregates of some rows (FILTER), and of each value once',
    run: (db) =>
      model(db, Post)
        .select(
          sum(post.views, { where: post.authorId.eq(7) }).as('hers'),
          count(value(1), { where: post.title.like('a%') }).as('some'),
          avg(post.views, { distinct: true }).as('each'),
        )
        .find(),
  },
  { name: 'UNION', run: (db) => names(db).union(labels(db)).find() },
  {
    name: 'UNION ALL, ordered and limited',
    run: (db) => names(db).unionAll(labels(db)).orderBy({ column: 'name', desc: true, nulls: 'last' }).limit(5).find(),
  },
  { name: 'INTERSECT', run: (db) => names(db).intersect(labels(db)).offset(2).find() },
  { name: 'EXCEPT', run: (db) => names(db).except(labels(db)).count() },
  ...UNION_FEATURES,
  { name: 'INTERSECT ALL', run: (db) => names(db).intersectAll(labels(db)).find() },
  { name: 'EXCEPT ALL', run: (db) => names(db).exceptAll(labels(db)).find() },
  ...WINDOW_FEATURES,
  ...GROUP_FEATURES,
  {
    name: 'a query in the place of a value',
    run: (db) => {
      const its = model(db, Post).where(post.authorId.eq(author.id));
      return model(db, Author)
        .select('id', scalar(its.select(countAll())).as('posts'), scalar(its.select('title')).as('first'))
        .find();
    },
  },
  {
    name: 'an expression that is assigned',
    run: (db) =>
      model(db, Post)
        .where(post.id.eq(1))
        .updateAll(post.views.set(multiply(add(post.views, 1), 2))),
  },
  {
    name: 'an update that gives its rows',
    run: (db) => model(db, Post).where(post.authorId.eq(7)).returning('id', 'views').updateAll(post.views.increment()),
  },
  ...WRITE_FEATURES,
  {
    name: 'a delete by a join',
    run: (db) => model(db, Post).innerJoin(Author, 'a', author.id.of('a').eq(post.authorId)).where(author.age.of('a').gt(9)).delete(), // prettier-ignore
  },
  {
    name: 'an update by a join',
    run: (db) =>
      model(db, Post)
        .innerJoin(Author, 'a', author.id.of('a').eq(post.authorId))
        .updateAll(post.views.set(coalesce(author.age.of('a'), 0))),
  },
  {
    name: 'a new row, computed',
    run: (db) =>
      model(db, Post).create({
        authorId: 1,
        title: lower('A'),
        views: coalesce(scalar(model(db, Post).where(post.authorId.eq(1)).select(max(post.views).as('most'))), 0),
      }),
  },
  {
    name: 'insert from a query',
    run: (db) => model(db, Tag).createFrom(model(db, Post).where(post.views.gt(1)).select(post.title.as('label'))),
  },
  {
    name: 'upsert of many rows, computed',
    run: (db) =>
      model(db, Author).upsertBatch([{ email: 'a@b', age: 3 }, { email: 'c@d', age: 4 }], { conflict: 'email', update: 'none', set: [author.age.set(excluded(author.age))] }), // prettier-ignore
  },
  {
    name: 'upsert of many rows, where',
    run: (db) =>
      model(db, Author).upsertBatch([{ email: 'a@b', age: 3 }], { conflict: 'email', where: excluded(author.age).gt(author.age) }), // prettier-ignore
  },
  {
    name: 'a query in the place of a table',
    run: (db) => {
      const counts = derived('counts', countsOf(db));
      return model(db, Author).innerJoin(counts, counts.columns.authorId.eq(author.id)).select('id', counts.columns.count).find(); // prettier-ignore
    },
  },
  {
    name: 'WITH',
    run: (db) => {
      const counts = cte('counts', countsOf(db));
      return from(db, counts).where(counts.columns.count.gt(1)).find();
    },
  },
  ...OWN_WORDS_FEATURES,
  ...RECURSIVE_FEATURES,
  ...TEXT_FORM_FEATURES,
  {
    name: 'DISTINCT ON',
    run: (db) => model(db, Post).select('id', 'authorId').distinctOn('authorId').orderBy(post.views.desc()).find(),
  },
  {
    name: 'DISTINCT ON a computed value',
    run: (db) => posts(db).distinctOn(lower(post.title)).orderBy(post.views.desc()).find(),
  },
  {
    name: 'DISTINCT ON a value with parameters',
    run: (db) => posts(db).distinctOn(modulo(post.views, 10)).orderBy(post.views.desc()).find(),
  },
  {
    name: 'a query of the same table',
    run: (db) => {
      const later = model(db, Post)
        .as('later')
        .where(post.views.gt(post.views.of('posts')));
      return posts(db).where(exists(later)).find();
    },
  },
  { name: 'limit', run: (db) => hers(db).orderBy(post.id.asc()).limit(5).find() },
  { name: 'limit and offset', run: (db) => hers(db).orderBy(post.id.asc()).page(3, 20).find() },
  { name: 'offset alone', run: (db) => hers(db).orderBy(post.id.asc()).offset(5).find() },
  { name: 'limit and offset without an order', run: (db) => hers(db).limit(1).offset(2).find() },
  { name: 'a page of rows with equal values', run: (db) => posts(db).orderBy(post.views.desc()).limit(5).find() },
  { name: 'NULLS LAST', run: (db) => posts(db).orderBy(post.deletedAt.asc('last')).find() },
  { name: 'after a cursor', run: (db) => posts(db).orderBy(post.views.desc()).after(cursor(db)).find() },
  { name: 'distinct', run: (db) => model(db, Post).select('views').distinct().find() },
  { name: 'count', run: (db) => hers(db).count() },
  { name: 'count of a limited query', run: (db) => hers(db).limit(5).count() },
  { name: 'exists', run: (db) => hers(db).exists() },
  {
    name: 'group by and having',
    run: (db) =>
      model(db, Post).select('authorId', countAll().as('n')).groupBy('authorId').having(countAll().gt(1)).find(),
  },
  {
    name: 'group by a key',
    run: (db) => model(db, Author).select('email', countAll().as('n')).groupBy('id').orderBy(author.age.asc()).find(),
  },
  {
    name: 'aggregates',
    run: (db) =>
      model(db, Post)
        .select(post.views.sum(), post.views.avg(), post.deletedAt.max())
        .having(and(post.views.sum().gt(1.5), post.views.avg().lt(9.5)))
        .find(),
  },
  {
    name: 'minimum of booleans, sum and maximum of decimals',
    run: (db) =>
      model(db, Everything).select(everything.active.min(), everything.price.sum(), everything.price.max()).find(),
  },
  { name: 'inner join', run: (db) => joined(db).innerJoin(Author, 'a', author.id.of('a').eq(post.authorId)).find() },
  { name: 'left join', run: (db) => joined(db).leftJoin(Author, 'a', author.id.of('a').eq(post.authorId)).find() },
  { name: 'right join', run: (db) => joined(db).rightJoin(Author, 'a', author.id.of('a').eq(post.authorId)).find() },
  { name: 'full join', run: (db) => joined(db).fullJoin(Author, 'a', author.id.of('a').eq(post.authorId)).find() },
  { name: 'cross join', run: (db) => posts(db).crossJoin(Tag, 't').find() },
  {
    name: 'IN a query',
    run: (db) =>
      posts(db)
        .where(post.authorId.in(model(db, Author).select('id').where(author.age.gt(1))))
        .find(),
  },
  {
    name: 'IN a limited query',
    run: (db) =>
      posts(db)
        .where(post.authorId.in(model(db, Author).select('id').orderBy(author.age.asc()).limit(3)))
        .find(),
  },
  {
    name: 'EXISTS a query',
    run: (db) =>
      posts(db)
        .where(exists(model(db, Author).where(author.id.eq(post.authorId))))
        .find(),
  },
  {
    name: 'EXISTS a query, on a later page',
    run: (db) =>
      posts(db)
        .where(exists(model(db, Author).where(author.id.eq(post.authorId))))
        .orderBy(post.id.asc())
        .page(2, 20)
        .find(),
  },
  {
    name: 'first rows of each group (preload with a limit)',
    run: (db) =>
      model(db, Tag)
        .perGroup([{ name: 'label' }], 2)
        .find(),
  },
  { name: 'FOR UPDATE', run: (db) => hers(db).lock(LockForUpdate).find() },
  { name: 'FOR SHARE', run: (db) => hers(db).lock(LockForShare).find() },
  { name: 'FOR NO KEY UPDATE', run: (db) => hers(db).lock(LockForNoKeyUpdate).find() },
  { name: 'SKIP LOCKED', run: (db) => hers(db).lock(LockForUpdateSkipLocked).find() },
  { name: 'NOWAIT', run: (db) => hers(db).lock(LockForUpdateNoWait).find() },
  { name: 'create', run: (db) => model(db, Tag).create({ label: 'red' }) },
  {
    name: 'create with the key of the row',
    run: (db) => model(db, Tag).create({ id: 7, label: 'a' }, { keepKeys: true }),
  },
  { name: 'create with a default', run: (db) => model(db, Post).create({ authorId: 1, title: 't', deletedAt: null }) },
  { name: 'createBatch', run: (db) => model(db, Tag).createBatch([{ label: 'a' }, { label: 'b' }]) },
  {
    name: 'updateAll',
    run: (db) =>
      model(db, Post)
        .where(post.id.eq(1))
        .updateAll(post.title.set('t'), post.views.increment(2), post.deletedAt.set(null)),
  },
  { name: 'delete', run: (db) => model(db, Post).where(post.id.eq(1)).delete() },
  { name: 'upsert without a key', run: (db) => model(db, Author).upsert({ email: 'a@b', age: 3 }) },
  { name: 'upsert by a key', run: (db) => model(db, Author).upsert({ email: 'a@b', age: 3 }, { conflict: 'email' }) },
  {
    name: 'upsert that leaves the row',
    run: (db) => model(db, Author).upsert({ email: 'a@b', age: 3 }, { conflict: 'email', update: 'none' }),
  },
  {
    name: 'update of a row with a version',
    run: (db) => model(db, Counted).update({ id: 7, version: 3, title: 't', facts: null }),
  },
  { name: 'remove of a row with a version', run: (db) => model(db, Counted).remove({ id: 7, version: 3 }) },
  {
    name: 'upsert of a row with a version',
    run: (db) => model(db, Counted).upsert({ id: 7, title: 't' } as Counted, { conflict: 'id', update: ['title'] }),
  },
  { name: 'a table with an enum', run: (db) => schemaTo(db, ['open', 'done']) },
  { name: 'a table with an enum, enum=native', run: (db) => schemaTo(db, ['open', 'done'], { enumAs: 'native' }) },
  { name: 'a table with an enum, enum=none', run: (db) => schemaTo(db, ['open', 'done'], { enumAs: 'none' }) },
  { name: 'a table with an enum of numbers', run: (db) => schemaTo(db, [1, 2]) },
  {
    name: 'an enum in a table that is there',
    run: (db) => schemaTo(db, ['open', 'done'], {}, true),
  },
  {
    name: 'an enum in a table that is there, enum=check',
    run: (db) => schemaTo(db, ['open', 'done'], { enumAs: 'check' }, true),
  },
  {
    name: 'an index of some rows',
    run: (db) => indexed(db, { columns: ['price'], where: 'price > 0', unique: true }),
  },
  {
    name: 'an index of expressions, and in an order',
    run: (db) => indexed(db, { columns: ['amount'], expressions: ['price DESC'] }),
  },
  { name: 'an index with a method', run: (db) => indexed(db, { columns: ['price'], using: 'hash' }) },
  { name: 'an index with further columns', run: (db) => indexed(db, { columns: ['price'], include: ['amount'] }) },
  {
    name: 'a unique index with one null',
    run: (db) => indexed(db, { columns: ['price'], unique: true, nullsNotDistinct: true }),
  },
  {
    name: 'a view',
    run: (db) => createdTable(db, things([COUNTED[0] as ColumnDefinition], { view: 'SELECT id FROM others' })),
  },
  {
    name: 'words about a table and a column',
    run: (db) =>
      createdTable(
        db,
        things([COUNTED[0] as ColumnDefinition, column('price', 'int', { comment: 'in cents' })], { comment: 'sold' }),
      ),
  },
  { name: 'a computed column', run: (db) => createdTable(db, things([...COUNTED, totalOf({})])) },
  {
    name: 'a computed column that is kept nowhere',
    run: (db) => createdTable(db, things([...COUNTED, totalOf({ virtual: true })])),
  },
];

const indexed = (db: Database, index: TableIndex) => createdTable(db, things(COUNTED, { indexes: [index] }));

/** Runs the statements that create the schema of a model. */
async function createdTable(db: Database, wanted: ModelInfo): Promise<void> {
  for (const statement of diffSchema([wanted], [], db.dialect).up) await db.sqlDB().script(statement);
}

/**
 * Runs the statements that bring a schema to a model whose column has these values: from nothing, or from a table whose column has any
 * values.
 */
async function schemaTo(
  db: Database,
  values: readonly (string | number)[],
  more: Partial<ColumnDefinition> = {},
  isThere = false,
): Promise<void> {
  const wanted = [column('id', 'int', { primaryKey: true }), column('state', 'enum', { values, ...more })];
  const held = things(wanted);
  const actual = isThere ? [tableOf(held, db.dialect)] : [];
  for (const statement of diffSchema([held], actual, db.dialect).up) await db.sqlDB().script(statement);
}

// As introspection gives it, without a check.
function tableOf({ table, columns }: ModelInfo, dialect: Dialect): ActualTable {
  return {
    name: table,
    columns: columns.map((each) => ({
      name: each.name,
      type: dialect.schema.columnType(each),
      nullable: false,
      default: null,
      autoincrement: false,
      defaultName: undefined,
      computed: false,
    })),
    primaryKey: ['id'],
    indexes: [],
    foreignKeys: [],
    checks: [],
    definitions: [],
  };
}

const COUNTED = [column('id', 'int', { primaryKey: true }), column('price', 'int'), column('amount', 'int')];
const totalOf = (more: Partial<ColumnDefinition>) =>
  column('total', 'int', { generated: true, expression: 'price * amount', ...more });

const countsOf = (db: Database) => model(db, Post).select('authorId', countAll()).groupBy('authorId');
const joined = (db: Database) => model(db, Post).select(post.title, author.email.of('a').as('mail'));
const cursor = (db: Database) => model(db, Post).orderBy(post.views.desc()).cursorOf({ id: 9, views: 5 });

/** Runs a feature on a dialect without a database, and says what was sent. */
export async function dialectCell(feature: DialectFeature, dialect: Dialect): Promise<DialectCell> {
  const recorder = new RecordingHandle();
  try {
    await feature.run(open(recorder, dialect));
  } catch (error) {
    if (isFwError(error) && error.code === 'FW_ORM_UNSUPPORTED')
      return { unsupported: String(error.details['reason']) };
    if (isFwError(error) && error.code === 'FW_MIGRATE_UNSUPPORTED')
      return { unsupported: `no ${String(error.details['what'])} (\`${error.code}\`)` };
    throw error;
  }
  const note = remarksOf(dialect).notes?.[feature.name];
  return { sql: recorder.sql, parameters: recorder.parameters, ...(note !== undefined && { note }) };
}

/** The first statement of a feature on a dialect, or why there is none. @throws RangeError for no feature */
export async function spelled(feature: string, dialect: Dialect): Promise<string> {
  const found = FEATURES.find(({ name }) => name === feature);
  if (!found) throw new RangeError(feature);
  const cell = await dialectCell(found, dialect);
  // For some of them nothing is sent at all.
  return 'sql' in cell ? (cell.sql[0] ?? '') : cell.unsupported;
}

/** The whole table as Markdown, for docs/reference/dialects.md. */
export async function dialectPage(): Promise<string> {
  const sections = await Promise.all(FEATURES.map(section));
  return [
    '<!-- Generated from plugins/orm/contract/dialect-table.ts by `npm run docs`; do not edit. -->',
    '# What each dialect sends',
    '',
    'Per feature the SQL text and the parameters. `unsupported` is the error `FW_ORM_UNSUPPORTED` with its reason.',
    '',
    ...nativeTypePage(DIALECTS),
    ...sections,
  ].join('\n');
}

async function section(feature: DialectFeature): Promise<string> {
  const cells = await Promise.all(
    DIALECTS.map(
      async (dialect) => `- **${dialect.capabilities.dialect}**: ${inWords(await dialectCell(feature, dialect))}`,
    ),
  );
  return [`## ${feature.name}`, '', ...cells, ''].join('\n');
}

function inWords(cell: DialectCell): string {
  if ('unsupported' in cell) return `unsupported: ${cell.unsupported}`;
  const lines = cell.sql.map(
    (sql, at) =>
      `\`\` ${sql.replace(/\n\s*/g, ' ')} \`\`${(cell.parameters[at] ?? []).length > 0 ? ` with \`${JSON.stringify(cell.parameters[at], plain)}\`` : ''}`,
  );
  return `${lines.join('; then ') || 'nothing'}${cell.note ? ` (${cell.note})` : ''}`;
}

const plain = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
