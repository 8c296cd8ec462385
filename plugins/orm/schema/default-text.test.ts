import { expect, test } from '@jest/globals';
import { DIALECTS } from '../contract/framework-dialects.js';
import { type ColumnInfo, registerModel } from '../core/index.js';
import { defaultMeaning, sameDefault } from './default-text.js';

test.each([
  // How catalogs show one default.
  ['string', ["'open'", "'open'::text", "'open'::character varying(20)", "(N'open')"]],
  ['string', ["'it''s'", "'it''s'::text", "(N'it''s')", "(_utf8mb4'it''s')"]],
  ['string', ["'a, b'", `'a, b'::"Mood"`, `'a, b'::"My Types"."Mood"`, `'a, b'::other.mood`]],
  ['array', ["'{a,b}'", "'{a,b}'::text[]", `'{a,b}'::"Mood"[]`]],
  ['int', ['0', '((0))', "'0'::integer", "'0'"]],
  ['decimal', ['0', '0.00', "'0'::numeric", '((0.00))', '-0']],
  ['decimal', ['1e3', '1000.00', "'1000'::numeric(10,2)", '((1000.00))']],
  ['decimal', ['12345678901234567.8900', "'12345678901234567.89'::numeric", '((12345678901234567.89))']],
  ['bigint', ['9007199254740993', "'9007199254740993'::bigint", '((9007199254740993.))', '9007199254740993.0']],
  ['float', ['1e-7', "'1e-07'::double precision", '0.0000001', '((1.0000000000000000e-007))']],
  ['boolean', ['true', '1', '((1))', "'t'"]],
  ['date', ['now()', 'current_timestamp(3)', 'CURRENT_TIMESTAMP']],
  ['date', ["'2024-01-01'", "'2024-01-01 00:00:00+00'::timestamp with time zone", "'2024-01-01 00:00:00.000'"]],
  [
    'date',
    ["'2024-01-01T12:00:00Z'", "'2024-01-01 14:00:00+02'", "'2024-01-01 12:00:00+00'::timestamp(3) with time zone"],
  ],
  ['date', ["'2024-01-01 00:00:00'", "'2024-01-01 00:00:00'::timestamp(3) without time zone"]],
  ['any', ["lower(('a' || 'b'))", "(lower( ('a' || 'b') ))"]],
  ['json', [`'{"b":[1],"a":{}}'`, `'{"a": {}, "b": [1]}'::jsonb`, `(N'{"b":[1],"a":{}}')`]],
  ['array', [`'{"a"}'`, "'{a}'::text[]"]],
  ['array', [`'["a"]'`, `(N'["a"]')`]],
  ['string', ['NULL', 'NULL::character varying', null]],
] as const)('a default of the kind %s is one in all of %j', (kind, texts) => {
  for (const text of texts) expect([text, sameDefault(texts[0], text, kind, {})]).toEqual([text, true]);
});

test.each([
  ['string', "'open'", "'Open'"],
  ['string', "'1'", "'1.0'"],
  ['int', '1', '2'],
  ['bigint', '9007199254740993', '9007199254740992'],
  ['decimal', '9007199254740993.1', '9007199254740993.2'],
  ['decimal', '0.10000000000000000001', '0.1'],
  ['int', '1', '10'],
  ['boolean', 'true', '0'],
  ['date', 'now()', "'2024-01-01'"],
  ['string', "''", null],
  ['json', `'{"a":1}'`, `'{"a":2}'`],
  ['array', `'{"null"}'`, "'{NULL}'"],
  ['string', "('a') || ('b')", "('a')"],
] as const)('a default of the kind %s is another in %s and %s', (kind, one, other) => {
  expect(sameDefault(one, other, kind, {})).toBe(false);
});

class Moment {
  at!: Date;
  day!: string;
}

test.each(DIALECTS.map((dialect) => [dialect.name, dialect.schema] as const))(
  'the words of %s for a moment are read as those of standard SQL',
  (_name, { defaultValue, introspection }) => {
    const moments = registerModel(Moment, {
      name: 'Moment',
      table: 'moments',
      columns: [
        { property: 'at', column: 'at', kind: 'date', primaryKey: true },
        { property: 'day', column: 'day', kind: 'plainDate' },
      ],
    });
    const [at, day] = moments.columns as readonly [ColumnInfo, ColumnInfo];
    const words = [defaultValue(at, 'now'), defaultValue(day, 'today')];
    expect(words.map((text) => defaultMeaning(text, introspection).is)).toEqual(['now', 'today']);
  },
);

test('a text that names a function is no function', () => {
  expect(defaultMeaning("'now()'", {})).toEqual({ is: 'literal', text: 'now()' });
  expect(defaultMeaning('gen_random_uuid()', {})).toEqual({ is: 'expression', text: 'gen_random_uuid()' });
});
