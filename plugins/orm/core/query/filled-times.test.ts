import { describe, expect } from '@jest/globals';
import { openAny, test } from '../../contract/any-database.js';
import { RecordingHandle } from '../../contract/recording-handle.js';
import { standard } from '../../contract/standard-dialect.js';
import { db as column, model, modelInfoOf, open, table } from '../../index.js';

@table('stamped')
class Stamped {
  @column('id,pk,type=int') id!: number;
  @column('name,unique,type=string') name!: string;
  @column('created_at,filled=create') createdAt!: Date;
  @column('updated_at,filled=update') updatedAt!: Date;
}

const LONG_AGO = new Date('2001-02-03T04:05:06.789Z');

describe('times that the ORM fills', () => {
  test('an upsert that names no key keeps the time of the creation, where the database would replace the row', async () => {
    const db = await openAny([Stamped]);
    await model(db, Stamped).create({ id: 1, name: 'a', createdAt: LONG_AGO, updatedAt: LONG_AGO });
    await model(db, Stamped).upsert({ id: 1, name: 'b' } as Stamped);
    const row = await model(db, Stamped).only();
    expect(row).toMatchObject({ name: 'b', createdAt: LONG_AGO });
    expect(row.updatedAt.getTime()).toBeGreaterThan(LONG_AGO.getTime());
  });

  test('an update writes them behind what it says itself', async () => {
    const handle = new RecordingHandle();
    const db = open(handle, standard);
    for (const value of ['x', 'y']) await model(db, Stamped).updateAll({ column: 'name', value });
    expect(new Set(handle.sql)).toEqual(new Set(['UPDATE "stamped" SET "name" = $1, "updated_at" = $2']));
    expect(handle.sql).toHaveLength(2);
  });

  test('are dates, and written by the ORM', () => {
    @table('counted')
    class Counted {
      @column('at,filled=update,type=int') at!: number;
    }
    @table('generated')
    class Generated {
      @column('at,generated,filled=create') at!: Date;
    }
    expect(() => modelInfoOf(Counted)).toThrow(/at: filled=update is for a Date, and the column is of the kind int/);
    expect(() => modelInfoOf(Generated)).toThrow(/at: filled=create writes the column, and one that is generated/);
  });

  test('are filled on create or update, and nothing else is known', () => {
    @table('wrong')
    class Wrong {
      // @ts-expect-error there is no such moment
      @column('at,filled=delete') at!: Date;
    }
    expect(() => modelInfoOf(Wrong)).toThrow(/filled is one of create, update, got "delete"/);
  });
});
