import { describe, expect, test } from '@jest/globals';
import { thing } from '../contract/state-column.js';
import { DIALECTS } from '../contract/framework-dialects.js';
import type { Dialect } from '../index.js';
import { readValueCondition } from './value-conditions.js';

const READ: readonly (readonly [string, string, readonly (string | number)[], boolean?])[] = [
  ['postgres', "(state = ANY (ARRAY['a'::text, 'it''s'::text, E'b\\\\s'::text, ''::text]))", ['a', "it's", 'b\\s', '']],
  ['postgres', "((state)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))", ['a', 'b']],
  ['postgres', "((state)::text = 'a'::text)", ['a']],
  ['postgres', "((state = 'a'::text) OR (state = 'b'::text))", ['a', 'b']],
  ['postgres', "((state IS NULL) OR (state = ANY (ARRAY['a'::text])))", ['a']],
  ['postgres', "(state = ANY (ARRAY['-1'::integer, 2]))", [-1, 2]],
  ['postgres', "(state = ANY (ARRAY[(0.5)::double precision, ('-2'::integer)::double precision]))", [0.5, -2]],
  ['postgres', "(state <@ ARRAY['a'::text, 'b'::text])", ['a', 'b'], true],
  ['mysql', "`state` in ('a','it\\'s','b\\\\s','new\\nline')", ['a', "it's", 'b\\s', 'new\nline']],
  ['mysql', '`state` = 1', [1]],
  ['mysql', "(`state` in (_utf8mb4\\'a\\',_utf8mb4\\'it\\\\\\'s\\',_utf8mb4\\'b\\\\\\\\s\\'))", ['a', "it's", 'b\\s']],
  ['sqlite', `"state" IN ('a', 'it''s', 'b\\s', '--', '/*')`, ['a', "it's", 'b\\s', '--', '/*']],
  ['sqlite', 'state in (-1, 2.5, 1e21)', [-1, 2.5, 1e21]],
  ['sqlserver', "([state]=N'b' OR [state]=N'it''s' OR [state]='')", ['b', "it's", '']],
  ['sqlserver', '([state]=(2) OR [state]=(-1) OR [state]=(0.5))', [2, -1, 0.5]],
];
const OTHERS = [
  'state > 1',
  "state IN ('a') AND other IN ('b')",
  "state = 'a' OR other = 'b'",
  "lower(state) IN ('a')",
  "state NOT IN ('a')",
  "state <> 'a'",
  'state = other',
  'state IS NULL',
  "state IN ('a'",
  "state IN ('a') --",
  '',
];

describe('conditions on values', () => {
  // Each in the words of its dialect, as far as that is there.
  const there = READ.filter(([name]) => DIALECTS.some((dialect) => dialect.name === name));
  test.each(there)('%# are read in the words of %s', (name, sql, values, ofElements = false) => {
    const { introspection } = DIALECTS.find((dialect) => dialect.name === name)?.schema as Dialect['schema'];
    expect(readValueCondition(sql, introspection)).toEqual({ column: 'state', values, ofElements });
  });

  test.each(OTHERS)('%s is another condition', (sql) => {
    for (const { schema } of DIALECTS) expect(readValueCondition(sql, schema.introspection)).toBeUndefined();
  });
});

describe('values of columns', () => {
  test.each([
    ['a number', [1], 'an enum of the database has texts, and 1 is a number'],
    ['a long text', ['x'.repeat(64)], 'at most 63 bytes'],
    ['a blank at the end', ['x '], 'no blank at its end'],
  ])('of an enum of the database refuse %s', (_what, values, problem) => {
    expect(() => thing('things', { values, enumAs: 'native' })).toThrow(problem);
  });

  test('of an array are those of its elements', () => {
    const column = thing('things', { kind: 'array', element: 'enum', values: ['a', 'b'] }).column('state');
    expect(column.checked(['b'])).toEqual(['b']);
    expect(() => column.checked(['b', 'c'])).toThrow('each element is one of a, b');
  });
});
