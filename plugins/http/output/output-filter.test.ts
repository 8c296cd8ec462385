import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Type } from 'typebox';
import { jsonText, type JsonSchema } from '../../../kernel/index.js';
import { outputFilterOf } from './output-filter.js';
import { declaredValues, MARKER } from './testing/declared-values.js';

function sentOf(schema: unknown, value: object, onUndeclared?: (path: string) => void): unknown {
  const filter = outputFilterOf(schema as JsonSchema);
  return JSON.parse(jsonText(filter ? filter(value, onUndeclared) : value));
}

describe('what an output lets leave', () => {
  test('is what it declares, all of it and nothing else, whatever the shape', () => {
    fc.assert(
      fc.property(declaredValues, ({ schema, value, sent }) => {
        if (typeof value !== 'object' || value === null) return;
        const before = safely(value);
        const undeclared: string[] = [];
        const found = sentOf(schema, value, (path) => undeclared.push(path));
        expect(found).toEqual(JSON.parse(JSON.stringify(sent)));
        expect(JSON.stringify(found)).not.toContain(MARKER);
        expect(safely(value)).toBe(before);
        // The same without somebody who listens, and with somebody it is told in full.
        expect(sentOf(schema, value)).toEqual(found);
        if (before.includes(MARKER)) expect(undeclared.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  test('is the value itself where all of it is declared', () => {
    const filter = outputFilterOf(
      Type.Array(Type.Object({ id: Type.Integer(), at: Type.Unknown() })) as unknown as JsonSchema,
    );
    const value = [
      { id: 1, at: new Date(0) },
      { id: 2, at: { x: [1] } },
    ];
    expect(filter?.(value)).toBe(value);
    expect(outputFilterOf({})).toBeUndefined();
    expect(outputFilterOf({ items: {}, additionalProperties: true })).toBeUndefined();
  });

  test('has dates as JSON.stringify writes them, on every day of the calendar', () => {
    class Local extends Date {
      override toISOString = () => 'local';
    }
    const schema = Type.Object({ at: Type.String() });
    const own = fc.integer({ min: -62_200_000_000_000, max: 253_500_000_000_000 });
    fc.assert(
      fc.property(fc.oneof(own.map((time) => new Date(time)), fc.date({ noInvalidDate: false })), (at) => {
        expect(outputFilterOf(schema as unknown as JsonSchema)?.({ at })).toEqual({ at: at.toJSON() });
      }),
      { numRuns: 3000, examples: ['1000-01-01', '0999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', '+010000-01-01', '2000-02-29', '1900-03-01', '1969-12-31T23:59:59.999Z'].map((text) => [new Date(text)]) },
    ); // prettier-ignore
    expect(sentOf(schema, { at: new Local(0), hash: 1 })).toEqual({ at: 'local' });
    expect(sentOf(Type.String(), new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(sentOf(Type.Array(Type.String()), [new Date(0)])).toEqual(['1970-01-01T00:00:00.000Z']);
  });

  test('loses members beside dates, whichever comes first', () => {
    const schema = Type.Object({ at: Type.String(), to: Type.String(), id: Type.Integer() });
    const [at, to] = [new Date(0), new Date(1)];
    const sent = { at: at.toJSON(), to: to.toJSON(), id: 1 };
    for (const value of [{ at, hash: 1, to, id: 1 }, { hash: 1, at, to, id: 1 }, { at, to, id: 1, hash: 1 }, { at, hash: 1, id: 1, more: 2, to }])
      expect(sentOf(schema, value)).toEqual(sent);
  }); // prettier-ignore

  test('has own members alone, whatever the value inherits', () => {
    const schema = Type.Object({ at: Type.String(), id: Type.Integer(), own: Type.Optional(Type.String()) });
    const base = { own: 'inherited', hash: 'x', get at(): never { throw new Error('nobody reads it'); } };
    const value = (members: object) => Object.assign(Object.create(base, { id: { value: 1, enumerable: true } }) as object, members);
    expect(sentOf(schema, value({}))).toEqual({ id: 1 });
    expect(sentOf(schema, value({ more: 1, b: new Date(0) }))).toEqual({ id: 1 });
    expect(sentOf(schema, { ...value({ more: 1 }), 7: 1, at: new Date(0) })).toEqual({ id: 1, at: new Date(0).toJSON() });
  }); // prettier-ignore

  const secret = { passwordHash: 'x' };

  test('is what was looked at, also of what could be asked for another form', () => {
    class Row {
      id = 1;
      toJSON() {
        return this.id === 1 ? Object.assign(new Row(), { id: 2 }) : secret;
      }
    }
    const schema = Type.Object({ id: Type.Integer() });
    const list = Object.assign([{ id: 1 }], { toJSON: () => [secret] });
    expect(sentOf(schema, new Row())).toEqual({ id: 2 });
    expect(sentOf(Type.Array(schema), [new Row()])).toEqual([{ id: 2 }]);
    expect(sentOf(Type.Array(schema), { toJSON: () => list })).toEqual([{ id: 1 }]);
  });

  test.each<[string, unknown, object, unknown]>([
    ['Any', Type.Object({ a: Type.Any() }), { a: secret, ...secret }, { a: secret }],
    ['a free-form object', Type.Object({ a: Type.Unsafe({ type: 'object' }) }), { a: secret }, { a: secret }],
    ['an object without members', Type.Object({}), secret, {}],
    [
      'never',
      Type.Object({ a: Type.Optional(Type.Never()) }, { additionalProperties: true }),
      { a: 1, b: 2 },
      { b: 2 },
    ],
    ['text where an object stands', Type.Object({ a: Type.String() }), { a: secret }, { a: {} }],
    ['an object where a list stands', Type.Object({ id: Type.Integer() }), [{ id: 1, ...secret }], []],
    [
      'the first of two lists in one',
      { allOf: [{ type: 'array', items: { properties: { id: {} } } }, { items: { properties: { name: {} } } }] },
      [{ id: 1, name: 'a', ...secret }],
      [{ id: 1, name: 'a' }],
    ],
    [
      'if, then and else',
      {
        type: 'object',
        properties: { kind: {} },
        if: { properties: { kind: { const: 1 } } },
        then: { properties: { a: {} } },
        else: { properties: { b: {} } },
      },
      { kind: 1, a: 1, b: 2 },
      { kind: 1, a: 1 },
    ],
    [
      'what depends on a member',
      {
        type: 'object',
        properties: { card: {} },
        dependentSchemas: { card: { properties: { until: {} } }, iban: { properties: { bank: {} } } },
      },
      { card: 1, until: 2, bank: 3 },
      { card: 1, until: 2 },
    ],
    [
      'several alternatives that fit',
      Type.Union([Type.Object({ id: Type.Integer() }), Type.Object({ id: Type.Integer(), name: Type.String() })]),
      { id: 1, name: 'a', ...secret },
      { id: 1, name: 'a' },
    ],
    [
      'no alternative that fits',
      Type.Union([
        Type.Object({ id: Type.Integer(), a: Type.Integer(), in: Type.Object({ x: Type.Integer() }) }),
        Type.Object({
          id: Type.Integer(),
          b: Type.Integer(),
          in: Type.Object({ x: Type.Integer(), y: Type.Integer() }),
        }),
      ]),
      { id: 'one', a: 1, b: 2, in: { x: 1, y: 2 } },
      { id: 'one', in: { x: 1 } },
    ],
    ['constants that are objects', { enum: [{ a: 1 }, 'x'] }, { a: 1, ...secret }, { a: 1 }],
    [
      'references by name and by place',
      {
        $defs: {
          A: { $id: 'a', properties: { id: {}, next: { $ref: '#/$defs/B' } } },
          B: { properties: { back: { $ref: 'a' } } },
        },
        $ref: 'a',
      },
      { id: 1, next: { back: { id: 2, ...secret }, ...secret } },
      { id: 1, next: { back: { id: 2 } } },
    ],
    [
      'alternatives that refer to each other',
      {
        $defs: { Leaf: { type: 'object', required: ['leaf'], properties: { leaf: { type: 'integer' } } } },
        anyOf: [
          { $ref: '#/$defs/Leaf' },
          { type: 'object', required: ['nodes'], properties: { nodes: { type: 'array', items: { $ref: '#' } } } },
        ],
      },
      {
        nodes: [
          { leaf: 1, ...secret },
          { nodes: [{ leaf: 2, nodes2: 1 }], leaf2: 1 },
        ],
        ...secret,
      },
      { nodes: [{ leaf: 1 }, { nodes: [{ leaf: 2 }] }] },
    ],
  ])('%s', (_name, schema, value, sent) => {
    expect(sentOf(schema, value)).toEqual(sent);
  });

  test('a reference that leads nowhere is an error, and names it', () => {
    expect(() => outputFilterOf({ properties: { a: { $ref: '#/$defs/Lost' } } })).toThrow(
      /"#\/\$defs\/Lost" leads nowhere/,
    );
  });
});

const safely = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? String(member) : member));
