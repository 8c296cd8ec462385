import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { belongsTo, columnOf, db as column, hasMany, json, model, modelInfoOf, table } from '../index.js';
import type { BelongsTo, Database, HasMany } from '../index.js';
import { columnsOf } from './model-columns.js';
import type { Subject } from './subject.js';
import { withTables } from './with-tables.js';

const SECRET = 's3cret-marker';

@table('hidden_members')
class Member {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('name,type=string') @json('fullName') name!: string;
  @column('hash,type=string') @json('-') hash!: string;
  @column('note,nullable,type=string') @json('-') note: string | null = null;
  @column('api_key,type=string,default=s3cret-marker-0') @json('-') apiKey!: string;
  @column('password,nullable,type=string') @json('password,writeonly') password?: string | null;
  @hasMany(() => Visit, { fk: 'member_id' }) visits?: HasMany<Visit>;
}

@table('hidden_visits')
class Visit {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('member_id,type=int') memberId!: number;
  @column('token,type=string') @json('-') token!: string;
  @belongsTo(() => Member, { fk: 'member_id' }) member?: BelongsTo<Member>;
}

const hash = columnOf<Member, 'hash', string>(modelInfoOf(Member), 'hash');

/** Every way to display a value without naming its properties. */
function seen(value: unknown): string {
  const copies = (Array.isArray(value) ? (value as unknown[]) : [value]).map((row) => [
    { ...(row as object) },
    Object.entries(row as object),
    Object.assign({}, row),
    structuredClone(row),
    Reflect.ownKeys(row as object).map(String),
  ]);
  return [JSON.stringify(value), inspect(value, { depth: 9, showHidden: false }), JSON.stringify(copies)].join('\n');
}

/** Private and write-only columns. */
export function hiddenColumnsContract({ name, dialect, create }: Subject): void {
  describe(`hidden columns on ${name}`, () => {
    let db: Database;

    withTables(create, dialect, [Member, Visit], (opened) => (db = opened));

    const fresh = () => ({ name: 'Ada', hash: `${SECRET}-1`, note: `${SECRET}-2`, password: `${SECRET}-3` });

    beforeEach(async () => {
      await db.sqlDB().script('DELETE FROM hidden_visits; DELETE FROM hidden_members;');
    });

    test('are read and written by name, and seen by nothing else', async () => {
      const made = await model(db, Member).create(fresh());
      expect(made).toMatchObject({ hash: `${SECRET}-1`, note: `${SECRET}-2`, apiKey: `${SECRET}-0` });
      expect(seen(made)).not.toContain(SECRET);
      const row = await model(db, Member).first();
      expect([row.hash, row.note, row.apiKey, row.password]).toEqual([
        `${SECRET}-1`,
        `${SECRET}-2`,
        `${SECRET}-0`,
        undefined,
      ]);
      expect(seen(row)).not.toMatch(/s3cret|hash|apiKey|password/);
      expect(JSON.parse(JSON.stringify(row))).toEqual({ id: made.id, fullName: 'Ada' });
      row.hash = `${SECRET}-4`;
      expect(seen(row)).not.toContain(SECRET);
      await model(db, Member).update(row);
      await model(db, Member).save({ ...row, name: 'Grace' });
      const again = await model(db, Member).first();
      expect([again.name, again.hash, again.note]).toEqual(['Grace', `${SECRET}-4`, `${SECRET}-2`]);
    });

    test('are seen in no relation, list, selection or cursor', async () => {
      const { id } = await model(db, Member).create(fresh());
      await model(db, Visit).create({ memberId: id, token: `${SECRET}-5` });
      const members = await model(db, Member).preload('visits.member').find();
      expect(members[0]?.visits?.[0]?.token).toBe(`${SECRET}-5`);
      expect(seen(members)).not.toMatch(/s3cret|token/);
      const selected = await model(db, Member).select('id', 'hash', 'password').first();
      expect([selected.hash, selected.password]).toEqual([`${SECRET}-1`, `${SECRET}-3`]);
      expect(seen(selected)).not.toContain(SECRET);
      const largest = await model(db, Member).select(hash.max(), hash.as('other')).groupBy(hash).first();
      expect(largest.other).toBe(`${SECRET}-1`);
      expect(seen(largest)).not.toContain(SECRET);
      const ordered = model(db, Member).orderBy(hash.asc());
      const [first] = await ordered.find();
      expect(() => ordered.cursorOf(first as never)).toThrow(/"hash" is private/);
    });

    test('are given back by a write of joined rows, and seen by nothing else', async () => {
      const { id } = await model(db, Member).create(fresh());
      await model(db, Visit).create({ memberId: id, token: `${SECRET}-5` });
      const [member, visit] = [columnsOf(Member), columnsOf(Visit)];
      const [row] = await model(db, Visit)
        .innerJoin(Member, 'm', visit.memberId.eq(member.id.of('m')))
        .returning('token', member.hash.of('m').as('hash'))
        .updateAll(visit.token.set(`${SECRET}-6`));
      expect([row?.token, row?.hash]).toEqual([`${SECRET}-6`, `${SECRET}-1`]);
      expect(seen(row)).not.toContain(SECRET);
    });

    test('a column that is written alone is kept by updates that do not name it', async () => {
      await model(db, Member).create(fresh());
      const row = await model(db, Member).first();
      await model(db, Member).update(Object.assign(row, { name: 'Grace' }));
      expect(await model(db, Member).select('password').first()).toMatchObject({ password: `${SECRET}-3` });
      await model(db, Member).update(Object.assign(row, { password: 'new' }));
      expect(seen(row)).not.toContain('new');
      expect(await model(db, Member).select('password').first()).toMatchObject({ password: 'new' });
    });
  });
}
