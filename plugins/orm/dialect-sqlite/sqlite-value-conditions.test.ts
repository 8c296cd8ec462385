import { describe, expect, test } from '@jest/globals';
import { valueConditionsContract } from '../contract/value-conditions.contract.js';
import { tableOf, thing } from '../contract/state-column.js';
import { diffSchema } from '../schema/index.js';
import { sqlite } from './index.js';

describe('values of columns on SQLite', () => {
  valueConditionsContract(sqlite, [
    [`"state" IN ('a', 'it''s', 'b\\s', '--', '/*')`, ['a', "it's", 'b\\s', '--', '/*']],
    ['state in (-1, 2.5, 1e21)', [-1, 2.5, 1e21]],
  ]);

  test('are not held by a new check where the table would be built anew, unless the tag asks', () => {
    const actual = [tableOf(undefined, 'TEXT')];
    const { up, warnings } = diffSchema([thing('things', { values: ['a'] })], actual, sqlite);
    expect(up).toEqual([]);
    expect(warnings).toEqual([
      'nothing holds things.state to the values of the model: this database takes a check only with a table that is built anew; enum=check in the tag asks for that, enum=none says that there is no check',
    ]);
    expect(diffSchema([thing('things', { values: ['a'], enumAs: 'none' })], actual, sqlite).warnings).toEqual([]);
    const asked = diffSchema([thing('things', { values: ['a'], enumAs: 'check' })], actual, sqlite);
    expect(asked.up.join('\n')).toContain(`CONSTRAINT "things_state_check" CHECK ("state" IN ('a'))`);
    expect(asked.warnings.join()).toContain(`this fails: SELECT * FROM "things" WHERE NOT ("state" IN ('a'))`);
  });
});
