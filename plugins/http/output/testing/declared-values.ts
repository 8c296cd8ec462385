import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';

/** Occurs in every undeclared value. */
export const MARKER = 's3cret-marker';

/** A schema, a value with undeclared members, and the JSON of its declared part. */
export interface DeclaredValue {
  readonly schema: TSchema;
  readonly value: unknown;
  readonly sent: unknown;
}

type Arbitrary = fc.Arbitrary<DeclaredValue>;

const name: fc.Arbitrary<string> = fc.constantFrom(
  'id',
  'name',
  'toString',
  'constructor',
  'length',
  'items',
  'a/b',
  '$ref',
  'déjà',
);
const wide = fc.string();

const scalar: Arbitrary = fc.oneof(
  wide.map((value) => ({ schema: Type.String(), value, sent: value })),
  fc.integer().map((value) => ({ schema: Type.Integer(), value, sent: value })),
  fc.boolean().map((value) => ({ schema: Type.Boolean(), value, sent: value })),
  fc.constant({ schema: Type.Null(), value: null, sent: null }),
  fc.bigInt().map((value) => ({ schema: Type.BigInt(), value, sent: String(value) })),
  fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }).map((value) => {
    return { schema: Type.String({ format: 'date-time' }), value, sent: value.toISOString() };
  }),
  fc.uint8Array().map((value) => {
    const schema = Type.Unsafe({ type: 'string', contentEncoding: 'base64' });
    return { schema, value, sent: Buffer.from(value).toString('base64') };
  }),
  fc.jsonValue().map((value) => {
    return { schema: Type.Unknown(), value, sent: JSON.parse(JSON.stringify(value)) as unknown };
  }),
);

/** Values for undeclared places. */
const undeclared: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(MARKER),
  fc.constant({ deep: [{ [MARKER]: MARKER }] }),
  fc.constant([MARKER, [MARKER]]),
  fc.constant({ toJSON: () => MARKER }),
  fc.constant(Object.assign(() => 1, { toJSON: () => MARKER })),
  fc.constant(Object.assign(Object.create(null) as object, { x: MARKER })),
);

const surplus = fc.dictionary(
  fc.constantFrom('passwordHash', '__proto__', 'salt', 'apiKey', 'hasOwnProperty', 'token'),
  undeclared,
  { maxKeys: 3 },
);

/** Makes an object a literal, an instance, one without prototype, or one with `toJSON`. */
function dressed(members: object, dress: number): unknown {
  if (dress === 0) return members;
  const copy = (target: object) => Object.defineProperties(target, Object.getOwnPropertyDescriptors(members));
  if (dress === 1) return copy(Object.create(null) as object);
  class Row {
    get computed() {
      return MARKER;
    }
  }
  if (dress === 2) return copy(new Row());
  // `JSON.stringify` calls `toJSON` only once, although its result has one too.
  if (dress === 4) return { toJSON: () => ({ toJSON: () => ({ [MARKER]: MARKER }), ...members }) };
  return { [MARKER]: MARKER, toJSON: () => members };
}

interface Members {
  readonly properties: Record<string, TSchema>;
  readonly value: object;
  readonly sent: object;
}

function members(inner: Arbitrary, names = name): fc.Arbitrary<Members> {
  return fc.uniqueArray(fc.tuple(names, inner), { selector: ([key]) => key, maxLength: 4 }).map((pairs) => ({
    properties: Object.fromEntries(pairs.map(([key, { schema }]) => [key, schema])),
    value: Object.fromEntries(pairs.map(([key, { value }]) => [key, value])),
    sent: Object.fromEntries(pairs.map(([key, { sent }]) => [key, sent])),
  }));
}

/** Adds undeclared members before or after the declared ones, so that the order has no meaning. */
function mixed(value: object, more: object, first: boolean): object {
  const target = {};
  for (const part of first ? [more, value] : [value, more])
    for (const [key, member] of Object.entries(part))
      Object.defineProperty(target, key, { value: member, enumerable: true, writable: true, configurable: true });
  return target;
}

const object = (inner: Arbitrary): Arbitrary =>
  fc
    .tuple(members(inner), surplus, fc.boolean(), fc.nat(4))
    .map(([{ properties, value, sent }, more, first, dress]) => ({
      schema: Type.Object({ ...properties, hidden: Type.Optional(Type.String({ writeOnly: true })) }),
      value: dressed(mixed(value, { ...more, hidden: MARKER }, first), dress),
      sent,
    }));

