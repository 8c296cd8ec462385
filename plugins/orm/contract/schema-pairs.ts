import {
  registerModel,
  type ColumnDefinition,
  type ModelInfo,
  type RelationDefinition,
  type TableIndex,
} from '../index.js';

/** What a table of a pair has beside its columns. */
interface TableParts {
  readonly indexes?: readonly TableIndex[];
  readonly checks?: Readonly<Record<string, string>>;
  readonly relations?: readonly RelationDefinition[];
  readonly view?: string;
  readonly comment?: string;
}

class First {}
class Second {}

/** A column by its name; the property has the same. */
export function column(
  name: string,
  kind: ColumnDefinition['kind'],
  more: Partial<ColumnDefinition> = {},
): ColumnDefinition {
  return { property: name, column: name, kind, ...more };
}

/** The model of the table `things`. */
export const things = (columns: readonly ColumnDefinition[], parts: TableParts = {}): ModelInfo =>
  registerModel(First, { name: 'Thing', table: 'things', columns, ...parts }) as unknown as ModelInfo;

/** The model of the table `parts`, which may refer to `things`. */
export const partsOf = (columns: readonly ColumnDefinition[], parts: TableParts = {}): ModelInfo =>
  registerModel(Second, { name: 'Part', table: 'parts', columns, ...parts }) as unknown as ModelInfo;

/** A relation to `things`, which the database enforces. */
export const to = (fk: string, references = 'id'): RelationDefinition => {
  return { property: `${fk}_thing`, kind: 'belongsTo', target: () => First, fk, references, constraint: true };
};

/** A column of the key. */
export const KEY = { primaryKey: true } as const;
/** A key that the database numbers. */
export const COUNTED = { primaryKey: true, autoincrement: true } as const;
/** A numbered key. */
export const ID = column('id', 'int', COUNTED);
const PLAIN = column('id', 'int', KEY);
/** A short text. */
export const code = (more: Partial<ColumnDefinition> = {}) => column('code', 'string', { size: 20, ...more });
/** A whole number. */
export const area = (more: Partial<ColumnDefinition> = {}) => column('area', 'int', more);
/** Two rows of all columns. */
export const ROWS = [
  "INSERT INTO things (id, code, area) VALUES (3, 'a', 1)",
  "INSERT INTO things (id, code, area) VALUES (5, 'b', 2)",
];
/** Two rows of keys and codes. */
export const CODES = ["INSERT INTO things (id, code) VALUES (3, 'a')", "INSERT INTO things (id, code) VALUES (5, 'b')"];

/** What only some databases have, or are, where a schema changes. */
export type SchemaTrait =
  /** An integer is one whatever its length, and as a key it is numbered. */
  | 'one length of integers'
  /** A numbered column may have others beside it in the key. */
  | 'numbers in wider keys'
  /** A check can be added that the rows which are there need not pass. */
  | 'checks of new rows'
  /** Foreign keys can be added to a table that is there. */
  | 'foreign keys later'
  /** Types that are lists of values. */
  | 'enums'
  /** Indexes of expressions, and of some rows only. */
  | 'indexes of expressions'
  | 'virtual columns'
  | 'stored columns';

/** Two states of models, and what a table holds in between. */
export interface SchemaPair {
  readonly what: string;
  /** Where it can be tried; default everywhere. */
  readonly needs?: SchemaTrait;
  readonly before: () => readonly ModelInfo[];
  /** Statements behind the creation of the tables: rows, and what no model says. */
  readonly then?: readonly string[];
  readonly after: () => readonly ModelInfo[];
  /** What the warnings must speak of. */
  readonly warning?: RegExp;
  /** Whether both states are the same to every database. */
  readonly isNothing?: boolean;
  /** Where both are the same to the database. */
  readonly nothingWith?: SchemaTrait;
  /** Whether columns come back where they were. */
  readonly inOrder?: boolean;
  /** Whether tables are dropped that no model has. */
  readonly drops?: boolean;
  /** Whether a text gets another order, or values are computed from then on. */
  readonly resorted?: boolean;
}

