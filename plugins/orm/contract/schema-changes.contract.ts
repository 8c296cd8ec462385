import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  model,
  open,
  registerModel,
  type ColumnDefinition,
  type Database,
  type ModelDefinition,
  type ModelInfo,
  type RelationDefinition,
  type TableIndex,
} from '../index.js';
import { runMigrateCommand } from '../migrations/index.js';
import { createMissingTables, introspect, type ActualTable } from '../schema/index.js';
import { migrateCall } from './migrate-call.js';
import type { Subject } from './subject.js';
import { withTables } from './with-tables.js';

class Owner {
  id!: number;
  name!: string | null;
}

class Pet {
  id!: number;
  ownerId!: number;
  kind!: string;
  weight!: number;
  tame!: boolean;
  bornAt!: Date;
}

const ID: ColumnDefinition = { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true };
const NAME: ColumnDefinition = { property: 'name', column: 'name', kind: 'string', unique: true };
const COLUMNS = {
  ownerId: { kind: 'int', column: 'owner_id', index: true },
  kind: { kind: 'string', column: 'kind', default: "a 'cat'", size: 40 },
  weight: { kind: 'decimal', column: 'weight', precision: 8, scale: 2, default: '1.5' },
  tame: { kind: 'boolean', column: 'tame', default: 'true' },
  bornAt: { kind: 'date', column: 'born_at', default: 'now' },
} satisfies Record<string, Omit<ColumnDefinition, 'property'>>;
const INDEXES: readonly TableIndex[] = [
  { columns: ['kind', 'ownerId'], unique: true },
  { columns: ['kind', 'weight'], name: 'pets_by_kind' },
];
const CHECKS = { light: 'weight < 100', known: "kind <> 'dragon'" };

interface PetChange {
  readonly columns?: Readonly<Record<string, Partial<ColumnDefinition>>>;
  readonly without?: string;
  readonly owner?: Partial<RelationDefinition> | null;
  readonly checks?: Readonly<Record<string, string>>;
  readonly indexes?: readonly TableIndex[];
}

/** A table that others refer to. */
export function owners(name: Partial<ColumnDefinition> = {}): ModelInfo {
  const definition: ModelDefinition<Owner> = { name: 'Owner', table: 'owners', columns: [ID, { ...NAME, ...name }] };
  return registerModel(Owner, definition) as unknown as ModelInfo;
}

/** A table with defaults, a foreign key and checks. */
export function pets({
  columns = {},
  without,
  owner = { onDelete: 'cascade' },
  checks = CHECKS,
  indexes = INDEXES.filter(({ columns }) => without === undefined || !columns?.includes(without)),
}: PetChange = {}): ModelInfo {
  const own = Object.entries<Omit<ColumnDefinition, 'property'>>(COLUMNS)
    .filter(([property]) => property !== without)
    .map(([property, column]) => ({ property, ...column, ...columns[property] }));
  const relations: RelationDefinition[] =
    owner === null ? [] : [{ property: 'owner', kind: 'belongsTo', target: () => Owner, ...owner }];
  const columnsOfPet = [ID, ...own];
  const definition: ModelDefinition<Pet> = { name: 'Pet', table: 'pets', columns: columnsOfPet, relations, checks, indexes }; // prettier-ignore
  return registerModel(Pet, definition) as unknown as ModelInfo;
}

class Zone {
  id!: string;
}

class Spot {
  id!: number;
  zoneId!: string;
}

class Slot {
  id!: number;
  room!: string;
  weekday!: string;
  code!: string;
}

class Odd {
  id!: number;
  group!: number;
  key!: number;
  ab!: number;
}

class Crate {
  id!: number;
  size!: number;
}

const KEY: ColumnDefinition = { property: 'id', column: 'id', kind: 'int', primaryKey: true };

/** Two tables with a foreign key between them, whose columns have a type. */
export function zones(kind: 'int' | 'string'): ModelInfo[] {
  const typed = { kind, ...(kind === 'string' && { size: 20 }) } as const;
  const zone: ModelDefinition<Zone> = { name: 'Zone', table: 'zones', columns: [{ ...KEY, ...typed }] };
  const relation: RelationDefinition = { property: 'zone', kind: 'belongsTo', target: () => Zone, constraint: true };
  const columns: ColumnDefinition[] = [KEY, { property: 'zoneId', column: 'zone_id', index: true, ...typed }];
  const spot: ModelDefinition<Spot> = { name: 'Spot', table: 'spots', columns, relations: [relation] };
  return [registerModel(Zone, zone), registerModel(Spot, spot)] as unknown as ModelInfo[];
}

