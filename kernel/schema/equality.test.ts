import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { ForeignSchemas } from '../foreign-schema/index.js';
import { validatorOf } from './index.js';

// Members that an object has from its prototype too: whoever calls them calls what the sender wrote.
const FOREIGN = JSON.parse(
  '{"valueOf":"x","toString":1,"hasOwnProperty":null,"constructor":"y","__proto__":{"a":1}}',
) as object;

describe('equality of values', () => {
  const unique = validatorOf(Type.Array(Type.Unknown(), { uniqueItems: true }));

  test.each([
    [[FOREIGN, structuredClone(FOREIGN)]],
    [[{ a: 1, b: [{ c: null }] }, 1, { b: [{ c: null }], a: 1 }]],
    [['x', 'y', 'x']],
    [[0, -0]],
    [[null, null]],
    [[[], {}, []]],
  ])('finds the two that are equal in %j', (items) => {
    expect(unique.check(items)).toMatchObject([{ path: '', keyword: 'uniqueItems', params: { i: items.length - 1 } }]);
  });

  test.each([
    [[{}, FOREIGN]],
    [[{ valueOf: '' }, { valueOf: null }, { toString: '' }]],
    [['1', 1, true, 'true', null, 'null', '[]', [], '{}', {}]],
    [[{ a: undefined }, { a: null }, {}]],
    [[['a,b'], ['a', 'b']]],
    [[{ 'a":1,"b': 1 }, { a: 1, b: 1 }]],
  ])('finds no two that are equal in %j', (items) => {
    expect(unique.check(items)).toEqual([]);
  });

  test('takes time in proportion to the number of items', () => {
    const items = Array.from({ length: 200_000 }, (_, id) => ({ id }));
    expect(unique.check(items)).toEqual([]);
  });

  test('holds for constants and enumerations of objects', () => {
    const constant = validatorOf(Type.Unsafe({ const: { a: [1, 'x'] } }));
    expect(constant.check({ a: [1, 'x'] })).toEqual([]);
    expect(constant.check(FOREIGN)).toMatchObject([{ keyword: 'const', message: 'must be {"a":[1,"x"]}' }]);
    const one = validatorOf(Type.Unsafe({ enum: ['red', 5, null, { b: 1, a: 2 }, ['x']] }));
    for (const value of ['red', 5, null, { a: 2, b: 1 }, ['x']]) expect(one.check(value)).toEqual([]);
    for (const value of ['5', undefined, {}, { a: 2 }, [], ['y'], FOREIGN])
      expect(one.check(value)).toMatchObject([
        { keyword: 'enum', message: 'must be one of "red", 5, null, {"b":1,"a":2}, ["x"]' },
      ]);
  });

  test("holds for other people's schemas", () => {
    const schema = { type: 'array', uniqueItems: true, items: { enum: [{ a: 1 }] } };
    const { check } = new ForeignSchemas({ schema }).validator('/schema');
    expect(check([{ a: 1 }])).toEqual([]);
    expect(check([FOREIGN, FOREIGN]).map(({ keyword }) => keyword)).toEqual(
      expect.arrayContaining(['uniqueItems', 'enum']),
    );
  });
});
