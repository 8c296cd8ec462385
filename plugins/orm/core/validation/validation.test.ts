import { expect, jest, test } from '@jest/globals';
import { ValidationError, assertValid, db, registerCustom, table, validate, validateRow } from '../../index.js';

@table('checked')
class Checked {
  @db('name') @validate('required,min=2,max=4') name = 'abc';
  @db('age') @validate('min=18,max=99') age: number | null = 20;
  @db('email') @validate('email') email: string | null = 'a@b.org';
  @db('site') @validate('url') site: string | null = 'https://x.org/a';
  @db('ref') @validate('uuid') ref: string | null = '6f9619ff-8b86-4011-b42d-00cf4fc964ff';
  @db('code') @validate('regex=^[a-z]{1,3}$') code: string | null = 'ab';
  @db('odd') @validate('custom=odd') odd: number | null = 1;
}

registerCustom('odd', (value) => (Number(value) % 2 === 1 ? null : 'must be odd'));
const fieldsOf = (changes: Partial<Checked>): Record<string, string> => {
  const error = validateRow(Object.assign(new Checked(), changes));
  return Object.fromEntries(Object.entries(error?.fields ?? {}).map(([field, { message }]) => [field, message]));
};

test('a row that keeps its rules has no error; null passes every rule but required', () => {
  expect(validateRow(new Checked())).toBeNull();
  expect(fieldsOf({ age: null, email: null, site: null, ref: null, code: null, odd: null })).toEqual({});
});

test.each([
  { id: 'ORM-VALIDATE-REQUIRED', changes: { name: '' }, message: 'is required' },
  { id: 'ORM-VALIDATE-MIN-01', changes: { age: 17 }, message: 'must be >= 18' },
  { id: 'ORM-VALIDATE-MIN-02', changes: { name: 'a' }, message: 'must be at least 2 characters' },
  { id: 'ORM-VALIDATE-MAX-01', changes: { age: 100 }, message: 'must be <= 99' },
  {
    id: 'ORM-VALIDATE-MAX-02',
    changes: { name: '\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}' },
    message: 'must be at most 4 characters',
  },
  { id: 'ORM-VALIDATE-EMAIL', changes: { email: 'a@' }, message: 'is not a valid email' },
  { id: 'ORM-VALIDATE-URL', changes: { site: '/relative' }, message: 'is not a valid URL' },
  { id: 'ORM-VALIDATE-UUID', changes: { ref: 'nope' }, message: 'is not a valid UUID' },
  { id: 'ORM-VALIDATE-REGEX-01', changes: { code: 'abcd' }, message: 'does not match pattern ^[a-z]{1,3}$' },
  { id: 'ORM-VALIDATE-CUSTOM', changes: { odd: 2 }, message: 'must be odd' },
])('$changes breaks a rule [$id]', ({ changes, message }) => {
  expect(fieldsOf(changes)).toEqual({ [Object.keys(changes)[0] as string]: message });
});

test('the edges keep their rules [ORM-VALIDATE-OP-01]', () => {
  expect(fieldsOf({ name: 'ab', age: 18, site: 'mailto:a@b', email: '"a b"@x.org' })).toEqual({});
  expect(fieldsOf({ name: 'abcd', age: 99, email: 'Ann <ann@x.org>' })).toEqual({});
});

test('a pattern is compiled once and kept [ORM-VALIDATE-REGEX-02]', () => {
  const rows = [1, 2, 3].map(() => Object.assign(new Checked(), { code: 'zzzz' }));
  validateRow(new Checked());
  const compile = jest.spyOn(globalThis, 'RegExp');
  try {
    expect(rows.map((row) => validate(row) === null)).toEqual([false, false, false]);
    expect(compile).not.toHaveBeenCalled();
  } finally {
    compile.mockRestore();
  }
});

test('validate gives a ValidationError with its fields, or null; assertValid throws it [ORM-VALIDATE-ERROR, ERR-ORM-VALIDATION, ORM-OVERVIEW-08]', () => {
  const broken = Object.assign(new Checked(), { name: '', age: 1 });
  const error = validate(broken);
  expect(error).toBeInstanceOf(ValidationError);
  expect(Object.keys(error?.fields ?? {})).toEqual(['name', 'age']);
  expect(error?.fields['name']).toBeInstanceOf(Error);
  expect(validate(new Checked())).toBeNull();
  expect(() => assertValid(broken)).toThrow(ValidationError);
  expect(() => assertValid(new Checked())).not.toThrow();
  expect(() => validate({ name: 'a' })).toThrow('carries no @table');
});

test('registerCustom gives a rule its name; an unknown name says so [ORM-VALIDATE-OP-02]', () => {
  @table('custom')
  class Custom {
    @db('a') @validate('custom=even') a = 2;
  }
  expect(validate(new Custom())?.fields['a']?.message).toBe('unknown custom validator "even"');
  registerCustom('even', (value) => (Number(value) % 2 === 0 ? null : 'must be even'));
  expect(validate(new Custom())).toBeNull();
  expect(validate(Object.assign(new Custom(), { a: 3 }))?.fields['a']?.message).toBe('must be even');
});

test('every broken field is listed, in the order of declaration', () => {
  const error = validateRow(Object.assign(new Checked(), { odd: 2, name: '', age: 1 }));
  expect(error).toBeInstanceOf(ValidationError);
  expect(error?.message).toBe('Checked is not valid: name: is required; age: must be >= 18; odd: must be odd');
  expect(error).toMatchObject({ status: 422, code: 'FW_ORM_VALIDATION' });
});
