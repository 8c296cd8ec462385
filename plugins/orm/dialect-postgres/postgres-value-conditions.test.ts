import { describe, expect, test } from '@jest/globals';
import { valueConditionsContract } from '../contract/value-conditions.contract.js';
import { thing } from '../contract/state-column.js';
import { createTable } from '../schema/create-table.js';
import { postgres } from './index.js';

describe('values of columns on PostgreSQL', () => {
  valueConditionsContract(postgres, [
    ["(state = ANY (ARRAY['a'::text, 'it''s'::text, E'b\\\\s'::text, ''::text]))", ['a', "it's", 'b\\s', '']],
    ["((state)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))", ['a', 'b']],
    ["((state)::text = 'a'::text)", ['a']],
    ["((state = 'a'::text) OR (state = 'b'::text))", ['a', 'b']],
    ["((state IS NULL) OR (state = ANY (ARRAY['a'::text])))", ['a']],
    ["(state = ANY (ARRAY['-1'::integer, 2]))", [-1, 2]],
    ["(state = ANY (ARRAY[(0.5)::double precision, ('-2'::integer)::double precision]))", [0.5, -2]],
    ["(state <@ ARRAY['a'::text, 'b'::text])", ['a', 'b'], true],
  ]);

  test('have a name within the limits of every database, and one of their own', () => {
    const long = 'a_long_name_of_a_table_that_goes_on_and_on_for_quite_a_while';
    const [sql = ''] = createTable(thing(long, { values: ['a'] }), postgres);
    expect(/CONSTRAINT "(\w+)"/.exec(sql)?.[1]).toMatch(/^a_long_name_of_a_table.{1,38}$/);
    const [type = ''] = createTable(thing(long, { values: ['a'], enumAs: 'native' }), postgres);
    expect(/CREATE TYPE "(\w+)"/.exec(type)?.[1]?.length).toBeLessThanOrEqual(60);
  });
});
