import { expect, test } from '@jest/globals';
import { checksOfDefinition } from './sqlite-definition.js';

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
