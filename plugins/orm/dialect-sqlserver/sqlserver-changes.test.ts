import { describe, expect, test } from '@jest/globals';
import { CHANGES, owners, pets, zones } from '../contract/schema-changes.contract.js';
import { expectTsql } from '../contract/t-sql.js';
import { sqlserver } from './index.js';
import { ModelInfo } from '../index.js';
import { diffSchema, type ActualTable } from '../schema/index.js';
import { checksOf } from '../schema/constraints.js';

const column = (name: string, type: string, text: string | null = null, counted = false) => ({
  name,
  type,
  nullable: false,
  default: text,
  autoincrement: counted,
  // As the server names them by itself.
  defaultName: text === null ? undefined : `DF__pets__${name}__5AEE82B9`,
  computed: false,
});

const index = (name: string, unique: boolean, ...columns: readonly string[]) => {
  return { name, unique, columns, plain: true, constraint: false };
};

// What the catalog of SQL Server shows of the tables (https://learn.microsoft.com/sql/relational-databases/system-catalog-views).
const TABLES = (): readonly ActualTable[] => [
  {
    name: 'owners',
    columns: [column('id', 'int', null, true), column('name', 'nvarchar(255)')],
    primaryKey: ['id'],
    indexes: [index('owners_name_key', true, 'name')],
    foreignKeys: [],
    checks: [],
    definitions: [],
  },
  {
    name: 'pets',
    columns: [
      column('id', 'int', null, true),
      column('owner_id', 'int'),
      column('kind', 'nvarchar(40)', "(N'a ''cat''')"),
      column('weight', 'decimal(8,2)', '((1.5))'),
      column('tame', 'bit', '((1))'),
      column('born_at', 'datetime2(3)', '(sysutcdatetime())'),
    ],
    primaryKey: ['id'],
    indexes: [
      index('pets_owner_id_idx', false, 'owner_id'),
      index('pets_kind_owner_id_key', true, 'kind', 'owner_id'),
      index('pets_by_kind', false, 'kind', 'weight'),
    ],
    foreignKeys: [
      {
        name: 'pets_owner_id_fkey',
        columns: ['owner_id'],
        table: 'owners',
        references: ['id'],
        onDelete: 'cascade',
        onUpdate: 'no action',
      },
    ],
    checks: checksOf(pets()).map(({ name, sql }) => ({ name, sql: `(${sql})` })),
    definitions: [],
  },
];

class NamedOwner {}

// Whose name is the key; the number is there still.
const ownersByName = (): ModelInfo =>
  new ModelInfo(NamedOwner, {
    name: 'NamedOwner',
    table: 'owners',
    columns: [
      { property: 'id', column: 'id', kind: 'int', autoincrement: true },
      { property: 'name', column: 'name', kind: 'string', primaryKey: true, unique: true },
    ],
  });

