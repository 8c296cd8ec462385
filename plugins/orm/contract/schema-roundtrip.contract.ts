import { afterEach, describe, expect, test } from '@jest/globals';
import { registerModel, type Database, type Dialect, type ModelInfo } from '../index.js';
import { createMissingTables, diffSchema, introspect, type ActualTable } from '../schema/index.js';
import type { TestDatabase } from './subject.js';
import { COMPUTED_PAIRS } from './computed-pairs.js';
import { ENUM_PAIRS } from './enum-pairs.js';
import { PAIRS, column, partsOf, things, type SchemaPair, type SchemaTrait } from './schema-pairs.js';
import { withTables } from './with-tables.js';

class Short {}
class Long {}

/** A database whose schema is changed and changed back. */
interface ChangedDatabase {
  readonly name: string;
  readonly dialect: Dialect;
  /** Words for one type, by the type. */
  readonly spellings: readonly (readonly [type: string, spellings: readonly string[]])[];
  readonly traits: readonly SchemaTrait[];
  /** What only this database has. */
  readonly pairs: readonly SchemaPair[];
  create(): Promise<TestDatabase>;
}

/**
 * Requirements on a diff for every real database: after applying it, a second diff is empty, and rows and comments are unchanged; after
 * undoing it, the schema is as before.
 */
