import { describe, expect, test } from '@jest/globals';
import { openSqlite, sqlite } from './index.js';
import {
  model,
  open,
  registerModel,
  withPreloadLimit,
  type BelongsTo,
  type HasMany,
  type ManyToMany,
} from '../index.js';

class Land {
  code!: string;
  places?: HasMany<Place>;
  shared?: ManyToMany<Place>;
}

class Place {
  id!: number;
  landCode!: string;
  area!: string;
  land?: BelongsTo<Land>;
  inArea?: BelongsTo<Place>;
}

// https://sqlite.org/datatype3.html#collating_sequences
const LANDS = `CREATE TABLE lands (code TEXT COLLATE NOCASE PRIMARY KEY);
  CREATE TABLE places (id INTEGER PRIMARY KEY, land_code TEXT COLLATE NOCASE REFERENCES lands (code), area TEXT COLLATE NOCASE);
  CREATE TABLE shares (land_code TEXT COLLATE NOCASE, place_id INTEGER);
  INSERT INTO lands VALUES ('DE'), ('fr');
  INSERT INTO places VALUES (1, 'DE', 'n'), (2, 'de', 'N'), (3, 'De', 'n'), (4, 'FR', 'n');
  INSERT INTO shares VALUES ('de', 1), ('DE', 4), ('FR', 1)`;

describe('keys that the collation of a column takes for equal', () => {
  const text = (property: string, column: string) => ({ property, column, kind: 'string' }) as const;
  const models = () => {
    registerModel(Land, {
      name: 'Land',
      table: 'lands',
      columns: [{ ...text('code', 'code'), primaryKey: true }],
      relations: [
        { property: 'places', kind: 'hasMany', target: () => Place, fk: 'land_code' },
        { property: 'shared', kind: 'manyToMany', target: () => Place, join: 'shares', joinFk: 'land_code' },
      ],
    });
    registerModel(Place, {
      name: 'Place',
      table: 'places',
      columns: [
        { property: 'id', column: 'id', kind: 'int', primaryKey: true },
        text('landCode', 'land_code'),
        text('area', 'area'),
      ],
      relations: [
        { property: 'land', kind: 'belongsTo', target: () => Land, fk: 'land_code' },
        {
          property: 'inArea',
          kind: 'belongsTo',
          target: () => Place,
          fk: ['land_code', 'area'],
          references: ['land_code', 'area'],
        },
      ],
    });
  };

  test('find the rows that joins find, in both directions', async () => {
    models();
    const db = open(await openSqlite(':memory:'), sqlite);
    await db.sqlDB().script(LANDS);
    const places = await model(db, Place).preload('land').orderBy({ column: 'id' }).find();
    expect(places.map(({ land }) => land?.code)).toEqual(['DE', 'DE', 'DE', 'fr']);
    const lands = model(db, Land).orderBy({ column: 'code' });
    const ids = (all: readonly { readonly id: number }[]) => all.map(({ id }) => id);
    expect((await lands.preload('places').find()).map((land) => ids(land.places))).toEqual([[1, 2, 3], [4]]);
    const limited = await lands.preload('places', withPreloadLimit(2)).find();
    expect(limited.map((land) => ids(land.places))).toEqual([[1, 2], [4]]);
    expect((await lands.preload('shared').find()).map((land) => ids(land.shared))).toEqual([[1, 4], [1]]);
    await db.sqlDB().script('DELETE FROM places WHERE id IN (1, 3)');
    const [own] = await model(db, Place).preload('inArea').where({ column: 'id', op: 'eq', value: 2 }).find();
    expect(own?.inArea?.id).toBe(2);
    await db.close();
  });

  test('two that only case tells apart have their own rows where the column does so', async () => {
    models();
    const db = open(await openSqlite(':memory:'), sqlite);
    await db.sqlDB().script(LANDS.replaceAll(' COLLATE NOCASE', '').replace(' REFERENCES lands (code)', ''));
    await db.sqlDB().script("INSERT INTO lands VALUES ('de')");
    const lands = await model(db, Land).preload('places').orderBy({ column: 'code' }).find();
    expect(lands.map(({ code, places }) => [code, places.map(({ id }) => id)])).toEqual([
      ['DE', [1]],
      ['de', [2]],
      ['fr', []],
    ]);
    await db.close();
  });
});