describe('changes of the schema on SQL Server', () => {
  test('nothing differs from what the catalog says in words of its own', () => {
    expect(diffSchema([owners(), pets()], TABLES(), sqlserver)).toEqual({ up: [], down: [], warnings: [] });
  });

  test('new tables get their foreign keys once all of them are there', () => {
    const { up, down } = diffSchema([pets(), owners()], [], sqlserver);
    expect(up.at(-1)).toBe(
      'ALTER TABLE [pets] ADD CONSTRAINT [pets_owner_id_fkey] FOREIGN KEY ([owner_id]) REFERENCES [owners] ([id]) ON DELETE CASCADE',
    );
    expect(down).toEqual([
      'ALTER TABLE [pets] DROP CONSTRAINT [pets_owner_id_fkey]',
      'DROP TABLE [pets]',
      'DROP TABLE [owners]',
    ]);
    expectTsql([...up, ...down].join(';\n'));
  });

  test.each(CHANGES)('$what: T-SQL that a parser of it accepts, up and down', ({ models, warning }) => {
    const { up, down, warnings } = diffSchema(models(), TABLES(), sqlserver);
    expect(warnings.join('\n')).toContain(warning ?? '');
    expect(up.length).toBeGreaterThan(0);
    expect(down.length).toBeGreaterThan(0);
    expectTsql([...up, ...down].join(';\n'));
  });

  test('a default is dropped by the name that it has, and put back under it', () => {
    const change = CHANGES.find(({ what }) => what === 'another default');
    expect(diffSchema(change?.models() ?? [], TABLES(), sqlserver)).toEqual({
      up: [
        'ALTER TABLE [pets] DROP CONSTRAINT [DF__pets__kind__5AEE82B9]',
        "ALTER TABLE [pets] ADD CONSTRAINT [pets_kind_default] DEFAULT N'dog' FOR [kind]",
      ],
      down: [
        'ALTER TABLE [pets] DROP CONSTRAINT [pets_kind_default]',
        "ALTER TABLE [pets] ADD CONSTRAINT [DF__pets__kind__5AEE82B9] DEFAULT (N'a ''cat''') FOR [kind]",
      ],
      warnings: [],
    });
  });

  test('a unique constraint is dropped as one, and comes back as one', () => {
    const [, table] = TABLES();
    const key = { ...index('UQ_pets_kind_key', true, 'kind'), constraint: true };
    const tables = [TABLES()[0], { ...table, indexes: [...(table?.indexes ?? []), key] }] as ActualTable[];
    expect(diffSchema([owners(), pets()], tables, sqlserver)).toEqual({
      up: ['ALTER TABLE [pets] DROP CONSTRAINT [UQ_pets_kind_key]'],
      down: ['ALTER TABLE [pets] ADD CONSTRAINT [UQ_pets_kind_key] UNIQUE ([kind])'],
      warnings: ['the unique index UQ_pets_kind_key of pets (kind) is dropped; rows may have the same values then'],
    });
  });

  test('a foreign key and the indexes are out of the way while a column of them changes', () => {
    const { up, down } = diffSchema(
      [owners(), pets({ columns: { ownerId: { nullable: true } } })],
      TABLES(),
      sqlserver,
    );
    const drop = 'ALTER TABLE [pets] DROP CONSTRAINT [pets_owner_id_fkey]';
    const add =
      'ALTER TABLE [pets] ADD CONSTRAINT [pets_owner_id_fkey] FOREIGN KEY ([owner_id]) REFERENCES [owners] ([id]) ON DELETE CASCADE';
    const dropIndexes = ['DROP INDEX [pets_owner_id_idx] ON [pets]', 'DROP INDEX [pets_kind_owner_id_key] ON [pets]'];
    const createIndexes = [
      'CREATE INDEX [pets_owner_id_idx] ON [pets] ([owner_id])',
      'CREATE UNIQUE INDEX [pets_kind_owner_id_key] ON [pets] ([kind], [owner_id])',
    ];
    const change = (type: string) => `ALTER TABLE [pets] ALTER COLUMN [owner_id] ${type}`;
    expect(up).toEqual([drop, ...dropIndexes, change('int NULL'), ...createIndexes, add]);
    expect(down).toEqual([drop, ...dropIndexes, change('int NOT NULL'), ...createIndexes, add]);
  });

  test('a check is out of the way while its column takes another type, and an index that a migration cannot write is named', () => {
    const [table, other] = TABLES();
    const filtered = { ...index('light_pets', false, 'weight'), plain: false };
    const tables = [table, { ...other, indexes: [filtered] }] as ActualTable[];
    const { up, warnings } = diffSchema(
      [owners(), pets({ columns: { weight: { scale: 3 } }, indexes: [] })],
      tables,
      sqlserver,
    );
    const light = checksOf(pets()).find(({ key }) => key === 'light');
    const [dropped, ...rest] = up;
    expect(dropped).toBe('DROP INDEX [light_pets] ON [pets]');
    expect(rest[0]).toBe(`ALTER TABLE [pets] DROP CONSTRAINT [${light?.name}]`);
    expect(rest).toContain('ALTER TABLE [pets] ALTER COLUMN [weight] decimal(8, 3) NOT NULL');
    expect(rest).toContain(`ALTER TABLE [pets] ADD CONSTRAINT [${light?.name}] CHECK ((weight < 100))`);
    expect(warnings.join('\n')).toContain('the index light_pets of pets is dropped');
    expectTsql(up.filter((each) => !each.startsWith('--')).join(';\n'));
  });

  test('the primary key is out of the way while its column takes another type, under the name that it has', () => {
    const key = 'PK__zones__3213E83F1A14E395';
    const [zone, spot] = zones('string');
    const named = { primaryKeyName: key, indexes: [], foreignKeys: [], checks: [], definitions: [] };
    const tables: ActualTable[] = [
      { ...named, name: 'zones', columns: [column('id', 'int')], primaryKey: ['id'] },
      {
        ...named,
        primaryKeyName: undefined,
        name: 'spots',
        columns: [column('id', 'int'), column('zone_id', 'int')],
        primaryKey: ['id'],
        foreignKeys: [
          {
            name: 'spots_zone_id_fkey',
            columns: ['zone_id'],
            table: 'zones',
            references: ['id'],
            onDelete: 'no action',
            onUpdate: 'no action',
          },
        ],
      },
    ];
    const { up, down } = diffSchema([zone, spot] as ModelInfo[], tables, sqlserver);
    const [drop, add] = [
      `ALTER TABLE [zones] DROP CONSTRAINT [${key}]`,
      `ALTER TABLE [zones] ADD CONSTRAINT [${key}] PRIMARY KEY ([id])`,
    ];
    const between = (statements: readonly string[]) =>
      statements.slice(statements.indexOf(drop), statements.indexOf(add) + 1);
    expect(up[0]).toBe('ALTER TABLE [spots] DROP CONSTRAINT [spots_zone_id_fkey]');
    expect(between(up)).toEqual([drop, 'ALTER TABLE [zones] ALTER COLUMN [id] nvarchar(20) NOT NULL', add]);
    expect(between(down)).toEqual([drop, 'ALTER TABLE [zones] ALTER COLUMN [id] int NOT NULL', add]);
    expectTsql([...up, ...down].join(';\n'));
  });

  test('another primary key takes the place of one, under its name, with what refers to it out of the way', () => {
    const [owner, pet] = TABLES() as [ActualTable, ActualTable];
    const tables = [{ ...owner, primaryKeyName: 'PK__owners__1' }, pet];
    const model = ownersByName();
    const { up, down, warnings } = diffSchema([model, pets({ owner: null })], tables, sqlserver);
    const [drop, add] = [
      'ALTER TABLE [pets] DROP CONSTRAINT [pets_owner_id_fkey]',
      'ALTER TABLE [pets] ADD CONSTRAINT [pets_owner_id_fkey] FOREIGN KEY ([owner_id]) REFERENCES [owners] ([id]) ON DELETE CASCADE',
    ];
    const dropKey = 'ALTER TABLE [owners] DROP CONSTRAINT [PK__owners__1]';
    const addKey = (column: string) => `ALTER TABLE [owners] ADD CONSTRAINT [PK__owners__1] PRIMARY KEY ([${column}])`;
    expect(up).toEqual([drop, dropKey, addKey('name')]);
    expect(down).toEqual([dropKey, addKey('id'), add]);
    expect(warnings[0]).toContain('the primary key of owners changes from (id) to (name)');
    expectTsql([...up, ...down].join(';\n'));
  });

  test('a numbered key that comes in the place of another is numbered from its beginning', () => {
    const [owner] = TABLES() as [ActualTable];
    const table = { ...owner, columns: owner.columns.slice(1), primaryKey: ['name'], primaryKeyName: 'PK__owners__1' };
    const { up, down } = diffSchema([owners()], [table], sqlserver);
    expect(up).toEqual([
      'ALTER TABLE [owners] DROP CONSTRAINT [PK__owners__1]',
      'ALTER TABLE [owners] ADD [id] int IDENTITY(1, 1) NOT NULL',
      'ALTER TABLE [owners] ADD CONSTRAINT [PK__owners__1] PRIMARY KEY ([id])',
    ]);
    expect(down).toEqual([
      'ALTER TABLE [owners] DROP CONSTRAINT [PK__owners__1]',
      'ALTER TABLE [owners] DROP COLUMN [id]',
      'ALTER TABLE [owners] ADD CONSTRAINT [PK__owners__1] PRIMARY KEY ([name])',
    ]);
    expectTsql([...up, ...down].join(';\n'));
  });

  test('numbering that cannot be changed is told, each time', () => {
    const [owner] = TABLES() as [ActualTable];
    const plain = owner.columns.map((each) => ({ ...each, autoincrement: false }));
    expect(diffSchema([owners()], [{ ...owner, columns: plain }], sqlserver)).toEqual({
      up: [],
      down: [],
      warnings: [expect.stringContaining('owners.id is not numbered by the database, as the model wants it')],
    });
  });

  test('a text keeps its order when it grows, and a column comes back with a value, its order and its null', () => {
    const [owner] = TABLES() as [ActualTable];
    const [id, name] = owner.columns as [ActualTable['columns'][number], ActualTable['columns'][number]];
    const bare = { ...owner, indexes: [], columns: [id, { ...name, collation: 'Latin1_General_BIN2' }] };
    const grown = diffSchema([owners({ size: 300, unique: false })], [bare], sqlserver);
    expect(grown.up).toEqual([
      'ALTER TABLE [owners] ALTER COLUMN [name] nvarchar(300) COLLATE Latin1_General_BIN2 NOT NULL',
    ]);
    const dropped = diffSchema([owners({ column: 'label', nullable: true, unique: false })], [bare], sqlserver);
    expect(dropped.down).toEqual([
      expect.stringMatching(/^-- the values of owners\.name are gone/),
      "ALTER TABLE [owners] ADD [name] nvarchar(255) COLLATE Latin1_General_BIN2 NOT NULL CONSTRAINT [name_while_added] DEFAULT ('')",
      'ALTER TABLE [owners] DROP CONSTRAINT [name_while_added]',
      'ALTER TABLE [owners] DROP COLUMN [label]',
    ]);
    expectTsql([...grown.up, ...dropped.down.slice(1)].join(';\n'));
  });

  test.each([
    ['int', 'INTEGER'],
    ['decimal(18,0)', 'numeric'],
    ['decimal(12,4)', 'dec(12, 4)'],
    ['float', 'double precision'],
    ['real', 'float(24)'],
    ['nvarchar(20)', 'national character varying(20)'],
    ['varchar(1)', 'varchar'],
    ['datetime2(7)', 'datetime2'],
    ['datetimeoffset(3)', 'datetimeoffset (3)'],
    ['timestamp', 'rowversion'],
  ])('%s is %s', (type, sqlType) => {
    const [owner] = TABLES() as [ActualTable];
    const columns = owner.columns.map((each) => (each.name === 'name' ? { ...each, type } : each));
    expect(diffSchema([owners({ sqlType })], [{ ...owner, columns }], sqlserver).up).toEqual([]);
  });

  test('a column is renamed whatever it and its table are called', () => {
    const what = { kind: 'int', nullable: false, primaryKey: true } as const;
    const columns = [{ ...what, property: 'key', column: "it's [new]", rename: 'a]b c' }];
    const model = new ModelInfo(class {}, { name: 'Line', table: '"Order.Lines"', columns });
    const there = { ...(TABLES()[0] as ActualTable), name: '"Order.Lines"', primaryKey: ['a]b c'], indexes: [] };
    const { up, down } = diffSchema([model], [{ ...there, columns: [column('a]b c', 'int')] }], sqlserver);
    expect(up).toEqual(["EXEC sp_rename N'[Order.Lines].[a]]b c]', N'it''s [new]', 'COLUMN'"]);
    expect(down).toEqual(["EXEC sp_rename N'[Order.Lines].[it''s [new]]]', N'a]b c', 'COLUMN'"]);
    expectTsql([...up, ...down].join(';\n'));
  });

  test('the query of a view stands behind its name; a name with a list of columns is given up at once', () => {
    const { viewIn } = sqlserver.schema.introspection;
    expect(viewIn?.('CREATE VIEW [dbo].[grown pets] AS SELECT 1 AS id')).toBe('SELECT 1 AS id');
    const listed = `CREATE VIEW ${'pets_that_have_grown'.repeat(6)} (id) AS SELECT 1`;
    expect(viewIn?.(listed)).toBe(listed);
  });

  test('there is no RESTRICT; no action is the same', () => {
    const { up } = diffSchema([owners(), pets({ owner: { onDelete: 'restrict' } })], TABLES(), sqlserver);
    expect(up.at(-1)).toMatch(/REFERENCES \[owners\] \(\[id\]\)$/);
  });
});
