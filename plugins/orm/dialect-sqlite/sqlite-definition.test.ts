import { expect, test } from '@jest/globals';
import { checksOfDefinition, keptOfDefinition } from './sqlite-definition.js';

test('checks are found with their names, whatever stands inside them and around them', () => {
  const definition = `CREATE TABLE "check" ( -- CHECK (no) in a comment
    a int CHECK (a > (1 + 2)) DEFAULT 'CHECK (0)', /* CONSTRAINT x CHECK (1) */
    b text, "check" int,
    CONSTRAINT named CHECK (b <> ') CHECK (' AND length(b) < 9),
    CONSTRAINT "quoted name" check(a <> 7))`;
  expect(checksOfDefinition(definition)).toEqual([
    { name: '', sql: 'a > (1 + 2)' },
    { name: 'named', sql: "b <> ') CHECK (' AND length(b) < 9" },
    { name: 'quoted name', sql: 'a <> 7' },
  ]);
});

test('names in quotes are read as they are called', () => {
  const names = ['"say ""a"", b"', '`it``s`', "'as ''text'", '[in brackets]'];
  const lines = names.map((name) => `${name} text COLLATE NOCASE, CONSTRAINT ${name} CHECK (1)`);
  const definition = `CREATE TABLE things (${lines.join(', ')})`;
  const called = ['say "a", b', 'it`s', "as 'text", 'in brackets'];
  expect(checksOfDefinition(definition).map(({ name }) => name)).toEqual(called);
  expect([...keptOfDefinition(definition).columns]).toEqual(called.map((name) => [name, { collation: 'NOCASE' }]));
});
