import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  Aggregate,
  and,
  belongsTo,
  columnOf,
  countAll,
  db as column,
  exists,
  hasMany,
  manyToMany,
  model,
  modelInfoOf,
  not,
  notExists,
  or,
  plainTarget,
  table,
  withPreloadLimit,
  withPreloadWhere,
  type BelongsTo,
  type Condition,
  type Database,
  type HasMany,
  type ManyToMany,
  type NullsOrder,
} from '../index.js';
import type { Subject } from './subject.js';
import { registerDeclared } from './model-columns.js';
import { withTables } from './with-tables.js';

@table('things')
class Thing {
  @column('id,pk,type=int') id!: number;
  @column('parent_id,type=int,nullable') parentId!: number | null;
  @column('n,type=int,nullable') n!: number | null;
  @column('k,type=int') k!: number;
  @column('big,type=bigint,nullable') big!: bigint | null;
  @column('ratio,type=float,nullable') ratio!: number | null;
  @column('price,type=decimal,precision=24,scale=4,nullable') price!: string | null;
  @column('word,type=string,nullable') word!: string | null;
  @column('flag,type=boolean,nullable') flag!: boolean | null;
  @column('moment,type=date,nullable') moment!: Date | null;
  @column('ref,type=uuid,nullable') ref!: string | null;
  @column('raw,type=bytes,nullable') raw!: Uint8Array | null;
  @column('mark,type=text,nullable') mark!: string | null;
  @hasMany(() => Thing, { fk: 'parent_id' }) children?: HasMany<Thing>;
  @belongsTo(() => Thing, { fk: 'parent_id' }) parent?: BelongsTo<Thing>;
  @hasMany(() => Note) notes?: HasMany<Note>;
  @manyToMany(() => Label, { join: 'thing_labels', joinFk: 'thing_id', joinRefFk: 'label_id' })
  labels?: ManyToMany<Label>;
}

@table('notes')
class Note {
  @column('id,pk,type=int') id!: number;
  @column('thing_id,type=int,nullable') thingId!: number | null;
  @column('stars,type=int') stars!: number;
}

@table('labels')
class Label {
  @column('id,pk,type=bigint') id!: bigint;
  @column('rank,type=int') rank!: number;
}

@table('thing_labels')
class ThingLabel {
  @column('thing_id,pk,type=int') thingId!: number;
  @column('label_id,pk,type=bigint') labelId!: bigint;
}

const MODELS = [Thing, Note, Label, ThingLabel];
registerDeclared(...MODELS);

type Property = Exclude<keyof Thing, 'children' | 'parent' | 'notes' | 'labels'>;
const thingInfo = modelInfoOf(Thing);
const thing = (property: Property) => columnOf<Thing, string, unknown>(thingInfo, property);
const small = columnOf<Thing, 'k', number>(thingInfo, 'k');
const note = (property: 'id' | 'thingId' | 'stars') => columnOf<Note, string, unknown>(modelInfoOf(Note), property);

/** Repeatable numbers from 0 to 1 (mulberry32). */
function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (count: number) => Math.floor(next() * count);
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const some = <Item>(items: readonly Item[], most: number): Item[] => {
    const left = [...items];
    return Array.from({ length: 1 + below(most) }, () => left.splice(below(left.length), 1)[0] as Item);
  };
  return { next, below, one, some };
}
type Random = ReturnType<typeof random>;

