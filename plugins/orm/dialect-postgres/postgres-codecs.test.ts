import { describe, expect, test } from '@jest/globals';
import { postgresCodecs } from './postgres-codecs.js';

const decode = postgresCodecs.date.decode as (text: string) => Date;

describe('a timestamp of PostgreSQL', () => {
  test.each([
    ['2024-05-06 07:08:09+00', '2024-05-06T07:08:09.000Z'],
    ['2024-02-29 23:59:59.987654+00', '2024-02-29T23:59:59.987Z'],
    ['1969-12-31 23:59:59.9+00:00', '1969-12-31T23:59:59.900Z'],
    ['0044-03-15 12:00:00.01+00', '0044-03-15T12:00:00.010Z'],
    ['2024-05-06 09:08:09+02', '2024-05-06T07:08:09.000Z'],
  ])('is read: %s', (text, expected) => {
    expect(decode(text).toISOString()).toBe(expected);
  });
});

describe('JSON for PostgreSQL', () => {
  const encode = postgresCodecs.json.encode as (value: unknown) => string;

  test.each([{ a: 'a\\u0000b' }, { a: '\\\\u0000' }, { a: '\u001f\n"' }, { a: '😀' }])('is sent: %j', (value) => {
    expect(JSON.parse(encode(value))).toEqual(value);
  });

  test.each([{ a: 'a\0b' }, { '\0': 1 }, { a: '\\\0' }, { a: 'half \ud83d' }, ['\ude00']])(
    'that the server would refuse is refused: %j',
    (value) => {
      expect(() => encode(value)).toThrow(expect.objectContaining({ code: 'FW_ORM_VALUE' }));
    },
  );
});
