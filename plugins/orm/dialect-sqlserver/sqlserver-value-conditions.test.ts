import { describe, expect, test } from '@jest/globals';
import { valueConditionsContract } from '../contract/value-conditions.contract.js';
import { tableOf, thing } from '../contract/state-column.js';
import { expectTsql } from '../contract/t-sql.js';
import { createTable } from '../schema/create-table.js';
import { diffSchema } from '../schema/index.js';
import { sqlserver } from './index.js';

describe('values of columns on SQL Server', () => {
  valueConditionsContract(sqlserver, [
    ["([state]=N'b' OR [state]=N'it''s' OR [state]='')", ['b', "it's", '']],
    ['([state]=(2) OR [state]=(-1) OR [state]=(0.5))', [2, -1, 0.5]],
  ]);

  const values = ["it's", 'b\\s', 'é😀', '', ']', '[x]'];
  const shown = [...values].reverse().map((value) => `[state]=N'${value.replaceAll("'", "''")}'`);

  test('are a check that its parser takes, also for an enum of the database', () => {
    for (const enumAs of ['check', 'native'] as const) {
      const [sql = ''] = createTable(thing('things', { values, enumAs }), sqlserver);
      expect(sql).toContain(
        `CONSTRAINT [things_state_check] CHECK ([state] IN (N'it''s', N'b\\s', N'é😀', N'', N']', N'[x]'))`,
      );
      expectTsql(sql);
    }
  });

  test('are the same in the words of the catalog', () => {
    const actual = [tableOf(`(${shown.join(' OR ')})`)];
    expect(diffSchema([thing('things', { values })], actual, sqlserver)).toEqual({ up: [], down: [], warnings: [] });
  });

  test('come to a table without a look at its rows, and say how to have one', () => {
    const { up, down, warnings } = diffSchema(
      [thing('things', { values: ['a', 'b'] })],
      [tableOf(undefined)],
      sqlserver,
    );
    expect(up).toEqual([
      '-- things_state_check is not looked up in rows that are there; to have that done: ALTER TABLE [things] WITH CHECK CHECK CONSTRAINT [things_state_check]',
      "ALTER TABLE [things] WITH NOCHECK ADD CONSTRAINT [things_state_check] CHECK ([state] IN (N'a', N'b'))",
    ]);
    expect(down).toEqual(['ALTER TABLE [things] DROP CONSTRAINT [things_state_check]']);
    expect(warnings).toEqual([]);
  });
});
