import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  OpBetween,
  OpEq,
  OpGt,
  OpIn,
  columnOf,
  db as column,
  model,
  modelInfoOf,
  open,
  or,
  raw,
  table,
  transaction,
  type Database,
  type Int,
} from '../index.js';
import { createMissingTables } from '../schema/index.js';
import { openSqlite, sqlite } from './index.js';

@table('users')
class User {
  @column('id,pk,autoincrement,type=int') id!: Int;
  @column('email,unique,type=string') email!: string;
  @column('active,type=boolean,default=true') active!: boolean;
  @column('age,type=int,nullable') age!: Int | null;
  @column('created_at,type=date') createdAt!: Date;

  get domain(): string {
    return this.email.split('@')[1] ?? '';
  }
}

const user = {
  email: columnOf<User, 'email', string>(modelInfoOf(User), 'email'),
  age: columnOf<User, 'age', number | null>(modelInfoOf(User), 'age'),
};
const at = new Date('2024-05-06T07:08:09.010Z');
const row = (email: string, age: number | null = null) => ({ email, age, createdAt: at });

describe('SQLite', () => {
  let folder: string;
  let db: Database;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fw-orm-'));
    db = open(await openSqlite(join(folder, 'test.db')), sqlite);
    await createMissingTables(db, [User]);
  });

  afterEach(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  test('a created row is an instance with its key, defaults and dates', async () => {
    const made = await model(db, User).create(row('a@x.org', 3));
    expect(made).toMatchObject({ id: 1, email: 'a@x.org', active: true, age: 3, createdAt: at });
    const read = await model(db, User).where(user.email.eq('a@x.org')).first();
    expect(read).toEqual(made);
    expect(read.domain).toBe('x.org');
  });

  test('accessors and plain values find the same rows', async () => {
    await model(db, User).createBatch([row('a@x', 1), row('b@x', 2), row('c@x', null), row('d@x', 4)]);
    const all = model(db, User).orderBy({ column: 'id' });
    const emails = async (query: typeof all) => (await query.find()).map(({ email }) => email);
    expect(await emails(all.where({ column: 'email', op: OpEq, value: 'b@x' }))).toEqual(['b@x']);
    expect(await emails(all.where({ column: 'age', op: OpIn, value: [1, 2, 9] }))).toEqual(['a@x', 'b@x']);
    expect(await emails(all.where(or(user.age.isNull(), user.age.between(4, 9))))).toEqual(['c@x', 'd@x']);
    expect(
      await emails(
        all.where({ column: 'age', op: OpBetween, value: [2, 4] }).where({ column: 'age', op: OpGt, value: 2 }),
      ),
    ).toEqual(['d@x']);
    expect(await emails(all.where(raw('upper(email) = :e', 'e', 'C@X')))).toEqual(['c@x']);
    expect(await emails(all.page(2, 3))).toEqual(['d@x']);
    expect(await emails(all.limit(1).offset(1))).toEqual(['b@x']);
  });

  test('counts, tests, updates and deletes', async () => {
    await model(db, User).createBatch([row('a@x', 1), row('b@x', 2)]);
    const b = model(db, User).where(user.email.eq('b@x'));
    expect(await model(db, User).count()).toBe(2);
    expect(await b.exists()).toBe(true);
    expect(await b.updateAll(user.age.set(7), { column: 'active', value: false })).toBe(1);
    expect(await b.first()).toMatchObject({ age: 7, active: false });
    expect(await b.delete()).toBe(1);
    await expect(b.first()).rejects.toMatchObject({ message: 'orm: no rows found', code: 'FW_ORM_NO_ROWS' });
  });

  test('a row that the table leaves out gets no key, neither its own nor that of another', async () => {
    await db.sqlDB().script('DROP TABLE users');
    const columns = 'email text UNIQUE ON CONFLICT IGNORE, active int DEFAULT 1, age int, created_at text';
    await db.sqlDB().script(`CREATE TABLE users (id integer PRIMARY KEY AUTOINCREMENT, ${columns})`);
    await model(db, User).createBatch([row('a@x'), row('b@x')]);
    const left = model(db, User).create(row('a@x'));
    await expect(left).rejects.toMatchObject({ code: 'FW_ORM_NOT_INSERTED', details: { model: 'User' } });
    const batch: (ReturnType<typeof row> & { id?: number })[] = [row('c@x'), row('a@x'), row('d@x')];
    expect(await model(db, User).createBatch(batch)).toBe(2);
    expect(batch.map(({ id }) => id)).toEqual([undefined, undefined, undefined]);
    const kept = await model(db, User).upsert(row('a@x', 5), { conflict: 'email', update: 'none' });
    expect(kept.id).toBeUndefined();
    expect((await model(db, User).find()).map(({ email }) => email)).toEqual(['a@x', 'b@x', 'c@x', 'd@x']);
  });

  test('a transaction rolls back as a whole, a savepoint by itself', async () => {
    await expect(
      transaction.run(db, null, null, async (tx) => {
        await model(tx, User).create(row('a@x'));
        throw new RangeError('no');
      }),
    ).rejects.toThrow('no');
    await transaction.run(db, null, null, async (tx) => {
      await model(tx, User).create(row('b@x'));
      await transaction
        .run(tx, null, null, async (inner) => {
          await model(inner, User).create(row('c@x'));
          throw new RangeError('no');
        })
        .catch(() => undefined);
    });
    expect((await model(db, User).find()).map(({ email }) => email)).toEqual(['b@x']);
  });
});
