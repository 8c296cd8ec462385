import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { defineTool, type Tool } from './tool.js';

const declare = (properties: Record<string, Type.TSchema>, rest: Partial<Tool> = {}) =>
  defineTool({
    name: 'subject',
    category: 'runtime',
    description: 'test',
    input: Type.Object(properties),
    output: Type.Object({}),
    reach: 'inProcess',
    effects: [],
    run: async () => ({ summary: '', structured: {} }),
    ...rest,
  } as never);

describe('defineTool', () => {
  test.each([
    ['a string', Type.String()],
    ['an optional string', Type.Optional(Type.String())],
    ['strings in a list', Type.Array(Type.String())],
    ['anything', Type.Unknown()],
    ['an object', Type.Record(Type.String(), Type.Number())],
    ['a string or a number', Type.Union([Type.Number(), Type.String()])],
  ])('wants to know whether %s is a path', (_, schema) => {
    expect(() => declare({ dir: schema })).toThrow(/"dir" can hold a string, but is neither in paths nor in texts/);
    expect(() => declare({ dir: schema }, { texts: ['dir'] as never })).not.toThrow();
  });

  test.each([
    ['a number', Type.Integer()],
    ['a switch', Type.Boolean()],
    ['one of some words', Type.Enum(['a', 'b'])],
    ['a list of numbers', Type.Array(Type.Number())],
  ])('does not ask about %s', (_, schema) => {
    expect(() => declare({ value: schema })).not.toThrow();
  });

  test('refuses what is declared twice, is no input, or is a path but no string', () => {
    const both = { paths: ['dir'], texts: ['dir'] } as never;
    expect(() => declare({ dir: Type.String() }, both)).toThrow(/"dir" is both in paths and in texts/);
    expect(() => declare({}, { texts: ['gone'] as never })).toThrow(/"gone" is not an input/);
    expect(() => declare({ dirs: Type.Array(Type.String()) }, { paths: ['dirs'] as never })).toThrow(
      /the path "dirs" is not a string/,
    );
  });
});
