import { describe, expect, test } from '@jest/globals';
import { defineTool, Type } from '../../../kernel/index.js';
import { NOWHERE } from '../testing/fixture-plane.js';
import { prepareArguments } from './call-arguments.js';

const tool = defineTool({
  name: 'move_rows',
  description: 'Moves rows.',
  input: Type.Object({
    direction: Type.Enum(['up', 'down']),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'name:type, one each' })),
    count: Type.Optional(Type.Integer()),
  }),
  output: Type.Object({}),
  texts: ['direction', 'fields'],
  category: 'knowledge',
  reach: 'inProcess',
  effects: [],
  run: () => Promise.resolve({ summary: '', structured: {} }),
});

const problemWith = (given: unknown) =>
  prepareArguments(tool, given, NOWHERE).then(
    () => '',
    (error: Error) => error.message,
  );

describe('wrong arguments', () => {
  test.each([
    [
      { direction: 'up', fields: 'a:int' },
      'arguments: fields must be an array. fields: name:type, one each. Nothing was run.',
    ],
    [{}, 'arguments: direction is required. direction: up or down. Nothing was run.'],
    [{ direction: 'left' }, 'arguments: direction must be one of "up", "down". Nothing was run.'],
    [{ direction: 'up', count: 'x' }, 'arguments: count must be an integer. Nothing was run.'],
    [
      { direction: 'up', field: [] },
      'arguments: field is not known here (known: direction, fields, count). Nothing was run.',
    ],
    [
      { direction: 'up', fields: [1, 2] },
      'arguments: fields.0 must be a string; fields.1 must be a string. fields: name:type, one each. Nothing was run.',
    ],
  ])('%j: what is expected is said with it, once', async (given, told) => {
    expect(await problemWith(given)).toBe(told);
  });
});
