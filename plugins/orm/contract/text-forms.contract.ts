import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  add,
  cast,
  coalesce,
  collate,
  concat,
  db as column,
  LockForUpdate,
  LockForUpdateNoWait,
  LockForUpdateSkipLocked,
  jsonAgg,
  jsonObject,
  jsonObjectAgg,
  lower,
  model,
  modelInfoOf,
  over,
  registerModel,
  scalar,
  stringAgg,
  table,
  transaction,
  type Database,
  type Decimal,
  type Int,
  type LockMode,
  type Uuid,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('f_albums')
class Album {
  @column('id,pk,type=int') id!: Int;
  @column('name,type=string,size=40') name!: string;
}

@table('f_songs')
class Song {
  @column('id,pk,type=int') id!: Int;
  @column('album_id,type=int') albumId!: Int;
  @column('title,type=text,nullable') title!: string | null;
  @column('place,type=int,nullable') place!: Int | null;
  @column('plays,type=bigint') plays!: bigint;
  @column('loud,type=float') loud!: number;
  @column('price,type=decimal,precision=12,scale=3') price!: Decimal;
  @column('made_at,type=date') madeAt!: Date;
  @column('ref,type=uuid') ref!: Uuid;
  @column('live,type=boolean') live!: boolean;
  @column('facts,type=json,nullable') facts!: unknown;
  @column('tags,type=array,nullable') tags!: string[] | null;
}

const MODELS = [Album, Song];
for (const each of MODELS) {
  const { columns, ...definition } = modelInfoOf(each as new () => object).definition;
  const said = columns.map((one) => (one.kind === 'array' ? { ...one, element: 'string' as const } : one));
  registerModel(each as new () => object, { ...definition, columns: said });
}

const song = columnsOf(Song);
const album = columnsOf(Album);

const TITLES = [
  'b',
  'a',
  null,
  "it's, %",
  '',
  '12',
  '-7.50',
  '5\n',
  '1e3',
  ' 4',
  '007',
  '1.2.3',
  '-',
  '.5',
  '5.',
  '1234567890123456789',
];
const SONGS = TITLES.map((title, at) => ({
  id: at + 1,
  albumId: (at % 3) + 1,
  title,
  place: at % 5 === 0 ? null : 20 - at,
  plays: 2n ** 40n + BigInt(at),
  loud: (at - 8) * 1.75,
  price: `${at - 5}.${at % 2 === 0 ? '999' : '25'}`.replace('-0', '0'),
  madeAt: new Date(Date.UTC(2024, 1, 20 + at, 23, 59, 59, 999)),
  ref: `6f9619ff-8b86-4011-b42d-00cf4fc964${at + 10}`,
  live: at % 2 === 0,
  facts: at % 4 === 0 ? null : { of: [at, 'é"\\', null, { at }] },
  tags: at % 3 === 0 ? null : ['a,"b', `${title}`],
}));
// What a text is as a number: 18 digits with a minus, and a point between digits.
const wholeOf = (text: string | null) =>
  text !== null && /^-?\d{1,18}$/.test(text.replace(/\n$/, '?')) ? Number(text) : null;
const numberOf = (text: string | null) =>
  text !== null && /^-?\d{1,18}(\.\d{1,18})?$/.test(text.replace(/\n$/, '?')) ? Number(text) : null;

interface Findable {
  find(): Promise<unknown>;
}

