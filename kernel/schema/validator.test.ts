import { describe, expect, test } from '@jest/globals';
import { type TSchema, Type } from 'typebox';
import { inDraft2020, registerPrecompiled, validatorDigest, validatorOf } from './index.js';
import { MOST_LINEAR_MS, processorMs } from '../testing/processor-time.js';

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

  describe('of alternatives that a constant tells apart', () => {
    const Card = Type.Object({ kind: Type.Literal('card'), number: Type.String() });
    const Cash = Type.Object({ kind: Type.Literal('cash'), cents: Type.Integer({ minimum: 1 }) });
    const Bank = Type.Object({ kind: Type.Enum(['iban', 'bic']), account: Type.String() });
    const said = (schema: TSchema, value: unknown) =>
      validatorOf(schema)
        .check(value)
        .map(({ path, keyword }) => `${path} ${keyword}`);

    test('reports the errors of the one that is meant', () => {
      const Pay = Type.Union([Card, Cash, Bank]);
      expect(said(Pay, { kind: 'cash', cents: 0 })).toEqual(['/cents minimum']);
      expect(said(Pay, { kind: 'card' })).toEqual(['/number required']);
      expect(said(Pay, { kind: 'bic', account: 5 })).toEqual(['/account type']);
      expect(said(Pay, { kind: 'cash', cents: 1 })).toEqual([]);
    });

    test('reports each item of a list by its own, and nested ones', () => {
      const Pays = Type.Object({ pays: Type.Array(Type.Union([Card, Cash])) });
      const value = { pays: [{ kind: 'card' }, { kind: 'cash', cents: 'x' }, { kind: 'card', number: '1' }] };
      expect(said(Pays, value)).toEqual(['/pays/0/number required', '/pays/1/cents type']);
    });

    test('compares no more of them than somebody reads', () => {
      const pays = Array.from({ length: 20_000 }, () => ({ kind: 'card' }));
      const took = processorMs(() => {
        expect(said(Type.Array(Type.Union([Card, Cash])), pays)).toHaveLength(4 * pays.length);
      });
      expect(took).toBeLessThan(MOST_LINEAR_MS);
    });

    test('reports all of them where none is meant, or nothing tells them apart', () => {
      expect(said(Type.Union([Card, Cash]), { kind: 'stamp' })).toEqual(
        expect.arrayContaining(['/kind const', '/number required', '/cents required', ' anyOf']),
      );
      const two = Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]);
      expect(said(two, {})).toEqual(['/a required', '/b required', ' anyOf']);
    });
  });

  test('takes text for nothing but text', () => {
    const query = Type.Object({ page: Type.Integer(), tags: Type.Array(Type.String()) });
    expect(validatorOf(query).check({ page: '2', tags: 'new' })).toMatchObject([
      { path: '/page', message: 'must be an integer' },
      { path: '/tags', message: 'must be an array' },
    ]);
  });

  test('takes integers that JSON carries as they are, and no others', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const plain = validatorOf(Type.Object({ id: Type.Integer() }));
    // What JSON.parse makes of it is the number of somebody else.
    for (const text of ['9007199254740993', '-9007199254740992', '9007199254740992', '1e300']) {
      expect([text, plain.check(JSON.parse(`{"id":${text}}`))]).toMatchObject([text, [{ path: '/id' }]]);
    }
    for (const id of [most, -most, 0, 1e3]) expect(plain.check({ id })).toEqual([]);
    const wide = Type.Unsafe({ type: ['integer', 'null'], minimum: -5, maximum: 2 ** 63 });
    expect(validatorOf(wide).check(2 ** 53)).toMatchObject([{ message: `must be <= ${most}` }]);
    expect(validatorOf(wide).check(-6)).toMatchObject([{ message: 'must be >= -5' }]);
    expect(validatorOf(Type.Number()).check(2 ** 53)).toEqual([]);
  });

  test('takes no number that is too large for JSON to be read', () => {
    const schemas = [
      Type.Number(),
      Type.Unsafe({ type: ['number', 'null'] }),
      Type.Union([Type.Number(), Type.Null()]),
    ];
    for (const schema of schemas) {
      const validator = validatorOf(Type.Object({ price: schema }));
      for (const text of ['1e309', '-1e400', `1${'0'.repeat(400)}`]) {
        expect([text, validator.check(JSON.parse(`{"price":${text}}`)).length > 0]).toEqual([text, true]);
      }
      expect(validator.check({ price: Number.MAX_VALUE })).toEqual([]);
    }
  });

  test.each(Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__'))(
    'asks for a property %s of the value itself only',
    (name) => {
      const optional = validatorOf(
        Type.Object({ [name]: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
      );
      expect([optional.check({}), optional.check({ [name]: 1 })]).toEqual([[], []]);
      expect(optional.check({ [name]: 'x' })).toMatchObject([{ path: `/${name}`, message: 'must be an integer' }]);
      const required = validatorOf(Type.Object({ [name]: Type.Integer() }));
      expect(required.check({})).toMatchObject([{ path: `/${name}`, message: 'is required' }]);
    },
  );

  test('compiles two schemas of the same $id', () => {
    const [text, number] = [Type.String({ $id: 'twice' }), Type.Number({ $id: 'twice' })].map((each) =>
      validatorOf(each),
    );
    expect([text?.check('x'), number?.check(1)]).toEqual([[], []]);
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
    registerPrecompiled({ [validatorDigest(schema)]: () => (calls++, true) });
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
