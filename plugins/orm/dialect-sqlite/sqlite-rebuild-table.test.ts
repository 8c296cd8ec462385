import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openSqlite, sqlite } from './index.js';
import { model, open, registerModel, type ColumnDefinition, type Database, type ModelInfo } from '../index.js';
import { declarationsOf } from '../db-pull/index.js';
import { diffSchema, introspect } from '../schema/index.js';

class Person {
  id!: number;
  first!: string;
  shout!: string;
  price!: string;
}

const PEOPLE = `CREATE TABLE people (
  id INTEGER NOT NULL, -- STRICT, in a comment
  first TEXT COLLATE NOCASE NOT NULL CHECK (first <> ', COLLATE BINARY ('),
  shout TEXT GENERATED ALWAYS AS (upper(first) || ', "x"') STORED,
  size INT AS (length(first)),
  PRIMARY KEY (id)
) STRICT, WITHOUT ROWID`;
const COLUMNS: readonly ColumnDefinition[] = [
  { property: 'id', column: 'id', kind: 'int', primaryKey: true },
  { property: 'first', column: 'first', kind: 'text' },
  { property: 'shout', column: 'shout', kind: 'text', generated: true, nullable: true },
  { property: 'size', column: 'size', kind: 'int', generated: true, nullable: true },
];
const CHECKS = { said: "first <> ', COLLATE BINARY ('" };

let db: Database;
beforeEach(async () => {
  db = open(await openSqlite(':memory:'), sqlite);
});
afterEach(() => db.close());

const people = (columns = COLUMNS, table = 'people'): ModelInfo =>
  registerModel(Person, {
    name: 'Person',
    table,
    columns,
    ...(table === 'people' && { checks: CHECKS }),
  }) as unknown as ModelInfo;
const definition = async (table = 'people') =>
  (await introspect(db)).find(({ name }) => name === table)?.definitions[0]?.sql ?? '';
const difference = async (target: ModelInfo) => diffSchema([target], await introspect(db), sqlite);
async function apply(statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.sqlDB().script(statement);
}

test('a table that is built anew stays strict and without rowid, with its collations and generated columns', async () => {
  await db.sqlDB().script(PEOPLE);
  expect(await difference(people())).toEqual({ up: [], down: [], warnings: [] });
  await db.sqlDB().script("INSERT INTO people (id, first) VALUES (1, 'Ann')");
  const nullable = COLUMNS.map((column) => (column.column === 'first' ? { ...column, nullable: true } : column));
  const { up, down } = await difference(people(nullable));
  await apply(up);
  expect(await difference(people(nullable))).toMatchObject({ up: [] });
  const made = await definition();
  expect(made).toMatch(/\) STRICT, WITHOUT ROWID$/);
  expect(made).toContain('"first" TEXT COLLATE NOCASE,');
  expect(made).toContain(`"shout" TEXT GENERATED ALWAYS AS (upper(first) || ', "x"') STORED`);
  expect(made).toContain('"size" INT GENERATED ALWAYS AS (length(first))');
  expect(await db.sqlDB().query("SELECT id, shout, size FROM people WHERE first = 'ANN'", [])).toEqual([
    [1, 'ANN, "x"', 3],
  ]);
  await expect(async () => db.sqlDB().script("INSERT INTO people (id, first) VALUES ('x', 'y')")).rejects.toThrow();
  await apply(down);
  expect((await definition()).replace('"people"', 'people')).toBe(PEOPLE);
  expect(await model(db, Person).count()).toBe(1);
});

test('a generated column that the model has not is dropped with a warning, and comes back generated', async () => {
  await db.sqlDB().script(PEOPLE);
  const { up, down, warnings } = await difference(people(COLUMNS.slice(0, 3)));
  expect(warnings).toEqual(['people.size is dropped with its values; the model has no such column']);
  await apply(up);
  expect(await definition()).not.toContain('size');
  await apply(down);
  expect((await definition()).replace('"people"', 'people')).toBe(PEOPLE);
});

test('a column keeps its declared type, and so its numbers', async () => {
  await db.sqlDB().script('CREATE TABLE goods (id INTEGER NOT NULL PRIMARY KEY, price NUMERIC NOT NULL, note int)');
  await db.sqlDB().script('INSERT INTO goods VALUES (1, 10.5, 2)');
  const columns: readonly ColumnDefinition[] = [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true },
    { property: 'price', column: 'price', kind: 'decimal', nullable: true },
    { property: 'note', column: 'note', kind: 'int', nullable: true },
  ];
  await apply((await difference(people(columns, 'goods'))).up);
  expect(await db.sqlDB().query('SELECT typeof(price) FROM goods', [])).toEqual([['real']]);
});

