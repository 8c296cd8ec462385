import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  add,
  countAll,
  db as column,
  derived,
  exists,
  from,
  lower,
  model,
  open,
  or,
  selectExpr,
  table,
  tenant,
  withPlugins,
  type Database,
  type Decimal,
  type Int,
} from '../index.js';
import type { Subject } from './subject.js';
import { columnsOf, registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('guests')
class Guest {
  @column('id,pk,type=int') id!: Int;
  @column('full_name,type=string,nullable') name!: string | null;
  @column('age,type=int,nullable') age!: Int | null;
  @column('debt,type=decimal,precision=12,scale=2') debt!: Decimal;
  @column('tenant,type=string') tenant!: string;
}

@table('hosts')
class Host {
  @column('id,pk,type=int') id!: Int;
  // Typed as the columns of guests are, as rows of both stand in one list.
  @column('title,type=text') title!: string | null;
  @column('since,type=int') since!: Int | null;
  @column('extra,type=json,nullable') extra!: unknown;
  @column('tenant,type=string') tenant!: string;
}

const MODELS = [Guest, Host];
registerDeclared(...MODELS);

const guest = columnsOf(Guest);
const host = columnsOf(Host);

const NAMES = ['ada', 'bob', 'cy', null];
const GUESTS = Array.from({ length: 12 }, (_, at) => ({
  id: at + 1,
  name: NAMES[at % 4] ?? null,
  age: at % 5 === 0 ? null : 20 + (at % 3),
  debt: '1.50',
  tenant: at === 11 ? 'other' : 'own',
}));
const HOSTS = [
  { id: 1, title: 'ada', since: 21, extra: null, tenant: 'own' },
  { id: 2, title: 'dan', since: 20, extra: null, tenant: 'own' },
  { id: 3, title: 'dan', since: 20, extra: null, tenant: 'other' },
];

type Pair = readonly [name: string | null, years: number | null];

/** Rows of several queries: the same as those of JavaScript's lists. */
export function unionsContract({ name, dialect, create, habits = {} }: Subject): void {
  describe(`unions on ${name}`, () => {
    let db: Database;
    let owned: Database;

    withTables(create, dialect, MODELS, (opened, made) => {
      db = opened;
      owned = open(made.handle, dialect, withPlugins(tenant('tenant', () => 'own')));
    });

    beforeAll(async () => {
      await model(db, Guest).createBatch(GUESTS as never);
      await model(db, Host).createBatch(HOSTS);
    });

    const guests = (on = db) => model(on, Guest).select(guest.name.as('who'), guest.age.as('years'));
    const hosts = (on = db) => model(on, Host).select(host.title.as('who'), host.since.as('years'));
    const pairs = (rows: readonly { readonly who: string | null; readonly years: number | null }[]) =>
      rows.map(({ who, years }) => JSON.stringify([who, years] satisfies Pair));
    const ofGuests = GUESTS.map(({ name: who, age }) => JSON.stringify([who, age]));
    const ofHosts = HOSTS.map(({ title, since }) => JSON.stringify([title, since]));

    test('combine rows as lists and as sets', async () => {
      const all = [...ofGuests, ...ofHosts];
      const sorted = (rows: readonly string[]) => [...rows].sort();
      expect(sorted(pairs(await guests().unionAll(hosts()).find()))).toEqual(sorted(all));
      expect(sorted(pairs(await guests().union(hosts()).find()))).toEqual(sorted([...new Set(all)]));
      expect(sorted(pairs(await guests().intersect(hosts()).find()))).toEqual(
        sorted([...new Set(ofGuests)].filter((each) => ofHosts.includes(each))),
      );
      expect(sorted(pairs(await guests().except(hosts()).find()))).toEqual(
        sorted([...new Set(ofGuests)].filter((each) => !ofHosts.includes(each))),
      );
      const thrice = guests()
        .where({ id: 2 })
        .unionAll(hosts().where({ id: 2 }))
        .unionAll(guests().where({ id: 2 }));
      expect(await thrice.count()).toBe(3);
      expect(await guests().union(hosts()).count()).toBe(new Set(all).size);
    });

    test('combine rows as often as they are there', async () => {
      const more = guests().unionAll(hosts()).orderBy({ column: 'who' });
      const some = from(db, derived('more', guests().unionAll(hosts()))).select('who', 'years');
      const rest = some.exceptAll(guests());
      const both = some.intersectAll(hosts());
      if (habits.refuses?.includes('exceptAll')) {
        for (const query of [rest, both])
          await expect(query.find()).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
        return;
      }
      expect((await more.find()).length).toBe(ofGuests.length + ofHosts.length);
      expect(pairs(await rest.find()).sort()).toEqual([...ofHosts].sort());
      expect(pairs(await both.find()).sort()).toEqual([...ofHosts].sort());
      const once = guests()
        .unionAll(hosts())
        .intersectAll(hosts())
        .exceptAll(hosts().where({ id: 1 }));
      expect(pairs(await once.find()).sort()).toEqual(ofHosts.filter((_, at) => at > 0).sort());
    });

    test('hold each other, and a chain is read from left to right', async () => {
      // A query of some rows, with the set of them.
      interface Made {
        readonly query: ReturnType<typeof guests>;
        readonly rows: readonly string[];
      }
      const leaf = fc.record({ ofGuests: fc.boolean(), most: fc.integer({ min: 0, max: 8 }), cut: fc.boolean() }).map(({ ofGuests: isGuest, most, cut }): Made => {
        const [rows, low] = [isGuest ? ofGuests : ofHosts, most % (isGuest ? 13 : 4)];
        const cutOff = isGuest ? guests().orderBy(guest.id.asc()).limit(low) : hosts().orderBy(host.id.asc()).limit(low);
        const query = isGuest ? guests().where(guest.id.lte(low)) : hosts().where(host.id.lte(low));
        return { query: (cut ? cutOff : query) as Made['query'], rows: rows.slice(0, low) };
      }); // prettier-ignore
      const ops = fc.constantFrom('union', 'unionAll', 'intersect', 'except');
      const combine = (one: Made, op: string, other: Made): Made => {
        const distinct = [...new Set(one.rows)];
        const rows =
          op === 'unionAll'
            ? [...one.rows, ...other.rows]
            : op === 'union'
              ? [...new Set([...one.rows, ...other.rows])]
              : distinct.filter((each) => other.rows.includes(each) === (op === 'intersect'));
        return { query: one.query[op as 'union'](other.query) as Made['query'], rows };
      };
      const whole = (): Made => ({ query: guests(), rows: ofGuests });
      const tree = fc.letrec<{ tree: Made; chain: Made }>((tie) => ({
        tree: fc.oneof({ depthSize: 'small' }, leaf, tie('chain')),
        chain: fc
          .array(fc.tuple(ops, tie('tree')), { minLength: 1, maxLength: 3 })
          .map((steps) => steps.reduce((all, [op, each]) => combine(all, op, each), whole())),
      })).chain;
      await fc.assert(
        fc.asyncProperty(tree, async ({ query, rows }) => {
          expect(pairs(await query.find()).sort()).toEqual([...rows].sort());
          expect(await query.count()).toBe(rows.length);
        }),
        { numRuns: 60 },
      );
      const last = guests().intersect(hosts().union(guests().where({ id: 2 })).orderBy({ column: 'who', desc: true }).limit(1)); // prettier-ignore
      expect(await last.count()).toBe(0);
      expect(await guests().except(hosts()).intersect(guests().unionAll(hosts())).orderBy({ column: 'who' }).offset(1).find()).toHaveLength(new Set(ofGuests.filter((each) => !ofHosts.includes(each))).size - 1); // prettier-ignore
    });

    test('are ordered, cut, counted and looked for as a whole', async () => {
      const both = guests()
        .where(guest.id.lt(5))
        .unionAll(hosts().where(host.since.eq(20)));
      const ordered = both.orderBy({ column: 'who', nulls: 'last' }, guest.age.desc('last'));
      expect(pairs(await ordered.find())).toEqual(
        [['ada', null], ['bob', 21], ['cy', 22], ['dan', 20], ['dan', 20], [null, 20]].map((pair) => JSON.stringify(pair)), // prettier-ignore
      );
      expect(pairs(await ordered.page(2, 2).find())).toEqual([['cy', 22], ['dan', 20]].map((pair) => JSON.stringify(pair))); // prettier-ignore
      expect((await ordered.first()).who).toBe('ada');
      expect([await both.count(), await both.limit(2).count(), await both.exists()]).toEqual([6, 2, true]);
      const none = guests()
        .where(or())
        .unionAll(hosts().where({ id: 1 }));
      expect([await none.count(), await none.exists(), pairs(await none.find())]).toEqual([1, true, ['["ada",21]']]);
      const streamed: unknown[] = [];
      for await (const row of ordered.stream({ batchSize: 2 })) streamed.push(row);
      expect(streamed).toHaveLength(6);
    });

    test('are of whole rows, of groups and of expressions too, and stand where a query does', async () => {
      const young = model(db, Guest).where(guest.age.eq(20));
      const whole = await young
        .unionAll(model(db, Guest).where({ id: 1 }))
        .orderBy(guest.id.asc())
        .find();
      expect(whole.every((row) => row instanceof Guest)).toBe(true);
      expect(whole.map(({ id }) => id)).toEqual(
        GUESTS.filter(({ id, age }) => age === 20 || id === 1).map(({ id }) => id),
      );
      const groups = guests().select(countAll().as('n')).groupBy('name', 'age').having(countAll().gt(5));
      const one = model(db, Host).select(lower(host.title).as('who'), add(host.since, 1).as('years'), host.id.as('n'));
      const made = await groups.union(one.where({ id: 1 }) as never).find();
      expect(made).toEqual([{ who: 'ada', years: 22, n: 1 }]);
      const ids = model(db, Guest)
        .select('id')
        .where({ id: 3 })
        .union(model(db, Host).select('id').where({ id: 1 }));
      expect(await model(db, Guest).where(guest.id.in(ids)).count()).toBe(2);
      const its = model(db, Host).select('id').where(host.title.eq(guest.name)).union(model(db, Host).select('id').where(or())); // prettier-ignore
      expect(await model(db, Guest).where(exists(its)).count()).toBe(3);
    });

    test('see only the rows that plugins let them see', async () => {
      const own = [...GUESTS.filter((each) => each.tenant === 'own'), ...HOSTS.filter((each) => each.tenant === 'own')];
      expect(await guests(owned).unionAll(hosts(owned)).count()).toBe(own.length);
      expect((await guests(owned).unionAll(hosts(owned)).find()).length).toBe(own.length);
    });

    test('are refused where databases would not agree', async () => {
      const refused = async (query: { find(): Promise<unknown> }, problem: string) =>
        expect(query.find()).rejects.toMatchObject({
          code: 'FW_ORM_QUERY_FORM',
          details: { problem: expect.stringContaining(problem) },
        });
      await refused(guests().limit(1).union(hosts()), 'behind union');
      await refused(guests().union(hosts().orderBy(host.id.asc())), 'says nothing without a limit');
      await refused(guests().union(hosts().lock('update')), 'a lock');
      await refused(guests().union(hosts()).where({ id: 1 }), 'before union');
      await refused(guests().union(model(db, Host).select(host.since.as('years'), host.title.as('who')) as never), 'same order'); // prettier-ignore
      await refused(guests().union(model(db, Host).select('id') as never), 'same names');
      await refused(guests().union(hosts()).orderBy(guest.id.asc()), 'selected');
      await refused(guests().union(hosts()).lock('update'), 'before union');
      await refused(
        guests()
          .select(selectExpr('1', 'n'))
          .union(hosts() as never),
        'raw',
      );
      const extras = model(db, Host).select('extra');
      await refused(extras.union(extras), 'unionAll');
      expect(() => guests().union(hosts()).after(null)).not.toThrow();
      await refused(guests().union(hosts()).after(null), 'union');
      await expect(model(db, Guest).union(model(db, Guest)).delete()).rejects.toMatchObject({ code: 'FW_ORM_QUERY_FORM' }); // prettier-ignore
      const decimals = model(db, Guest).select('debt');
      expect(await decimals.unionAll(decimals).count()).toBe(24);
      const distinct = decimals.union(decimals).find();
      if (habits.refuses?.includes('union of decimals'))
        await expect(distinct).rejects.toMatchObject({ code: 'FW_ORM_UNSUPPORTED' });
      else expect(await distinct).toEqual([{ debt: '1.50' }]);
    });
  });
}