const moment = (at: number) => new Date(Date.UTC(2024, 1, 28, 23, 59, 58, 998) + at * 1001);
// Few of each, so that there are ties; some that a double does not tell apart.
const VALUES: { readonly [Key in Property]?: readonly unknown[] } = {
  n: [-3, 0, 1, 2, 2147483647],
  k: [0, 1, 2, 3],
  big: [-1n, 0n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 62n],
  ratio: [-0.5, 0.1, 0.30000000000000004, 1e21, 2],
  price: ['0', '9.5', '10', '-2.25', '12345678901.0001', '12345678901.0002'],
  word: ['a', 'ab', 'b', 'zoe', ''],
  flag: [true, false],
  moment: [moment(0), moment(1), moment(2), moment(700)],
  ref: ['0b9619ff-8b86-4011-b42d-00cf4fc964ff', 'a1000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-8fff-ffffffffffff'], // prettier-ignore
  raw: [Uint8Array.of(), Uint8Array.of(0), Uint8Array.of(1, 255), Uint8Array.of(200)],
};
const PROPERTIES = Object.keys(VALUES) as Property[];
// Not ordered by: databases order signs in other ways than letters.
const MARKS = ['50%', '50 %', 'a_b', 'axb', 'a\\b', '', '%', '[ab]', 'a', null];
// Pieces of patterns, with what they match.
const PIECES = [
  ['a', 'a'],
  ['b', 'b'],
  ['%', '[^]*'],
  ['_', '[^]'],
  ['\\%', '%'],
  ['\\_', '_'],
  ['\\\\', '\\\\'],
  ['\\x', 'x'],
  ['50', '50'],
  ['[ab]', '\\[ab\\]'],
] as const;

/** A value that is ordered as SQL orders it, in JavaScript. */
function sortable(property: Property, value: unknown): number | bigint | string {
  if (property === 'price') return scaled(value as string);
  if (value instanceof Date) return value.getTime();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'boolean') return Number(value);
  return property === 'ref' ? (value as string).toLowerCase() : (value as number | bigint | string);
}

function scaled(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const digits = BigInt(`${whole}${fraction.padEnd(4, '0').slice(0, 4)}`);
  return decimal.startsWith('-') ? -digits : digits;
}

