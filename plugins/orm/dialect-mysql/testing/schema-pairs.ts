import {
  area,
  code,
  CODES,
  column,
  ID,
  indexed,
  NOW,
  partsOf,
  things,
  to,
  ROWS as INDEXED_ROWS,
  type SchemaPair,
} from '../../contract/schema-pairs.js';

/** Changes of what only this database has, or keeps for itself. */
export const MYSQL_PAIRS: readonly SchemaPair[] = [
  {
    what: 'an index that the database made for a foreign key, whose name is like those of migrations',
    isNothing: true,
    before: () => [things([ID]), partsOf([ID, column('thing', 'int')])],
    then: ['ALTER TABLE parts ADD CONSTRAINT foreign_key FOREIGN KEY (thing) REFERENCES things (id)'],
    after: () => [things([ID]), partsOf([ID, column('thing', 'int')], { relations: [to('thing')] })],
  },
  {
    what: 'an order and a length of an index',
    before: () => indexed(),
    then: INDEXED_ROWS,
    after: () => indexed({ expressions: ['code(3)', 'area DESC'] }, { columns: ['area'], expressions: ['`code`(5)'] }),
  },
  {
    what: 'a time that follows updates, a comment, an order and a condition of columns that take null',
    before: () => [things([ID])],
    then: [
      "ALTER TABLE things ADD at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3) COMMENT 'it''s \\\\ when'",
      "ALTER TABLE things ADD code varchar(20) COLLATE utf8mb4_bin NOT NULL COMMENT 'says on update CURRENT_TIMESTAMP'",
      'ALTER TABLE things ADD area int INVISIBLE NOT NULL DEFAULT 3 CHECK (area > 0)',
      "INSERT INTO things (id, code) VALUES (1, 'a')",
    ],
    after: () => [
      things(
        [
          ID,
          column('at', 'date', { ...NOW, nullable: true }),
          code({ size: 40, nullable: true }),
          area({ default: '4' }),
        ],
        {
          checks: { area: '`area` > 0' },
        },
      ),
    ],
    warning: /things\.at changes/,
  },
  {
    what: 'a condition less that is a part of its column',
    before: () => [things([ID])],
    then: ['ALTER TABLE things ADD area int NOT NULL CHECK (area > 0)', 'INSERT INTO things (area) VALUES (1)'],
    after: () => [things([ID, area()])],
    warning: /the check area of things is dropped/,
  },
  {
    what: 'another name of a column with its condition',
    before: () => [things([ID])],
    then: ['ALTER TABLE things ADD area int NOT NULL CHECK (area > 0)', 'INSERT INTO things (area) VALUES (1)'],
    after: () => [things([ID, column('place', 'int', { rename: 'area' })], { checks: { place: '`place` > 0' } })],
  },
  {
    what: 'a collation that the model gives',
    before: () => [things([ID, code()])],
    then: CODES,
    after: () => [things([ID, code({ sqlType: 'varchar(20) COLLATE utf8mb4_bin' })])],
    warning: /collate utf8mb4_bin/,
    resorted: true,
  },
  {
    what: 'a character set that the model gives',
    before: () => [things([ID, code()])],
    then: CODES,
    after: () => [things([ID, code({ sqlType: 'varchar(20) CHARACTER SET latin1' })])],
    warning: /latin1/,
    resorted: true,
  },
  {
    what: 'another case in the values of an enum',
    before: () => [things([ID, code({ sqlType: "enum('a','B')" })])],
    then: CODES.slice(0, 1),
    after: () => [things([ID, code({ sqlType: "enum('a', 'b')" })])],
    warning: /things\.code changes/,
  },
];
