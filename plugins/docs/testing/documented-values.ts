import fc from 'fast-check';
import { type TObjectOptions, type TSchema, Type } from 'typebox';

/** A schema that a route may declare, values that fit it, and values that no spelling of a text can make fit. */
export interface Shape {
  readonly schema: TSchema;
  readonly valid: fc.Arbitrary<unknown>;
  readonly wrong: fc.Arbitrary<unknown>;
}

const shape = (schema: TSchema, valid: fc.Arbitrary<unknown>, ...wrong: unknown[]): Shape => ({
  schema,
  valid,
  wrong: fc.constantFrom(...wrong),
});

const plainText = fc.string({ unit: fc.constantFrom('a', 'Z', '0', '-', '~', ':', '@', '+', '$', '!') });
const nonEmpty = plainText.filter((text) => text !== '');
const day = fc.date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2999-12-31') });

/** What a path, a query and a header can carry. */
export const WORDS: readonly Shape[] = [
  shape(Type.String({ minLength: 2, maxLength: 5 }), plainText.filter(({ length }) => length >= 2 && length <= 5), 'a', 'abcdef'),
  shape(Type.String({ pattern: '^[a-z]+$' }), fc.constantFrom('a', 'abc'), 'A', 'a1'),
  shape(Type.Integer(), fc.integer(), 'x', '1.5', '0x10'),
  shape(Type.Integer({ minimum: 1, maximum: 100 }), fc.integer({ min: 1, max: 100 }), '0', '101', '-1'),
  shape(Type.Number({ exclusiveMinimum: 0 }), fc.constantFrom(0.5, 1e3, 2 ** 40), '0', '-0.5', 'NaN'),
  shape(Type.Integer({ multipleOf: 5 }), fc.constantFrom(0, 5, -10), '4', '5.5'),
  shape(Type.Boolean(), fc.boolean(), 'maybe', '2'),
  shape(Type.Enum(['open', 'paid']), fc.constantFrom('open', 'paid'), 'shut', 'OPEN'),
  shape(Type.Union([Type.Literal('auto'), Type.Integer()]), fc.oneof(fc.constant('auto'), fc.integer()), 'manual', '1.5'),
  shape(Type.String({ format: 'uuid' }), fc.uuid(), 'f47ac10b', '0-0-0-0-0'),
  shape(Type.String({ format: 'date' }), day.map((date) => date.toISOString().slice(0, 10)), '2023-02-29', '1-1-2000'),
  shape(Type.String({ format: 'date-time' }), day.map((date) => date.toISOString()), '2024-01-01', '2024-13-01T00:00:00Z'),
]; // prettier-ignore

const word: fc.Arbitrary<Shape> = fc.constantFrom(...WORDS);

/** Lists of words, which a query, a path and a header can carry as well. */
export const lists: fc.Arbitrary<Shape> = word.map(({ schema, valid, wrong }) => ({
  schema: Type.Array(schema, { minItems: 1, maxItems: 4 }),
  valid: fc.array(valid, { minLength: 1, maxLength: 4 }),
  wrong: wrong.map((each) => [each]),
}));

/** Objects of words and lists of them, which a query can carry as well. */
export const flatObjects: fc.Arbitrary<Shape> = fc
  .uniqueArray(fc.tuple(fc.constantFrom('id', 'name', 'déjà', '~t'), fc.oneof(word, lists), fc.constant(false)), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 3,
  })
  .map((given) => ({ ...objectOf(given), wrong: fc.constant('text') }));

/** Objects of words, which a path and a header can carry as well. */
export const textObjects: fc.Arbitrary<Shape> = fc
  .uniqueArray(fc.tuple(fc.constantFrom('id', 'name', 'x-y', '~t'), filledWords(), fc.constant(false)), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 3,
  })
  .map((given) => ({ ...objectOf(given), wrong: fc.constant('text') }));

/** An object beside others, or in parts: the document has to say of these too that they are objects. */
export const eitherObject: fc.Arbitrary<Shape> = fc.tuple(filledWords(), fc.nat(2)).map(([{ schema, valid }, way]) => {
  const [one, other] = [Type.Object({ one: schema }), Type.Object({ other: schema })];
  const both = fc.record({ one: valid, other: valid });
  const ways = [
    { schema: Type.Union([one, Type.Null()]), valid: fc.record({ one: valid }) },
    { schema: Type.Union([one, other]), valid: fc.oneof(fc.record({ one: valid }), fc.record({ other: valid })) },
    { schema: Type.Intersect([one, other]), valid: both },
  ];
  return { ...(ways[way] as Omit<Shape, 'wrong'>), wrong: fc.constant('text') };
});

