import { isFwError } from '../../../kernel/index.js';
import {
  LockForNoKeyUpdate,
  LockForShare,
  LockForUpdate,
  LockForUpdateNoWait,
  LockForUpdateSkipLocked,
  and,
  countAll,
  exists,
  model,
  not,
  open,
  or,
  raw,
  type Database,
  type Dialect,
  type PositionalRow,
  type SqlHandle,
  type StatementOptions,
} from '../index.js';
import { mysql } from '../dialect-mysql/index.js';
import { postgres } from '../dialect-postgres/index.js';
import { sqlite } from '../dialect-sqlite/index.js';
import { sqlserver } from '../dialect-sqlserver/index.js';
import { Author, Everything, Post, Tag, author, everything, post } from './models.js';

/** The dialects of the table, in the order of its columns. */
export const DIALECTS: readonly Dialect[] = [postgres, mysql, sqlite, sqlserver];

/** What one dialect makes of a feature. */
export type DialectCell =
  | { readonly sql: readonly string[]; readonly parameters: readonly (readonly unknown[])[]; readonly note?: string }
  | { readonly unsupported: string };

/** One feature of the ORM. */
export interface DialectFeature {
  readonly name: string;
  run(db: Database): Promise<unknown>;
  /** Why a dialect's SQL does not show the feature, where that is so. */
  readonly noOp?: Readonly<Record<string, string>>;
}

const ONE_WRITER = 'no-op: one connection writes at a time and holds the whole database';
const noLock = { sqlite: ONE_WRITER };
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
  { name: 'limit', run: (db) => hers(db).orderBy(post.id.asc()).limit(5).find() },
  { name: 'limit and offset', run: (db) => hers(db).orderBy(post.id.asc()).page(3, 20).find() },
  { name: 'offset alone', run: (db) => hers(db).orderBy(post.id.asc()).offset(5).find() },
  { name: 'limit and offset without an order', run: (db) => hers(db).limit(1).offset(2).find() },
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
    name: 'first rows of each group (preload with a limit)',
    run: (db) =>
      model(db, Tag)
        .perGroup([{ name: 'label' }], 2)
        .find(),
  },
  { name: 'FOR UPDATE', run: (db) => hers(db).lock(LockForUpdate).find(), noOp: noLock },
  { name: 'FOR SHARE', run: (db) => hers(db).lock(LockForShare).find(), noOp: noLock },
  { name: 'FOR NO KEY UPDATE', run: (db) => hers(db).lock(LockForNoKeyUpdate).find(), noOp: noLock },
  { name: 'SKIP LOCKED', run: (db) => hers(db).lock(LockForUpdateSkipLocked).find(), noOp: noLock },
  { name: 'NOWAIT', run: (db) => hers(db).lock(LockForUpdateNoWait).find(), noOp: noLock },
  { name: 'create', run: (db) => model(db, Tag).create({ label: 'red' }) },
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
];

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
    throw error;
  }
  const note = feature.noOp?.[dialect.name];
  return { sql: recorder.sql, parameters: recorder.parameters, ...(note !== undefined && { note }) };
}

/** A handle that answers every read with one row, and notes what it was asked. */
export class RecordingHandle implements SqlHandle {
  readonly driver = undefined;
  readonly sql: string[] = [];
  readonly parameters: (readonly unknown[])[] = [];
  readonly options: (StatementOptions | undefined)[] = [];

  query(sql: string, parameters: readonly unknown[], options?: StatementOptions): readonly PositionalRow[] {
    this.sql.push(sql);
    this.parameters.push(parameters);
    this.options.push(options);
    return [];
  }

  queryFirst(sql: string, parameters: readonly unknown[]): PositionalRow {
    this.query(sql, parameters);
    return [1, 0, 0, 0, null, null];
  }

  execute(sql: string, parameters: readonly unknown[]) {
    this.query(sql, parameters);
    return { affected: 1, insertId: 1, ...(/RETURNING|OUTPUT/.test(sql) && { rows: [[1, 0]] }) };
  }

  async *stream(): AsyncGenerator<readonly PositionalRow[]> {}

  script(): void {}

  async begin() {
    const end = async () => undefined;
    return Object.assign(Object.create(this) as this, {
      commit: end,
      rollback: end,
      savepoint: end,
      release: end,
      rollbackTo: end,
    });
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  stats() {
    return { statements: { size: 0, hits: 0, misses: 0, evicted: 0 }, connections: { open: 0, idle: 0, waiting: 0 } };
  }
}

/** The whole table as Markdown, for docs/reference/dialects.md. */
export async function dialectPage(): Promise<string> {
  const sections = await Promise.all(FEATURES.map(section));
  return [
    '<!-- Generated from plugins/orm/contract/dialect-table.ts by `FW_UPDATE_DOCS=1 npm run jest -- dialect-table`; do not edit. -->',
    '# What each dialect sends',
    '',
    'Per feature the SQL text and the parameters. `unsupported` is the error `FW_ORM_UNSUPPORTED` with its reason.',
    '',
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
      `\`\` ${sql} \`\`${(cell.parameters[at] ?? []).length > 0 ? ` with \`${JSON.stringify(cell.parameters[at], plain)}\`` : ''}`,
  );
  return `${lines.join('; then ')}${cell.note ? ` (${cell.note})` : ''}`;
}

const plain = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
