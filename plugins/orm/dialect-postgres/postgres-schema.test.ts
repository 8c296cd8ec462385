import { expect, test } from '@jest/globals';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { column, things } from '../contract/schema-pairs.js';
import { runCells } from '../contract/index.js';
import { schemaRoundtripContract } from '../contract/schema-roundtrip.contract.js';
import { POSTGRES, postgresDatabase, testedPostgres } from './testing/postgres-server.js';
import { ModelInfo, open, registerModel } from '../index.js';
import { pullModels } from '../db-pull/index.js';
import { diffSchema, introspect } from '../schema/index.js';
import { postgres } from './index.js';
import { POSTGRES_PAIRS } from './testing/schema-pairs.js';

// https://www.postgresql.org/docs/current/datatype.html, table 8.1
const SPELLINGS: readonly (readonly [string, readonly string[]])[] = [
  ['smallint', ['smallint', 'int2', 'SMALLINT']],
  ['integer', ['integer', 'int', 'int4']],
  ['bigint', ['bigint', 'int8']],
  ['real', ['real', 'float4']],
  ['double precision', ['double precision', 'float8', 'float', 'double  precision']],
  ['numeric(12,4)', ['numeric(12,4)', 'numeric(12, 4)', 'decimal(12,4)', 'decimal (12 , 4)']],
  ['numeric(12,0)', ['numeric(12)', 'decimal(12)', 'decimal(12,0)']],
  ['numeric', ['numeric', 'decimal']],
  ['boolean', ['boolean', 'bool']],
  ['varchar(20)', ['varchar(20)', 'character varying(20)', 'character varying (20)']],
  ['varchar', ['varchar', 'character varying']],
  ['char(3)', ['char(3)', 'character(3)']],
  ['char', ['char', 'char(1)', 'character']],
  ['timestamp', ['timestamp', 'timestamp without time zone']],
  ['timestamp(3)', ['timestamp(3)', 'timestamp (3)', 'timestamp(3) without time zone']],
  ['timestamptz(3)', ['timestamptz(3)', 'timestamp(3) with time zone']],
  ['time', ['time', 'time without time zone']],
  ['integer[]', ['int[]', 'int4[]', 'integer[]']],
  ['text COLLATE "C"', ['text', 'text COLLATE "C"', 'text collate "C"']],
];