// An empty text at an end would be none in a header.
function filledWords(): fc.Arbitrary<Shape> {
  return word.map((each) => ({ ...each, valid: each.valid.filter((value) => value !== '') }));
}

/** What one parameter may be. */
export const words: fc.Arbitrary<Shape> = word;

const members = (inner: fc.Arbitrary<Shape>) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom('id', 'name', 'a/b', 'x.y', 'déjà', 'toString', '~t'), inner, fc.boolean()), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 4,
  });

/** An object of some members, as every input is one. */
export const objectOf = (
  given: readonly (readonly [name: string, shape: Shape, isOptional: boolean])[],
  options: TObjectOptions = {},
): Shape => ({
  schema: Type.Object(
    Object.fromEntries(
      given.map(([name, { schema }, isOptional]) => [name, isOptional ? Type.Optional(schema) : schema]),
    ),
    options,
  ),
  valid: fc.record(Object.fromEntries(given.map(([name, { valid }]) => [name, valid])), {
    requiredKeys: given.filter(([, , isOptional]) => !isOptional).map(([name]) => name),
  }),
  wrong: fc.constant([]),
});

const object = (inner: fc.Arbitrary<Shape>): fc.Arbitrary<Shape> =>
  fc
    .tuple(members(inner), fc.boolean())
    .map(([given, isClosed]) => objectOf(given, isClosed ? { additionalProperties: false } : {}));

const textShape: Shape = { schema: Type.String(), valid: fc.string({ unit: 'grapheme' }), wrong: fc.constant(1) };

/** What a JSON body and an answer may be. */
export const bodies: fc.Arbitrary<Shape> = fc.letrec<{ any: Shape; object: Shape }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    word,
    fc.constant(textShape),
    fc.constant({ schema: Type.Null(), valid: fc.constant(null), wrong: fc.constant('null') }),
    tie('object'),
    tie('any').map(({ schema, valid }) => ({ schema: Type.Array(schema, { maxItems: 3 }), valid: fc.array(valid, { maxLength: 3 }), wrong: fc.constant({}) })),
    tie('any').map(({ schema, valid, wrong }) => ({ schema: Type.Union([schema, Type.Null()]), valid: fc.option(valid), wrong })),
    tie('any').map(({ schema, valid }) => ({ schema: Type.Record(Type.String(), schema), valid: fc.dictionary(nonEmpty, valid, { maxKeys: 3 }), wrong: fc.constant([]) })),
    fc.tuple(tie('any'), tie('any')).map(([one, two]) => ({ schema: Type.Tuple([one.schema, two.schema]), valid: fc.tuple(one.valid, two.valid), wrong: fc.constant([]) })),
    fc.tuple(tie('any'), tie('any')).map(([one, two]) => ({
      schema: Type.Union([Type.Object({ kind: Type.Literal('one'), one: one.schema }), Type.Object({ kind: Type.Literal('two'), two: two.schema })]),
      valid: fc.oneof(fc.record({ kind: fc.constant('one'), one: one.valid }), fc.record({ kind: fc.constant('two'), two: two.valid })),
      wrong: fc.constant({ kind: 'three' }),
    })),
  ),
  object: object(tie('any') as fc.Arbitrary<Shape>),
})).object; // prettier-ignore

/** A JSON value with a change at one place, and that place as a list of steps. */
export interface Changed {
  readonly value: unknown;
  readonly at: readonly string[];
}

/** Changes one place of a value that is otherwise as it was: another value, a member less, or a member more. */
export function changed(value: unknown, pick: (most: number) => number, instead: unknown): Changed {
  const places = placesOf(value);
  const at = places[pick(places.length - 1)] as readonly string[];
  const last = at.at(-1);
  const copy = structuredClone(value);
  if (last === undefined) return { value: instead, at };
  const parent = at.slice(0, -1).reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], copy);
  const how = pick(2);
  if (how === 0 && !Array.isArray(parent)) delete (parent as Record<string, unknown>)[last];
  else if (how === 1 && !Array.isArray(parent)) Object.assign(parent as object, { unheardOf: instead });
  else (parent as Record<string, unknown>)[last] = instead;
  return { value: copy, at };
}

function placesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, part]) => placesOf(part, [...at, key]))];
}
