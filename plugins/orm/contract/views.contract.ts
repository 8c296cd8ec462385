import { describe, expect, test } from '@jest/globals';
import {
  db as column,
  model,
  modelInfoOf,
  registerModel,
  table,
  type Database,
  type Int,
  type ModelClass,
  type ModelDefinition,
} from '../index.js';
import { declarationsOf } from '../db-pull/index.js';
import { createMissingTables, diffSchema, introspect } from '../schema/index.js';
import { schemaDrift } from '../schema/drift.js';
import type { Subject } from './subject.js';
import { withTables } from './with-tables.js';

@table('v_people', { comment: "who lives here, as they say; 100 % 'sure'" })
class Person {
  @column('id,pk,type=int') id!: Int;
  @column('name,type=string,size=40,comment=first\\, then last') name!: string;
  @column('age,type=int') age!: Int;
}

const ADULTS = 'SELECT id, name FROM v_people WHERE age >= 18';

@table('v_adults', { view: ADULTS })
class Adult {
  @column('id,pk,type=int') id!: Int;
  @column('name,type=string') name!: string;
}

// It reads the view before, and stands before it in the list.
@table('v_as', { view: "SELECT id FROM v_adults WHERE name LIKE 'A%'" })
class AdultWithA {
  @column('id,pk,type=int') id!: Int;
}

@table('v_notes', { primaryKey: false })
class Note {
  @column('id,type=int') id!: Int;
}

const MODELS = [AdultWithA, Adult, Person, Note];