const KEYS: readonly SchemaPair[] = [
  {
    what: 'a numbered key of a longer type',
    nothingWith: 'one length of integers',
    before: () => [things([ID, code(), area()])],
    then: ROWS,
    after: () => [things([column('id', 'bigint', COUNTED), code(), area()])],
  },
  {
    what: 'a key of a longer type, and what refers to it',
    nothingWith: 'one length of integers',
    before: () => [things([PLAIN, code()]), partsOf([PLAIN, column('thing', 'int')], { relations: [to('thing')] })],
    then: [...CODES, 'INSERT INTO parts (id, thing) VALUES (1, 3)'],
    after: () => {
      const long = column('id', 'bigint', KEY);
      return [things([long, code()]), partsOf([PLAIN, column('thing', 'bigint')], { relations: [to('thing')] })];
    },
  },
  {
    what: 'a column more in the key',
    before: () => [things([PLAIN, code(), area()])],
    then: ROWS,
    after: () => [things([PLAIN, code(), area(KEY)])],
    warning: /the primary key of things changes from \(id\) to \(id, area\)/,
  },
  {
    what: 'a nullable column more in the key',
    before: () => [things([PLAIN, code(), area({ nullable: true })])],
    then: ROWS,
    after: () => [things([PLAIN, code(), area(KEY)])],
    warning: /the primary key of things changes/,
  },
  {
    what: 'a column less in the key, which takes null then',
    before: () => [things([PLAIN, code(KEY), area()])],
    then: ROWS,
    after: () => [things([PLAIN, code({ nullable: true }), area()])],
    warning: /from \(id, code\) to \(id\)/,
  },
  {
    what: 'a column more in a numbered key',
    needs: 'numbers in wider keys',
    before: () => [things([ID, code(), area()])],
    then: ROWS,
    after: () => [things([ID, code(), area(KEY)])],
    warning: /the primary key of things changes/,
  },
  {
    what: 'another column as key',
    before: () => [things([ID, code(), area()])],
    then: ROWS,
    after: () => [things([column('id', 'int'), code(KEY), area()])],
    warning: /from \(id\) to \(code\)/,
  },
  {
    what: 'another column as numbered key',
    before: () => [things([PLAIN, code(), area()])],
    then: ROWS,
    after: () => [things([column('id', 'int'), code(), area(COUNTED)])],
    warning: /from \(id\) to \(area\)/,
  },
  {
    what: 'another column as key, and the numbered one gone',
    before: () => [things([ID, code(), area()])],
    then: ROWS,
    after: () => [things([code(KEY), area()])],
    warning: /things\.id is dropped/,
  },
  {
    what: 'a new numbered key',
    before: () => [things([code(KEY), area()])],
    then: ["INSERT INTO things (code, area) VALUES ('a', 1)", "INSERT INTO things (code, area) VALUES ('b', 2)"],
    after: () => [things([ID, code(), area()])],
    warning: /from \(code\) to \(id\)/,
  },
  {
    what: 'a key that is numbered from now on',
    nothingWith: 'one length of integers',
    before: () => [things([PLAIN, code(), area()])],
    then: ROWS,
    after: () => [things([ID, code(), area()])],
  },
  {
    what: 'a key that is numbered from now on, and referred to',
    nothingWith: 'one length of integers',
    before: () => [things([PLAIN, code()]), partsOf([PLAIN, column('thing', 'int')], { relations: [to('thing')] })],
    then: [...CODES, 'INSERT INTO parts (id, thing) VALUES (1, 3)'],
    after: () => [things([ID, code()]), partsOf([PLAIN, column('thing', 'int')], { relations: [to('thing')] })],
  },
  {
    what: 'a key that is not numbered any more',
    nothingWith: 'one length of integers',
    before: () => [things([ID, code(), area()])],
    then: ROWS,
    after: () => [things([PLAIN, code(), area()])],
  },
  {
    what: 'a key that has another name',
    before: () => [things([ID, code(), area()])],
    then: ROWS,
    after: () => [things([column('number', 'int', { ...COUNTED, rename: 'id' }), code(), area()])],
  },
  {
    what: 'a second foreign key of a column, with actions of its own',
    before: () => [
      things([PLAIN, code()]),
      partsOf([PLAIN, column('thing', 'int', { index: true })], { relations: [to('thing')] }),
    ],
    then: [...CODES, 'INSERT INTO parts (id, thing) VALUES (1, 3)'],
    after: () => [
      things([PLAIN, code()]),
      partsOf([PLAIN, column('thing', 'int', { index: true })], {
        relations: [to('thing'), { ...to('thing'), property: 'again', onDelete: 'cascade' }],
      }),
    ],
  },
  {
    what: 'a key that has another name, and is referred to',
    before: () => [
      things([PLAIN, code()]),
      partsOf([PLAIN, column('thing', 'int', { index: true })], { relations: [to('thing')] }),
    ],
    then: [...CODES, 'INSERT INTO parts (id, thing) VALUES (1, 3)'],
    after: () => [
      things([column('number', 'int', { ...KEY, rename: 'id' }), code()]),
      partsOf([PLAIN, column('thing', 'int', { index: true })], { relations: [to('thing', 'number')] }),
    ],
  },
  {
    what: 'a first key',
    before: () => [things([column('number', 'int'), code(), area()])],
    then: ["INSERT INTO things (number, code, area) VALUES (1, 'a', 1)"],
    after: () => [things([column('number', 'int', KEY), code(), area()])],
    warning: /from none to \(number\)/,
  },
  {
    what: 'no key any more',
    before: () => [things([column('number', 'int', KEY), code(), area()])],
    then: ["INSERT INTO things (number, code, area) VALUES (1, 'a', 1)"],
    after: () => [things([column('number', 'int'), code(), area()])],
    warning: /from \(number\) to none/,
  },
  {
    what: 'another key under a foreign key to what is unique still',
    before: () => [
      things([PLAIN, code()]),
      partsOf([PLAIN, column('thing', 'int', { index: true })], { relations: [to('thing')] }),
    ],
    then: [...CODES, 'INSERT INTO parts (id, thing) VALUES (1, 3)'],
    after: () => [
      things([column('id', 'int', { unique: true }), code(KEY)]),
      partsOf([PLAIN, column('thing', 'int', { index: true })], { relations: [to('thing')] }),
    ],
    warning: /from \(id\) to \(code\)/,
  },
  {
    what: 'a key that held the column of a foreign key',
    before: () => [
      things([PLAIN, code()]),
      partsOf([column('thing', 'int', KEY), column('id', 'int')], { relations: [to('thing')] }),
    ],
    then: [...CODES, 'INSERT INTO parts (id, thing) VALUES (1, 3)'],
    after: () => [
      things([PLAIN, code()]),
      partsOf([column('thing', 'int', { index: true }), PLAIN], { relations: [to('thing')] }),
    ],
    warning: /from \(thing\) to \(id\)/,
  },
];

