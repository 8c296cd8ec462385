import { describe, expect, test } from '@jest/globals';
import { CheckTasks } from './check-tasks.js';

// Shapes that published documents of large services have, written anew: what they mean, and what a checker may take them for.

const SCHEMAS = {
  Failure: {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string' }, context: { type: 'object', properties: { message: { type: 'string' } } } },
  },
  Conflict: {
    allOf: [
      { $ref: '#/components/schemas/Failure' },
      { properties: { context: { type: 'object', properties: { conflicts: { type: 'array', items: { type: 'string' } } } } } },
    ],
  },
  LateConflict: { allOf: [{ $ref: '#/components/schemas/Conflict' }, { properties: { context: { properties: { at: { type: 'integer' } } } } }] },
  Account: { type: 'object', properties: { id: { type: 'integer' }, host: { type: 'string' } } },
  Profile: { allOf: [{ $ref: '#/components/schemas/Account' }, { properties: { title: { type: 'string' }, pin: { type: 'string', writeOnly: true } } }] },
  Film: { properties: { by: { $ref: '#/components/schemas/Account' }, cuts: { type: 'array', items: { properties: { name: { type: 'string' } } } } } },
  FilmInFull: {
    allOf: [
      { $ref: '#/components/schemas/Film' },
      { properties: { by: { $ref: '#/components/schemas/Profile' }, cuts: { items: { properties: { length: { type: 'number' } } } } } },
    ],
  },
  Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' }, value: { type: 'integer' } } },
  Tree: { type: 'object', required: ['leaf'], properties: { leaf: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] } } },
  NodeWithMark: { allOf: [{ $ref: '#/components/schemas/Node' }, { properties: { next: { $ref: '#/components/schemas/NodeWithMark' }, mark: { type: 'string' } } }] },
}; // prettier-ignore

/** Alternatives that are large or refer to themselves, so that each is compiled on its own. */
const EVENTS = ['comment', 'issue', 'fork', 'release'].map((kind) => ({
  type: 'object', required: ['action', kind], properties: { action: { type: 'string' }, [kind]: { $ref: '#/components/schemas/Node' } },
})); // prettier-ignore
const ALL_SCHEMAS = { ...SCHEMAS, Any: { type: 'object' }, Watch: { type: 'object', required: ['action'] }, ...Object.fromEntries(EVENTS.map((each, at) => [`Event${at}`, each])) }; // prettier-ignore
const events = (...more: string[]) => ({ oneOf: ['Event0', 'Event1', 'Event2', 'Event3', ...more].map((name) => ({ $ref: `#/components/schemas/${name}` })) }); // prettier-ignore

const ref = (name: keyof typeof SCHEMAS) => ({ $ref: `#/components/schemas/${name}` });

