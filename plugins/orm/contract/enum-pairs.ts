import type { ColumnDefinition } from '../index.js';
import { column, ID, things, type SchemaPair } from './schema-pairs.js';

const ABC = ['a', 'b', 'c'];
/** A column of values. */
export const state = (values: readonly (string | number)[], more: Partial<ColumnDefinition> = {}) =>
  column('state', 'enum', { values, ...more });
/** A column of values that are a type of the database. */
export const native = (values: readonly string[], more: Partial<ColumnDefinition> = {}) =>
  state(values, { enumAs: 'native', ...more });
const area = (more: Partial<ColumnDefinition> = {}) => column('area', 'int', { default: '1', ...more });
const ROWS = ["INSERT INTO things (state) VALUES ('a')", "INSERT INTO things (state) VALUES ('b')"];
const asked = { enumAs: 'check' } as const;

/** States of columns that are held to the values of their types. */
export const ENUM_PAIRS: readonly SchemaPair[] = [
  {
    what: 'a first check of values, which rows need not pass',
    needs: 'checks of new rows',
    before: () => [things([ID, state(['a', 'b'], { enumAs: 'none' })])],
    then: ROWS,
    after: () => [things([ID, state(['a', 'c'])])],
  },
  {
    what: 'a first check of values that the tag asks for',
    before: () => [things([ID, state(ABC, { enumAs: 'none' })])],
    then: ROWS,
    after: () => [things([ID, state(ABC, asked)])],
  },
  {
    what: 'one value more',
    before: () => [things([ID, state(['a', 'b'])])],
    then: ROWS,
    after: () => [things([ID, state(ABC)])],
  },
  {
    what: 'a value less, which no row has',
    before: () => [things([ID, state(ABC)])],
    then: ROWS,
    after: () => [things([ID, state(['b', 'a'])])],
    warning: /things\.state no longer takes "c"; rows may hold it.*SELECT \* FROM .things. WHERE .state. IN \('c'\)/,
  },
  {
    what: 'a value less, which rows keep',
    needs: 'checks of new rows',
    before: () => [things([ID, state(ABC)])],
    then: ROWS,
    after: () => [things([ID, state(['a', 'c'])])],
    warning: /things\.state no longer takes "b"/,
  },
  {
    what: 'the same values in another order',
    isNothing: true,
    before: () => [things([ID, state(ABC)])],
    then: ROWS,
    after: () => [things([ID, state(['c', 'a', 'b'])])],
  },
  {
    what: 'no check of values any more',
    before: () => [things([ID, state(ABC)])],
    then: ROWS,
    after: () => [things([ID, state(ABC, { enumAs: 'none' })])],
    warning: /the check things_state_check of things is dropped/,
  },
  {
    what: 'one value only, and then two',
    before: () => [things([ID, state(['a'])])],
    then: ROWS.slice(0, 1),
    after: () => [things([ID, state(['a', ''])])],
  },
  {
    what: 'values that are numbers, negative and with fractions',
    before: () => [things([ID, state([-1, 0, 2.5])])],
    then: ['INSERT INTO things (state) VALUES (-1)', 'INSERT INTO things (state) VALUES (2.5)'],
    after: () => [things([ID, state([-1, 2.5, 1e21])])],
    warning: /no longer takes 0/,
  },
  {
    what: 'another name of a column with values',
    before: () => [things([ID, state(ABC)])],
    then: ROWS,
    after: () => [things([ID, column('phase', 'enum', { values: ABC, rename: 'state' })])],
  },
  {
    what: 'another name, and other values',
    before: () => [things([ID, state(ABC)])],
    then: ROWS,
    after: () => [things([ID, column('phase', 'enum', { values: ['a', 'b', 'd'], rename: 'state' })])],
    warning: /things\.phase no longer takes "c"/,
  },
  {
    what: 'null, a default and another column, and the check stays',
    before: () => [things([ID, state(ABC)])],
    then: ROWS,
    after: () => [things([ID, state(ABC, { nullable: true, default: 'b' }), area()])],
    warning: /things\.state changes/,
  },
  {
    what: 'a new column with values',
    before: () => [things([ID, area()])],
    then: ['INSERT INTO things (area) VALUES (2)'],
    after: () => [
      things([ID, area(), state(ABC, { default: 'b' }), column('kind', 'enum', { values: [1, 2], nullable: true })]),
    ],
  },
  {
    what: 'a column with values less',
    before: () => [things([ID, area(), state(ABC, { nullable: true })])],
    then: ['INSERT INTO things (area) VALUES (2)'],
    after: () => [things([ID, area()])],
    warning: /things\.state is dropped/,
  },
  {
    what: 'an enum of the database in place of a check',
    needs: 'enums',
    before: () => [things([ID, state(ABC, { default: 'a' })])],
    then: ROWS,
    after: () => [things([ID, native(ABC, { default: 'a' })])],
    warning: /things\.state changes/,
  },
  {
    what: 'a check in place of an enum of the database',
    needs: 'enums',
    before: () => [things([ID, native(ABC, { default: 'a' })])],
    then: ROWS,
    after: () => [things([ID, state(ABC, { default: 'a' })])],
    warning: /things\.state changes/,
  },
  {
    what: 'one value more in an enum of the database',
    needs: 'enums',
    before: () => [things([ID, native(['b', 'a'], { default: 'a' })])],
    then: ROWS,
    after: () => [things([ID, native(['a', "it's", 'b', 'x\\y'], { default: 'a' })])],
  },
  {
    what: 'a default that is new in an enum of the database',
    needs: 'enums',
    before: () => [things([ID, native(['b', 'a'], { default: 'a' })])],
    then: ROWS,
    after: () => [things([ID, native(ABC, { default: 'c' })])],
  },
  {
    what: 'a value less in an enum of the database, which was the default',
    needs: 'enums',
    before: () => [things([ID, native(ABC, { default: 'c' })])],
    then: ROWS,
    after: () => [things([ID, native(['a', 'b'], { default: 'a', nullable: true })])],
    warning: /things\.state no longer takes "c"; rows may hold it; this fails then/,
  },
  {
    what: 'an enum of the database under another name of its column',
    needs: 'enums',
    before: () => [things([ID, native(ABC)])],
    then: ROWS,
    after: () => [things([ID, column('phase', 'enum', { values: ['a', 'b'], enumAs: 'native', rename: 'state' })])],
    warning: /things\.phase no longer takes "c"/,
  },
  {
    what: 'a new column of an enum of the database',
    needs: 'enums',
    before: () => [things([ID, area()])],
    then: ['INSERT INTO things (area) VALUES (2)'],
    after: () => [things([ID, area(), native(ABC, { nullable: true })])],
  },
  {
    what: 'a column of an enum of the database less',
    needs: 'enums',
    before: () => [things([ID, area(), native(ABC)])],
    then: ["INSERT INTO things (area, state) VALUES (2, 'b')"],
    after: () => [things([ID, area()])],
    warning: /things\.state is dropped/,
  },
  {
    what: 'a table with an enum of the database less',
    needs: 'enums',
    before: () => [things([ID, native(ABC)])],
    after: () => [],
    drops: true,
    warning: /the table things is dropped/,
  },
];
