import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { isFwError } from '../errors/index.js';
import { validatorOf } from '../schema/index.js';
import { loadEnvFiles } from './env-files.js';
import { defineEnvironment } from './environment.js';

let folder: string;
let before: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fw-env-'));
  before = { ...process.env };
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  restore();
});

function restore(): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name];
  Object.assign(process.env, before);
}

let projects = 0;
/** What reading a text as `.env` comes to; each time a project of its own, because a project is read once. */
function outcomeOf(text: string): unknown {
  const root = `${folder}/${++projects}`;
  writeFileSync(`${folder}/.env`, text);
  try {
    // The folder of the file is found through any spelling of its path.
    return loadEnvFiles(`${root}/..`, 'test');
  } catch (error) {
    return error;
  }
}

const PIECES = ['FW_H', 'A', '=', ' = ', '"', "'", '`', '#', '\\', '\\n', '\n', '\r\n', '\r', 'export ', '$', '${A}', '\uFEFF', '\0', ' ', '\t', 'é', '=x', '__proto__', 'constructor', 'PATH', 'NODE_OPTIONS']; // prettier-ignore
const anything = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), { maxLength: 15 })
  .map((parts) => parts.join(''));

describe('an .env file', () => {
  test.each(['constructor', 'toString', 'hasOwnProperty'])('sets %s, which every object inherits', (name) => {
    outcomeOf(`${name}=x`);
    expect(Object.getOwnPropertyDescriptor(process.env, name)?.value).toBe('x');
  });

  test.each(['__proto__=x', 'A=1\n  export __proto__ = x'])('%j is refused, whatever Node does with it', (text) => {
    expect(outcomeOf(text)).toMatchObject({
      code: 'FW_CONFIG_ENV_FILE',
      message: expect.stringContaining('__proto__'),
    });
  });

  test('is read as Node reads it, or refused, and changes nothing that is set', () => {
    const own = new Set(Object.keys(before));
    fc.assert(
      fc.property(anything, (text) => {
        const outcome = outcomeOf(text);
        if (outcome instanceof Error) {
          expect(isFwError(outcome) && outcome.code).toBe('FW_CONFIG_ENV_FILE');
          for (const name of Object.keys(process.env)) expect(own).toContain(name);
        } else {
          const variables = parseEnv(text.replace(/^\uFEFF/, '')) as Record<string, string>;
          for (const [name, value] of Object.entries(variables))
            expect(process.env[name]).toBe(own.has(name) ? before[name] : value);
        }
        restore();
      }),
      { numRuns: 300 },
    );
  });
});

describe('a declared variable', () => {
  const SCHEMAS: Readonly<Record<string, TSchema>> = {
    integer: Type.Integer({ minimum: 0, maximum: 65_535 }),
    number: Type.Number(),
    boolean: Type.Boolean(),
    url: Type.String({ format: 'uri' }),
    short: Type.String({ minLength: 1, maxLength: 5 }),
    member: Type.Union([Type.Literal('one'), Type.Literal('two')]),
    list: Type.Array(Type.Integer()),
    either: Type.Union([Type.Integer(), Type.Literal('auto')]),
  };
  const text = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('0', '-0', '1e3', '0x10', ' 7 ', '7.0', '65536', 'NaN', 'Infinity', '9007199254740993', 'TRUE', 'on', 'null', 'one', '1,2', ',', '1,,x', '١', 'http://x', '𝟙'), // prettier-ignore
    fc.double().map(String),
  );

  test('is a value of its schema, or refused without being shown', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(SCHEMAS)),
        text.filter((value) => !value.includes('\0')),
        (kind, value) => {
          const schema = SCHEMAS[kind] as TSchema;
          process.env['FW_HOSTILE'] = value;
          try {
            const { FW_HOSTILE: read } = defineEnvironment({ FW_HOSTILE: schema });
            expect(validatorOf(schema).check(read)).toEqual([]);
          } catch (error) {
            if (!isFwError(error)) throw error;
            expect(error.code).toBe('FW_CONFIG_ENVIRONMENT');
            // Short texts stand in any sentence.
            if (value.length > 6 && !/^(?:[\d.e+-]+|Infinity)$/.test(value)) expect(error.message).not.toContain(value);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
