import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  OpEq,
  db as column,
  model,
  modelInfoOf,
  open,
  softDelete,
  table,
  tenant,
  withPlugins,
  type Database,
  type ModelInfo,
} from '../index.js';
import type { Subject, TestDatabase } from './subject.js';
import { Noted, PostTag, Tag, notedModel, postModel, postTagModel, tagModel } from './models.js';
import { withTables } from './with-tables.js';

@table('accounts')
class Account {
  @column('id,pk,autoincrement,type=bigint') id!: bigint;
  @column('email,unique,type=string,size=40') email!: string;
  @column('name,type=string,nullable') name!: string | null;
  @column('rank,type=int,default=1') rank!: number;
  @column('code,type=string,nullable,sql=char(3)') code!: string | null;
}

@table('owned')
class Owned {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('owner,type=int,nullable') owner!: number | null;
  @column('email,unique,type=string,size=40') email!: string;
  @column('nick,unique,type=string,size=40,nullable') nick!: string | null;
  @column('name,type=string,size=10,nullable') name!: string | null;
  @column('rank,type=int,default=1') rank!: number;
  @column('deleted_at,type=date,nullable') deletedAt!: Date | null;
}

/** A model whose class begins with values of its own. */
@table('begun')
class Begun {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('name,unique,type=string,size=40') name!: string;
  @column('active,type=boolean') active = true;
  @column('rank,type=int') rank = 7;
  @column('nick,type=string,size=10,nullable') nick: string | null = null;
  @column('since,type=date') since = new Date(Begun.clock++);

  static clock = 1_000_000;
}

@table('paired')
class Paired {
  @column('shelf,pk,type=string,size=20') shelf!: string;
  @column('box,pk,type=string,size=20') box!: string;
  @column('note,type=string,size=20,default=none') note!: string;
}

@table('ticks')
class Tick {
  @column('at,pk,type=date') at!: Date;
  @column('n,type=int') n!: number;
}

/** A model of a key that its table does not have. */
@table('loose', { primaryKey: false })
class Loose {
  @column('email,unique,type=string,size=40') email!: string;
  @column('name,type=string,size=40,nullable') name!: string | null;
}

const models = [
  modelInfoOf(Account),
  modelInfoOf(Begun),
  modelInfoOf(Owned),
  modelInfoOf(Paired),
  modelInfoOf(Tick),
  notedModel,
  postModel,
  postTagModel,
  tagModel,
] as readonly ModelInfo[];