/** Lists of texts, casts, collations and locks of some tables: the same on every database, or refused. */
export function textFormsContract({ name, dialect, create, habits = {} }: Subject): void {
  describe(`lists of texts, casts and collations on ${name}`, () => {
    let db: Database;

    withTables(create, dialect, MODELS, (opened) => (db = opened));

    beforeAll(async () => {
      await model(db, Album).createBatch([1, 2, 3].map((id) => ({ id, name: `album ${id}` })));
      await model(db, Song).createBatch(SONGS as never);
    });

    const songs = () => model(db, Song);
    const byPlace = (rows: readonly (typeof SONGS)[number][]) =>
      [...rows].sort((a, b) => (a.place === null ? 1 : b.place === null ? -1 : b.place - a.place) || a.id - b.id);

    test('the texts of many rows are one, in an order, with whatever stands between', async () => {
      for (const between of [', ', '', "'\\\n%", '\u{1f600}']) {
        const rows = await songs()
          .select(
            'albumId',
            stringAgg(song.title, between, { orderBy: [song.place.desc('last'), song.id.asc()] }).as('titles'),
          )
          .groupBy('albumId')
          .orderBy(song.albumId.asc())
          .find();
        expect(rows).toEqual(
          [1, 2, 3].map((albumId) => {
            const own = byPlace(SONGS.filter((each) => each.albumId === albumId));
            return { albumId, titles: own.flatMap(({ title }) => title ?? []).join(between) };
          }),
        );
      }
      const some = await songs()
        .select(
          stringAgg(concat(lower(song.title), '!'), '+', {
            where: song.id.in([1, 2, 3]),
            orderBy: [add(song.id, 0).desc()],
          }).as('some'),
          stringAgg(song.title, '-', { where: song.id.in([1, 2]) }).as('own'),
          stringAgg(song.title, '-', { where: song.id.gt(99) }).as('none'),
        )
        .first();
      expect(some).toEqual({ some: 'a!+b!', own: 'a-b', none: null });
      const titles = songs()
        .where(song.albumId.eq(album.id))
        .select(stringAgg(cast(song.id, 'text'), ',', { orderBy: [song.id.asc()] }).as('ids'));
      expect(await model(db, Album).orderBy(album.id.asc()).select('id', scalar(titles).as('ids')).find()).toEqual(
        [1, 2, 3].map((id) => ({
          id,
          ids: SONGS.filter(({ albumId }) => albumId === id)
            .map((each) => each.id)
            .join(),
        })),
      );
      const long = await model(db, Song)
        .innerJoin(Album, 'a', album.id.of('a').gt(0))
        .select(stringAgg(concat(cast(song.ref, 'text'), cast(song.ref, 'text')), '').as('all'))
        .first();
      expect(long.all?.length).toBe(SONGS.length * 3 * 72);
      const loose = songs().select('title', stringAgg(song.title, ',').as('all')) as unknown as Findable;
      await expect(loose.find()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
      const window = songs().select(over(stringAgg(song.title, ',') as never).as('w')) as unknown as Findable;
      await expect(window.find()).rejects.toMatchObject({ code: 'FW_ORM_EXPRESSION' });
    });

    test('values of many rows are one list or object of JSON', async () => {
      const [price, nine] = [SONGS[1]?.price as Decimal, '123456789.120'];
      await songs().where({ id: 2 }).updateAll(song.price.set(nine));
      const all = await songs().orderBy(song.id.desc()).find();
      const inJson = (value: unknown) =>
        JSON.parse(JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each)));
      const member = {
        ...{
          id: song.id,
          albumId: song.albumId,
          title: song.title,
          place: song.place,
          plays: song.plays,
          loud: song.loud,
          price: song.price,
        },
        ...{ madeAt: song.madeAt, ref: song.ref, live: song.live, facts: song.facts, tags: song.tags },
      };
      const nested = jsonObject({ 'a "name"': jsonObject(member), by: 'me', no: null, empty: jsonObject({}) });
      const odd = { where: song.id.in([1, 3, 5]), orderBy: [song.place.asc('first'), song.id.desc()] };
      const made = await songs()
        .select(
          jsonAgg(nested, { orderBy: [song.id.desc()] }).as('list'),
          jsonAgg(song.title, odd).as('titles'),
          jsonAgg(add(song.plays, 1), { where: song.id.eq(2) }).as('plays'),
          jsonAgg(song.id, { where: song.id.gt(99) }).as('none'),
          jsonObjectAgg(song.title, song.live, { where: song.id.lt(4) }).as('lives'),
          jsonObjectAgg(lower(album.name.of('a')), song.id, { orderBy: [song.id.asc()] }).as('last'),
          jsonObjectAgg(song.title, song.id, { where: song.id.gt(99) }).as('nothing'),
        )
        .innerJoin(Album, 'a', album.id.of('a').eq(song.albumId))
        .first();
      expect(made).toEqual({
        list: all.map((row) => ({ 'a "name"': inJson(row) as unknown, by: 'me', no: null, empty: {} })),
        titles: ['b', '', null],
        plays: [String(2n ** 40n + 2n)],
        none: [],
        lives: { b: true, a: false },
        last: { 'album 1': 16, 'album 2': 14, 'album 3': 15 },
        nothing: {},
      });
      const ids = songs().where(song.albumId.eq(album.id));
      const lists = scalar(ids.select(jsonAgg(song.id, { orderBy: [song.id.asc()] }).as('ids')));
      const per = await model(db, Album)
        .where({ id: 2 })
        .select(jsonObject({ name: album.name, songs: lists }).as('album'))
        .first();
      expect(Object.keys(per.album)).toEqual(['name', 'songs']);
      expect(per).toEqual({ album: { name: 'album 2', songs: [2, 5, 8, 11, 14] } });
      // Beside a column of JSON, and on its way into one.
      const filled = coalesce(song.facts, jsonObject({ of: song.id }));
      const own = songs()
        .where(song.id.in([1, 2]))
        .orderBy(song.id.asc())
        .select(filled.as('made'));
      expect(await own.find()).toEqual([{ made: { of: 1 } }, { made: SONGS[1]?.facts }]);
      await songs()
        .where({ id: 1 })
        .updateAll(song.facts.set(jsonObject({ of: song.title })));
      expect(await songs().where({ id: 1 }).select('facts').first()).toEqual({ facts: { of: 'b' } });
      await songs().where({ id: 1 }).updateAll(song.facts.set(null));
      await songs().where({ id: 2 }).updateAll(song.price.set(price));
      const over99 = songs().where(song.id.gt(99)).select('albumId', jsonAgg(song.id).as('ids')).groupBy('albumId');
      expect(await over99.find()).toEqual([]);
      const loose = songs().select('title', jsonAgg(song.title).as('all')) as unknown as Findable;
      await expect(loose.find()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' });
      const window = songs().select(over(jsonAgg(song.title) as never).as('w')) as unknown as Findable;
      await expect(window.find()).rejects.toMatchObject({ code: 'FW_ORM_EXPRESSION' });
      expect(() => jsonObject({ of: Uint8Array.of(1) })).toThrow(expect.objectContaining({ code: 'FW_ORM_VALUE' }));
    });

    test('a value becomes one of another kind as it does in JavaScript', async () => {
      const rows = await songs()
        .select(
          'id',
          cast(song.id, 'text').as('idText'),
          cast(song.plays, 'text').as('playsText'),
          cast(song.ref, 'text').as('refText'),
          cast(song.title, 'int').as('whole'),
          cast(song.title, 'bigint').as('long'),
          cast(song.title, 'float').as('double'),
          cast(song.title, 'decimal').as('exact'),
          cast(song.loud, 'int').as('cut'),
          cast(song.price, 'int').as('cents'),
          cast(song.price, 'float').as('price'),
          cast(song.plays, 'float').as('plays'),
          cast(song.id, 'decimal').as('idExact'),
          cast(song.place, 'bigint').as('placeLong'),
          cast(song.madeAt, 'plainDate').as('day'),
        )
        .orderBy(song.id.asc())
        .find();
      expect(rows).toEqual(
        SONGS.map(({ id, plays, ref, title, loud, price, place, madeAt }) => ({
          id,
          idText: String(id),
          playsText: String(plays),
          refText: ref,
          whole: wholeOf(title),
          long: wholeOf(title) === null ? null : BigInt(title as string),
          double: numberOf(title),
          exact: numberOf(title) === null ? null : String(numberOf(title)),
          cut: Math.trunc(loud) + 0,
          cents: Math.trunc(Number(price)) + 0,
          price: Number(price),
          plays: Number(plays),
          idExact: String(id),
          placeLong: place === null ? null : BigInt(place),
          day: madeAt.toISOString().slice(0, 10),
        })),
      );
      const found = await songs()
        .where(cast(song.id, 'text').like('1%'))
        .orderBy(cast(song.id, 'text').desc())
        .select('id')
        .find();
      expect(found.map(({ id }) => id)).toEqual([16, 15, 14, 13, 12, 11, 10, 1]);
      expect(await songs().where(cast(song.title, 'int').gt(6)).count()).toBe(2);
      expect(
        await songs()
          .where(cast(song.madeAt, 'plainDate').eq('2024-02-29' as never))
          .count(),
      ).toBe(1);
      const day = cast(song.madeAt, 'plainDate');
      expect(await songs().select(day.as('day')).groupBy(day).find()).toHaveLength(SONGS.length);
      const refusals: [unknown, string][] = [[song.loud, 'text'], [song.price, 'text'], [song.live, 'int'], [song.madeAt, 'text'], [song.id, 'plainDate'], [null, 'text']]; // prettier-ignore
      for (const [operand, to] of refusals)
        expect(() => cast(operand as typeof song.id, to as 'text')).toThrow(
          expect.objectContaining({ code: 'FW_ORM_VALUE' }),
        );
      expect(() => cast(song.id, 'json' as never)).toThrow(expect.objectContaining({ code: 'FW_ORM_WORD' }));
    });

    test('texts are compared and ordered by a collation of the database', async () => {
      const names = model(db, Album);
      expect(() => collate(album.name, 'a\0b')).toThrow(expect.objectContaining({ code: 'FW_ORM_IDENTIFIER' }));
      const hostile = names.orderBy(collate(album.name, 'x"; DROP TABLE f_songs; --`]').asc()).find();
      await expect(hostile).rejects.toMatchObject({ code: expect.stringMatching(/^FW_ORM_(DATABASE|IDENTIFIER)$/) });
      expect(await songs().count()).toBe(SONGS.length);
      if (habits.collations === undefined) return;
      const { exact, caseless, equates = true } = habits.collations;
      await names.createBatch([{ id: 7, name: 'ALBUM 1' }]);
      const ids = async (query: { find(): Promise<readonly { id: number }[]> }) =>
        (await query.find()).map(({ id }) => id);
      const ordered = (collation: string) =>
        ids(
          names
            .where(album.id.in([1, 2, 7]))
            .orderBy(collate(album.name, collation).asc(), album.id.asc())
            .select('id'),
        );
      expect(await ordered(exact)).toEqual([7, 1, 2]);
      expect(await ordered(caseless)).toEqual([1, 7, 2]);
      expect(await ids(names.where(collate(album.name, exact).eq('album 1')).select('id'))).toEqual([1]);
      expect(
        await ids(names.where(collate(album.name, caseless).eq('Album 1')).orderBy(album.id.asc()).select('id')),
      ).toEqual(equates ? [1, 7] : []);
      await names.where({ id: 7 }).delete();
    });

    test('a lock is of the rows of some tables alone', async () => {
      const joined = songs()
        .innerJoin(Album, 'a', album.id.of('a').eq(song.albumId))
        .leftJoin(Song, 'other', song.id.of('other').eq(add(song.id, 99)));
      const locked = (mode: LockMode, of: readonly string[]) =>
        transaction.run(
          db,
          null,
          null,
          async (tx) => (await joined.on(tx).where({ id: 4 }).lock(mode, { of }).select('id').find()).length,
        );
      for (const mode of [LockForUpdate, LockForUpdateNoWait, LockForUpdateSkipLocked] as const)
        for (const of of [['f_songs'], ['a', 'f_songs']]) {
          const refused = habits.refuses?.includes('lock of some tables');
          if (refused) await expect(locked(mode, of)).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
          else expect(await locked(mode, of)).toBe(1);
        }
      for (const of of [['other'], ['f_albums'], ['x"y']])
        await expect(locked(LockForUpdate, of)).rejects.toMatchObject({
          code: 'FW_ORM_QUERY_FORM',
          message: expect.stringContaining(`"${of[0]}"`),
        });
      const alone = (tx: Database) =>
        model(tx, Song)
          .where({ id: 4 })
          .lock(LockForUpdate, { of: ['f_songs'] })
          .first();
      expect(await transaction.run(db, null, null, (tx) => alone(tx as never))).toMatchObject({ id: 4 });
      expect(() => songs().lock(LockForUpdate, { from: ['a'] } as never)).toThrow(
        expect.objectContaining({ code: 'FW_ORM_OPTIONS' }),
      );
    });
  });
}
