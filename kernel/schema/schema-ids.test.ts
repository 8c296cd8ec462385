import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import type { JsonSchema } from '../contracts/docs.js';
import { isSchema, RefScope, SchemaIds, validatorOf } from './index.js';

const street = (min = 1) =>
  Type.Object({ street: Type.String({ minLength: min }), zip: Type.Optional(Type.Integer()) }, { $id: 'Address' });
const SHARED = street();
const GOOD = { street: 'a', zip: 1 };
const BAD = { street: '', zip: 'x' };

/** Where a shared schema may stand, and how a value for the whole is made of one for it. */
const PLACEMENTS: Readonly<
  Record<string, (schema: TSchema) => readonly [TSchema, (value: unknown) => unknown, string]>
> = {
  root: (schema) => [schema, (value) => value, ''],
  member: (schema) => [Type.Object({ to: schema }), (to) => ({ to }), '/to'],
  item: (schema) => [Type.Object({ all: Type.Array(schema) }), (value) => ({ all: [GOOD, value] }), '/all/1'],
  twice: (schema) => [Type.Object({ a: schema, b: schema }), (b) => ({ a: GOOD, b }), '/b'],
  'beside a reference': (schema) => [Type.Object({ a: schema, b: Type.Ref('Address') }), (b) => ({ a: GOOD, b }), '/b'],
  'before its definition': (schema) => [
    Type.Object({ b: Type.Ref('Address'), a: schema }),
    (b) => ({ a: GOOD, b }),
    '/b',
  ],
  'in $defs under another key': (schema) => [
    Type.Unsafe({
      type: 'object',
      properties: { b: { $ref: 'Address' }, c: { $ref: '#/$defs/it' } },
      $defs: { it: schema },
    }),
    (c) => ({ b: GOOD, c }),
    '/c',
  ],
  'inside another identity': (schema) => [
    Type.Object(
      { b: Type.Ref('Address'), c: Type.Object({ deep: schema }, { $id: 'https://shop.example/schemas/c' }) },
      { $id: 'https://shop.example/schemas/root' },
    ),
    (value) => ({ b: GOOD, c: { deep: value } }),
    '/c/deep',
  ],
};

const copy = (schema: TSchema): TSchema => JSON.parse(JSON.stringify(schema)) as TSchema;
const issuesAt = (schema: TSchema, value: unknown) => validatorOf(schema).check(value).map(({ path }) => path); // prettier-ignore

