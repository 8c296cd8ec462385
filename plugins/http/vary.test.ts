import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { addVary, varyBy } from './vary.js';

const response = (vary?: string | string[]) => {
  const made = new ServerResponse(new IncomingMessage(new Socket()));
  return vary === undefined ? made : made.setHeader('Vary', vary);
};

describe('addVary', () => {
  test.each([
    [undefined, 'Origin, Cookie'],
    ['Accept', 'Accept, Origin, Cookie'],
    ['accept, COOKIE', 'accept, COOKIE, Origin'],
    ['Origin , Cookie', 'Origin , Cookie'],
    ['*', '*'],
    [['Accept', 'Origin'], 'Accept, Origin, Cookie'],
  ])('to %j gives %j', (before, after) => {
    const made = response(before);
    addVary(made, 'Origin', 'Cookie');
    expect(made.getHeader('Vary')).toBe(after);
  });
});

describe('varyBy', () => {
  test('follows the list of each response', () => {
    const add = varyBy('Origin');
    const lists = [undefined, 'Accept', 'Origin', 'Accept', undefined].map((before) => {
      const made = response(before);
      add(made);
      return made.getHeader('Vary');
    });
    expect(lists).toEqual(['Origin', 'Accept, Origin', 'Origin', 'Accept, Origin', 'Origin']);
  });
});
