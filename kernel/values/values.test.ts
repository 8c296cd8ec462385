import { describe, expect, test } from '@jest/globals';
import { byText, grouped, isInside, leastBy, objectOf, mostBy, parsedJson, withoutEnd } from './index.js';
import { MOST_LINEAR_MS, processorMs } from '../testing/processor-time.js';

describe('lists', () => {
  test('groups keep the order of their items and of their first items', () => {
    expect([...grouped(['pear', 'plum', 'apple'], ([first]) => first)]).toEqual([
      ['p', ['pear', 'plum']],
      ['a', ['apple']],
    ]);
  });

  test('of equal items the first one is found', () => {
    const items = [
      { name: 'a', size: 2 },
      { name: 'b', size: 1 },
      { name: 'c', size: 2 },
      { name: 'd', size: 1 },
    ];
    expect([leastBy(items, ({ size }) => size)?.name, mostBy(items, ({ size }) => size)?.name]).toEqual(['b', 'a']);
    expect([leastBy([], Number), mostBy([], Number)]).toEqual([undefined, undefined]);
  });

  test('texts are ordered by their code units', () => {
    expect(['b', 'a', 'B', 'a'].sort(byText)).toEqual(['B', 'a', 'a', 'b']);
  });
});

describe('JSON', () => {
  test('what is no JSON has no value, and what is no object no members', () => {
    expect([parsedJson('{"a":1}'), parsedJson(Buffer.from('[2]')), parsedJson('{'), parsedJson('')]).toEqual([
      { a: 1 },
      [2],
      undefined,
      undefined,
    ]);
    expect([objectOf({ a: 1 }), objectOf(null), objectOf('text')]).toEqual([{ a: 1 }, {}, {}]);
  });
});

describe('texts', () => {
  test.each([
    ['/a//b/', '/', '/a//b'],
    ['http://here//', '/', 'http://here'],
    ['///', '/', ''],
    ['', '/', ''],
    ['SELECT 1 ;\n', '; \n', 'SELECT 1'],
  ])('%j ends without %j', (text, characters, expected) => {
    expect(withoutEnd(text, characters)).toBe(expected);
  });

  test('a long run within one is passed over at once', () => {
    const took = processorMs(() => {
      expect(withoutEnd(`${'/'.repeat(500_000)}a/`, '/')).toHaveLength(500_001);
    });
    expect(took).toBeLessThan(MOST_LINEAR_MS);
  });
});

test.each([
  ['/shop', '/shop', true],
  ['/shop/a.ts', '/shop', true],
  ['/shop/..old/a.ts', '/shop', true],
  ['/shop-old/a.ts', '/shop', false],
  ['/', '/shop', false],
  ['/shop/../a.ts', '/shop', false],
  ['/a', '/', true],
])('whether %s is inside %s: %s', (file, folder, expected) => {
  expect(isInside(file, folder)).toBe(expected);
});
