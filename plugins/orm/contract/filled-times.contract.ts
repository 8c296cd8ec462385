import { beforeEach, describe, expect, test } from '@jest/globals';
import { db as column, manyToMany, model, registerModel, softDelete, table, withPlugins } from '../index.js';
import type { Database, HookContext, ManyToMany } from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('timed_notes')
class Note {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('slug,unique,type=string,size=40') slug!: string;
  @column('text,nullable,type=string') text: string | null = null;
  @column('created_at,filled=create,default=now') createdAt!: Date;
  @column('updated_at,filled=update,default=now') updatedAt!: Date;
  @column('deleted_at,nullable,type=date') deletedAt: Date | null = null;
  @manyToMany(() => Label, { join: 'timed_note_labels', joinFk: 'note_id', joinRefFk: 'label_id' })
  labels?: ManyToMany<Label>;
}

@table('timed_labels')
class Label {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('word,type=string') word!: string;
}

class NoteLabel {
  noteId!: number;
  labelId!: number;
  linkedAt!: Date;
}
registerModel(NoteLabel, {
  name: 'NoteLabel',
  table: 'timed_note_labels',
  columns: [
    { property: 'noteId', column: 'note_id', kind: 'int', primaryKey: true },
    { property: 'labelId', column: 'label_id', kind: 'int', primaryKey: true },
    { property: 'linkedAt', column: 'linked_at', kind: 'date', filledOn: 'create' },
  ],
});

@table('timed_hooked')
class Hooked {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('text,type=string') text!: string;
  @column('made_at,filled=create') madeAt!: Date;
  beforeCreate(_context: HookContext): void {
    this.madeAt ??= LONG_AGO;
  }
}

const LONG_AGO = new Date('2001-02-03T04:05:06.789Z');
const { updatedAt, slug, text } = columnsOf(Note);