export function schemaRoundtripContract({ name, dialect, spellings, traits, pairs, create }: ChangedDatabase): void {
  const has = (trait: SchemaTrait | undefined) => trait !== undefined && traits.includes(trait);
  const tried = [...PAIRS, ...COMPUTED_PAIRS, ...ENUM_PAIRS].filter(({ needs }) => needs === undefined || has(needs));
  describe(`up and down of a diff on ${name}`, () => {
    let db: Database;
    const apply = async (statements: readonly string[]) => {
      for (const statement of statements) if (!statement.startsWith('--')) await db.sqlDB().script(statement);
    };
    const difference = async (models: readonly ModelInfo[], dropTables = false) =>
      diffSchema(models, await introspect(db, models), dialect, { dropTables });
    const rowsOf = async ({ name: table, columns }: ActualTable) => {
      const names = columns.map((each) => dialect.compiler.quote(each.name)).join(', ');
      const rows = await db.sqlDB().query(`SELECT ${names} FROM ${dialect.compiler.quote(table)}`, []);
      const places = columns.map((each, place) => [each.name, place] as const);
      return rows
        .map((row) => Object.fromEntries(places.map(([own, place]) => [own, String(row[place])])))
        .sort((a, b) => (String(Object.values(a)) < String(Object.values(b)) ? -1 : 1));
    };

    withTables(create, dialect, [], (opened) => (db = opened));

    afterEach(async () => apply((await difference([], true)).up));

    test.each([...tried, ...pairs])('$what', async (pair) => {
      await apply((await difference(pair.before())).up);
      await apply(pair.then ?? []);
      const before = await introspect(db);
      const rows = new Map<string, Awaited<ReturnType<typeof rowsOf>>>();
      for (const table of before) rows.set(table.name, await rowsOf(table));
      const models = pair.after();
      const { up, down, warnings } = await difference(models, pair.drops);
      expect(warnings.join('\n')).toMatch(pair.warning ?? /^/);
      expect(up.length > 0).toBe(!(pair.isNothing ?? has(pair.nothingWith)));
      await apply(up);
      expect(await difference(models)).toEqual({ up: [], down: [], warnings: [] });
      const after = await introspect(db);
      for (const table of after) {
        const former = before.find((each) => each.name === table.name) as ActualTable;
        if (!pair.resorted) expect(said(table)).toMatchObject(said(former, table));
        const kept = table.columns.filter((each) => former.columns.some((own) => own.name === each.name));
        const own = await rowsOf({ ...table, columns: kept });
        const as = (row: Readonly<Record<string, unknown>>) => kept.map((each) => row[each.name]);
        expect(own.map(as).sort()).toEqual(rows.get(table.name)?.map(as).sort());
      }
      await apply(down);
      expect((await introspect(db)).map(comparable)).toEqual(before.map(comparable));
      if (pair.inOrder) expect((await introspect(db)).map(namesOf)).toEqual(before.map(namesOf));
      for (const table of after)
        expect(await rowsOf(before.find(({ name: own }) => own === table.name) as ActualTable)).toHaveLength(
          rows.get(table.name)?.length ?? 0,
        );
    });

    test.each(spellings)('%s is one type in its spellings', async (type, words) => {
      await db.sqlDB().script(`CREATE TABLE things (id int NOT NULL PRIMARY KEY, value ${type})`);
      for (const sqlType of words) {
        const model = things([
          column('id', 'int', { primaryKey: true }),
          column('value', 'any', { sqlType, nullable: true }),
        ]);
        expect({ sqlType, ...(await difference([model])) }).toEqual({ sqlType, up: [], down: [], warnings: [] });
      }
    });

    test('tables and columns that make one name get indexes and foreign keys of two', async () => {
      const id = column('id', 'int', { primaryKey: true });
      const text = (name: string) => column(name, 'string', { size: 20, unique: true });
      const refers = (name: string) =>
        ({ property: `${name}_own`, kind: 'belongsTo', target: () => Short, fk: name, constraint: true }) as const;
      const models = [
        registerModel(Short, {
          name: 'Short',
          table: 'a',
          columns: [id, text('b_c'), column('b_d', 'int')],
          relations: [refers('b_d')],
        }),
        registerModel(Long, {
          name: 'Long',
          table: 'a_b',
          columns: [id, text('c'), column('d', 'int')],
          relations: [refers('d')],
        }),
      ] as unknown as ModelInfo[];
      expect(await createMissingTables(db, models)).toEqual(['a', 'a_b']);
      expect(await difference(models)).toEqual({ up: [], down: [], warnings: [] });
      await apply((await difference([], true)).up);
      await apply((await difference(models)).up);
      expect(await difference(models)).toEqual({ up: [], down: [], warnings: [] });
    });

    test('tables are dropped before those that they refer to, in circles too, and come back', async () => {
      const q = (table: string) => dialect.compiler.quote(table);
      const key = (table: string, target: string) =>
        `CONSTRAINT ${table}_${target}_fkey FOREIGN KEY (${target}_id) REFERENCES ${target} (id)`;
      const table = (own: string, ...targets: readonly string[]) =>
        `CREATE TABLE ${q(own)} (id int NOT NULL PRIMARY KEY${targets.map((target) => `, ${target}_id int`).join('')}`;
      // Where a key cannot be added later, it may point at a table that is not there yet.
      const isLater = has('foreign keys later');
      const circle = isLater ? '' : `, ${key('alpha', 'gamma')}`;
      await apply([
        `${table('alpha', 'gamma')}${circle})`,
        `${table('beta', 'alpha')}, ${key('beta', 'alpha')})`,
        `${table('gamma', 'beta')}, ${key('gamma', 'beta')})`,
        `${table('delta', 'gamma')}, CONSTRAINT delta_large CHECK (id > 0), ${key('delta', 'gamma')})`,
        `CREATE UNIQUE INDEX delta_once ON delta (gamma_id, id)`,
        ...(isLater ? [`ALTER TABLE alpha ADD ${key('alpha', 'gamma')}`] : []),
      ]);
      await apply([`INSERT INTO alpha (id) VALUES (1)`, `INSERT INTO beta (id, alpha_id) VALUES (1, 1)`]);
      const model = partsOf([column('id', 'int', { primaryKey: true }), column('alpha_id', 'int', { nullable: true })]);
      await apply((await difference([model])).up);
      if (isLater) await apply([`ALTER TABLE parts ADD ${key('parts', 'alpha')}`]);
      const before = await introspect(db);
      const { up, down, warnings } = await difference([model], true);
      expect(warnings.filter((warning) => warning.includes('is dropped with its rows'))).toHaveLength(4);
      await apply(up);
      expect((await introspect(db)).map((each) => each.name)).toEqual(['parts']);
      expect(await difference([model], true)).toEqual({ up: [], down: [], warnings: [] });
      await apply(down);
      expect((await introspect(db)).map(comparable)).toEqual(before.map(comparable));
    });
  });
}

// What nobody asked to be changed.
function said({ columns }: ActualTable, within?: ActualTable): Readonly<Record<string, unknown>> {
  const own = columns.filter(({ name }) => within?.columns.some((each) => each.name === name) ?? true);
  return Object.fromEntries(
    own.map(({ name, collation, attributes, expression, computed }) => [
      name,
      { collation, attributes, expression, computed },
    ]),
  );
}

// A column that comes back is the last one.
function comparable({ columns, definitions: _definitions, ...table }: ActualTable) {
  return { ...table, columns: [...columns].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

const namesOf = ({ columns }: ActualTable) => columns.map(({ name }) => name);
