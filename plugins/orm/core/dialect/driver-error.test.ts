import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { takeValues, withoutValue } from './driver-error.js';

const MESSAGES: readonly ((value: string) => string)[] = [
  (value) => `Duplicate entry '${value}' for key 'users.api_key'`,
  (value) => `Incorrect integer value: '${value}' for column \`shop\`.\`users\`.\`pin\` at row 1`,
  (value) => `Truncated incorrect DOUBLE value: '${value}'`,
  (value) => `invalid input syntax for type integer: "${value}"`,
  (value) => `value "${value}" is out of range for type integer`,
  (value) => `invalid input value for enum mood: "${value}"`,
  (value) =>
    `Violation of UNIQUE KEY constraint 'u'. Cannot insert duplicate key in object 'dbo.users'. The duplicate key value is (${value}).`,
  (value) => `Conversion failed when converting the varchar value '${value}' to data type int.`,
  (value) =>
    `String or binary data would be truncated in table 'dbo.users', column 'pin'. Truncated value: '${value}'.`,
];

describe('errors of drivers', () => {
  test('say nothing of the value, whatever is in it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MESSAGES), fc.string(), fc.string(), (message, before, after) => {
        expect(withoutValue(message(`${before}s3cret-marker${after}`))).not.toContain('s3cret-marker');
      }),
    );
  });

  test('keep everything else', () => {
    const error = Object.assign(new Error("Duplicate entry 'abc' for key 'users.api_key'"), {
      detail: 'Key (api_key)=(abc) already exists.',
      code: '23505',
    });
    takeValues(error);
    expect(error.message).toBe("Duplicate entry *** for key 'users.api_key'");
    expect(error.stack).toContain('driver-error.test');
    expect(JSON.stringify({ ...error, stack: error.stack })).not.toContain('abc');
    expect(error.code).toBe('23505');
    const other = new Error('relation "users" does not exist');
    takeValues(other);
    expect(other.message).toBe('relation "users" does not exist');
  });
});
