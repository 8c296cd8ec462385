import { ID, things, type SchemaPair } from '../../contract/schema-pairs.js';

/** Changes of what only this database has, or keeps for itself. */
export const SQLITE_PAIRS: readonly SchemaPair[] = [
  {
    what: 'a text less that is compared in a way of its own',
    before: () => [things([ID])],
    then: [
      "ALTER TABLE things ADD code text COLLATE nocase NOT NULL DEFAULT ''",
      "INSERT INTO things (code) VALUES ('a')",
    ],
    after: () => [things([ID])],
    warning: /things\.code is dropped/,
  },
];
