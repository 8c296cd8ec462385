import type { ColumnDefinition } from '../../index.js';
import { native, state } from '../../contract/enum-pairs.js';
import {
  area,
  code,
  column,
  COUNTED,
  ID,
  indexed,
  KEY,
  things,
  ROWS as INDEXED_ROWS,
  type SchemaPair,
} from '../../contract/schema-pairs.js';

const ABC = ['a', 'b', 'c'];
const list = (values: readonly string[], more: Partial<ColumnDefinition> = {}) =>
  column('list', 'array', { element: 'enum', values, ...more });
const ROWS = ["INSERT INTO things (state) VALUES ('a')", "INSERT INTO things (state) VALUES ('b')"];
const LISTS = ["INSERT INTO things (list) VALUES ('{a,b}')", "INSERT INTO things (list) VALUES ('{}')"];

// SQL that compares a column with one of its values, in an index, a check and a computed column.
const compared = (...columns: readonly ColumnDefinition[]) => [
  things([ID, area({ nullable: true }), ...columns, IS_A], {
    checks: { large: "state <> 'a' OR area > 0" },
    indexes: [
      { columns: ['area'], where: "state = 'a'" },
      { columns: ['is_a'], where: 'area > 1', name: 'things_those' },
    ],
  }),
];
const IS_A = column('is_a', 'boolean', { nullable: true, generated: true, expression: "state = 'a'" });
const BY_HAND = "CREATE INDEX by_hand ON things (id) WHERE state = 'b'";

/** Changes of what only this database has, or keeps for itself. */
export const POSTGRES_PAIRS: readonly SchemaPair[] = [
  {
    what: 'a method of an index',
    before: () => indexed({ columns: ['code'], using: 'hash' }),
    then: INDEXED_ROWS,
    after: () => indexed({ columns: ['area'], using: 'brin' }, { expressions: ['code varchar_pattern_ops'] }),
  },
  {
    what: 'a longer text that has an order of its own',
    before: () => [things([ID])],
    then: ['ALTER TABLE things ADD code varchar(20) COLLATE "C" NOT NULL', "INSERT INTO things (code) VALUES ('a')"],
    after: () => [things([ID, code({ size: 40 })])],
    warning: /things\.code changes/,
  },
  {
    what: 'a text less that has an order of its own, and is not null',
    before: () => [things([ID])],
    then: ['ALTER TABLE things ADD code varchar(20) COLLATE "C" NOT NULL', "INSERT INTO things (code) VALUES ('a')"],
    after: () => [things([ID])],
    warning: /things\.code is dropped/,
  },
  {
    what: 'a serial key of a longer type',
    before: () => [],
    then: ['CREATE TABLE things (id serial PRIMARY KEY, area int NOT NULL)', 'INSERT INTO things (area) VALUES (1)'],
    after: () => [things([column('id', 'bigint', COUNTED), area()])],
    warning: /things\.id changes from integer/,
  },
  {
    what: 'a serial column less',
    before: () => [things([column('number', 'int', KEY)])],
    then: ['ALTER TABLE things ADD id serial', 'INSERT INTO things (number) VALUES (1)'],
    after: () => [things([column('number', 'int', KEY)])],
    warning: /things\.id is dropped/,
  },
  {
    what: 'a column less that only the database numbers',
    before: () => [things([column('number', 'int', KEY)])],
    then: ['ALTER TABLE things ADD id int GENERATED ALWAYS AS IDENTITY', 'INSERT INTO things (number) VALUES (1)'],
    after: () => [things([column('number', 'int', KEY)])],
    warning: /things\.id is dropped/,
  },
  {
    what: 'numbers in place of texts',
    before: () => [things([ID, state(['1', '2'])])],
    then: ["INSERT INTO things (state) VALUES ('1')"],
    after: () => [things([ID, state([1, 2])])],
    warning: /things\.state changes from text not null to integer not null/,
  },
  {
    what: 'values of the elements of an array',
    before: () => [things([ID, list(ABC)])],
    then: LISTS,
    after: () => [things([ID, list(['a', 'b', 'd'])])],
    warning: /things\.list no longer takes "c".*"list" && ARRAY\['c'\]::text\[\]/,
  },
  {
    what: 'the elements of an array in an enum of the database',
    before: () => [things([ID, list(ABC, { enumAs: 'native', default: '["c"]' })])],
    then: LISTS,
    after: () => [things([ID, list(['a', 'b'], { enumAs: 'native', default: '["a"]' })])],
    warning: /things\.list no longer takes "c"/,
  },
  {
    what: 'an enum of the database that several columns have',
    before: () => [things([ID, native(['a', 'b'])])],
    then: [...ROWS, 'ALTER TABLE things ADD other things_state_enum'],
    after: () => [
      things([ID, native(ABC), column('other', 'enum', { values: ['a', 'b'], enumAs: 'native', nullable: true })]),
    ],
  },
  {
    what: 'a value less in an enum of the database that indexes, a check and a computed column compare',
    before: () => compared(native(ABC)),
    then: [...ROWS, BY_HAND],
    after: () => compared(native(['a', 'b'])),
    warning: /things\.state no longer takes "c"/,
  },
  {
    what: 'a value more in an enum of the database that indexes, a check and a computed column compare',
    before: () => compared(native(['a', 'b'])),
    then: [...ROWS, BY_HAND],
    after: () => compared(native(ABC)),
  },
  {
    what: 'an enum of the database in place of a check, compared by indexes, a check and a computed column',
    before: () => compared(state(ABC)),
    then: ROWS,
    after: () => compared(native(ABC)),
    resorted: true,
    warning: /things\.state changes from text not null/,
  },
  {
    what: 'a check in place of an enum of the database, compared by indexes, a check and a computed column',
    before: () => compared(native(ABC)),
    then: ROWS,
    after: () => compared(state(ABC)),
    resorted: true,
    warning: /things\.state changes from things_state_enum not null to text/,
  },
];