describeWith(POSTGRES, 'PostgreSQL', (url) => {
  test('statements that ran before a column became an enum, and another one, run behind that', async () => {
    const { handle, drop } = await postgresDatabase(url);
    try {
      await handle.script('CREATE TABLE moods (mood text)');
      const write = () => handle.execute('INSERT INTO moods (mood) VALUES ($1)', ['calm']);
      const read = async () => (await handle.query('SELECT mood FROM moods WHERE mood = $1', ['calm'])).length;
      await write();
      expect(await read()).toBe(1);
      const become = (name: string) =>
        `CREATE TYPE ${name} AS ENUM ('calm'); ALTER TABLE moods ALTER mood TYPE ${name} USING mood::text::${name}`;
      await handle.script(become('first_enum'));
      await write();
      expect(await read()).toBe(2);
      await handle.script(`${become('second_enum')}; DROP TYPE first_enum`);
      await write();
      expect(await read()).toBe(3);
    } finally {
      await drop();
    }
  });

  runCells(testedPostgres(url), ['enums', 'schemas', 'views']);
  schemaRoundtripContract({
    name: 'PostgreSQL',
    dialect: postgres,
    spellings: SPELLINGS,
    traits: [
      'numbers in wider keys',
      'checks of new rows',
      'foreign keys later',
      'enums',
      'stored columns',
      'indexes of expressions',
    ],
    pairs: POSTGRES_PAIRS,
    create: () => postgresDatabase(url),
  });

  // https://www.postgresql.org/docs/current/sql-createtable.html (INCLUDE, NULLS NOT DISTINCT, DEFERRABLE)
  test('what indexes and keys say beyond their columns is declared, or told by name, and none of it is changed', async () => {
    const { handle, drop } = await postgresDatabase(url);
    const db = open(handle, postgres);
    try {
      await handle.script(`
        CREATE TABLE owners (id int, note int, tax text, PRIMARY KEY (id) INCLUDE (note), UNIQUE (tax) DEFERRABLE);
        CREATE INDEX owners_tax_more ON owners (tax) INCLUDE (note);
        CREATE INDEX owners_tax_much ON owners (tax) INCLUDE (id);
        CREATE UNIQUE INDEX owners_once ON owners (tax, note) NULLS NOT DISTINCT;
        CREATE TABLE cats (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, owner_id int REFERENCES owners (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED)`);
      const { models } = await pullModels(db);
      const warnings = models.flatMap((each) => each.warnings);
      expect(warnings).toEqual([
        'the primary key cats_pkey of cats says DEFERRABLE INITIALLY DEFERRED, which no model can say; it stays as it is, and the database refuses upserts by it',
        'the primary key owners_pkey of owners says INCLUDE (note), which no model can say; it stays as it is',
        expect.stringMatching('index owners_tax_key of owners is left out: it has parts of its own'),
      ]);
      const pulled = models.map((each) => each.content).join();
      for (const words of [
        "{ columns: ['tax'], include: ['note'], name: 'owners_tax_more' },",
        "{ columns: ['tax', 'note'], unique: true, nullsNotDistinct: true, name: 'owners_once' },",
        "onDelete: 'cascade', deferrable: 'deferred' })",
      ])
        expect(pulled).toContain(words);
      const tables = await introspect(db);
      expect(tables.map(({ name, primaryKey }) => [name, primaryKey])).toEqual([
        ['cats', ['id']],
        ['owners', ['id']],
      ]);
      class Owner {}
      registerModel(Owner, {
        name: 'Owner',
        table: 'owners',
        columns: [
          { property: 'id', column: 'id', kind: 'bigint', primaryKey: true },
          { property: 'note', column: 'note', kind: 'int', nullable: true },
          { property: 'tax', column: 'tax', kind: 'text', nullable: true },
        ],
      });
      const { up } = diffSchema([Owner], tables, postgres);
      expect(up.at(-1)).toMatch(
        /ADD CONSTRAINT "cats_owner_id_fkey" .* ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED$/,
      );
      expect(up.join('\n')).not.toContain('"note"');
      // A table and a key come back with what they said.
      const dropped = diffSchema([Owner], tables, postgres, { dropTables: true });
      expect(dropped.down.join('\n')).toContain('PRIMARY KEY ("id") DEFERRABLE INITIALLY DEFERRED');
      class Keyed {}
      registerModel(Keyed, {
        name: 'Keyed',
        table: 'owners',
        columns: [
          { property: 'id', column: 'id', kind: 'int' },
          { property: 'note', column: 'note', kind: 'int', nullable: true },
          { property: 'tax', column: 'tax', kind: 'text', primaryKey: true },
        ],
      });
      const keyed = diffSchema([Keyed], tables, postgres);
      expect(keyed.down.join('\n')).toContain('ADD CONSTRAINT "owners_pkey" PRIMARY KEY ("id") INCLUDE (note)');
      expect(keyed.warnings).toContainEqual(
        expect.stringContaining('the old one says INCLUDE (note), the new one does not'),
      );
    } finally {
      await db.close();
      await drop();
    }
  });

  // https://www.postgresql.org/docs/current/sql-createtable.html (MATCH, SET NULL with columns)
  test('a key that is lifted for a change of its columns matches and sets as before', async () => {
    const { handle, drop } = await postgresDatabase(url);
    const db = open(handle, postgres);
    try {
      await handle.script(`
        CREATE TABLE places (tenant int, id int, PRIMARY KEY (tenant, id));
        CREATE TABLE visits (id int PRIMARY KEY, tenant int NOT NULL, place int, before int,
          CONSTRAINT in_place FOREIGN KEY (tenant, place) REFERENCES places ON DELETE SET NULL (place),
          CONSTRAINT from_place FOREIGN KEY (tenant, before) REFERENCES places MATCH FULL DEFERRABLE)`);
      const { models } = await pullModels(db);
      expect(models.flatMap((each) => each.warnings)).toEqual([
        expect.stringContaining('the foreign key from_place of visits says MATCH FULL, which no relation can say'),
        expect.stringContaining(
          'the foreign key in_place of visits says ON DELETE SET NULL (place), which no relation can say',
        ),
      ]);
      const keys = `SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f' ORDER BY conname`;
      const before = await handle.query(keys, []);
      class Place {}
      registerModel(Place, {
        name: 'Place',
        table: 'places',
        columns: [
          { property: 'tenant', column: 'tenant', kind: 'int', primaryKey: true },
          { property: 'id', column: 'id', kind: 'bigint', primaryKey: true },
        ],
      });
      const { up, down } = diffSchema([Place], await introspect(db), postgres);
      for (const statements of [up, down]) {
        expect(statements.filter((each) => each.includes('ADD CONSTRAINT'))).toHaveLength(2);
        for (const each of statements) await handle.script(each);
        expect(await handle.query(keys, [])).toEqual(before);
      }
    } finally {
      await db.close();
      await drop();
    }
  });

  // https://www.postgresql.org/docs/current/sql-createview.html
  test('a view that is made again around a change of its table is guarded as before, and for the same people', async () => {
    const { handle, drop } = await postgresDatabase(url);
    const db = open(handle, postgres);
    try {
      const query = 'SELECT id, note FROM cats';
      await handle.script(`CREATE TABLE cats (id int PRIMARY KEY, note int NOT NULL);
        CREATE VIEW notes WITH (security_barrier, check_option = cascaded) AS ${query} WHERE id > 0;
        GRANT SELECT ON notes TO PUBLIC; GRANT UPDATE (note) ON notes TO pg_monitor WITH GRANT OPTION`);
      const columns = [column('id', 'int', { primaryKey: true }), column('note', 'bigint')];
      const models = [
        new ModelInfo(class {}, { name: 'Cat', table: 'cats', columns }),
        new ModelInfo(class {}, { name: 'Note', table: 'notes', columns, view: query }),
      ];
      const options = `SELECT reloptions, relacl::text, (SELECT array_agg(attacl::text) FROM pg_attribute WHERE attrelid = c.oid) FROM pg_class c WHERE relname = 'notes'`;
      const before = await handle.query(options, []);
      const { up, down } = diffSchema(models, await introspect(db, models), postgres);
      for (const statements of [up, down]) {
        for (const each of statements) await handle.script(each);
        expect(await handle.query(options, [])).toEqual(before);
      }
    } finally {
      await db.close();
      await drop();
    }
  });

  test('in quotes the case of a type counts', async () => {
    const made = await postgresDatabase(url);
    const db = open(made.handle, postgres);
    await db.sqlDB().script(`CREATE TYPE "Mood" AS ENUM ('a'); CREATE TYPE calm AS ENUM ('a');
      CREATE TABLE things (id int NOT NULL PRIMARY KEY, one "Mood", two calm)`);
    const difference = async (one: string, two: string) => {
      const nullable = { nullable: true } as const;
      const id = column('id', 'int', { primaryKey: true });
      const columns = [
        column('one', 'string', { sqlType: one, ...nullable }),
        column('two', 'string', { sqlType: two, ...nullable }),
      ];
      return diffSchema([things([id, ...columns])], await introspect(db), postgres).up;
    };
    expect(await difference('"Mood"', 'calm')).toEqual([]);
    expect(await difference('"Mood"', '"calm"')).toEqual([]);
    expect(await difference('"MOOD"', 'calm')).toHaveLength(1);
    expect(await difference('mood', 'calm')).toHaveLength(1);
    await made.drop();
  });
});
