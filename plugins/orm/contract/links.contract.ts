import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  belongsTo,
  db as column,
  manyToMany,
  model,
  open,
  softDelete,
  table,
  tenant,
  transaction,
  withPlugins,
  withPreloadLimit,
  withPreloadOrder,
  withPreloadWhere,
  type BelongsTo,
  type Database,
  type Int,
  type ManyToMany,
} from '../index.js';
import { createMissingTables, diffSchema, introspect } from '../schema/index.js';
import type { Subject, TestDatabase } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('meals')
class Meal {
  @column('id,pk,type=int') id!: Int;
  @column('name,type=string') name!: string;
  @column('cook_id,type=int,nullable') cookId!: Int | null;
  @column('house,type=string,nullable') house!: string | null;
  @belongsTo(() => Cook) cook?: BelongsTo<Cook>;
  @manyToMany(() => Herb, { join: 'meal_herbs' }) herbs?: ManyToMany<Herb>;
  @manyToMany(() => Meal, { join: 'meal_sides', joinFk: 'meal_id', joinRefFk: 'side_id' }) sides?: ManyToMany<Meal>;
  @manyToMany(() => Spice, { join: 'meal_spices' }) spices?: ManyToMany<Spice>;
}

@table('herbs')
class Herb {
  @column('id,pk,type=uuid') id!: string;
  @column('name,type=string') name!: string;
  @column('house,type=string,nullable') house!: string | null;
  @manyToMany(() => Meal, { join: 'meal_herbs', joinFk: 'herb_id', joinRefFk: 'meal_id' }) meals?: ManyToMany<Meal>;
}

@table('spices')
class Spice {
  @column('id,pk,type=int') id!: Int;
}

@table('meal_spices')
class MealSpice {
  @column('meal_id,pk,type=int') mealId!: Int;
  @column('spice_id,pk,type=int') spiceId!: Int;
  @column('grams,type=int,default=1') grams!: Int;
  @column('gone_at,type=date,nullable') goneAt!: Date | null;
}

@table('tags')
class Tag {
  @column('code,pk,type=string,size=40') code!: string;
}

@table('tagged')
class Tagged {
  @column('code,pk,type=string,size=40') code!: string;
  @manyToMany(() => Tag, { join: 'tagged_tags' }) tags?: ManyToMany<Tag>;
}

@table('cooks')
class Cook {
  @column('id,pk,type=int') id!: Int;
  @column('name,type=string') name!: string;
}

const MODELS = [Meal, Herb, Spice, MealSpice, Cook, Tag, Tagged];
registerDeclared(...MODELS);

