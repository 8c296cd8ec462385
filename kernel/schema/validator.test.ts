import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { inDraft2020, registerPrecompiled, validatorDigest, validatorOf } from './index.js';

const Order = Type.Object({
  email: Type.String({ format: 'email' }),
  lines: Type.Array(Type.Object({ quantity: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }), {
    minItems: 1,
  }),
  note: Type.Optional(Type.String({ maxLength: 3, default: 'ok' })),
});

describe('validatorOf', () => {
  test('finds nothing wrong with a value that fits, and fills defaults in', () => {
    const value: Record<string, unknown> = { email: 'a@b.example', lines: [{ quantity: 1 }] };
    expect(validatorOf(Order).check(value)).toEqual([]);
    expect(value['note']).toBe('ok');
  });

  test('reports every issue with its place and a sentence', () => {
    const issues = validatorOf(Order).check({ lines: [{ quantity: 0, colour: 'red' }, {}], note: 'long' });
    expect(issues.map(({ path, keyword, message }) => ({ path, keyword, message }))).toEqual(
      expect.arrayContaining([
        { path: '/email', keyword: 'required', message: 'is required' },
        { path: '/lines/0/quantity', keyword: 'minimum', message: 'must be >= 1' },
        { path: '/lines/0/colour', keyword: 'additionalProperties', message: 'is not known here' },
        { path: '/lines/1/quantity', keyword: 'required', message: 'is required' },
        { path: '/note', keyword: 'maxLength', message: 'must be at most 3 characters long' },
      ]),
    );
    expect(issues).toHaveLength(5);
  });

  test('coerces text only where asked to', () => {
    const query = Type.Object({ page: Type.Integer(), tags: Type.Array(Type.String()) });
    const value = { page: '2', tags: 'new' };
    expect(validatorOf(query, { coerce: true }).check(value)).toEqual([]);
    expect(value).toEqual({ page: 2, tags: ['new'] });
    expect(validatorOf(query).check({ page: '2', tags: [] })).toMatchObject([
      { path: '/page', message: 'must be an integer' },
    ]);
  });

  test('accepts callbacks where a schema says so', () => {
    const schema = Type.Object({ lookup: Type.Unsafe<() => void>({ typeof: 'function' }) });
    expect(validatorOf(schema).check({ lookup: () => {} })).toEqual([]);
    expect(validatorOf(schema).check({ lookup: 'x' })).toMatchObject([
      { path: '/lookup', message: 'must be a function' },
    ]);
  });

  test('uses generated code where there is some', () => {
    const schema = Type.Object({ unique: Type.Literal('only-for-this-test') });
    let calls = 0;
    registerPrecompiled({ [validatorDigest(schema, false)]: () => (calls++, true) });
    expect(validatorOf(schema).check('anything')).toEqual([]);
    expect(calls).toBe(1);
  });
});

describe('inDraft2020', () => {
  test('lets tuples be checked wherever they stand', () => {
    const Point = Type.Tuple([Type.Number(), Type.Number()]);
    const schema = Type.Object({ path: Type.Array(Point), none: Type.Tuple([]) });
    expect(validatorOf(schema).check({ path: [[1, 2]], none: [] })).toEqual([]);
    const issues = validatorOf(schema).check({ path: [[1, 'x'], [1, 2, 3]], none: [1] }); // prettier-ignore
    expect(issues.map(({ path }) => path).sort()).toEqual(['/none/0', '/path/0/1', '/path/1']);
  });

  test('keeps a schema that needs no change, and a property that is called items', () => {
    const schema = Type.Object({ items: Type.Array(Type.String()) });
    expect(inDraft2020(schema)).toBe(schema);
  });
});