const compare = (property: Property, a: unknown, b: unknown): number => {
  const [left, right] = [sortable(property, a), sortable(property, b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** A condition, and what it is of a row: true, false, or unknown. */
interface Case {
  readonly sql: Condition;
  readonly of: (row: Thing) => boolean | null;
}

const OPERATORS = {
  eq: (order: number) => order === 0,
  neq: (order: number) => order !== 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
} as const;
type Operator = keyof typeof OPERATORS;
const OPERATOR_NAMES = Object.keys(OPERATORS) as Operator[];

const known = (property: Property, of: (value: unknown) => boolean) => (row: Thing) =>
  row[property] === null ? null : of(row[property]);

function pattern(on: Random): Case {
  const mark = columnOf<Thing, 'mark', string | null>(thingInfo, 'mark');
  const pieces = Array.from({ length: on.below(5) }, () => on.one(PIECES));
  const [like, matches] = [
    pieces.map(([piece]) => piece).join(''),
    new RegExp(`^${pieces.map(([, of]) => of).join('')}$`),
  ];
  const text = on.one(MARKS) ?? '';
  switch (on.below(4)) {
    case 0:
      return { sql: mark.contains(text), of: known('mark', (each) => (each as string).includes(text)) };
    case 1:
      return { sql: mark.startsWith(text), of: known('mark', (each) => (each as string).startsWith(text)) };
    case 2:
      return { sql: mark.endsWith(text), of: known('mark', (each) => (each as string).endsWith(text)) };
    default:
      return {
        sql: on.next() < 0.5 ? mark.like(like) : mark.ilike(like),
        of: known('mark', (each) => matches.test(each as string)),
      };
  }
}

function leaf(on: Random): Case {
  const property = on.one(PROPERTIES);
  const target = thing(property);
  const value = on.one(VALUES[property] as readonly object[]);
  const given = property === 'ref' && on.next() < 0.5 ? ((value as unknown as string).toUpperCase() as never) : value;
  switch (on.below(9)) {
    case 8:
      return pattern(on);
    case 0: {
      const list = on.some(VALUES[property] as readonly object[], 2);
      const isIn = known(property, (each) => list.some((other) => compare(property, each, other) === 0));
      if (on.next() < 0.5) return { sql: target.in(list), of: isIn };
      return { sql: target.notIn(list), of: (row) => opposite(isIn(row)) };
    }
    case 1: {
      const other = on.one(VALUES[property] as readonly object[]);
      const of = known(property, (each) => compare(property, each, value) >= 0 && compare(property, each, other) <= 0);
      return { sql: target.between(given, other), of };
    }
    case 2:
      return on.next() < 0.5
        ? { sql: target.isNull(), of: (row) => row[property] === null }
        : { sql: target.neq(null), of: (row) => row[property] !== null };
    case 3: {
      const op = on.one(OPERATOR_NAMES);
      const columns = [thing('n'), thing('k')] as const;
      const of = (row: Thing) => (row.n === null ? null : OPERATORS[op](compare('n', row.n, row.k)));
      return { sql: columns[0][op](columns[1]), of };
    }
    default: {
      const op = on.one(OPERATOR_NAMES);
      const of = known(property, (each) => OPERATORS[op](compare(property, each, value)));
      if (on.next() < 0.5) return { sql: { column: property, op, value: given }, of };
      if (op === 'eq' && on.next() < 0.5)
        return { sql: on.next() < 0.5 ? or({ [property]: given }) : and({ [property]: given }), of };
      if (op === 'neq' && on.next() < 0.5) return { sql: not({ [property]: given }), of };
      return { sql: target[op](given), of };
    }
  }
}

const opposite = (truth: boolean | null) => (truth === null ? null : !truth);

function every(truths: readonly (boolean | null)[]): boolean | null {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function condition(on: Random, depth: number): Case {
  const kind = depth === 0 ? 9 : on.below(5);
  if (kind === 0) {
    const inner = condition(on, depth - 1);
    return { sql: not(inner.sql), of: (row) => opposite(inner.of(row)) };
  }
  if (kind > 2) return leaf(on);
  const parts = Array.from({ length: on.below(4) }, () => condition(on, depth - 1));
  const of = (row: Thing) => parts.map((part) => part.of(row));
  const sqls = parts.map(({ sql }) => sql);
  if (kind === 1) return { sql: and(...sqls), of: (row) => every(of(row)) };
  return { sql: or(...sqls), of: (row) => opposite(every(of(row).map(opposite))) };
}

interface Term {
  readonly property: Property;
  readonly desc: boolean;
  readonly nulls: NullsOrder | undefined;
}

const terms = (on: Random, most: number): Term[] =>
  on.some(PROPERTIES, most).map((property) => {
    return { property, desc: on.next() < 0.5, nulls: on.one([undefined, undefined, 'first', 'last'] as const) };
  });

/** Random queries whose results every dialect must give; a failure names its seed. */
export function randomReadsContract({ name, dialect, create }: Subject): void {
  const nullsLast = ({ desc, nulls }: Term) =>
    nulls ? nulls === 'last' : (dialect.capabilities.nullsSort === 'largest') !== desc;
  const byTerms = (order: readonly Term[], last: boolean) => (a: Thing, b: Thing) => {
    for (const term of order) {
      const [left, right] = [a[term.property], b[term.property]];
      if (left === null && right === null) continue;
      if (left === null || right === null) return (left === null) === nullsLast(term) ? 1 : -1;
      const difference = compare(term.property, left, right);
      if (difference !== 0) return term.desc ? -difference : difference;
    }
    return last ? b.id - a.id : a.id - b.id;
  };
  const orderOf = ({ property, desc, nulls }: Term) =>
    desc ? thing(property).desc(nulls) : thing(property).asc(nulls);

  describe(`random reads on ${name}`, () => {
    let db: Database;
    const rows: Thing[] = [];
    const notes: Note[] = [];
    const labels: Label[] = Array.from({ length: 6 }, (_, at) => ({ id: 2n ** 53n + BigInt(at), rank: at % 3 }));
    const links: ThingLabel[] = [];

    withTables(create, dialect, MODELS, (opened) => (db = opened));

    beforeAll(async () => {
      const on = random(42);
      for (let id = 1; id <= 60; id++) {
        const values = PROPERTIES.map((property) => {
          const value = on.next() < 0.2 && property !== 'k' ? null : on.one(VALUES[property] as readonly unknown[]);
          return [property, value] as const;
        });
        const parentId = on.next() < 0.3 ? null : 1 + on.below(60);
        rows.push({ id, parentId, mark: on.one(MARKS), ...Object.fromEntries(values) } as unknown as Thing);
      }
      for (let id = 1; id <= 90; id++)
        notes.push({ id, thingId: on.next() < 0.2 ? null : 1 + on.below(60), stars: on.below(4) });
      await model(db, Thing).createBatch(rows as never);
      await model(db, Note).createBatch(notes);
      await model(db, Label).createBatch(labels);
      for (const { id } of rows)
        for (const label of on.some(labels, 3)) if (on.next() < 0.7) links.push({ thingId: id, labelId: label.id });
      await model(db, ThingLabel).createBatch(links);
    }, 240_000);

    const things = () => model(db, Thing);
    const idsOf = (found: readonly { readonly id: number }[]) => found.map(({ id }) => id);
    const matching = (each: Case) => rows.filter((row) => each.of(row) === true);
    /** Runs something with many seeds; a failure says which. */
    const seeded = async (count: number, run: (on: Random) => Promise<void>) => {
      for (let seed = 1; seed <= count; seed++)
        try {
          await run(random(seed));
        } catch (error) {
          throw Object.assign(error as Error, { message: `seed ${seed}: ${(error as Error).message}` });
        }
    };

    test('conditions, orders and bounds', () =>
      seeded(SEEDS, async (on) => {
        const [where, order] = [condition(on, 3), terms(on, 3)];
        const query = things()
          .where(where.sql)
          .orderBy(...order.map(orderOf), thing('id').asc());
        const expected = idsOf(matching(where).sort(byTerms(order, false)));
        expect(idsOf(await query.find())).toEqual(expected);
        expect([await query.count(), await query.exists()]).toEqual([expected.length, expected.length > 0]);
        const [limit, offset] = [on.below(8), on.below(5)];
        const page = query.limit(limit).offset(offset);
        expect(idsOf(await page.find())).toEqual(expected.slice(offset, offset + limit));
        expect(await page.count()).toBe(expected.slice(offset, offset + limit).length);
        expect(idsOf(await query.offset(offset).find())).toEqual(expected.slice(offset));
        const streamed: number[] = [];
        for await (const { id } of query.stream({ batchSize: 7 })) streamed.push(id);
        expect(streamed).toEqual(expected);
        const first = await query.first().catch((error: { code: string }) => error.code);
        expect(typeof first === 'string' ? first : first.id).toBe(expected[0] ?? 'FW_ORM_NO_ROWS');
      }));

    const plain = (property: Property, value: unknown) => (value === null ? 'NULL' : String(sortable(property, value)));

    test('distinct values under other names', () =>
      seeded(SEEDS, async (on) => {
        const [where, order] = [condition(on, 2), terms(on, 2)];
        const names = order.map((_, at) => `value_${at}`);
        const selected = order.map(({ property }, at) => thing(property).as(names[at] as string));
        const query = things().where(where.sql).select(...selected).distinct().orderBy(...order.map(orderOf)); // prettier-ignore
        const wordsOf = (row: Readonly<Record<string, unknown>>, keys: readonly string[]) =>
          order.map(({ property }, at) => plain(property, row[keys[at] as string])).join('|');
        const sorted = matching(where).sort(byTerms(order, false));
        const own = order.map(({ property }) => property);
        const expected = [...new Set(sorted.map((row) => wordsOf(row as never, own)))];
        const found = (await query.find()) as unknown as Record<string, unknown>[];
        expect(found.map((row) => wordsOf(row, names))).toEqual(expected);
        expect(await query.count()).toBe(expected.length);
        const [limit, offset] = [1 + on.below(4), on.below(4)];
        const page = (await query.limit(limit).offset(offset).find()) as unknown as Record<string, unknown>[];
        expect(page.map((row) => wordsOf(row, names))).toEqual(expected.slice(offset, offset + limit));
      }));

    test('pages behind and before cursors', () =>
      seeded(SEEDS, async (on) => {
        const [where, order, size] = [condition(on, 1), terms(on, 2), 1 + on.below(9)];
        const query = things()
          .where(where.sql)
          .orderBy(...order.map(orderOf));
        const expected = idsOf(matching(where).sort(byTerms(order, order.at(-1)?.desc ?? false)));
        const seen: Thing[] = [];
        for (let cursor: string | null = null; seen.length <= rows.length;) {
          const page: Thing[] = await query.after(cursor).limit(size).find();
          if (page.length === 0) break;
          seen.push(...page);
          cursor = query.cursorOf(page.at(-1) as Thing);
        }
        expect(idsOf(seen)).toEqual(expected);
        const at = on.below(seen.length);
        const before =
          seen.length === 0
            ? []
            : await query
                .before(query.cursorOf(seen[at] as Thing))
                .limit(3)
                .find();
        expect(idsOf(before)).toEqual(
          expected
            .slice(0, seen.length === 0 ? 0 : at)
            .reverse()
            .slice(0, 3),
        );
      }));

    test('groups', () =>
      seeded(SEEDS, async (on) => {
        const [where, keys] = [condition(on, 2), on.some(PROPERTIES, 2)];
        const of = on.one(PROPERTIES.filter((property) => property !== 'raw'));
        const [least, most] = [on.below(4), on.below(6)];
        const end = (each: 'min' | 'max') =>
          new Aggregate(each, plainTarget(thingInfo.column(of)), each, false) as Aggregate<string, unknown>;
        const query = things()
          .where(where.sql)
          .groupBy(...keys.map(thing))
          .having(or(countAll().gt(least + 0.5), small.sum().lte(most)))
          .select(...keys.map((key, at) => thing(key).as(`key_${at}`)))
          .select(
            countAll().as('n_rows'),
            thing('n').count().as('n_known'),
            end('min').as('low'),
            end('max').as('high'),
          );
        const groups = new Map<string, Thing[]>();
        for (const row of matching(where)) {
          const key = keys.map((each) => plain(each, row[each])).join('|');
          groups.set(key, [...(groups.get(key) ?? []), row]);
        }
        const expected = [...groups].flatMap(([key, members]) => {
          const total = members.reduce((sum, { k }) => sum + k, 0);
          if (members.length <= least && total > most) return [];
          const known = members.map((row) => row[of]).filter((value) => value !== null).sort((a, b) => compare(of, a, b)); // prettier-ignore
          const ends = [known[0] ?? null, known.at(-1) ?? null].map((value) => plain(of, value));
          return [[key, members.length, members.filter(({ n }) => n !== null).length, ...ends].join()];
        });
        const found = (await query.find()) as unknown as Record<string, unknown>[];
        const words = found.map((row) => {
          const key = keys.map((each, at) => plain(each, row[`key_${at}`])).join('|');
          return [key, row['n_rows'], row['n_known'], plain(of, row['low']), plain(of, row['high'])].join();
        });
        expect(words.sort()).toEqual(expected.sort());
        expect(await query.count()).toBe(expected.length);
      }));

    const starred = (on: Random) => {
      const least = on.below(4);
      return { least, sql: note('stars').gte(least), of: (each: Note) => each.stars >= least };
    };

    test('queries within queries', () =>
      seeded(SEEDS, async (on) => {
        const [where, wanted] = [condition(on, 2), starred(on)];
        const about = (row: Thing) => notes.filter((each) => each.thingId === row.id && wanted.of(each));
        const own = model(db, Note)
          .where(note('thingId').eq(thing('id')))
          .where(wanted.sql);
        const one = notes.filter(wanted.of).map(({ thingId }) => thingId);
        const listed = model(db, Note).select('thingId').where(wanted.sql);
        const found = async (sql: Condition) =>
          idsOf(await things().where(and(where.sql, sql)).orderBy(thing('id').asc()).find());
        const expected = (of: (row: Thing) => boolean | null) =>
          idsOf(rows.filter((row) => every([where.of(row), of(row)]) === true));
        expect(await found(exists(own))).toEqual(expected((row) => about(row).length > 0));
        expect(await found(notExists(own))).toEqual(expected((row) => about(row).length === 0));
        expect(await found(thing('id').in(listed))).toEqual(expected(({ id }) => one.includes(id)));
        const absent = (id: number | null) => (one.length === 0 ? true : one.includes(id) ? false : one.includes(null) ? null : true); // prettier-ignore
        expect(await found(thing('id').notIn(listed))).toEqual(expected(({ id }) => absent(id)));
        const most = Math.max(...rows.map(({ k }) => k));
        const top = things().select(thing('k').max());
        expect(await found(thing('k').eq(top))).toEqual(expected(({ k }) => k === most));
      }));

    test('relations with conditions and limits', () =>
      seeded(SEEDS / 2, async (on) => {
        const [where, inner, wanted, limit] = [condition(on, 2), condition(on, 1), starred(on), on.below(4)];
        const query = things()
          .where(where.sql)
          .preload('children', withPreloadWhere(inner.sql), withPreloadLimit(limit))
          .preload('parent', withPreloadWhere(inner.sql))
          .preload('notes', withPreloadWhere(wanted.sql))
          .preload('children.parent.notes')
          .preload(
            'labels',
            withPreloadWhere({ column: 'rank', op: 'gte', value: wanted.least - 1 }),
            withPreloadLimit(2),
          )
          .orderBy(thing('id').asc());
        const found = await query.find();
        expect(idsOf(found)).toEqual(idsOf(matching(where)));
        const streamed = [];
        for await (const row of query.stream({ batchSize: 5 })) streamed.push(row);
        expect(streamed).toEqual(found);
        for (const row of found) {
          const children = rows.filter((each) => each.parentId === row.id && inner.of(each) === true).slice(0, limit);
          const parent = rows.find((each) => each.id === row.parentId && inner.of(each) === true);
          expect(idsOf(row.children)).toEqual(idsOf(children));
          expect(row.parent?.id).toBe(parent?.id);
          const own = notes.filter((each) => each.thingId === row.id);
          const linked = labels.filter((label) => {
            const isLinked = links.some(({ thingId, labelId }) => thingId === row.id && labelId === label.id);
            return isLinked && label.rank >= wanted.least - 1;
          });
          expect(row.labels.map(({ id }) => id)).toEqual(linked.slice(0, 2).map(({ id }) => id));
          expect(idsOf(row.notes).sort()).toEqual(idsOf(own.filter(wanted.of)).sort());
          for (const child of row.children) {
            expect(child.parent?.id).toBe(row.id);
            expect(idsOf(child.parent?.notes ?? []).sort()).toEqual(idsOf(own).sort());
          }
        }
      }));

    test('joins', () =>
      seeded(SEEDS, async (on) => {
        const [where, wanted] = [condition(on, 2), starred(on)];
        const key = note('thingId').of('x').eq(thing('id'));
        const start = things().where(where.sql).select(thing('id'), note('id').of('x').as('of'));
        const words = (found: readonly unknown[]) =>
          (found as { id: number; of: number | null }[]).map(({ id, of }) => `${id}-${of}`).sort();
        const pairs = matching(where).map((row) => [row, notes.filter((each) => each.thingId === row.id)] as const);
        const inner = pairs.flatMap(([row, own]) => own.map((each) => `${row.id}-${each.id}`));
        const alone = pairs.flatMap(([row, own]) => (own.length === 0 ? [`${row.id}-null`] : []));
        expect(words(await start.innerJoin(Note, 'x', key).find())).toEqual([...inner].sort());
        const left = start.leftJoin(Note, 'x', key);
        expect(words(await left.find())).toEqual([...inner, ...alone].sort());
        expect(words(await left.where(note('id').of('x').isNull()).find())).toEqual([...alone].sort());
        const best = pairs.flatMap(([row, own]) => own.filter(wanted.of).map((each) => `${row.id}-${each.id}`));
        expect(words(await left.where(note('stars').of('x').gte(wanted.least)).find())).toEqual(best.sort());
      }));
  });
}

const SEEDS = 40;