const refers = (...columns: readonly string[]) => {
  return partsOf([PLAIN, ...columns.map((name) => column(name, 'int', { nullable: true }))], {
    relations: columns.map((name) => to(name)),
  });
};

/** A time with the default that is now. */
export const NOW = { default: 'now' } as const;

const DROPPED: readonly SchemaPair[] = [
  ...(
    [
      ['a text', column('gone', 'string', { size: 20 }), "'x'"],
      ['a long text', column('gone', 'text'), "'x'"],
      ['a number', column('gone', 'decimal', { precision: 8, scale: 2 }), '1.5'],
      ['a boolean', column('gone', 'boolean'), 'true'],
      ['a time', column('gone', 'date'), "'2024-01-02'"],
      ['a time with a default', column('gone', 'date', NOW), undefined],
      ['a text with a default', column('gone', 'string', { size: 20, default: "it's" }), undefined],
      ['a number with a default', column('gone', 'int', { default: '7' }), undefined],
      ['a JSON text', column('gone', 'json'), `'{"a":1}'`],
      ['a nullable time', column('gone', 'date', { nullable: true }), undefined],
      ['an indexed text', column('gone', 'string', { size: 20, index: true }), "'x'"],
    ] as const
  ).map(([what, gone, value]): SchemaPair => ({
    what: `${what} less`,
    before: () => [things([ID, code(), gone])],
    then: [
      value === undefined
        ? "INSERT INTO things (code) VALUES ('a')"
        : `INSERT INTO things (code, gone) VALUES ('a', ${value})`,
    ],
    after: () => [things([ID, code()])],
    warning: /things\.gone is dropped with its values/,
  })),
  {
    what: 'two columns less, which come back in their order',
    inOrder: true,
    before: () => [things([ID, area({ nullable: true }), code()])],
    then: ROWS,
    after: () => [things([ID])],
    warning: /things\.area is dropped/,
  },
  {
    what: 'a column less that refers to a table of somebody else',
    before: () => [things([PLAIN, code()]), refers('thing')],
    then: [...CODES, 'INSERT INTO parts (id, thing) VALUES (1, 3)'],
    after: () => [partsOf([PLAIN])],
    warning: /parts \(thing\) no longer refers to things/,
  },
  {
    what: 'a time more, with the present as default',
    before: () => [things([ID, code()])],
    then: CODES,
    after: () => [things([ID, code(), column('at', 'date', NOW)])],
  },
];

