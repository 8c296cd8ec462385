import { expect, test } from '@jest/globals';
import { defaultMeaning, sameDefault } from './default-text.js';

test.each([
  // How PostgreSQL, MariaDB, SQLite and SQL Server show one default.
  ['string', ["'open'", "'open'::text", "'open'::character varying(20)", "(N'open')"]],
  ['string', ["'it''s'", "'it''s'::text", "(N'it''s')"]],
  ['int', ['0', '((0))', "'0'::integer", "'0'"]],
  ['decimal', ['0', '0.00', "'0'::numeric", '((0.00))']],
  ['boolean', ['true', '1', '((1))', "'t'"]],
  ['date', ['now()', 'current_timestamp(3)', 'CURRENT_TIMESTAMP', '(sysutcdatetime())', "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))"]], // prettier-ignore
  ['date', ["'2024-01-01'", "'2024-01-01 00:00:00+00'::timestamp with time zone", "'2024-01-01 00:00:00.000'"]],
  ['date', ["'2024-01-01T12:00:00Z'", "'2024-01-01 14:00:00+02'"]],
  ['any', ["lower(('a' || 'b'))", "(lower( ('a' || 'b') ))"]],
  ['string', ['NULL', 'NULL::character varying', null]],
] as const)('a default of the kind %s is one in all of %j', (kind, texts) => {
  for (const text of texts) expect([text, sameDefault(texts[0], text, kind)]).toEqual([text, true]);
});

test.each([
  ['string', "'open'", "'Open'"],
  ['string', "'1'", "'1.0'"],
  ['int', '1', '2'],
  ['bigint', '9007199254740993', '9007199254740992'],
  ['boolean', 'true', '0'],
  ['date', 'now()', "'2024-01-01'"],
  ['string', "''", null],
  ['string', "('a') || ('b')", "('a')"],
] as const)('a default of the kind %s is another in %s and %s', (kind, one, other) => {
  expect(sameDefault(one, other, kind)).toBe(false);
});

test('a text that names a function is no function', () => {
  expect(defaultMeaning("'now()'")).toEqual({ is: 'literal', text: 'now()' });
  expect(defaultMeaning('gen_random_uuid()')).toEqual({ is: 'expression', text: 'gen_random_uuid()' });
});
