import { describe, expect, test } from '@jest/globals';
import { finerDigits } from '../core/index.js';
import { sqlserverCodecs } from './sqlserver-codecs.js';

type Codec = { encode(value: unknown): unknown; decode(value: unknown): unknown };
const date = sqlserverCodecs.date as unknown as Codec;
const plainTime = sqlserverCodecs.plainTime as unknown as Codec;

// As tedious reads datetime2(7) and time(7).
const read = (iso: string, nanosecondsDelta: number): Date =>
  Object.defineProperty(new Date(iso), 'nanosecondsDelta', { value: nanosecondsDelta, enumerable: false });

describe('moments of SQL Server', () => {
  test('carry the digits that a Date does not show, and are written with them', () => {
    const moment = date.decode(read('2024-05-06T07:08:09.123Z', 0.0004567)) as Date;
    expect(finerDigits(moment)).toBe('4567');
    expect(date.encode(moment)).toBe('2024-05-06T07:08:09.1234567');
    expect(finerDigits(date.decode(read('2024-05-06T07:08:09.123Z', 0.0000001)) as Date)).toBe('0001');
  });

  test('of whole milliseconds travel as they are', () => {
    const moment = read('2024-05-06T07:08:09.123Z', 0);
    expect(date.encode(date.decode(moment))).toBe(moment);
  });

  test('a time of day has its seven digits, and no more', () => {
    expect(plainTime.decode(read('1970-01-01T23:59:59.999Z', 0.0009999))).toBe('23:59:59.9999999');
    expect(plainTime.encode('23:59:59.999999999')).toBe('23:59:59.9999999');
  });
});