const NAMES: readonly SchemaPair[] = [
  {
    what: 'a unique column that has the name which another one had',
    before: () => [things([ID, code({ unique: true })])],
    then: [...CODES, 'ALTER TABLE things RENAME COLUMN code TO label'],
    after: () => [
      things([ID, column('label', 'string', { size: 20, unique: true }), code({ unique: true, nullable: true })]),
    ],
  },
  {
    what: 'a foreign key of a column that has the name which another one had',
    before: () => [things([PLAIN, code()]), refers('thing')],
    then: [...CODES, 'INSERT INTO parts (id, thing) VALUES (1, 3)', 'ALTER TABLE parts RENAME COLUMN thing TO former'],
    after: () => [things([PLAIN, code()]), refers('former', 'thing')],
  },
  {
    what: 'an index whose name another table has',
    before: () => [things([ID, code()]), partsOf([PLAIN])],
    then: ['CREATE INDEX things_code_idx ON parts (id)'],
    after: () => [things([ID, code({ index: true })])],
  },
];

const doc = (more: Partial<ColumnDefinition> = {}) => column('doc', 'json', more);
const two = [{ columns: ['thing', 'size'] }];

// MySQL makes an index for a foreign key that has none.
const HELD: readonly SchemaPair[] = [
  {
    what: 'a foreign key more, without an index',
    before: () => [things([PLAIN, code()]), partsOf([PLAIN, column('thing', 'int')])],
    then: [...CODES, 'INSERT INTO parts (id, thing) VALUES (1, 3)'],
    after: () => [things([PLAIN, code()]), partsOf([PLAIN, column('thing', 'int')], { relations: [to('thing')] })],
  },
  {
    what: 'a foreign key less, without an index',
    before: () => [things([PLAIN, code()]), refers('thing')],
    then: [...CODES, 'INSERT INTO parts (id, thing) VALUES (1, 3)'],
    after: () => [things([PLAIN, code()]), partsOf([PLAIN, column('thing', 'int', { nullable: true })])],
    warning: /parts \(thing\) no longer refers to things/,
  },
  {
    what: 'a unique index less, and the table that refers to its column',
    before: () => {
      const own = column('thing', 'string', { size: 20 });
      return [things([PLAIN, code({ unique: true })]), partsOf([PLAIN, own], { relations: [to('thing', 'code')] })];
    },
    then: [...CODES, "INSERT INTO parts (id, thing) VALUES (1, 'a')"],
    after: () => [things([PLAIN, code()])],
    drops: true,
    warning: /the table parts is dropped with its rows/,
  },
];

// What a server keeps for itself about a column.
const KEPT: readonly SchemaPair[] = [
  {
    what: 'a computed column beside one that changes',
    needs: 'stored columns',
    before: () => [things([ID, area(), code()])],
    then: [
      'ALTER TABLE things ADD twice int GENERATED ALWAYS AS (area * 2) STORED',
      "INSERT INTO things (area, code) VALUES (1, 'a')",
    ],
    after: () => [
      things([ID, area(), code({ nullable: true }), column('twice', 'int', { generated: true, nullable: true })]),
    ],
  },
  {
    what: 'a computed column less',
    needs: 'virtual columns',
    before: () => [things([ID, area()])],
    then: [
      'ALTER TABLE things ADD twice int GENERATED ALWAYS AS (area * 2) VIRTUAL',
      'INSERT INTO things (area) VALUES (1)',
    ],
    after: () => [things([ID, area()])],
    warning: /things\.twice is dropped/,
  },
  {
    what: 'a stored computed column less',
    needs: 'stored columns',
    before: () => [things([ID, area()])],
    then: [
      'ALTER TABLE things ADD twice int GENERATED ALWAYS AS (area * 2) STORED',
      'INSERT INTO things (area) VALUES (1)',
    ],
    after: () => [things([ID, area()])],
    warning: /things\.twice is dropped/,
  },
  {
    what: 'an index that begins with the column of a foreign key',
    before: () => [things([PLAIN, code()]), partsOf([PLAIN, column('thing', 'int'), column('size', 'int')], { relations: [to('thing')] })], // prettier-ignore
    then: [...CODES, 'INSERT INTO parts (id, thing, size) VALUES (1, 3, 4)'],
    after: () => [
      things([PLAIN, code()]),
      partsOf([PLAIN, column('thing', 'int'), column('size', 'int')], { relations: [to('thing')], indexes: two }),
    ],
  },
  {
    what: 'another name of a JSON column',
    before: () => [things([ID, doc()])],
    then: [`INSERT INTO things (doc) VALUES ('{"a": 1}')`],
    after: () => [things([ID, column('text', 'json', { rename: 'doc' })])],
  },
  {
    what: 'a condition with a comment in it',
    before: () => [things([ID, area()], { checks: { some: 'area > 0 -- of the (whole' } })],
    then: ['INSERT INTO things (area) VALUES (1)'],
    after: () => [things([ID, area({ nullable: true })], { checks: { some: 'area > 0 -- of the (whole' } })],
    warning: /things\.area changes/,
  },
];

