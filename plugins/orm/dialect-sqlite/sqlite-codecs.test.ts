import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sqliteCodecs } from './sqlite-codecs.js';

const encode = sqliteCodecs.date.encode as (date: Date) => string;
const decode = sqliteCodecs.date.decode as (text: string | number) => Date;

const within = {
  noInvalidDate: true,
  min: new Date('0000-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59Z'),
};

describe('a date of SQLite', () => {
  test('is read as it was written, from the first year of four digits on', () => {
    fc.assert(
      fc.property(fc.date(within), (date) => {
        expect(decode(encode(date))).toEqual(date);
      }),
    );
  });

  test.each([
    ['the day before a leap day', '2024-02-28T23:59:59.999Z'],
    ['a leap day', '2024-02-29T00:00:00.000Z'],
    ['a century without one', '1900-03-01T00:00:00.000Z'],
    ['a year below 100', '0050-06-07T08:09:10.011Z'],
    ['the year 0', '0000-02-29T00:00:00.000Z'],
    ['before 1970', '1969-12-31T23:59:59.999Z'],
  ])('is read: %s', (_what, text) => {
    expect(decode(text).toISOString()).toBe(text);
  });

  test.each([
    ['CURRENT_TIMESTAMP', '2024-05-06 07:08:09', 'YYYY-MM-DD hh:mm:ss'],
    ['a fraction of one digit', '2024-05-06 07:08:09.5', 'YYYY-MM-DD hh:mm:ss.S'],
    ['microseconds', '0099-05-06T07:08:09.123456Z', 'YYYY-MM-DDThh:mm:ss.SSSSSSZ'],
    ['milliseconds since 1970', 1_714_979_289_000, 'unixms'],
    ['a blank in place of the T', '2024-05-06 07:08:09.010Z', 'YYYY-MM-DD hh:mm:ss.SSSZ'],
    ['an offset', '2024-05-06T07:08:09.010+02:00', 'YYYY-MM-DDThh:mm:ss.SSS+hh:mm'],
  ])('in a form that others write is refused, with what to declare: %s', (_what, stored, format) => {
    expect(() => decode(stored)).toThrow(`declare format=${format} in`);
  });

  test.each(['', 'today', '2024-02-30', '2024-05-06 24:00:00', '06.05.2024', 12, 1e300])(
    'that no format reads is refused: %p',
    (stored) => {
      expect(() => decode(stored)).toThrow(/no format reads it without doubt/);
    },
  );
});

test('a text in a column of JSON that is none is told by what it is', () => {
  const json = sqliteCodecs.json.decode as (text: string) => unknown;
  for (const text of ['{a}', '[1', ''])
    expect(() => json(text)).toThrow(expect.objectContaining({ code: 'FW_ORM_UNREADABLE' }));
});

test('so is a text in a column of a list', () => {
  const list = sqliteCodecs.array.decode as (text: string) => unknown;
  expect(() => list('[1')).toThrow(expect.objectContaining({ code: 'FW_ORM_UNREADABLE' }));
});