const record = (inner: Arbitrary): Arbitrary =>
  fc.tuple(inner, fc.uniqueArray(wide, { maxLength: 3 })).map(([{ schema, value, sent }, keys]) => {
    const of = (member: unknown) => mixed({}, Object.fromEntries(keys.map((key) => [key, member])), true);
    return { schema: Type.Record(Type.String(), schema), value: of(value), sent: of(sent) };
  });

const patterned = (inner: Arbitrary): Arbitrary =>
  fc.tuple(inner, surplus).map(([{ schema, value, sent }, more]) => ({
    schema: Type.Unsafe({ type: 'object', patternProperties: { '^x-': schema } }),
    value: mixed({ 'x-one': value }, more, false),
    sent: { 'x-one': sent },
  }));

const array = (inner: Arbitrary): Arbitrary =>
  fc.tuple(inner, fc.nat(3)).map(([{ schema, value, sent }, length]) => ({
    schema: Type.Array(schema),
    value: Array.from({ length }, () => value),
    sent: Array.from({ length }, () => sent),
  }));

const tuple = (inner: Arbitrary): Arbitrary =>
  fc.tuple(inner, inner, undeclared).map(([one, two, more]) => ({
    schema: Type.Tuple([one.schema, two.schema]),
    value: [one.value, two.value, more],
    sent: [one.sent, two.sent],
  }));

const nullable = (inner: Arbitrary): Arbitrary =>
  fc.tuple(inner, fc.boolean()).map(([{ schema, value, sent }, isThere]) => ({
    schema: Type.Union([Type.Null(), schema]),
    value: isThere ? value : null,
    sent: isThere ? sent : null,
  }));

// Members that only the other alternative declares have to be removed.
const union = (inner: Arbitrary): Arbitrary =>
  fc.tuple(members(inner), surplus, fc.boolean()).map(([{ properties, value, sent }, more, isTold]) => {
    const own = isTold ? { kind: 'one' } : { one: 1 };
    const one: Record<string, TSchema> = isTold ? { kind: Type.Literal('one') } : { one: Type.Integer() };
    const two: Record<string, TSchema> = isTold ? { kind: Type.Literal('two') } : { two: Type.Integer() };
    return {
      schema: Type.Union([
        Type.Object({ ...two, salt: Type.Unknown(), token: Type.Unknown() }),
        Type.Object({ ...properties, ...one }, { additionalProperties: false }),
      ]),
      value: mixed({ ...value, ...own }, more, true),
      sent: { ...sent, ...own },
    };
  });

const intersection = (inner: Arbitrary): Arbitrary =>
  fc
    .tuple(
      members(inner, fc.constantFrom<string>('a', 'b')),
      members(inner, fc.constantFrom<string>('c', 'd')),
      surplus,
    )
    .map(([one, two, more]) => ({
      schema: Type.Intersect([Type.Object(one.properties), Type.Object(two.properties)], {
        unevaluatedProperties: false,
      }),
      value: mixed({ ...one.value, ...two.value }, more, false),
      sent: { ...one.sent, ...two.sent },
    }));

const recursive = (inner: Arbitrary): Arbitrary =>
  fc.tuple(inner, fc.nat(3), surplus).map(([{ schema, value, sent }, depth, more]) => {
    const nested = (member: unknown, extra: object): unknown =>
      Array.from({ length: depth }).reduce<object>(
        (below) => mixed({ member, below: [below] }, extra, true),
        mixed({ member, below: [] }, extra, false),
      );
    const node = Type.Object({ member: schema, below: Type.Array(Type.Ref('Node')) });
    return { schema: Type.Cyclic({ Node: node }, 'Node'), value: nested(value, more), sent: nested(sent, {}) };
  });

/** Nested schemas of every shape, with values that have undeclared members. */
export const declaredValues: Arbitrary = fc.letrec<{ any: DeclaredValue; nested: DeclaredValue }>((tie) => ({
  any: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie('nested')),
  nested: fc.oneof(
    object(tie('any')),
    object(tie('any')),
    record(tie('any')),
    patterned(tie('any')),
    array(tie('any')),
    tuple(tie('any')),
    nullable(tie('any')),
    union(tie('any')),
    intersection(tie('any')),
    recursive(scalar),
  ),
})).nested;