const partial = (where: string, more: Partial<TableIndex> = {}): TableIndex => ({ columns: ['code'], where, ...more });
/** Tables of which one has indexes. */
export const indexed = (...indexes: readonly TableIndex[]) => [things([ID, code(), area()], { indexes })];

// Indexes that are more than their columns.
const INDEXES: readonly SchemaPair[] = [
  {
    what: 'a unique index of some rows more',
    needs: 'indexes of expressions',
    before: () => indexed(),
    then: ROWS,
    after: () => indexed(partial('area > 1', { unique: true })),
  },
  {
    what: 'another condition of an index',
    needs: 'indexes of expressions',
    before: () => indexed(partial('area > 1'), partial('area < 9', { name: 'things_few' })),
    then: ROWS,
    after: () => indexed(partial('area > 2'), partial("code <> 'x -- y'", { name: 'things_few' })),
  },
  {
    what: 'an index of some rows that becomes one of all, and the other way round',
    needs: 'indexes of expressions',
    before: () => indexed(partial('area > 1', { name: 'things_some' }), { columns: ['area'], name: 'things_all' }),
    then: ROWS,
    after: () =>
      indexed({ columns: ['code'], name: 'things_some' }, { columns: ['area'], where: 'area > 0', name: 'things_all' }),
  },
  {
    what: 'an index of some rows less, and its column',
    needs: 'indexes of expressions',
    before: () => indexed(partial('area > 1')),
    then: ROWS,
    after: () => [things([ID, code()])],
    warning: /things\.area is dropped/,
  },
  {
    what: 'indexes of expressions more',
    needs: 'indexes of expressions',
    before: () => indexed(),
    then: ROWS,
    after: () =>
      indexed(
        { columns: ['area'], expressions: ['lower(code)'], unique: true },
        { expressions: ["(code || ',' || area)", 'area DESC'], name: 'things_both' },
        { expressions: ['lower(code) -- as people write it'], where: 'area IS NOT NULL' },
      ),
  },
  {
    what: 'another name of a column that indexes of expressions and of some rows are of',
    needs: 'indexes of expressions',
    before: () =>
      indexed(partial("code <> ''", { unique: true }), { expressions: ['lower(code)'], name: 'things_low' }),
    then: ROWS,
    after: () => [
      things([ID, column('label', 'string', { size: 20, rename: 'code' }), area()], {
        indexes: [
          { columns: ['label'], where: "label <> ''", unique: true },
          { expressions: ['lower(label)'], name: 'things_low' },
        ],
      }),
    ],
  },
  {
    what: 'another expression of an index',
    needs: 'indexes of expressions',
    before: () => indexed({ expressions: ['lower(code)'] }, { expressions: ['(area + 1)'], name: 'things_next' }),
    then: ROWS,
    after: () => indexed({ expressions: ['upper(code)'] }, { expressions: ['(area + 2)'], name: 'things_next' }),
  },
  {
    what: 'another order of an index, which somebody made by hand',
    before: () => indexed(),
    then: [...ROWS, 'CREATE INDEX things_last ON things (area DESC, code)'],
    after: () => indexed({ expressions: ['area', 'code DESC'], name: 'things_last' }),
  },
];

/** Changes that must be fully applied and fully undone. */
export const PAIRS: readonly SchemaPair[] = [...KEYS, ...DROPPED, ...NAMES, ...HELD, ...KEPT, ...INDEXES];