/** What writes of single rows, and of batches of them, must do on a real database. */
export function rowWritesContract({ name, dialect, create, habits = {} }: Subject): void {
  describe(`writes of rows on ${name}`, () => {
    let made: TestDatabase;
    let db: Database;

    withTables(create, dialect, models, (opened, its) => ([db, made] = [opened, its]));

    beforeEach(async () => {
      for (const { table: named } of models) await db.sqlDB().script(`DELETE FROM ${dialect.compiler.quote(named)}`);
    });

    const labels = async () => {
      return (await model(db, Tag).orderBy({ column: 'id' }).find()).map(({ id, label }) => [id, label]);
    };

    test('the database counts a counted key, whatever a row brings', async () => {
      const made = await model(db, Tag).create({ id: 100_500, label: 'one' });
      const rows = [{ id: 100_600, label: 'two' }];
      await model(db, Tag).createBatch(rows);
      expect(await labels()).toEqual([
        [made.id, 'one'],
        [rows[0]?.id, 'two'],
      ]);
      expect(made.id).toBeLessThan(100_500);
    });

    test('rows keep the keys that they bring, and the database counts on behind them', async () => {
      const tags = model(db, Tag);
      const first = await tags.create({ id: 200_500, label: 'one' }, { keepKeys: true });
      expect(first.id).toBe(200_500);
      expect((await tags.create({ label: 'two' })).id).toBeGreaterThan(200_500);
      const rows = [300_700, 300_600, 300_800, 300_650].map((id) => ({ id, label: String(id) }));
      expect(await tags.createBatch(rows, { keepKeys: true })).toBe(4);
      expect(rows.map(({ id }) => id)).toEqual([300_700, 300_600, 300_800, 300_650]);
      expect((await tags.create({ label: 'behind' })).id).toBeGreaterThan(300_800);
      await tags.create({ id: 5, label: 'before' }, { keepKeys: true });
      expect((await tags.create({ label: 'still' })).id).toBeGreaterThan(300_800);
      await model(db, Account).create({ id: 2n ** 40n, email: 'e' }, { keepKeys: true });
      expect((await model(db, Account).create({ email: 'f' })).id).toBeGreaterThan(2n ** 40n);
    });

    test('a new row gets its own defaults, in whatever order the columns of its key stand', async () => {
      const paired = model(db, Paired);
      await paired.create({ shelf: 'a', box: 'b', note: 'another' });
      expect(await paired.create({ shelf: 'b', box: 'a' })).toEqual({ shelf: 'b', box: 'a', note: 'none' });
      expect(await paired.create({ shelf: 'c', box: 'd' })).toEqual({ shelf: 'c', box: 'd', note: 'none' });
    });

    test('rows of an upsert whose keys differ are not taken for one', async () => {
      const pairs = [['a, b', 'c'], ['a', 'b, c']].map(([shelf, box]) => ({ shelf, box, note: 'new' })); // prettier-ignore
      await model(db, Paired).upsertBatch(pairs, { conflict: ['shelf', 'box'] });
      expect(await model(db, Paired).where({ note: 'new' }).count()).toBe(2);
      const at = new Date('2024-05-06T07:08:09.010Z');
      const ticks = [0, 1].map((n) => ({ at: new Date(at.getTime() + n), n }));
      await model(db, Tick).upsertBatch(ticks, { conflict: 'at' });
      expect(await model(db, Tick).count()).toBe(2);
      const twice = model(db, Tick).upsertBatch([...ticks, { at, n: 3 }], { conflict: 'at' });
      await expect(twice).rejects.toMatchObject({
        code: 'FW_ORM_UPSERT_TWICE',
        details: { key: '2024-05-06T07:08:09.010Z' },
      });
    });

    test('a row that is to keep its key must have one', async () => {
      const tags = model(db, Tag);
      await expect(tags.create({ label: 'one' }, { keepKeys: true })).rejects.toMatchObject({
        code: 'FW_ORM_NULL_VALUE',
      });
      await expect(tags.createBatch([{ label: 'one' }], { keepKeys: true })).rejects.toMatchObject({
        code: 'FW_ORM_NULL_VALUE',
      });
      await expect(tags.create({ id: 1, label: 'one' }, { keepKeys: 'yes' } as never)).rejects.toMatchObject({
        code: 'FW_ORM_OPTIONS',
      });
      const zero = tags.create({ id: 0, label: 'none' }, { keepKeys: true });
      if (dialect.zeroIsNext) await expect(zero).rejects.toMatchObject({ code: 'FW_ORM_VALUE' });
      else expect((await zero).id).toBe(0);
    });

    test('a key that is given and not written is named, once per model', async () => {
      const notes: string[] = [];
      const watched = open(made.handle, dialect, { onNote: (text) => notes.push(text) });
      await model(watched, Tag).create({ id: 9, label: 'one' });
      await model(watched, Tag).createBatch([{ id: 10, label: 'two' }]);
      await model(watched, Tag).create({ label: 'three' });
      await model(watched, Account).create({ email: 'e' });
      expect(notes).toEqual([expect.stringMatching(/^Tag\.id .*keepKeys/)]);
    });

    test('an upsert by a counted key is refused, since it would never find a row', async () => {
      const upsert = model(db, Tag).upsert({ id: 1, label: 'second' }, { conflict: 'id' });
      await expect(upsert).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
      expect(await labels()).toEqual([]);
    });

    test('a counted key that an upsert is given, and does not send, is none of what it gives back', async () => {
      await model(db, Tag).create({ label: 'first' });
      const given = await model(db, Tag).upsert({ id: 901, label: 'second' }, { update: 'none' });
      const { id } = await model(db, Tag).where({ label: 'second' }).first();
      expect(id).not.toBe(901);
      expect([undefined, id]).toContain(given.id);
    });

    test('createBatch keeps every character of a column of a fixed width', async () => {
      const rows = Array.from({ length: 3000 }, (_, at) => ({ email: `${at}`, code: 'abc' }));
      await model(db, Account).createBatch(rows);
      expect(await model(db, Account).where({ column: 'code', op: OpEq, value: 'abc' }).count()).toBe(rows.length);
    });

    test('counted keys past what a number can hold are exact', async () => {
      const start = 2n ** 53n + 1n;
      await db
        .sqlDB()
        .execute(
          `INSERT INTO accounts (id, email, ${dialect.compiler.quote('rank')}) VALUES (${start}, 'start', 1)`,
          [],
        );
      if (habits.countFrom) await db.sqlDB().script(habits.countFrom('accounts', start + 1n));
      const rows: { email: string; id?: bigint }[] = ['a', 'b', 'c'].map((email) => ({ email }));
      await model(db, Account).createBatch(rows);
      const stored = await model(db, Account).orderBy({ column: 'id' }).find();
      expect(stored.map(({ id }) => id)).toEqual([0n, 1n, 2n, 3n].map((more) => start + more));
      expect(rows.map(({ id }) => id)).toEqual([1n, 2n, 3n].map((more) => start + more));
    });

    describe('of a class that begins with values', () => {
      const stored = { name: 'kept', active: false, rank: 3, nick: 'nick', since: new Date(5000) };
      const all = () => model(db, Begun).orderBy({ column: 'id' }).find();

      test('a new row has them where it says nothing else', async () => {
        const made = await model(db, Begun).create({ name: 'a', rank: 1, active: undefined });
        const own = Object.assign(new Begun(), { name: 'b', active: false });
        const rows = [{ name: 'c' }, { name: 'd', rank: 2 }, { name: 'e', active: undefined, nick: 'e' }, own];
        await model(db, Begun).createBatch(rows);
        await model(db, Begun).upsert({ name: 'f' }, { conflict: 'name' });
        expect((await all()).map(({ name: by, active, rank, nick }) => [by, active, rank, nick])).toEqual([
          ['a', true, 1, null],
          ['c', true, 7, null],
          ['d', true, 2, null],
          ['e', true, 7, 'e'],
          ['b', false, 7, null],
          ['f', true, 7, null],
        ]);
        const times = (await all()).map(({ since }) => since.getTime());
        expect(new Set(times).size).toBe(times.length);
        expect(made).toMatchObject({ active: true, rank: 1, nick: null });
      });

      test('a batch tells the keys of the rows that it was given', async () => {
        const rows: { name: string; id?: number }[] = [{ name: 'a' }, { name: 'b' }];
        await model(db, Begun).createBatch(rows);
        expect(rows).toEqual((await all()).map(({ id, name: by }) => ({ id, name: by })));
        const validated = open(made.handle, dialect, { validate: true });
        const more: { name: string; id?: number }[] = [{ name: 'c' }];
        await model(validated, Begun).createBatch(more);
        expect(more).toEqual([{ id: (await all())[2]?.id, name: 'c' }]);
      });

      test.each(['update', 'save'] as const)('%s writes what it is given and nothing else', async (write) => {
        const { id } = await model(db, Begun).create(stored);
        const row = await model(db, Begun)[write]({ id, name: 'new' });
        expect(row).toBeInstanceOf(Begun);
        expect({ ...row }).toEqual({ id, name: 'new' });
        expect(await all()).toEqual([{ ...stored, id, name: 'new' }]);
        const selected = await model(db, Begun).select('id', 'rank').first();
        await model(db, Begun)[write]({ ...selected, rank: 4, active: undefined });
        expect(await all()).toEqual([{ ...stored, id, name: 'new', rank: 4 }]);
        const whole = await model(db, Begun).first();
        await model(db, Begun)[write](Object.assign(whole, { nick: null }));
        expect(await all()).toEqual([{ ...stored, id, name: 'new', rank: 4, nick: null }]);
      });

      test('an upsert of a row that is there writes what it is given, and gives back nothing that is not stored', async () => {
        const { id } = await model(db, Begun).create(stored);
        const row = await model(db, Begun).upsert({ name: 'kept', rank: 9 }, { conflict: 'name' });
        expect(await all()).toEqual([{ ...stored, id, rank: 9 }]);
        expect({ ...stored, id, rank: 9 }).toMatchObject({ ...row });
        await model(db, Begun).upsert({ name: 'kept', rank: 8 }, { conflict: 'name', update: ['rank', 'active'] });
        expect(await all()).toEqual([{ ...stored, id, rank: 8, active: true }]);
      });
    });

    test.each(['update', 'save'] as const)('%s of a row with nothing but its key looks for the row', async (write) => {
      const { id } = await model(db, Tag).create({ label: 'kept' });
      expect(await model(db, Tag)[write]({ id })).toMatchObject({ id });
      expect(await labels()).toEqual([[id, 'kept']]);
      const gone = { code: 'FW_ORM_ROW_GONE', details: expect.objectContaining({ operation: write, model: 'Tag' }) };
      await expect(model(db, Tag)[write]({ id: id + 1 })).rejects.toMatchObject(gone);
      await expect(model(db, Tag)[write]({ id: id + 1, label: 'x' })).rejects.toMatchObject(gone);
      const noted = await model(db, Noted).create({ text: 'kept' });
      Noted.calls.length = 0;
      await model(db, Noted)[write]({ id: noted.id });
      expect(Noted.calls).toEqual(['beforeSave', 'beforeUpdate', 'afterUpdate', 'afterSave']);
    });

    test('a row of nothing but a key of its own is saved twice', async () => {
      for (let at = 0; at < 2; at++) await model(db, PostTag).save({ postId: 1, tagId: 2 });
      expect(await model(db, PostTag).find()).toEqual([{ postId: 1, tagId: 2 }]);
    });

    describe('apart by tenant', () => {
      let current = 1;
      let own: Database;
      beforeAll(() => {
        own = open(made.handle, dialect, withPlugins(tenant('owner', () => current)));
      });
      beforeEach(() => {
        current = 1;
      });

      test('an upsert never overwrites the row of another tenant', async () => {
        await model(own, Owned).create({ email: 'b@x', name: 'of 1' });
        const upsert = (name: string) => model(own, Owned).upsert({ email: 'b@x', name }, { conflict: 'email' });
        const spares = habits.conditionalUpsert ?? true;
        current = 2;
        await expect(upsert('by 2')).rejects.toMatchObject({
          code: spares ? 'FW_ORM_TENANT_FOREIGN' : 'FW_ORM_UNSUPPORTED',
        });
        await model(own, Owned).upsert({ email: 'b@x', name: 'by 2' }, { conflict: 'email', update: 'none' });
        current = 1;
        if (spares) await upsert('again');
        expect((await model(db, Owned).find()).map(({ owner, name: by }) => [owner, by])).toEqual([
          [1, spares ? 'again' : 'of 1'],
        ]);
      });

      test('a row that was read is updated, one that is to change its tenant is not', async () => {
        const { id } = await model(own, Owned).create({ email: 'a@x' });
        const row = await model(own, Owned).first();
        for (const write of ['update', 'save'] as const)
          await model(own, Owned)[write](Object.assign(row, { name: write }));
        expect((await model(db, Owned).first()).name).toBe('save');
        for (const owner of [2, null]) {
          const moved = model(own, Owned).update({ id, name: 'moved', owner });
          await expect(moved).rejects.toMatchObject({ code: 'FW_ORM_TENANT_FOREIGN' });
        }
        expect(await model(db, Owned).first()).toMatchObject({ owner: 1, name: 'save' });
      });

      test('create gives back the tenant, also where the column could be null', async () => {
        expect(await model(own, Owned).create({ email: 'a@x' })).toMatchObject({ owner: 1, name: null, rank: 1 });
      });
    });

    test('soft delete leaves live rows alone when only deleted ones are asked for, and stores rows as deleted', async () => {
      const soft = open(made.handle, dialect, withPlugins(softDelete('deleted_at')));
      const deletedAt = new Date('2024-01-02T03:04:05.000Z');
      await model(soft, Owned).create({ email: 'live' });
      expect(await model(soft, Owned).create({ email: 'dead', deletedAt })).toMatchObject({ rank: 1, deletedAt });
      expect(await model(soft, Owned).withDeleted('only').delete()).toBe(0);
      const stored = await model(db, Owned).orderBy({ column: 'id' }).find();
      expect(stored.map((row) => row.deletedAt)).toEqual([null, deletedAt]);
    });

    test('what an upsert gives back does not erase columns that it did not write', async () => {
      await model(db, Owned).create({ email: 'a', name: 'keep', rank: 5 });
      const row = await model(db, Owned).upsert({ email: 'a', nick: 'n' }, { conflict: 'email' });
      if (dialect.capabilities.returning !== 'none') {
        expect(row).toMatchObject({ email: 'a', nick: 'n', name: 'keep', rank: 5 });
        await model(db, Owned).update(row);
      }
      expect(await model(db, Owned).first()).toMatchObject({ nick: 'n', name: 'keep', rank: 5 });
    });

    test('an upsert writes the columns that it lists, and never deletes a row', async () => {
      await model(db, Owned).createBatch([
        { email: 'a', nick: 'na', name: 'A', rank: 5 },
        { email: 'b', nick: 'nb', name: 'B', rank: 6 },
      ]);
      const row = { email: 'a', nick: 'other', name: 'new', rank: 9 };
      const conflict = habits.upsertNeedsKey ? { conflict: 'email' } : {};
      const given = { ...row };
      const known = await model(db, Owned).upsert(row, { update: ['name'], ...conflict });
      expect(row).toEqual(given);
      const stored = await model(db, Owned).orderBy({ column: 'id' }).find();
      expect(stored.map(({ email, nick, name: by, rank }) => [email, nick, by, rank])).toEqual([
        ['a', 'na', 'new', 5],
        ['b', 'nb', 'B', 6],
      ]);
      expect(stored[0]).toMatchObject({ ...known });
      const whole = Object.assign(new Owned(), { ...row, email: 'b' });
      const none = await model(db, Owned).upsert(whole, {
        update: 'none',
        ...(habits.upsertNeedsKey && { conflict: 'email' }),
      });
      expect(stored[1]).toMatchObject({ ...none });
      expect(whole).toMatchObject({ email: 'b', nick: 'other', name: 'new', rank: 9 });
    });

    test('an upsert by what is no unique key is refused, with the keys that there are', async () => {
      const kept = { email: 'a', name: 'one' };
      await model(db, Owned).create(kept);
      const row = { email: 'b', name: 'one', rank: 3 };
      const keys = '(id), (email), (nick)';
      for (const [conflict, said] of [
        ['name', '(name)'],
        [['email', 'name'], '(email, name)'],
        [['deleted_at'], '(deletedAt)'],
      ] as const) {
        const refused = { code: 'FW_ORM_UPSERT_KEY', details: { model: 'Owned', conflict: said, keys } };
        await expect(model(db, Owned).upsert(row, { conflict })).rejects.toMatchObject(refused);
        await expect(model(db, Owned).upsertBatch([row, row], { conflict })).rejects.toMatchObject(refused);
      }
      const paired = model(db, Paired).upsert({ shelf: 'a', box: 'b' }, { conflict: 'shelf' });
      await expect(paired).rejects.toMatchObject({ details: { keys: '(shelf, box)' } });
      expect(await model(db, Owned).select('email', 'name', 'rank').find()).toEqual([{ ...kept, rank: 1 }]);
    });

    test('an upsert by a key that the database lacks says that a migration is missing', async () => {
      if (!habits.asksForKey) return;
      const quote = (word: string) => dialect.compiler.quote(word);
      await db.sqlDB().script(`CREATE TABLE ${quote('loose')} (email varchar(40), name varchar(40))`);
      const refused = { code: 'FW_ORM_UPSERT_KEY', details: { model: 'Loose', conflict: '(email)', keys: '(email)' } };
      const upsert = model(db, Loose).upsert({ email: 'a', name: 'b' }, { conflict: 'email' });
      await expect(upsert).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining('a migration is missing'),
      });
      const batch = model(db, Loose).upsertBatch([{ email: 'a', name: 'b' }], { conflict: 'email' });
      await expect(batch).rejects.toMatchObject(refused);
    });

    test("an upsert with update: 'none' refuses what does not fit, as an insert does", async () => {
      if (habits.keepsAnyValue) return;
      const long = { email: 'z'.repeat(60) };
      const upsert = model(db, Owned).upsert(long, { conflict: 'email', update: 'none' });
      await expect(upsert).rejects.toMatchObject({ code: expect.stringMatching(/^FW_ORM_/) });
      expect(await model(db, Owned).count()).toBe(0);
    });
  });
}