/** Views as models, words about tables and columns, and tables without a key. */
export function viewsContract({ name, dialect, create, habits = {} }: Subject): void {
  describe(`views on ${name}`, () => {
    let db: Database;
    withTables(create, dialect, MODELS, async (opened) => {
      db = opened;
      const rows = [
        { id: 1, name: 'Anna', age: 40 },
        { id: 2, name: 'Bert', age: 17 },
        { id: 3, name: 'Cleo', age: 18 },
      ];
      await model(db, Person).createBatch(rows);
    });

    const differenceTo = async (models: readonly Parameters<typeof diffSchema>[0][number][], dropTables = false) =>
      diffSchema(models, await introspect(db, models), dialect, { dropTables });
    const apply = async (statements: readonly string[]) => {
      for (const statement of statements) await db.sqlDB().script(statement);
    };
    const adult = (more: Partial<ModelDefinition>) => redefined(Adult, more);
    const NOTHING = { up: [], down: [], warnings: [] };

    test('they are made with the tables, one behind the other, and found by queries', async () => {
      expect(await differenceTo(MODELS)).toEqual(NOTHING);
      expect(await createMissingTables(db, MODELS)).toEqual([]);
      expect(await schemaDrift(db, MODELS)).toEqual([]);
      expect((await model(db, Adult).find()).map(({ id, name: who }) => `${id} ${who}`).sort()).toEqual([
        '1 Anna',
        '3 Cleo',
      ]);
      expect(await model(db, AdultWithA).find()).toEqual([{ id: 1 }]);
      expect(await model(db, Adult).where({ name: 'Cleo' }).first()).toBeInstanceOf(Adult);
    });

    test('no statement that writes to one is sent', async () => {
      const adults = model(db, Adult);
      const row = { id: 3, name: 'Dora' };
      const writes = {
        create: () => adults.create(row),
        createBatch: () => adults.createBatch([row]),
        save: () => adults.save(row),
        update: () => adults.update(row),
        remove: () => adults.remove(row),
        upsert: () => adults.upsert(row),
        upsertBatch: () => adults.upsertBatch([row], { conflict: 'id' }),
        createFrom: () => adults.createFrom(model(db, Person).select('id', 'name') as never),
        delete: () => adults.delete(),
        returning: () => adults.returning().delete(),
      };
      for (const [method, write] of Object.entries(writes))
        await expect([method, await write().catch((error: unknown) => error)]).toEqual([
          method,
          expect.objectContaining({ code: 'FW_ORM_READ_ONLY', status: 405 }),
        ]);
    });

    test('another query makes it anew, and comes back; words that mean the same do not', async () => {
      expect(await differenceTo([Person, adult({ view: `${ADULTS}\n;` })])).toEqual(NOTHING);
      const models = [Person, adult({ view: 'SELECT id, name FROM v_people WHERE age >= 17' })];
      expect(await schemaDrift(db, models)).toEqual(['the view v_adults has another query than Adult says']);
      // The one that reads it would be in the way.
      const all = [...models, AdultWithA];
      const before = await introspect(db, MODELS);
      const { up, down, warnings } = await differenceTo(all);
      expect(warnings).toEqual([]);
      await apply(up);
      expect(await model(db, Adult).count()).toBe(3);
      expect(await differenceTo(all)).toEqual(NOTHING);
      await apply(down);
      expect(await introspect(db, MODELS)).toEqual(before);
    });

    test('a column that it reads takes another type, and a column of its table goes', async () => {
      const before = await introspect(db, MODELS);
      const other = redefined(Person, {
        columns: modelInfoOf(Person).definition.columns.map((each) =>
          each.column === 'age' ? { ...each, kind: 'bigint' as const } : each,
        ),
      });
      const models = [AdultWithA, Adult, other, Note];
      const { up, down } = await differenceTo(models);
      await apply(up);
      expect(await differenceTo(models)).toMatchObject({ up: [] });
      expect(await model(db, Adult).count()).toBe(2);
      await apply(down);
      expect(await introspect(db, MODELS)).toEqual(before);
    });

    test('one that reads a column which is gone behind the change is told of', async () => {
      const { columns } = modelInfoOf(Person).definition;
      const without = redefined(Person, { columns: columns.filter((each) => each.column !== 'age') });
      const { warnings } = await differenceTo([AdultWithA, Adult, without, Note]);
      const of = (view: string) => warnings.filter((warning) => warning.startsWith(`the view ${view} reads `));
      // Where the database refuses the change, the view is dropped and made again, which is refused as well.
      const isHeld = dialect.schema.viewsHold !== undefined;
      expect(of('v_adults')).toEqual(isHeld ? [] : [expect.stringContaining('reads v_people.age, whose name is gone')]);
      expect(of('v_as')).toEqual([]);
      const renamed = redefined(Person, {
        columns: columns.map((each) => (each.column === 'age' ? { ...each, column: 'years', rename: 'age' } : each)),
      });
      const follows = dialect.schema.checksFollow === true;
      const told = (await differenceTo([AdultWithA, Adult, renamed, Note])).warnings.join();
      expect(told.includes('the view v_adults reads v_people.age')).toBe(!follows);
    });

    test('a trigger or a function that names a column which is gone behind the change is told of', async () => {
      const { agePrograms: programs } = habits;
      if (programs === undefined) return;
      await apply(programs.made);
      try {
        const { columns } = modelInfoOf(Person).definition;
        const told = async (changed: typeof columns) =>
          (await differenceTo([AdultWithA, Adult, redefined(Person, { columns: changed }), Note])).warnings
            .filter((warning) => / names v_people/.test(warning))
            .map((warning) => warning.replace(/, whose name is gone.*/, ''));
        expect(await told(columns)).toEqual([]);
        expect(await told(columns.filter((each) => each.column !== 'age'))).toEqual(programs.told);
        const renamed = columns.map((each) =>
          each.column === 'age' ? { ...each, column: 'years', rename: 'age' } : each,
        );
        expect(await told(renamed)).toEqual(programs.toldOfRename);
      } finally {
        await apply(programs.gone);
      }
    });

    test('one that is made elsewhere is left alone, and missed', async () => {
      expect(await differenceTo([Person, adult({ view: true })])).toEqual(NOTHING);
      const { up, warnings } = await differenceTo([adult({ view: true, table: 'v_elsewhere' })]);
      expect([up, warnings]).toEqual([[], [expect.stringContaining('v_elsewhere of Adult is missing')]]);
    });

    test('a table is no view, and a view no table', async () => {
      const { view: _view, ...rest } = modelInfoOf(Adult).definition;
      const asTable = registerModel(class Adult {}, rest as ModelDefinition);
      await expect(differenceTo([asTable as never])).rejects.toMatchObject({ code: 'FW_MIGRATE_VIEW' });
      await expect(differenceTo([redefined(Person, { view: ADULTS })])).rejects.toMatchObject({
        code: 'FW_MIGRATE_VIEW',
      });
      expect(await schemaDrift(db, [asTable as never])).toEqual(['v_adults of Adult is no table in the database']);
    });

    test('those that no model has go with the tables, when these go', async () => {
      const { up, down, warnings } = await differenceTo([Person, Note], true);
      expect(warnings).toEqual(
        ['v_adults', 'v_as'].map((each) => expect.stringContaining(`the view ${each} is dropped`)),
      );
      const before = await introspect(db, MODELS);
      await apply(up);
      expect((await introspect(db)).map((each) => each.name)).toEqual(['v_notes', 'v_people']);
      await apply(down);
      expect(await introspect(db, MODELS)).toEqual(before);
    });

    test('they are pulled with their queries, and tables without a key as such', async () => {
      const pulled = declarationsOf(await introspect(db), dialect).models;
      const contentOf = (file: string) => pulled.find((each) => each.file === file)?.content ?? '';
      expect(contentOf('v-adult.ts')).toMatch(/@table\('v_adults', \{\n {2}view: '.*\bage\b.*',\n\}\)/);
      expect(contentOf('v-note.ts')).toContain('primaryKey: false');
      expect(pulled.map(({ warnings }) => warnings.filter((each) => !each.includes('primary key')))).toEqual([
        [],
        [],
        [],
        [],
      ]);
    });

    const { comment } = dialect.schema;
    test(`words about tables and columns are ${comment ? 'kept, changed and pulled' : 'kept nowhere'}`, async () => {
      const said = async () => {
        const found = (await introspect(db)).find((each) => each.name === 'v_people');
        return [found?.comment, found?.columns.find((each) => each.name === 'name')?.comment];
      };
      const other = redefined(Person, {
        comment: '',
        columns: modelInfoOf(Person).definition.columns.map((each) => ({ ...each, comment: `the ${each.column}\\` })),
      });
      if (comment === undefined) {
        expect([await said(), await differenceTo([other])]).toEqual([[undefined, undefined], NOTHING]);
        return;
      }
      const first = ["who lives here, as they say; 100 % 'sure'", 'first, then last'];
      expect(await said()).toEqual(first);
      const before = await introspect(db, MODELS);
      const { content = '' } =
        declarationsOf(await introspect(db), dialect).models.find(({ file }) => file === 'v-person.ts') ?? {};
      expect(content).toContain("comment: 'who lives here, as they say; 100 % \\'sure\\''");
      expect(content).toContain('comment=first\\\\, then last');
      const { up, down } = await differenceTo([other]);
      await apply(up);
      expect([await said(), await differenceTo([other])]).toEqual([[undefined, 'the name\\'], NOTHING]);
      await apply(down);
      expect(await introspect(db, MODELS)).toEqual(before);
    });
  });
}

function redefined(target: ModelClass, more: Partial<ModelDefinition>) {
  // A class of its own, whose name the sentences say.
  const other = { [target.name]: class extends target {} }[target.name] as ModelClass;
  return registerModel(other, { ...modelInfoOf(target).definition, ...more } as ModelDefinition) as never;
}
