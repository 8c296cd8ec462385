import { beforeEach, describe, expect, test } from '@jest/globals';
import { db as column, excluded, model, registerModel, softDelete, table, withPlugins } from '../index.js';
import type { Database } from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('versioned_pages')
class Page {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('slug,unique,type=string,size=40') slug!: string;
  @column('text,nullable,type=string') text!: string | null;
  @column('edition,version') edition!: number;
  @column('deleted_at,nullable,type=date') deletedAt!: Date | null;
}

/** Keys of its own making, a version of 64 bits, and times besides. */
@table('versioned_sheets')
class Sheet {
  @column('code,pk,type=string,size=10') code!: string;
  @column('cells,type=int,default=0') cells!: number;
  @column('version,version,type=bigint') version!: bigint;
  @column('changed_at,filled=update') changedAt!: Date;
}

const { slug, text, edition } = columnsOf(Page);

/** Rows that are not written when somebody else has changed them since they were read. */
export function rowVersionsContract({ name, dialect, create }: Subject): void {
  describe(`versions of rows on ${name}`, () => {
    let db: Database;
    let page: Page;
    const pages = () => model(db, Page);
    const stored = () => pages().where({ id: page.id }).first();

    withTables(create, dialect, [Page, Sheet], (opened) => (db = opened), withPlugins(softDelete('deleted_at')));

    beforeEach(async () => {
      await db.sqlDB().script('DELETE FROM versioned_pages');
      await db.sqlDB().script('DELETE FROM versioned_sheets');
      page = (await pages().create({ slug: 'a', text: 'one' } as never)) as Page;
    });

    test('a row begins with 1 and counts on with each update', async () => {
      expect(page.edition).toBe(1);
      expect((await stored()).edition).toBe(1);
      const second = await pages().update(Object.assign(page, { text: 'two' }));
      expect([second.edition, page.edition]).toEqual([2, 2]);
      await pages().save(Object.assign(page, { text: 'three' }));
      expect(await stored()).toMatchObject({ edition: 3, text: 'three' });
      const copy = await pages().update({ id: page.id, edition: 3, text: 'four' });
      expect(copy.edition).toBe(4);
      expect(await stored()).toMatchObject({ edition: 4, text: 'four' });
    });

    test.each(['update', 'save'] as const)(
      '%s of a row that somebody else has changed changes nothing',
      async (write) => {
        const read = await stored();
        await pages().update(Object.assign(page, { text: 'two' }));
        const lost = pages()[write](Object.assign(read, { text: 'lost' }));
        await expect(lost).rejects.toMatchObject({
          code: 'FW_ORM_STALE_ROW',
          status: 409,
          details: { operation: write, model: 'Page', key: String(page.id), version: '1' },
        });
        expect(read.edition).toBe(1);
        expect(await stored()).toMatchObject({ edition: 2, text: 'two' });
      },
    );

    test('a row that somebody else has changed is not removed', async () => {
      const read = await stored();
      await pages().update(Object.assign(page, { text: 'two' }));
      await expect(pages().remove(read)).rejects.toMatchObject({ code: 'FW_ORM_STALE_ROW' });
      await expect(pages().remove({ id: page.id })).rejects.toMatchObject({ code: 'FW_ORM_NO_VERSION' });
      await pages().remove(page);
      expect(await pages().count()).toBe(0);
    });

    test('a row that is gone is gone', async () => {
      await pages().delete();
      const gone = { code: 'FW_ORM_ROW_GONE' };
      await expect(pages().update(page)).rejects.toMatchObject(gone);
      await expect(pages().save(page)).rejects.toMatchObject(gone);
      await expect(pages().remove(page)).rejects.toMatchObject(gone);
      const other = (await pages().create({ slug: 'b' } as never)) as Page;
      await pages().remove({ ...other });
      await expect(pages().update(other)).rejects.toMatchObject(gone);
    });

    test('a row without its version is refused, one of nothing else is only looked for', async () => {
      for (const row of [
        { id: page.id, text: 'x' },
        { id: page.id, text: 'x', edition: null as never },
      ])
        await expect(pages().update(row)).rejects.toMatchObject({
          code: 'FW_ORM_NO_VERSION',
          details: { operation: 'update', model: 'Page', field: 'edition' },
        });
      await expect(pages().update({ id: page.id, edition: 'x' as never, text: 'x' })).rejects.toMatchObject({
        code: 'FW_ORM_VALUE',
      });
      await pages().update({ id: page.id, edition: 1 });
      await expect(pages().update({ id: page.id, edition: 7 })).rejects.toMatchObject({ code: 'FW_ORM_STALE_ROW' });
      expect(await stored()).toMatchObject({ edition: 1, text: 'one' });
    });

    test('of several that write at the same time one does', async () => {
      const copies = await Promise.all(Array.from({ length: 5 }, stored));
      const written = await Promise.allSettled(
        copies.map((copy, at) => pages().update(Object.assign(copy, { text: `by ${at}` }))),
      );
      const refused = written.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
      expect(refused).toHaveLength(4);
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 'FW_ORM_STALE_ROW' });
      expect((await stored()).edition).toBe(2);
    });

    test('updateAll counts on and compares nothing, unless it is told to', async () => {
      expect(await pages().updateAll(text.set('two'))).toBe(1);
      expect(await stored()).toMatchObject({ edition: 2, text: 'two' });
      expect(await pages().where(edition.eq(1)).updateAll(text.set('never'))).toBe(0);
      await pages().updateAll(text.set('three'), edition.set(10));
      expect(await stored()).toMatchObject({ edition: 10, text: 'three' });
      const [row] = await pages().returning().updateAll(slug.set('b'));
      expect(row).toMatchObject({ edition: 11, slug: 'b' });
    });

    test('rows of a batch and of a query begin with 1, or with what they say', async () => {
      await pages().createBatch([{ slug: 'b' }, { slug: 'c', edition: 7 }] as never);
      const rows = await pages().select('slug', 'edition').orderBy(slug.asc()).find();
      expect(rows.map((row) => row.edition)).toEqual([1, 1, 7]);
      await db.sqlDB().script(`INSERT INTO versioned_pages (slug) VALUES ('d')`);
      expect((await pages().where({ slug: 'd' }).first()).edition).toBe(1);
    });

    test.each([
      ['with the row', { slug: 'a', text: 'two', edition: 40 }],
      ['without it', { slug: 'a', text: 'two' }],
    ])('an upsert compares nothing and counts on, with a version %s', async (_what, row) => {
      const written = (await pages().upsert(row as never, { conflict: 'slug' })) as Page;
      expect(await stored()).toMatchObject({ edition: 2, text: 'two' });
      // Where the database does not tell, nobody knows which one it is.
      expect([2, undefined]).toContain(written.edition);
      await pages().upsert(row as never, { conflict: 'slug', update: 'none' });
      await pages().upsert({ ...row, text: 'three' } as never, { conflict: 'slug', update: ['text'] });
      expect(await stored()).toMatchObject({ edition: 3, text: 'three' });
      await pages().upsertBatch([{ ...row, text: 'four' }, { slug: 'b' }] as never, { conflict: 'slug' });
      expect(await stored()).toMatchObject({ edition: 4, text: 'four' });
      const computed = { conflict: 'slug', update: 'none', set: [text.set(excluded(text))] } as const;
      await pages().upsertBatch([{ ...row, text: 'five' }] as never, computed);
      expect(await stored()).toMatchObject({ edition: 5, text: 'five' });
      expect((await pages().where({ slug: 'b' }).first()).edition).toBe(1);
    });

    test('a version of 64 bits, with a key of its own making and a time of the last update', async () => {
      const sheets = () => model(db, Sheet);
      const sheet = (await sheets().save({ code: 'x', cells: 1 })) as Sheet;
      expect(sheet.version).toBe(1n);
      await db.sqlDB().script('UPDATE versioned_sheets SET version = 9007199254740993');
      const read = await sheets().first();
      const saved = await sheets().save(Object.assign(read, { cells: 2 }));
      expect(saved.version).toBe(9007199254740994n);
      expect(await sheets().first()).toMatchObject({ version: 9007199254740994n, cells: 2 });
      await expect(sheets().save(sheet)).rejects.toMatchObject({ code: 'FW_ORM_STALE_ROW' });
    });
  });

  test.each<[string, object]>([
    ['for a whole number', { kind: 'string' }],
    ['null is no number', { kind: 'int', nullable: true }],
    ['a primary key does not', { kind: 'int', primaryKey: true }],
    ['one that the database fills is not', { kind: 'int', generated: true }],
  ])('a version is refused: %s', (problem, column) => {
    const columns = [{ property: 'at', column: 'at', version: true, ...column } as never];
    const refused = () => registerModel(class {}, { name: 'Wrong', table: 'wrong', columns });
    expect(refused).toThrow(
      expect.objectContaining({ code: 'FW_ORM_MODEL', message: expect.stringContaining(problem) }),
    );
  });
}
