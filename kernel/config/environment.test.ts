import { describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Type } from 'typebox';
import { loadEnvFiles } from './env-files.js';
import { defineEnvironment, DurationSchema, withDefault } from './index.js';
import { environmentFolder } from './testing/environment-folder.js';

const rootOf = environmentFolder();

enum Level {
  Low = 1,
  High = 5,
}

describe('defineEnvironment', () => {
  test('gives values of the types that the schemas declare, frozen', () => {
    Object.assign(process.env, {
      FW_ENV_TEXT: ' 007 ',
      FW_ENV_PORT: '8080',
      FW_ENV_RATE: '0.25',
      FW_ENV_FLAG: 'yes',
      FW_ENV_ORIGINS: 'https://a.example, https://b.example,',
      FW_ENV_PORTS: '1,2',
      FW_ENV_MODE: 'fast',
      FW_ENV_LEVEL: '5',
      FW_ENV_WORKERS: 'auto',
      FW_ENV_WAIT: '10s',
    });
    const env = defineEnvironment({
      FW_ENV_TEXT: Type.String(),
      FW_ENV_PORT: Type.Integer({ maximum: 65535 }),
      FW_ENV_RATE: Type.Number(),
      FW_ENV_FLAG: Type.Boolean(),
      FW_ENV_ORIGINS: Type.Array(Type.String({ format: 'uri' })),
      FW_ENV_PORTS: Type.Array(Type.Integer()),
      FW_ENV_MODE: Type.Union([Type.Literal('fast'), Type.Literal('slow')]),
      FW_ENV_LEVEL: Type.Enum(Level),
      FW_ENV_WORKERS: Type.Union([Type.Integer(), Type.Literal('auto')]),
      FW_ENV_WAIT: DurationSchema({ description: 'How long' }),
      FW_ENV_MISSING: Type.Optional(Type.String()),
      FW_ENV_DEFAULT: withDefault(Type.Integer(), 3000),
      FW_ENV_GIVEN: Type.Boolean({ default: false }),
    });
    env.FW_ENV_PORT satisfies number;
    env.FW_ENV_MODE satisfies 'fast' | 'slow';
    env.FW_ENV_DEFAULT satisfies number;
    env.FW_ENV_ORIGINS satisfies readonly string[];
    // @ts-expect-error it may be missing
    env.FW_ENV_MISSING satisfies string;
    // @ts-expect-error no such variable is defined
    expect(env.FW_ENV_OTHER).toBeUndefined();
    expect(env).toEqual({
      FW_ENV_TEXT: ' 007 ',
      FW_ENV_PORT: 8080,
      FW_ENV_RATE: 0.25,
      FW_ENV_FLAG: true,
      FW_ENV_ORIGINS: ['https://a.example', 'https://b.example'],
      FW_ENV_PORTS: [1, 2],
      FW_ENV_MODE: 'fast',
      FW_ENV_LEVEL: 5,
      FW_ENV_WORKERS: 'auto',
      FW_ENV_WAIT: '10s',
      FW_ENV_DEFAULT: 3000,
      FW_ENV_GIVEN: false,
    });
    expect(Object.isFrozen(env)).toBe(true);
  });

  test('names all that is missing or wrong in one error, and no value', () => {
    writeFileSync(path.join(rootOf(), '.env'), 'FW_ENV_DATABSE_URL=postgres://ada:geheim@h/d\nFW_ENV_PORT=geheim\n');
    loadEnvFiles(rootOf(), 'dev');
    Object.assign(process.env, { FW_ENV_EMPTY: '', FW_ENV_MODE: 'geheim', FW_ENV_SECRET: 'geheim' });
    const attempt = () =>
      defineEnvironment({
        FW_ENV_DATABASE_URL: Type.String({ description: 'Address of the database' }),
        FW_ENV_PORT: Type.Integer(),
        FW_ENV_EMPTY: Type.String({ format: 'uri' }),
        FW_ENV_MODE: Type.Union([Type.Literal('fast'), Type.Literal('slow')]),
        FW_ENV_SECRET: Type.String({ minLength: 32 }),
        FW_ENV_FINE: withDefault(Type.String(), 'x'),
      });
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'FW_CONFIG_ENVIRONMENT',
        message: `The environment of profile dev is not what the application needs (from .env):
  FW_ENV_DATABASE_URL, a text, is not set. Did you mean "FW_ENV_DATABSE_URL"? (Address of the database)
  FW_ENV_PORT must be an integer
  FW_ENV_EMPTY, a text (uri), is empty
  FW_ENV_MODE must be "fast", or must be "slow"
  FW_ENV_SECRET must be at least 32 characters long`,
      }),
    );
  });

  test.each([
    [Type.Integer(), 'an integer'],
    [Type.Boolean(), 'true or false'],
    [Type.Enum(['a', 'b']), 'one of a, b'],
    [Type.Union([Type.Literal('auto'), Type.Number()]), 'auto or a number'],
    [Type.Array(Type.Integer()), 'a list of integer, with commas'],
  ])('says of which kind a missing variable is: %j', (schema, kind) => {
    expect(() => defineEnvironment({ FW_ENV_ODD: schema })).toThrow(`FW_ENV_ODD, ${kind}, is not set`);
  });

  test.each([
    ['an object', Type.Object({ a: Type.String() }), 'it is of type object'],
    ['null', Type.Null(), 'it is of type null'],
    ['anything', Type.Any(), 'its schema has no type'],
    ['another schema', Type.Ref('Port'), 'it refers to another schema'],
  ])('refuses a schema of %s, which no text says', (_, schema, problem) => {
    expect(() => defineEnvironment({ FW_ENV_ODD: schema })).toThrow(
      `defineEnvironment cannot read FW_ENV_ODD: ${problem}.`,
    );
  });

  test.each(['0x10', '1_000', ' 5', '5 ', '٥', '1e400', 'NaN', 'Infinity', '5.5', '--5'])(
    'takes %p for no integer',
    (text) => {
      process.env['FW_ENV_ODD'] = text;
      expect(() => defineEnvironment({ FW_ENV_ODD: Type.Integer() })).toThrow('FW_ENV_ODD must be an integer');
    },
  );

  test('refuses an integer that JavaScript would change', () => {
    process.env['FW_ENV_ODD'] = '9007199254740993';
    expect(() => defineEnvironment({ FW_ENV_ODD: Type.Integer() })).toThrow('FW_ENV_ODD must be <= 9007199254740991');
  });
});
