import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  OpEq,
  db as column,
  model,
  modelInfoOf,
  open,
  table,
  type Database,
  type Dialect,
  type ModelInfo,
} from '../index.js';
import { createMissingTables } from '../schema/index.js';
import type { TestDatabase } from './dialect.contract.js';
import { Post, Tag, postModel, tagModel } from './models.js';

@table('accounts')
class Account {
  @column('id,pk,autoincrement,type=bigint') id!: bigint;
  @column('email,unique,type=string,size=40') email!: string;
  @column('name,type=string,nullable') name!: string | null;
  @column('rank,type=int,default=1') rank!: number;
  @column('code,type=string,nullable,sql=char(3)') code!: string | null;
}

const models = [Account, postModel, tagModel].map((each) =>
  each === Account ? modelInfoOf(Account) : each,
) as readonly ModelInfo[];

/** What writes of single rows, and of batches of them, must do on a real database. */
export function rowWritesContract(name: string, dialect: Dialect, create: () => Promise<TestDatabase>): void {
  describe(`writes of rows on ${name}`, () => {
    let made: TestDatabase;
    let db: Database;

    beforeAll(async () => {
      made = await create();
      db = open(made.handle, dialect);
      await createMissingTables(db, models);
    }, 60_000);

    afterAll(async () => {
      await db.close();
      await made.drop();
    }, 60_000);

    beforeEach(async () => {
      for (const { table: named } of models) await db.sqlDB().script(`DELETE FROM ${dialect.compiler.quote(named)}`);
    });

    const labels = async () => {
      return (await model(db, Tag).orderBy({ column: 'id' }).find()).map(({ id, label }) => [id, label]);
    };

    test('a key that a row brings is stored, also where the database would count it', async () => {
      expect(await model(db, Tag).create({ id: 100_500, label: 'given' })).toMatchObject({ id: 100_500 });
      const given = { id: 100_700, label: 'batch given' };
      const counted: { id?: number | null; label: string }[] = [{ label: 'counted' }, { label: 'null', id: null }];
      const rows = [...counted, given, { id: 100_600, label: 'another' }];
      await model(db, Tag).createBatch(rows as never);
      const stored = new Map((await labels()).map(([id, label]) => [label, id]));
      expect(Object.fromEntries(stored)).toMatchObject({ given: 100_500, 'batch given': 100_700, another: 100_600 });
      expect(counted.map(({ id }) => id)).toEqual([stored.get('counted'), stored.get('null')]);
      expect(given.id).toBe(100_700);
      expect((await model(db, Post).create({ id: 100_900, authorId: 1, title: 't' })).views).toBe(0);
    });

    test('an upsert by a counted key finds the row that has it', async () => {
      const { id } = await model(db, Tag).create({ label: 'first' });
      expect(await model(db, Tag).upsert({ id, label: 'second' }, { conflict: 'id' })).toMatchObject({ id });
      await model(db, Tag).upsert({ id: id + 50, label: 'new' }, { conflict: 'id' });
      expect(await labels()).toEqual([
        [id, 'second'],
        [id + 50, 'new'],
      ]);
    });

    test('createBatch keeps every character of a column of a fixed width', async () => {
      const rows = Array.from({ length: 3000 }, (_, at) => ({ email: `${at}`, code: 'abc' }));
      await model(db, Account).createBatch(rows);
      expect(await model(db, Account).where({ column: 'code', op: OpEq, value: 'abc' }).count()).toBe(rows.length);
    });

    test('counted keys past what a number can hold are exact', async () => {
      const start = 2n ** 53n + 1n;
      await model(db, Account).create({ id: start, email: 'start', name: null });
      const identity = `ALTER TABLE accounts ALTER COLUMN id RESTART WITH ${start + 1n}`;
      if (dialect.name === 'postgres') await db.sqlDB().script(identity);
      const rows: { email: string; id?: bigint }[] = ['a', 'b', 'c'].map((email) => ({ email }));
      await model(db, Account).createBatch(rows);
      const stored = await model(db, Account).orderBy({ column: 'id' }).find();
      expect(stored.map(({ id }) => id)).toEqual([0n, 1n, 2n, 3n].map((more) => start + more));
      expect(rows.map(({ id }) => id)).toEqual([1n, 2n, 3n].map((more) => start + more));
    });
  });
}