/** Times that the ORM fills when a row is created and when it is updated. */
export function filledTimesContract({ name, dialect, create }: Subject): void {
  describe(`times that the ORM fills on ${name}`, () => {
    let db: Database;
    let begun: number;
    const notes = () => model(db, Note);
    const stored = (of: string) => notes().where(slug.eq(of)).withDeleted().only();
    const now = { asymmetricMatch: (value: unknown) => value instanceof Date && value.getTime() >= begun };
    // A row that was last touched long ago, so that no test has to wait for the clock.
    const old = (of: string) => notes().create({ slug: of, createdAt: LONG_AGO, updatedAt: LONG_AGO } as Note);

    const models = [Note, Label, NoteLabel, Hooked];
    withTables(create, dialect, models, (opened) => (db = opened), withPlugins(softDelete('deleted_at')));

    beforeEach(async () => {
      begun = Date.now();
      for (const each of [NoteLabel, Note, Label]) await model<object>(db, each).withDeleted('force').delete();
    });

    test('a new row has them, both the same moment, as it is stored', async () => {
      const made = await notes().create({ slug: 'a' } as Note);
      expect(made).toMatchObject({ createdAt: now, updatedAt: made.createdAt });
      expect(await stored('a')).toMatchObject({ createdAt: made.createdAt, updatedAt: made.updatedAt });
      made.createdAt.setTime(0);
      expect(made.updatedAt).toEqual(now);
    });

    test('what a new row says itself stays, also what its hook says', async () => {
      await old('a');
      expect(await stored('a')).toMatchObject({ createdAt: LONG_AGO, updatedAt: LONG_AGO });
      expect(await model(db, Hooked).create({ text: 'x' } as Hooked)).toMatchObject({ madeAt: LONG_AGO });
    });

    test('rows of a batch have them, and what was given stays as it was', async () => {
      const rows = [{ slug: 'a' }, { slug: 'b', createdAt: LONG_AGO }] as Note[];
      expect(await notes().createBatch(rows)).toBe(2);
      expect(rows.map((row) => Object.keys(row).filter((key) => key !== 'id'))).toEqual([
        ['slug'],
        ['slug', 'createdAt'],
      ]);
      expect(await stored('a')).toMatchObject({ createdAt: now, updatedAt: now });
      expect(await stored('b')).toMatchObject({ createdAt: LONG_AGO, updatedAt: now });
    });

    test('update and save write the time anew, though the row brings that of its last update', async () => {
      const row = await old('a');
      const changed = await notes().update(Object.assign(row, { text: 'one' }));
      expect(changed).toMatchObject({ createdAt: LONG_AGO, updatedAt: now });
      expect(await stored('a')).toMatchObject({ text: 'one', createdAt: LONG_AGO, updatedAt: changed.updatedAt });
      const { id } = await old('b');
      await notes().save({ id, text: 'two' } as Note);
      expect(await stored('b')).toMatchObject({ text: 'two', createdAt: LONG_AGO, updatedAt: now });
    });

    test('an update of nothing but the key updates nothing', async () => {
      const { id } = await old('a');
      await notes().update({ id } as Note);
      expect(await stored('a')).toMatchObject({ updatedAt: LONG_AGO });
    });

    test('updateAll writes it, unless it says it itself', async () => {
      await old('a');
      await old('b');
      expect(await notes().where(slug.eq('a')).updateAll(text.set('all'))).toBe(1);
      expect(await stored('a')).toMatchObject({ createdAt: LONG_AGO, updatedAt: now });
      expect(await stored('b')).toMatchObject({ updatedAt: LONG_AGO });
      await notes().updateAll(updatedAt.set(LONG_AGO), { timeout: 30_000 });
      expect(await stored('a')).toMatchObject({ updatedAt: LONG_AGO });
    });

    test('an upsert of a row that is there keeps the time of its creation', async () => {
      await old('a');
      const upserted = await notes().upsert({ slug: 'a', text: 'new' } as Note, { conflict: 'slug' });
      expect(await stored('a')).toMatchObject({ text: 'new', createdAt: LONG_AGO, updatedAt: now });
      // Where the database gives no row back, nobody knows it.
      expect([LONG_AGO, undefined]).toContainEqual(upserted.createdAt);
      await notes().upsert({ slug: 'b' } as Note, { conflict: 'slug' });
      expect(await stored('b')).toMatchObject({ createdAt: now, updatedAt: now });
    });

    test('so does one that names what it updates; one that updates nothing touches nothing', async () => {
      await old('a');
      await notes().upsert({ slug: 'a', text: 'kept' } as Note, { conflict: 'slug', update: 'none' });
      expect(await stored('a')).toMatchObject({ text: null, updatedAt: LONG_AGO });
      await notes().upsert({ slug: 'a', text: 'new' } as Note, { conflict: 'slug', update: ['text'] });
      expect(await stored('a')).toMatchObject({ text: 'new', createdAt: LONG_AGO, updatedAt: now });
    });

    test('an upsert that says the times itself writes them', async () => {
      await notes().create({ slug: 'a' } as Note);
      const given = { slug: 'a', createdAt: LONG_AGO, updatedAt: LONG_AGO } as Note;
      await notes().upsert(given, { conflict: 'slug' });
      expect(await stored('a')).toMatchObject({ createdAt: LONG_AGO, updatedAt: LONG_AGO });
    });

    test('a row that is deleted softly is touched', async () => {
      await old('a');
      await notes().where(slug.eq('a')).delete();
      expect(await stored('a')).toMatchObject({ deletedAt: now, updatedAt: now, createdAt: LONG_AGO });
    });

    test('a link has the times of the model of its join table', async () => {
      const note = await old('a');
      const label = await model(db, Label).create({ word: 'red' } as Label);
      await notes().attach(note as never, 'labels' as never, [label] as never);
      expect(await model(db, NoteLabel).find()).toEqual([
        expect.objectContaining({ noteId: note.id, labelId: label.id, linkedAt: now }),
      ]);
    });
  });
}