function problems(schema: unknown, body: unknown, openapi = '3.1.0') {
  const content = { content: { 'application/json': { schema } } };
  const text = JSON.stringify({ openapi, paths: { '/a': { get: { responses: { 200: content } } } }, components: { schemas: ALL_SCHEMAS } });
  const buffer = new SharedArrayBuffer(Buffer.byteLength(text));
  new Uint8Array(buffer).set(Buffer.from(text));
  const task = { document: 1, direction: 'response' as const, operation: 'GET /a', status: 200, mediaType: undefined, text: JSON.stringify(body) };
  const [outcome] = new CheckTasks().run({ documents: [[1, buffer]], gone: [], tasks: [task] }, () => undefined);
  if (outcome === undefined || !('problems' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.problems.map(({ path, rule, expected }) => `${path} ${rule} ${expected}`);
} // prettier-ignore

const unknown = (path: string) => `${path} additionalProperties declared property`;

describe('a value that several schemas of an allOf describe', () => {
  test.each<[string, object, unknown, string[]]>([
    ['has the members of each', ref('Conflict'), { code: 'x', context: { message: 'x', conflicts: [] } }, []],
    ['and no others', ref('Conflict'), { code: 'x', context: { message: 'x', other: 1 } }, [unknown('/context/other')]],
    ['of their types', ref('Conflict'), { code: 'x', context: { message: 1, conflicts: [2] } }, ['/context/conflicts/0 type string', '/context/message type string']],
    ['while each alone has its own', ref('Failure'), { code: 'x', context: { message: 'x', conflicts: [] } }, [unknown('/context/conflicts')]],
    ['through two levels', ref('LateConflict'), { code: 'x', context: { message: 'x', conflicts: [], at: 1 } }, []],
    ['and nothing more there', ref('LateConflict'), { code: 'x', context: { at: 1, other: 1 } }, [unknown('/context/other')]],
    ['behind references', ref('FilmInFull'), { by: { id: 1, host: 'x', title: 'x' } }, []],
    ['with an unknown one', ref('FilmInFull'), { by: { id: 1, nick: 'x' } }, [unknown('/by/nick')]],
    ['with one that is only written', ref('FilmInFull'), { by: { id: 1, pin: 'x' } }, ['/by/pin writeOnly no such member in a response']],
    ['as an element of a list', ref('FilmInFull'), { cuts: [{ name: 'x', length: 2 }, { name: 'y', width: 1 }] }, [unknown('/cuts/1/width')]],
    ['and contains itself', ref('NodeWithMark'), { value: 1, mark: 'x', next: { value: 2, mark: 'y', next: { value: 'z' } } }, ['/next/next/value type integer']],
    ['beside a reference, as OpenAPI 3.1 has it', { ...ref('Failure'), properties: { context: { properties: { more: {} } } } }, { code: 'x', context: { message: 'x', more: 1, other: 1 } }, [unknown('/context/other')]],
    ['nullable', { allOf: [ref('Failure'), { properties: { context: { properties: { more: {} } } } }], nullable: true }, { code: 'x', context: { message: 'x', more: 1 } }, []],
  ])('%s', (_, schema, body, expected) => {
    expect(problems(schema, body).sort()).toEqual([...expected].sort());
  }); // prettier-ignore
});

describe('a keyword that says nothing is passed over, and the rest of the schema applies', () => {
  const rest = { type: 'object', properties: { n: { type: 'integer' } } };
  test.each<[string, object]>([
    ['a type that is a schema', { type: { type: 'string' } }],
    ['a type of no JSON value', { type: 'date' }],
    ['a list of types with such a one', { type: ['string', 'file'] }],
    ['a list of patterns', { pattern: ['a', 'b'] }],
    ['required as a flag', { required: true }],
    ['an empty composition', { allOf: [] }],
    ['a composition that is one schema', { anyOf: { type: 'string' } }],
    ['a bound as text', { minimum: '1', maxLength: '5' }],
    ['an empty enumeration', { enum: [] }],
    ['an entry without a value', { properties: { m: null }, allOf: [null, {}] }],
    ['a multiple of nothing', { multipleOf: 0 }],
    ['a name of no schema', { $ref: 7 }],
  ])('%s', (_, odd) => {
    const schema = { ...rest, properties: { ...rest.properties, odd } };
    expect(problems(schema, { n: 'x', odd: { m: 1 } }).filter((each) => each.startsWith('/n'))).toEqual(['/n type integer']);
    expect(problems(schema, { n: 1, odd: 'x' })).toEqual([]);
  }); // prettier-ignore

  test('a list of item schemas is that of the first elements', () => {
    const schema = {
      type: 'array',
      items: [{ type: 'string' }, { type: 'integer' }],
      additionalItems: { type: 'boolean' },
    };
    expect(problems(schema, ['x', 1, true])).toEqual([]);
    expect(problems(schema, [1, 1, 1])).toEqual(['/0 type string', '/2 type boolean']);
  });
});

describe('what stands beside a reference', () => {
  const contradicted = { ...ref('Account'), type: 'array', description: 'the account' };

  test('is ignored by OpenAPI 3.0, and applied by OpenAPI 3.1', () => {
    expect(problems({ properties: { v: contradicted } }, { v: { id: 1 } }, '3.0.3')).toEqual([]);
    expect(problems({ properties: { v: contradicted } }, { v: { id: 'x' } }, '3.0.3')).toEqual(['/v/id type integer']);
    expect(problems({ properties: { v: contradicted } }, { v: { id: 1 } }, '3.1.0')).toEqual(['/v type array']);
  });

  test('says of OpenAPI 3.0, too, whether it may be null or is only written', () => {
    const schema = {
      properties: { v: { ...ref('Account'), nullable: true }, w: { ...ref('Account'), writeOnly: true } },
    };
    expect(problems(schema, { v: null }, '3.0.3')).toEqual([]);
    expect(problems(schema, { w: { id: 1 } }, '3.0.3')).toEqual(['/w writeOnly no such member in a response']);
  });
});

describe('alternatives that are compiled on their own', () => {
  test.each<[string, object, unknown, string[]]>([
    ['of which two fit', events('Any', 'Watch'), { action: 'x' }, ['/v oneOf exactly one of the alternatives']],
    ['of which none fits', events(), { action: 1 }, ['/v oneOf exactly one of the alternatives']],
    ['of which one is meant', events(), { action: 'x', fork: { next: { value: 'y' } } }, ['/v/fork/next/value type integer']],
    ['beside a failure of the schema itself', { required: ['id'], ...events('Any', 'Watch') }, { action: 'x' }, ['/v oneOf exactly one of the alternatives', '/v/id required present']],
    ['in a schema that contains itself', { $ref: '#/components/schemas/Tree' }, { leaf: { leaf: { leaf: 5 } } }, ['/v/leaf/leaf/leaf type object or null']],
  ])('%s', (_, schema, v, expected) => {
    expect(problems({ type: 'object', properties: { v: schema } }, { v })).toEqual(expected);
  }); // prettier-ignore
});

describe('one wrong value is one violation', () => {
  test.each<[string, object, unknown, string[]]>([
    ['of another type than the listed ones', { type: 'string', enum: ['a', 'b'] }, 5, ['/v type string']],
    ['of the type, but not listed', { type: 'string', enum: ['a', 'b'] }, 'c', ['/v enum one of ["a","b"]']],
    ['of another type than the only one', { type: 'boolean', const: true }, 'yes', ['/v type boolean']],
    ['with a bound and a format, too', { type: 'integer', format: 'int32', minimum: 10 }, 3.5, ['/v type integer']],
    ['that would have to be an object of alternatives', { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }, 'x', ['/v type object']],
    ['of no type of the alternatives', { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'integer' }] }, true, ['/v type string or integer']],
  ])('%s', (_, schema, v, expected) => {
    expect(problems({ type: 'object', properties: { v: schema } }, { v })).toEqual(expected);
  }); // prettier-ignore
});
