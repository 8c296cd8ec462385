import { describe, expect, test } from '@jest/globals';
import { plainText } from './plain-text.js';

describe('plainText', () => {
  test.each([
    ['values', { a: 1, b: 'two words', c: null }, 'a: 1\nb: two words\nc: null'],
    ['an object of short values', { a: { b: 1, c: 'x' } }, 'a: b=1, c=x'],
    ['an object whose values could be mistaken', { a: { b: 'x=1, y' } }, 'a:\n b: x=1, y'],
    ['words', { a: ['x', 'y'], none: [] }, 'a: x, y'],
    ['sentences', { a: ['x, y', 'z'] }, 'a:\n- x, y\n- z'],
    ['like objects', { a: [{ b: 1, c: 'x' }, { b: 2 }] }, 'a (b | c):\n1 | x\n2 |'],
    ['objects that would break a table', { a: [{ b: 'x|y' }, { b: '2' }] }, 'a:\n- b: x|y\n- b: 2'],
    ['a text of several lines', { a: 'x\ny: 1' }, 'a: x\n | y: 1'],
    ['a name of several lines', { 'x\ny': 1, a: { 'b\rc': 2 } }, 'x\\ny: 1\na: b\\nc=2'],
    ['an object in an object', { a: { b: { c: 'x\ny' } } }, 'a:\n b:\n  c: x\n   | y'],
    ['no object', [1, { a: 2 }], '[1,{"a":2}]'],
  ])('%s', (_, data, text) => {
    expect(plainText(data)).toBe(text);
  });
});