const herb = columnsOf(Herb);
const ids = (count: number) =>
  Array.from({ length: count }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, 'a')}`);
const HERBS = ids(4);
const [BASIL = '', DILL = '', MINT = '', SAGE = ''] = HERBS;

/** Rows that are linked through a join table, which is a part of the schema without being a model. */
export function linksContract({ name, dialect, create }: Subject): void {
  describe(`links on ${name}`, () => {
    let made: TestDatabase;
    let db: Database;
    withTables(create, dialect, MODELS, (opened, its) => ([db, made] = [opened, its]));

    beforeEach(async () => {
      for (const each of [Meal, Herb, MealSpice, Spice, Cook])
        await model<object>(db, each as new () => object).delete();
      await model(db, Cook).create({ id: 1, name: 'Ada' });
      await model(db, Meal).createBatch([
        { id: 1, name: 'soup', cookId: 1 },
        { id: 2, name: 'stew', cookId: null },
      ]);
      await model(db, Herb).createBatch(
        ['basil', 'dill', 'mint', 'sage'].map((each, at) => ({ id: HERBS[at] as string, name: each })),
      );
      await model(db, Spice).createBatch([{ id: 1 }, { id: 2 }]);
    });

    const herbsOf = async (id: number) => {
      const { herbs } = await model(db, Meal)
        .where({ column: 'id', op: 'eq', value: id })
        .preload('herbs', withPreloadOrder({ column: 'name' }))
        .first();
      return herbs.map((each) => each.name);
    };

    test('the join table is there, with both keys, and what is written is what the models say', async () => {
      const actual = await introspect(db, MODELS);
      const join = actual.find((each) => each.name === 'meal_herbs');
      expect(join?.primaryKey).toEqual(['meal_id', 'herb_id']);
      expect(join?.foreignKeys.map((key) => [key.columns, key.table, key.onDelete]).sort()).toEqual([
        [['herb_id'], 'herbs', 'cascade'],
        [['meal_id'], 'meals', 'cascade'],
      ]);
      expect(join?.indexes.map(({ columns }) => columns)).toContainEqual(['herb_id']);
      expect(diffSchema(MODELS, actual, dialect)).toEqual({ up: [], down: [], warnings: [] });
    });

    test('attaches what is not attached yet, to rows or keys', async () => {
      const meals = model(db, Meal);
      expect(await meals.attach({ id: 1 }, 'herbs', [DILL, { id: MINT }])).toBe(2);
      expect(await meals.attach({ id: 1 }, 'herbs', [DILL.toUpperCase(), BASIL])).toBe(1);
      expect(await meals.attach({ id: 1 }, 'herbs', [])).toBe(0);
      expect(await herbsOf(1)).toEqual(['basil', 'dill', 'mint']);
      expect(await herbsOf(2)).toEqual([]);
      expect(await model(db, Herb).attach([{ id: SAGE }, { id: DILL }], 'meals', [1, 2])).toBe(3);
      expect(await herbsOf(2)).toEqual(['dill', 'sage']);
    });

    test('detaches some or all, and nothing where there is no link', async () => {
      const meals = model(db, Meal);
      await meals.attach([{ id: 1 }, { id: 2 }], 'herbs', [BASIL, DILL, MINT]);
      expect(await meals.detach({ id: 1 }, 'herbs', [DILL, SAGE])).toBe(1);
      expect(await herbsOf(1)).toEqual(['basil', 'mint']);
      expect(await meals.detach({ id: 1 }, 'herbs', 'all')).toBe(2);
      expect(await meals.detach({ id: 1 }, 'herbs', 'all')).toBe(0);
      expect(await herbsOf(2)).toEqual(['basil', 'dill', 'mint']);
      await expect(meals.detach({ id: 1 }, 'herbs', undefined as never)).rejects.toMatchObject({
        code: 'FW_ORM_EXPRESSION',
      });
    });

    test('synchronises, and again with nothing to do', async () => {
      const meals = model(db, Meal);
      await meals.attach({ id: 1 }, 'herbs', [BASIL, DILL]);
      expect(await meals.sync({ id: 1 }, 'herbs', [DILL, MINT])).toEqual({ attached: 1, detached: 1 });
      expect(await meals.sync({ id: 1 }, 'herbs', [DILL, MINT])).toEqual({ attached: 0, detached: 0 });
      expect(await herbsOf(1)).toEqual(['dill', 'mint']);
      expect(await meals.sync({ id: 1 }, 'herbs', [])).toEqual({ attached: 0, detached: 2 });
    });

    test('refuses rows that are not there, are named twice, or have no key', async () => {
      const meals = model(db, Meal);
      const stranger = '00000000-0000-4000-8000-ffffffffffff';
      await expect(meals.attach({ id: 1 }, 'herbs', [DILL, stranger])).rejects.toMatchObject({
        code: 'FW_ORM_LINK_MISSING',
      });
      await expect(meals.sync({ id: 1 }, 'herbs', [DILL, DILL])).rejects.toMatchObject({ code: 'FW_ORM_LINK_TWICE' });
      await expect(meals.attach({ id: 99 as Int }, 'herbs', [DILL])).rejects.toMatchObject({ code: 'FW_ORM_ROW_GONE' });
      await expect(meals.attach({}, 'herbs', [DILL])).rejects.toMatchObject({ code: 'FW_ORM_NO_PRIMARY_KEY' });
      await expect(meals.attach({ id: 1 }, 'cook' as never, [1])).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
      expect(await herbsOf(1)).toEqual([]);
    });

    test('takes the texts for one key that the database does', async () => {
      await model(db, Tagged).delete();
      await model(db, Tag).delete();
      await model(db, Tagged).createBatch([{ code: 'One' }, { code: 'Two' }]);
      await model(db, Tag).createBatch([{ code: 'Vue' }, { code: 'Go' }]);
      const tagged = model(db, Tagged);
      const tagsOf = async (code: string) =>
        (await tagged.where({ code }).preload('tags').first()).tags.map((each) => each.code).sort();
      const isFolded = await model(db, Tag).where({ code: 'VUE' }).exists();
      if (!isFolded) {
        await expect(tagged.attach({ code: 'One' }, 'tags', ['vue'])).rejects.toMatchObject({
          code: 'FW_ORM_LINK_MISSING',
        });
        await expect(tagged.attach({ code: 'one' }, 'tags', ['Vue'])).rejects.toMatchObject({
          code: 'FW_ORM_ROW_GONE',
        });
        await model(db, Tag).create({ code: 'vue' });
        expect(await tagged.attach({ code: 'One' }, 'tags', ['vue', 'Vue'])).toBe(2);
        expect(await tagged.sync({ code: 'One' }, 'tags', ['vue', 'Go'])).toEqual({ attached: 1, detached: 1 });
        expect(await tagsOf('One')).toEqual(['Go', 'vue']);
        return;
      }
      expect(await tagged.attach({ code: 'one' }, 'tags', ['vue'])).toBe(1);
      expect(await tagged.attach({ code: 'ONE' }, 'tags', ['VUE', 'go'])).toBe(1);
      expect(await tagsOf('One')).toEqual(['Go', 'Vue']);
      expect(await tagged.sync({ code: 'one' }, 'tags', ['vuE'])).toEqual({ attached: 0, detached: 1 });
      expect(await tagged.sync([{ code: 'one' }, { code: 'TWO' }], 'tags', ['GO', 'VUE'])).toEqual({
        attached: 3,
        detached: 0,
      });
      // What was linked elsewhere may hold the key in another case than the row.
      const quote = (each: string) => dialect.compiler.quote(each);
      await db
        .sqlDB()
        .script(`UPDATE ${quote('tagged_tags')} SET ${quote('tag_id')} = 'vUE' WHERE ${quote('tag_id')} = 'Vue'`);
      expect(await tagged.attach({ code: 'One' }, 'tags', ['Vue'])).toBe(0);
      expect(await tagged.sync({ code: 'One' }, 'tags', ['Vue'])).toEqual({ attached: 0, detached: 1 });
      expect(await tagged.detach({ code: 'oNE' }, 'tags', ['vue'])).toBe(1);
      await expect(tagged.attach({ code: 'One' }, 'tags', ['vue', 'VUE'])).rejects.toMatchObject({
        code: 'FW_ORM_LINK_TWICE',
      });
      await expect(tagged.attach({ code: 'One' }, 'tags', ['rust'])).rejects.toMatchObject({
        code: 'FW_ORM_LINK_MISSING',
      });
    });

    test('is undone with the transaction around it', async () => {
      await transaction
        .run(db, null, null, async (tx) => {
          await model(tx, Meal).attach({ id: 1 }, 'herbs', [DILL]);
          throw new TypeError('no');
        })
        .catch(() => undefined);
      expect(await herbsOf(1)).toEqual([]);
    });

    test('two at once about one row come one behind the other', async () => {
      const meals = model(db, Meal);
      const made = await Promise.all([1, 2, 3].map(() => meals.attach({ id: 1 }, 'herbs', [BASIL, DILL])));
      expect(made.reduce((sum, each) => sum + each, 0)).toBe(2);
      await Promise.all([meals.sync({ id: 1 }, 'herbs', [MINT]), meals.sync({ id: 1 }, 'herbs', [SAGE])]);
      expect(await herbsOf(1)).toHaveLength(1);
    });

    test('takes more rows than a statement has parameters', async () => {
      const few = { ...dialect, capabilities: { ...dialect.capabilities, maxParameters: 104 } };
      const narrow = open(made.handle, few);
      const meals = model(narrow, Meal);
      expect(await meals.sync([{ id: 1 }, { id: 2 }], 'herbs', HERBS)).toEqual({ attached: 8, detached: 0 });
      expect(await meals.sync([{ id: 1 }, { id: 2 }], 'herbs', [SAGE])).toEqual({ attached: 0, detached: 6 });
    });

    test('a link goes with either of its rows', async () => {
      await model(db, Meal).attach([{ id: 1 }, { id: 2 }], 'herbs', [BASIL, DILL]);
      await model(db, Herb).remove({ id: DILL });
      await model(db, Meal).remove({ id: 2 });
      expect(await herbsOf(1)).toEqual(['basil']);
      const count = `SELECT COUNT(*) FROM ${dialect.compiler.quote('meal_herbs')}`;
      expect(Number((await db.sqlDB().query(count, []))[0]?.[0])).toBe(1);
    });

    test('a model is linked to its own kind', async () => {
      await model(db, Meal).attach({ id: 1 }, 'sides', [2]);
      const [soup, stew] = await model(db, Meal).orderBy({ column: 'id' }).preload('sides').find();
      expect([soup?.sides.map(({ id }) => id), stew?.sides]).toEqual([[2], []]);
    });

    test('a join table that is a model keeps its columns, and plugins hold for it', async () => {
      const hiding = open(made.handle, dialect, withPlugins(softDelete('gone_at')));
      const meals = model(hiding, Meal);
      expect(await meals.attach({ id: 1 }, 'spices', [1, 2])).toBe(2);
      expect((await model(hiding, MealSpice).find()).map(({ grams }) => grams)).toEqual([1, 1]);
      expect(await meals.detach({ id: 1 }, 'spices', [2])).toBe(1);
      expect(await model(hiding, MealSpice).withDeleted('only').count()).toBe(1);
      expect(await meals.sync({ id: 1 }, 'spices', [1, 2])).toEqual({ attached: 1, detached: 0 });
      expect(await model(hiding, MealSpice).count()).toBe(2);
    });

    test('rows of another tenant cannot be linked', async () => {
      const own = open(made.handle, dialect, withPlugins(tenant('house', () => 'here')));
      await model(own, Meal).create({ id: 3, name: 'pie' });
      await expect(model(own, Meal).attach({ id: 3 }, 'herbs', [DILL])).rejects.toMatchObject({
        code: 'FW_ORM_LINK_MISSING',
      });
      await expect(model(own, Meal).attach({ id: 1 }, 'herbs', [])).rejects.toMatchObject({ code: 'FW_ORM_ROW_GONE' });
    });

    test('related rows come in an order, and several paths in one call', async () => {
      await model(db, Meal).attach({ id: 1 }, 'herbs', [MINT, BASIL, SAGE, DILL]);
      const found = await model(db, Meal)
        .where({ column: 'id', op: 'eq', value: 1 })
        .preload('cook', 'herbs', withPreloadOrder(herb.name.desc()), withPreloadLimit(2), 'herbs.meals')
        .first();
      expect([found.cook?.name, found.herbs.map((each) => each.name)]).toEqual(['Ada', ['sage', 'mint']]);
      expect(found.herbs.map(({ meals }) => meals.map(({ id }) => id))).toEqual([[1], [1]]);
      const some = await model(db, Meal)
        .preload('herbs', withPreloadWhere(herb.name.neq('mint')), withPreloadOrder({ column: 'name' }), 'cook')
        .orderBy({ column: 'id' })
        .first();
      expect(some.herbs.map((each) => each.name)).toEqual(['basil', 'dill', 'sage']);
    });
  });

  describe(`the schema of links on ${name}`, () => {
    let made: TestDatabase;
    let db: Database;
    withTables(create, dialect, [Cook], (opened, its) => ([db, made] = [opened, its]));
    const apply = async (statements: readonly string[]) => {
      for (const statement of statements) if (!statement.startsWith('--')) await made.handle.script(statement);
    };
    const q = (text: string) => dialect.compiler.quote(text);

    test('a diff makes the join tables and takes them away again', async () => {
      const before = await introspect(db, MODELS);
      const { up, down } = diffSchema(MODELS, before, dialect);
      await apply(up);
      expect(diffSchema(MODELS, await introspect(db, MODELS), dialect)).toEqual({ up: [], down: [], warnings: [] });
      expect(await model(db, Meal).preload('herbs').find()).toEqual([]);
      await apply(down);
      expect((await introspect(db)).map((each) => each.name)).toEqual(before.map((each) => each.name));
    });

    test('one that is there keeps the order of its key, and is completed', async () => {
      await createMissingTables(db, [Cook]);
      const { up } = diffSchema(MODELS, await introspect(db, MODELS), dialect);
      await apply(up);
      const kept = await introspect(db, MODELS);
      const { columns = [] } = kept.find((each) => each.name === 'meal_herbs') ?? {};
      const typeOf = (wanted: string) => columns.find((each) => each.name === wanted)?.type ?? '';
      await apply([
        `DROP TABLE ${q('meal_herbs')}`,
        `CREATE TABLE ${q('meal_herbs')} (${q('herb_id')} ${typeOf('herb_id')} NOT NULL, ${q('meal_id')} ${typeOf('meal_id')} NOT NULL, PRIMARY KEY (${q('herb_id')}, ${q('meal_id')}))${dialect.schema.tableOptions ?? ''}`,
      ]);
      const completed = diffSchema(MODELS, await introspect(db, MODELS), dialect);
      await apply(completed.up);
      const after = await introspect(db, MODELS);
      const join = after.find((each) => each.name === 'meal_herbs');
      expect(join?.primaryKey).toEqual(['herb_id', 'meal_id']);
      expect(join?.foreignKeys).toHaveLength(2);
      expect(diffSchema(MODELS, after, dialect)).toEqual({ up: [], down: [], warnings: [] });
    });

    test('one that holds more than both keys stays as it is, and is named', async () => {
      await apply([`ALTER TABLE ${q('meal_herbs')} ${dialect.schema.addColumn} ${q('grams')} int`]);
      const difference = diffSchema(MODELS, await introspect(db, MODELS), dialect, { dropTables: true });
      expect(difference).toMatchObject({ up: [], warnings: [expect.stringContaining('meal_herbs')] });
    });
  });
}