/** A table that may have a column without a value for rows. */
function crates(isSized: boolean): ModelInfo {
  const size: ColumnDefinition = { property: 'size', column: 'size', kind: 'int' };
  const definition: ModelDefinition<Crate> = { name: 'Crate', table: 'crates', columns: [KEY, ...(isSized ? [size] : [])] }; // prettier-ignore
  return registerModel(Crate, definition) as unknown as ModelInfo;
}

/** A table that may have what its unique constraints say. */
function slots(unique: boolean): ModelInfo {
  const text = (name: string) => ({ property: name, column: name, kind: 'string', size: 20 }) as const;
  const columns: ColumnDefinition[] = [KEY, text('room'), text('weekday'), { ...text('code'), unique }];
  const indexes = unique ? [{ columns: ['room', 'weekday'], unique }] : [];
  return registerModel(Slot, { name: 'Slot', table: 'slots', columns, indexes }) as unknown as ModelInfo;
}

/** One change of each kind, with what the warnings must speak of. */
export const CHANGES: readonly {
  readonly what: string;
  readonly models: () => ModelInfo[];
  readonly warning?: string;
  readonly approximate?: boolean;
}[] = [
  { what: 'another default', models: () => [owners(), pets({ columns: { kind: { default: 'dog' } } })] },
  { what: 'a default instead of the present time', models: () => [owners(), pets({ columns: { bornAt: { default: '2024-01-01' } } })] }, // prettier-ignore
  { what: 'no default', models: () => [owners(), pets({ columns: { weight: { default: undefined as never } } })] },
  { what: 'a first default', models: () => [owners(), pets({ columns: { ownerId: { default: '1' } } })] },
  { what: 'another number and boolean', models: () => [owners(), pets({ columns: { weight: { default: '2' }, tame: { default: 'false' } } })] }, // prettier-ignore
  { what: 'null and another type', models: () => [owners(), pets({ columns: { kind: { nullable: true, size: 60 } } })], warning: 'pets.kind changes' }, // prettier-ignore
  { what: 'another action on delete', models: () => [owners(), pets({ owner: { onDelete: 'restrict' } })], warning: 'no longer refers to owners' }, // prettier-ignore
  { what: 'an action on update', models: () => [owners(), pets({ owner: { onDelete: 'cascade', onUpdate: 'cascade' } })], warning: 'no longer refers to owners' }, // prettier-ignore
  { what: 'no foreign key', models: () => [owners(), pets({ owner: { constraint: false } })], warning: 'no longer refers to owners' }, // prettier-ignore
  { what: 'no relation', models: () => [owners(), pets({ owner: null })], warning: 'no longer refers to owners' },
  { what: 'another condition', models: () => [owners(), pets({ checks: { ...CHECKS, light: 'weight <= 50' } })], warning: 'is dropped' }, // prettier-ignore
  { what: 'one check less', models: () => [owners(), pets({ checks: { known: CHECKS.known } })], warning: 'is dropped' }, // prettier-ignore
  { what: 'one check more', models: () => [owners(), pets({ checks: { ...CHECKS, owned: 'owner_id > 0' } })] },
  { what: 'another order in a unique index', models: () => [owners(), pets({ indexes: [{ columns: ['ownerId', 'kind'], unique: true }, INDEXES[1] as TableIndex] })], warning: 'the unique index pets_kind_owner_id_key of pets (kind, owner_id) is dropped' }, // prettier-ignore
  { what: 'an index that is not unique any more', models: () => [owners(), pets({ indexes: [{ columns: ['kind', 'ownerId'] }, INDEXES[1] as TableIndex] })], warning: 'rows may have the same values then' }, // prettier-ignore
  { what: 'no unique index of two columns', models: () => [owners(), pets({ indexes: INDEXES.slice(1) })], warning: 'the unique index pets_kind_owner_id_key' }, // prettier-ignore
  { what: 'another name for an index', models: () => [owners(), pets({ indexes: [INDEXES[0] as TableIndex, { columns: ['kind', 'weight'], name: 'pets_weights' }] })] }, // prettier-ignore
  { what: 'other columns under the name of an index', models: () => [owners(), pets({ indexes: [INDEXES[0] as TableIndex, { columns: ['weight', 'kind', 'tame'], name: 'pets_by_kind' }] })] }, // prettier-ignore
  { what: 'one index more', models: () => [owners(), pets({ indexes: [...INDEXES, { columns: ['bornAt', 'tame', 'kind'] }] })] }, // prettier-ignore
  { what: 'no index under a foreign key', models: () => [owners(), pets({ columns: { ownerId: { index: false } } })], warning: 'pets_owner_id_idx' }, // prettier-ignore
  { what: 'a column of another name in its indexes', models: () => [owners(), pets({ columns: { kind: { column: 'species', rename: 'kind' } }, checks: {} })], warning: 'is dropped' }, // prettier-ignore
  { what: 'null in a table that others refer to', models: () => [owners({ nullable: true }), pets()], warning: 'owners.name changes' }, // prettier-ignore
  { what: 'a column without its check', models: () => [owners(), pets({ without: 'weight', checks: { known: CHECKS.known } })], warning: 'pets.weight is dropped', approximate: true }, // prettier-ignore
];