test.each([
  ['ON CONFLICT REPLACE', 'first TEXT NOT NULL UNIQUE ON CONFLICT REPLACE'],
  ['DEFERRABLE', 'first TEXT NOT NULL REFERENCES others (id) DEFERRABLE INITIALLY DEFERRED'],
])('what cannot be kept is not lost: %s', async (lost, column) => {
  await db.sqlDB().script(`CREATE TABLE people (id INTEGER NOT NULL PRIMARY KEY, ${column})`);
  const columns = [COLUMNS[0], { ...COLUMNS[1], unique: true, nullable: true }] as ColumnDefinition[];
  await expect(difference(people(columns))).rejects.toMatchObject({
    code: 'FW_MIGRATE_REBUILD',
    message: `migrations: the table people has to be built anew, and would lose ${lost}, which no model says.`,
  });
});

test('a generated column is pulled as one', async () => {
  await db.sqlDB().script(PEOPLE);
  const [pulled] = declarationsOf(await introspect(db), sqlite).models;
  expect(pulled?.content).toContain(
    String.raw`@db('shout,generated=upper(first) || \', "x"\'')` + '\n  shout!: string | null;',
  );
  expect(pulled?.content).toContain("@db('id,pk')\n  id!: Int;");
});

// A table in a new state under another name of a column, with what reads that column around it.
const named = (column: string, nullable: boolean): ModelInfo =>
  registerModel(Person, {
    name: 'Person',
    table: 'people',
    columns: [
      { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true },
      { property: 'first', column, kind: 'text', unique: true, ...(column === 'first' ? {} : { rename: 'first' }) },
      { property: 'size', column: 'size', kind: 'int', nullable },
    ],
  }) as unknown as ModelInfo;

// https://sqlite.org/lang_altertable.html#alter_table_rename_column
test('what reads a column follows its new name, also where its table is built anew, and back', async () => {
  await apply((await difference(named('first', false))).up);
  await db.sqlDB().script(`CREATE TABLE pets (id INTEGER PRIMARY KEY, owner TEXT REFERENCES people (first));
    CREATE TABLE log (first TEXT);
    CREATE VIEW names AS SELECT first AS name FROM people;
    CREATE TRIGGER changed AFTER UPDATE OF size, "first" ON people WHEN old.first <> NEW . "first" AND 'new.first' <> ''
    BEGIN INSERT INTO log SELECT new.FIRST || old.first; END;
    CREATE TRIGGER logged AFTER DELETE ON log BEGIN UPDATE people SET first = 'gone' WHERE first = old.first; END;
    INSERT INTO people (first, size) VALUES ('Ann', 1)`);
  const use = async (column: string) => {
    const script = `INSERT INTO pets (owner) VALUES ('Ann'); DELETE FROM pets;
      UPDATE people SET ${column} = 'Bob'; UPDATE log SET first = 'Bob'; DELETE FROM log;`;
    await db.sqlDB().script(script);
    expect(await db.sqlDB().query('SELECT name FROM names', [])).toEqual([['gone']]);
    await db.sqlDB().script(`UPDATE people SET ${column} = 'Ann'; INSERT INTO log VALUES ('x'); DELETE FROM log`);
    expect(await db.sqlDB().query('PRAGMA foreign_key_check', [])).toEqual([]);
  };
  await use('first');
  const triggers = () => db.sqlDB().query("SELECT sql FROM sqlite_master WHERE name = 'changed'", []);
  const before = await triggers();
  const { up, down, warnings } = await difference(named('given', true));
  expect(warnings).toEqual(['people.size changes from INTEGER not null to INTEGER; check that its values fit']);
  await apply(up);
  expect(await difference(named('given', true))).toEqual({ up: [], down: [], warnings: [] });
  await use('given');
  await apply(down);
  expect(await difference(named('first', false))).toEqual({ up: [], down: [], warnings: [] });
  await use('first');
  expect(await triggers()).toEqual(before);
});

test('a trigger that names a column which is gone is told of', async () => {
  await apply((await difference(named('first', false))).up);
  await db.sqlDB().script(`CREATE TABLE log (t TEXT);
    CREATE TRIGGER changed AFTER UPDATE ON people BEGIN INSERT INTO log SELECT first FROM people; END;`);
  expect((await difference(named('given', true))).warnings).toContainEqual(
    expect.stringContaining('the trigger changed of people names first, which is no column any more'),
  );
});

test('a table that is dropped takes no rows of another along', async () => {
  await db.sqlDB().script(`CREATE TABLE owners (id INTEGER PRIMARY KEY);
    CREATE TABLE people (id INTEGER PRIMARY KEY, owner INT REFERENCES owners (id) ON DELETE CASCADE);
    INSERT INTO owners VALUES (1); INSERT INTO people VALUES (1, 1), (2, NULL)`);
  const { up } = diffSchema(
    [],
    (await introspect(db)).filter(({ name }) => name === 'owners'),
    sqlite,
    {
      dropTables: true,
    },
  );
  await apply(up);
  expect(await db.sqlDB().query('SELECT id, owner FROM people', [])).toEqual([
    [1, 1],
    [2, null],
  ]);
});
