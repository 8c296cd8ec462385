import { expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Type } from 'typebox';
import { loadEnvFiles } from './env-files.js';
import { defineEnvironment, unreadVariable, unreadVariables, withDefault } from './index.js';
import { environmentFolder } from './testing/environment-folder.js';

const rootOf = environmentFolder();

// Names of this test alone, because what is declared stays so for the process.
const declare = () =>
  defineEnvironment({
    LOG_LEVEL: withDefault(Type.String(), 'info'),
    DATABASE_URI: Type.Optional(Type.String()),
    ORIGINS: withDefault(Type.Array(Type.String()), []),
    PORT: withDefault(Type.Integer(), 3000),
  });

const unread = (text: string) => {
  writeFileSync(path.join(rootOf(), '.env'), text);
  loadEnvFiles(rootOf(), 'dev');
  declare();
  return unreadVariables().map(({ name, meant }) => `${name} > ${meant}`);
};

test.each([
  ['LOG_LEVLE=debug', 'LOG_LEVLE > LOG_LEVEL'],
  ['LOGLEVEL=debug', 'LOGLEVEL > LOG_LEVEL'],
  ['DATABASE_URL=x', 'DATABASE_URL > DATABASE_URI'],
  ['ORIGIN=https://a.example', 'ORIGIN > ORIGINS'],
  ['PROT=80', 'PROT > PORT'],
  ['FW_LOG_LEVLE=debug', 'FW_LOG_LEVLE > FW_LOG_LEVEL'],
])('%s is a slip', (text, expected) => {
  expect(unread(`${text}\n`)).toEqual([expected]);
});

test.each([
  ['another word', 'HOST=127.0.0.1\nCOMPOSE_PROJECT_NAME=x\nVITE_TITLE=x\n'],
  ['a number', 'ORIGINS2=x\n'],
  ['a variable beside the one that is set', 'LOG_LEVEL=info\nLOG_LEVELS=x\n'],
])('%s is none', (_, text) => {
  expect(unread(text)).toEqual([]);
});

test('the warning names both, and no value', () => {
  const { message } = unreadVariable({ name: 'LOG_LEVLE', meant: 'LOG_LEVEL' });
  expect(message).toBe(
    'The .env files set LOG_LEVLE, which the application does not declare, and not LOG_LEVEL, which it does. Did you mean "LOG_LEVEL"?',
  );
});