/** What `fw migrate diff` must notice, and what `up` and `down` must then do, on every real database. */
export function schemaChangesContract({ name, dialect, create }: Subject): void {
  describe(`changes of the schema on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-changes-'));
    let db: Database;
    const lines: string[] = [];
    let time = Date.UTC(2024, 0, 1);
    const migrate = (models: readonly ModelInfo[], ...args: readonly string[]) => {
      time += 60_000;
      lines.length = 0;
      const now = () => new Date(time);
      return runMigrateCommand({
        db,
        root: folder,
        folder,
        request: migrateCall(...args),
        models,
        now,
        print: (line) => lines.push(line),
      });
    };
    const restored = () => [owners(), pets()];
    const names = (tables: readonly ActualTable[]) =>
      tables.map(({ columns }) => columns.map((column) => column.name).sort());
    const tablesOf = async (...own: readonly string[]) =>
      (await introspect(db)).filter(({ name }) => own.includes(name));
    const schema = () => tablesOf('owners', 'pets');
    // Takes the files of the last migrations away.
    const forget = (count: number) => {
      for (const file of readdirSync(folder)
        .sort()
        .slice(-2 * count))
        rmSync(join(folder, file));
    };

    withTables(create, dialect, [], (opened) => (db = opened));

    beforeAll(async () => {
      const models = [pets(), owners()];
      await migrate(models, 'diff', '--name', 'start');
      await migrate(models, 'up');
      await migrate(models, 'diff');
      expect(lines).toEqual(['the database is what the models say']);
      const ann = await model(db, Owner).create({ name: 'Ann' });
      await model(db, Pet).create({ ownerId: ann.id });
    }, 240_000);

    afterAll(() => rmSync(folder, { recursive: true }));

    test('a new table has its defaults, and its constraints hold', async () => {
      const [pet] = await model(db, Pet).find();
      expect(pet).toMatchObject({ kind: "a 'cat'", tame: true });
      expect(Number(pet?.weight)).toBe(1.5);
      expect(pet?.bornAt).toBeInstanceOf(Date);
      await expect(model(db, Pet).create({ ownerId: 999 })).rejects.toMatchObject({ code: 'FW_ORM_CONSTRAINT' });
      await expect(model(db, Pet).create({ ownerId: 1, kind: 'dragon' })).rejects.toMatchObject({
        code: 'FW_ORM_CONSTRAINT',
      });
      const owned = await model(db, Owner).create({ name: 'Bob' });
      await model(db, Pet).create({ ownerId: owned.id });
      await model(db, Owner).remove(owned);
      expect(await model(db, Pet).count()).toBe(1);
    });

    test('the warning of a new column that takes no null says what becomes of rows', async () => {
      const bare = crates(false);
      await migrate([bare], 'diff', '--name', 'crates');
      await migrate([bare], 'up');
      await model(db, Crate).create({ id: 7 });
      const { newColumnHolds } = dialect.schema;
      const sized = crates(true);
      await migrate([sized], 'diff', '--name', 'sizes');
      expect(lines[0]).toContain(
        `crates.size is new, not null and without a default: ${newColumnHolds ?? 'this fails'}`,
      );
      const up = migrate([sized], 'up');
      if (newColumnHolds === undefined) {
        await expect(up).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
      } else {
        await up;
        expect(await model(db, Crate).find()).toEqual([{ id: 7, size: 0 }]);
        await migrate([sized], 'down');
      }
      forget(1);
      await migrate([bare], 'down');
      forget(1);
    });

    test('a name has one text, with quotes that it needs, and with those that it does not', async () => {
      const column = (name: string) => ({ property: name.replace(/\W/g, ''), column: name, kind: 'int' }) as const;
      const columns = [{ ...KEY, column: '"id"' }, column('"group"'), column('" key"'), column('"a.b"')];
      const odd = registerModel(Odd, { name: 'Odd', table: '"order"', columns }) as unknown as ModelInfo;
      await createMissingTables(db, [odd]);
      await migrate([odd], 'diff');
      expect(lines[0]).toBe('the database is what the models say');
      const { table: named } = odd;
      expect([named, ...odd.columns.map(({ name }) => name)]).toEqual(['order', 'id', 'group', ' key', '"a.b"']);
      await model(db, Odd).create({ id: 1, group: 2, key: 3, ab: 4 });
      expect(await model(db, Odd).where({ column: '"a.b"', op: 'eq', value: 4 }).find()).toEqual([
        { id: 1, group: 2, key: 3, ab: 4 },
      ]);
      await db.sqlDB().script(`DROP TABLE ${dialect.compiler.quote(named)}`);
    });

    test('a unique index of two columns holds', async () => {
      const ann = await model(db, Owner).where({ column: 'name', op: 'eq', value: 'Ann' }).first();
      await expect(model(db, Pet).create({ ownerId: ann.id })).rejects.toMatchObject({ code: 'FW_ORM_CONSTRAINT' });
      const pet = await model(db, Pet).create({ ownerId: ann.id, kind: 'dog' });
      await model(db, Pet).remove(pet);
    });

    test('an index that no model has and no migration made stays, and is told', async () => {
      await db.sqlDB().script('CREATE INDEX by_hand ON pets (weight, tame)');
      await migrate(restored(), 'diff');
      expect(lines).toEqual([
        'warning: the index by_hand of pets (weight, tame) is not in Pet; it stays as it is',
        'the database is what the models say',
      ]);
      await db.sqlDB().script(dialect.schema.dropIndex('pets', 'by_hand'));
    });

    // Databases and people give names that end as those of migrations do.
    test.each([
      { name: 'lookup_idx', unique: '', what: 'the index', why: 'which no model asks for; where somebody made it on' },
      { name: 'lookup_key', unique: 'UNIQUE ', what: 'the unique index', why: 'rows may have the same values then' },
    ])('$name, which somebody made, is told before it is dropped', async ({ name, unique, what, why }) => {
      const [index, pets, weight, tame] = [name, 'pets', 'weight', 'tame'].map((each) => dialect.compiler.quote(each));
      await db.sqlDB().script(`CREATE ${unique}INDEX ${index} ON ${pets} (${weight}, ${tame})`);
      const before = await schema();
      await migrate(restored(), 'diff', '--name', 'lookup');
      expect(lines[0]).toContain(`warning: ${what} ${name} of pets (weight, tame) is dropped`);
      expect(lines[0]).toContain(why);
      await migrate(restored(), 'up');
      expect((await schema()).flatMap(({ indexes }) => indexes.map((index) => index.name))).not.toContain(name);
      await migrate(restored(), 'down');
      expect(await schema()).toEqual(before);
      forget(1);
      await db.sqlDB().script(dialect.schema.dropIndex('pets', name));
    });

    test.each(CHANGES)('$what: diff says it once, up does it, down undoes it, rows stay', async (change) => {
      const before = await schema();
      const models = change.models();
      expect(await migrate(models, 'diff', '--name', 'change')).toBe(0);
      const warned = lines.filter((line) => line.startsWith('warning')).join('\n');
      if (change.warning === undefined) expect(warned).toBe('');
      else expect(warned).toContain(change.warning);
      await migrate(models, 'up');
      expect(lines).toHaveLength(1);
      await migrate(models, 'diff');
      expect(lines).toEqual(['the database is what the models say']);
      expect([await model(db, Owner).count(), await model(db, Pet).count()]).toEqual([1, 1]);
      await migrate(models, 'down');
      if (change.approximate) expect(names(await schema())).toEqual(names(before));
      else expect(await schema()).toEqual(before);
      restored();
      expect([await model(db, Owner).count(), await model(db, Pet).count()]).toEqual([1, 1]);
      const last = readdirSync(folder).sort().slice(-2);
      for (const file of last) {
        expect(readFileSync(join(folder, file), 'utf8')).not.toContain('write here');
        rmSync(join(folder, file));
      }
      await expect(model(db, Pet).create({ ownerId: 999 })).rejects.toMatchObject({ code: 'FW_ORM_CONSTRAINT' });
    });

    test('what create-missing makes is what a migration makes, with the foreign keys of relations', async () => {
      const another = await create();
      const own = open(another.handle, dialect);
      try {
        // In both orders of development: the target of a foreign key exists before, or is created at the same time.
        for (const models of [[owners()], [pets(), owners()]]) await createMissingTables(own, models);
        // A column that a migration brought back stands last where the database has no other place for it.
        const found = async (on: Database) =>
          (await introspect(on))
            .filter(({ name }) => ['owners', 'pets'].includes(name))
            .map((table) => ({ ...table, columns: [...table.columns].sort((a, b) => (a.name < b.name ? -1 : 1)) }));
        expect(await found(own)).toEqual(await found(db));
        expect((await found(own)).flatMap(({ foreignKeys }) => foreignKeys.map(({ onDelete }) => onDelete))).toEqual([
          'cascade',
        ]);
        for (const table of ['pets', 'owners']) await own.sqlDB().script(`DROP TABLE ${table}`);
        await createMissingTables(own, [pets(), owners()]);
        expect(await found(own)).toEqual(await found(db));
        await expect(model(own, Pet).create({ ownerId: 999 })).rejects.toMatchObject({ code: 'FW_ORM_CONSTRAINT' });
      } finally {
        await own.close();
        await another.drop();
      }
    });

    test('both ends of a foreign key take another type', async () => {
      // Where all tests share one database, the one before has emptied it.
      await migrate(restored(), 'up');
      await migrate(zones('int'), 'diff', '--name', 'zones');
      await migrate(zones('int'), 'up');
      await model(db, Zone).create({ id: 7 as never });
      await model(db, Spot).create({ id: 1, zoneId: 7 as never });
      const before = await tablesOf('zones', 'spots');
      await migrate(zones('string'), 'diff', '--name', 'texts');
      await migrate(zones('string'), 'up');
      await migrate(zones('string'), 'diff');
      expect(lines).toEqual(['the database is what the models say']);
      expect((await model(db, Spot).first()).zoneId).toBe('7');
      await expect(model(db, Spot).create({ id: 2, zoneId: '8' })).rejects.toMatchObject({ code: 'FW_ORM_CONSTRAINT' });
      await migrate(zones('string'), 'down');
      expect(await tablesOf('zones', 'spots')).toEqual(before);
      await migrate(zones('int'), 'diff');
      expect(lines).toEqual(['the database is what the models say']);
      for (const table of ['spots', 'zones']) await db.sqlDB().script(`DROP TABLE ${table}`);
      forget(2);
    });

    test('a unique constraint goes, and comes back, as a constraint', async () => {
      await db.sqlDB()
        .script(`CREATE TABLE ${dialect.compiler.quote('slots')} (id int NOT NULL PRIMARY KEY, room varchar(20) NOT NULL,
        weekday varchar(20) NOT NULL, code varchar(20) NOT NULL, CONSTRAINT slots_code_key UNIQUE (code),
        CONSTRAINT slots_room_weekday_key UNIQUE (room, weekday))`);
      const before = await tablesOf('slots');
      await migrate([slots(true)], 'diff');
      expect(lines).toEqual(['the database is what the models say']);
      await migrate([slots(false)], 'diff', '--name', 'slots');
      expect(lines.filter((line) => line.startsWith('warning: the unique index'))).toHaveLength(2);
      await migrate([slots(false)], 'up');
      for (const id of [1, 2]) await model(db, Slot).create({ id, room: 'a', weekday: 'b', code: 'c' });
      await model(db, Slot).delete();
      await migrate([slots(false)], 'diff');
      expect(lines).toEqual(['the database is what the models say']);
      await migrate([slots(false)], 'down');
      expect(await tablesOf('slots')).toEqual(before);
      await db.sqlDB().script('DROP TABLE slots');
      forget(1);
    });
  });
}
