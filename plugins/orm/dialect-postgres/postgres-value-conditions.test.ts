import { describe, expect, test } from '@jest/globals';
import { thing } from '../contract/state-column.js';
import { createTable } from '../schema/create-table.js';
import { postgres } from './index.js';

describe('values of columns on PostgreSQL', () => {
  test('have a name within the limits of every database, and one of their own', () => {
    const long = 'a_long_name_of_a_table_that_goes_on_and_on_for_quite_a_while';
    const [sql = ''] = createTable(thing(long, { values: ['a'] }), postgres);
    expect(/CONSTRAINT "(\w+)"/.exec(sql)?.[1]).toMatch(/^a_long_name_of_a_table.{1,38}$/);
    const [type = ''] = createTable(thing(long, { values: ['a'], enumAs: 'native' }), postgres);
    expect(/CREATE TYPE "(\w+)"/.exec(type)?.[1]?.length).toBeLessThanOrEqual(60);
  });
});