describe('schemas with an $id', () => {
  test('mean the same wherever they stand, in whatever order, as one object or as copies', () => {
    const use = fc.record({ where: fc.constantFrom(...Object.keys(PLACEMENTS)), copied: fc.boolean() });
    fc.assert(
      fc.property(fc.array(use, { minLength: 1, maxLength: 8 }), (uses) => {
        const ids = new SchemaIds();
        for (const { where, copied } of uses) {
          // `inside another identity` gives the address another full name, and is still one address.
          const [schema, valueWith, at] = (PLACEMENTS[where] as (typeof PLACEMENTS)[string])(
            copied ? copy(SHARED) : SHARED,
          );
          ids.add(schema, where);
          expect([where, issuesAt(schema, valueWith(GOOD))]).toEqual([where, []]);
          expect([where, issuesAt(schema, valueWith(BAD)).sort()]).toEqual([where, [`${at}/street`, `${at}/zip`]]);
        }
      }),
    );
  });

  test('of another application in the same process are never seen', () => {
    const placement = fc.constantFrom(...Object.values(PLACEMENTS));
    fc.assert(
      fc.property(fc.array(fc.tuple(placement, fc.integer({ min: 2, max: 4 })), { maxLength: 8 }), (uses) => {
        for (const [place, min] of uses) {
          const [schema, valueWith, at] = place(street(min));
          new SchemaIds().add(schema, 'it');
          const ofLength = (length: number) => issuesAt(schema, valueWith({ street: 'x'.repeat(length) }));
          expect(ofLength(min).includes(`${at}/street`)).toBe(false);
          expect(ofLength(min - 1).includes(`${at}/street`)).toBe(true);
        }
      }),
    );
  });

  test('are refused when two that differ have the same one, with both places', () => {
    const placement = fc.constantFrom(...Object.values(PLACEMENTS));
    fc.assert(
      fc.property(placement, placement, (first, second) => {
        const ids = new SchemaIds();
        ids.add(first(street(1))[0], 'input.body of POST /a');
        expect(() => ids.add(second(street(2))[0], 'output of GET /b')).toThrow(
          expect.objectContaining({
            code: 'FW_SCHEMA_ID_TWICE',
            message: expect.stringMatching(/"Address": one in input\.body of POST \/a, another in output of GET \/b/),
          }) as unknown as Error,
        );
      }),
    );
  });

  test('may differ in what is said about them, and in the order that members are declared in', () => {
    const ids = new SchemaIds();
    ids.add(SHARED, 'first');
    ids.add({ ...SHARED, description: 'Where the bill goes', title: 'Billing' }, 'second');
    const a = Type.Object({ x: Type.String(), y: Type.String() }, { $id: 'Point' });
    const b = Type.Object({ y: Type.String(), x: Type.String() }, { $id: 'Point' });
    ids.add(a, 'third');
    expect(() => ids.add(b, 'fourth')).not.toThrow();
  });

  test('of cyclic types are names inside of the type', () => {
    const tree = (leaf: TSchema) => Type.Cyclic({ Node: Type.Object({ leaf, next: Type.Optional(Type.Ref('Node')) }) }, 'Node'); // prettier-ignore
    const [text, number] = [tree(Type.String()), tree(Type.Number())];
    const ids = new SchemaIds();
    for (const schema of [text, number, Type.Object({ text, number })]) ids.add(schema, 'it');
    expect(issuesAt(text, { leaf: 'x', next: { leaf: 1 } })).toEqual(['/next/leaf']);
    expect(issuesAt(number, { leaf: 1, next: { leaf: 'x' } })).toEqual(['/next/leaf']);
  });

  test('are named when a reference leads to none', () => {
    const schema = Type.Object({ to: Type.Ref('Adress') });
    expect(() => new SchemaIds().add(schema, 'input.body of POST /a')).toThrow(
      expect.objectContaining({
        code: 'FW_SCHEMA_REFERENCE',
        message: expect.stringMatching(/input\.body of POST \/a.*"Adress"/),
      }) as unknown as Error,
    );
  });
});

describe('RefScope', () => {
  test.each<[string, JsonSchema, string, string]>([
    ['an anchor', { $defs: { a: { $anchor: 'here', title: 'found' } } }, '#here', 'found'],
    [
      'an anchor of a named schema',
      { properties: { a: { $id: 'A', items: { $anchor: 'i', title: 'found' } } } },
      'A#i',
      'found',
    ],
    ['a pointer into a named schema', { items: { $id: 'A', items: { title: 'found' } } }, 'A#/items', 'found'],
    ['a pointer through a list', { anyOf: [{}, { title: 'found' }] }, '#/anyOf/1', 'found'],
    [
      'a full name',
      { $id: 'https://a.example/root', items: { $id: 'b', title: 'found' } },
      'https://a.example/b',
      'found',
    ],
    ['the schema itself', { title: 'found', items: {} }, '#', 'found'],
    ['a name with a percent sign that encodes nothing', { $defs: { '100%': { title: 'found' } } }, '#/$defs/100%', 'found'], // prettier-ignore
  ])('follows %s', (_what, schema, reference, title) => {
    expect(new RefScope(schema).find(reference)?.schema['title']).toBe(title);
  });

  test('finds no anchor of a schema with another identity', () => {
    const schema = { items: { $id: 'A', $anchor: 'here' } };
    expect(isSchema(new RefScope(schema).find('#here'))).toBe(false);
  });
});
