import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { UploadedFile } from '../../../kernel/index.js';
import { Declarations, DocsRegistry, type RouteFacts, documentedRoute, byPathAndMethod } from '../registry/index.js';
import { objections, OPENAPI_VALIDATORS } from '../testing/openapi-validators.js';
import { openApiOf } from './index.js';

const api = { title: 'Shop', version: '2.0.0', description: 'A shop.' };

function documentOf(facts: readonly RouteFacts[], guards: DocsRegistry['guards'] = []) {
  const routes = facts.map((each) => documentedRoute(each, () => undefined)).sort(byPathAndMethod);
  return openApiOf({ api, guards, routes: () => routes });
}

const operation = (document: ReturnType<typeof documentOf>, path: string, method = 'get') =>
  document.paths[path]?.[method];

/** The schema of the one response of `GET /x` with this output. */
function written(output: unknown) {
  const document = documentOf([{ method: 'GET', pattern: '/x', output }]);
  const content = Object.values((operation(document, '/x')?.responses['200'] as { content: object }).content);
  return { schema: content[0].schema, components: document.components.schemas, document };
}

const INTEGER = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const Deep = Type.Object({
  a: Type.Object({ b: Type.Object({ c: Type.Object({ d: Type.String() }, { title: 'Fourth' }) }) }),
});
const Tree = Type.Cyclic(
  { Node: Type.Object({ value: Type.Integer(), children: Type.Array(Type.Ref('Node')) }) },
  'Node',
);
const JsonValue = Type.Cyclic(
  { Value: Type.Union([Type.String(), Type.Null(), Type.Array(Type.Ref('Value'))]) },
  'Value',
);

/** Everything that TypeBox can express and JSON can carry. */
const FEATURES: Readonly<Record<string, TSchema>> = {
  any: Type.Any(),
  array: Type.Array(Type.String(), { minItems: 1, maxItems: 3, uniqueItems: true, contains: Type.String({ minLength: 1 }), minContains: 1, maxContains: 2 }),
  bigint: Type.BigInt(),
  boolean: Type.Boolean({ default: true }),
  codec: Type.Codec(Type.String()).Decode((value) => value).Encode((value) => value),
  conditional: Type.Unsafe({ type: 'object', properties: { kind: { type: 'string' } }, if: { properties: { kind: { const: 'a' } } }, then: { required: ['kind'] }, else: {} }),
  content: Type.String({ contentEncoding: 'base64', contentMediaType: 'image/png' }),
  cyclic: Tree,
  'cyclic without objects': JsonValue,
  deep: Deep,
  dependent: Type.Object({ a: Type.Optional(Type.String()), b: Type.Optional(Type.String()) }, { dependentRequired: { a: ['b'] }, dependentSchemas: { b: { required: ['a'] } } }),
  enum: Type.Enum(['a', 'b', 3]),
  integer: Type.Integer({ minimum: 0, exclusiveMaximum: 10, multipleOf: 2 }),
  intersect: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Integer() })], { unevaluatedProperties: false }),
  literal: Type.Literal('x'),
  never: Type.Never(),
  null: Type.Null(),
  nullable: Type.Unsafe({ type: 'string', nullable: true, example: 'x' }),
  number: Type.Number({ examples: [1.5] }),
  object: Type.Object({ a: Type.String(), b: Type.Optional(Type.Readonly(Type.Number())) }, { additionalProperties: false, minProperties: 1 }),
  partial: Type.Partial(Type.Object({ a: Type.String() })),
  'property names': Type.Object({}, { propertyNames: { pattern: '^x' }, additionalProperties: Type.Integer() }),
  record: Type.Record(Type.String(), Type.Object({ n: Type.Integer() })),
  'record of integers': Type.Record(Type.Integer(), Type.Boolean()),
  refine: Type.Refine(Type.String(), () => true),
  'self by pointer': Type.Unsafe({ type: 'object', properties: { next: { $ref: '#' } } }),
  string: Type.String({ format: 'date-time', minLength: 1, maxLength: 40, pattern: '^.+$' }),
  'uploaded file': Type.Object({ photo: UploadedFile() }),
  'template literal': Type.TemplateLiteral('sku-${number}'),
  tuple: Type.Tuple([Type.String(), Type.Integer()]),
  'empty tuple': Type.Tuple([]),
  undefined: Type.Undefined(),
  union: Type.Union([Type.Object({ kind: Type.Literal('a') }), Type.Object({ kind: Type.Literal('b'), n: Type.Integer() })]),
  'union of literals': Type.Union([Type.Literal('a'), Type.Literal(1), Type.Null()]),
  unknown: Type.Unknown(),
  void: Type.Void(),
  'unresolved reference': Type.Ref('Nowhere'),
  'unknown keyword': Type.String({ $anchor: 'here', colour: 'red' }),
}; // prettier-ignore

describe('the OpenAPI document', () => {
  test.each(Object.entries(FEATURES))(
    'is valid to both validators with %s as output, body and parameter',
    async (_, schema) => {
      const input = [
        { source: 'query' as const, shape: Type.Object({ q: schema }) },
        { source: 'body' as const, shape: schema, required: true },
      ];
      expect(await objections(documentOf([{ method: 'POST', pattern: '/x', input, output: schema }]))).toEqual([]);
    },
  );

  test.each(Object.keys(OPENAPI_VALIDATORS))('would not pass %s if it were broken', async (name) => {
    const validate = OPENAPI_VALIDATORS[name] as (document: unknown) => Promise<readonly string[]>;
    const good = documentOf([{ method: 'GET', pattern: '/x/:id', output: FEATURES['object'] }]);
    expect(await validate(good)).toEqual([]);
    const broken: Record<string, (document: { [key: string]: any }) => void> = { // eslint-disable-line @typescript-eslint/no-explicit-any
      'no info': (document) => delete document['info'],
      'responses is a list': (document) => (document['paths']['/x/{id}'].get.responses = []),
      'a parameter without a place': (document) => delete document['paths']['/x/{id}'].get.parameters[0].in,
      'a description that is no text': (document) => (document['info'].description = 7),
      'a path without a slash': (document) => ((document['paths']['x'] = document['paths']['/x/{id}']), delete document['paths']['/x/{id}']),
    }; // prettier-ignore
    for (const [what, breaks] of Object.entries(broken)) {
      const copy = JSON.parse(JSON.stringify(good)) as Record<string, unknown>;
      breaks(copy);
      expect([what, (await validate(copy)).length > 0]).toEqual([what, true]);
    }
  });

  test('is OpenAPI 3.1.0 with title, version and description [DOCS-OVERVIEW-01]', () => {
    const { openapi, info, paths } = documentOf([]);
    expect({ openapi, info, paths }).toEqual({ openapi: '3.1.0', info: api, paths: {} });
  });

  test('says of an operation what its route says of itself', () => {
    const document = documentOf([
      {
        method: 'PATCH', pattern: '/users/:id/*rest', title: 'Change', description: 'Longer.', tags: ['users', 'users', 'admin'],
        deprecated: true, blocking: true, status: 202, outputDescription: 'Taken', output: Type.Object({ ok: Type.Boolean() }),
        input: [
          { source: 'params', shape: Type.Object({ id: Type.Integer({ minimum: 1, description: 'Whose' }), other: Type.String() }) },
          { source: 'header', shape: Type.Object({ 'X-Trace': Type.Optional(Type.String()), Authorization: Type.String() }) },
          { source: 'query', shape: Type.Object({ page: Type.Integer({ default: 1 }), q: Type.String({ deprecated: true }) }) },
          { source: 'body', shape: Type.Object({ name: Type.String() }), required: true, description: 'What changes' },
        ],
      },
    ]); // prettier-ignore
    expect(operation(document, '/users/{id}/{rest}', 'patch')).toEqual({
      operationId: 'patchUsersByIdByRest',
      summary: 'Change',
      description: 'Longer.',
      tags: ['users', 'admin'],
      deprecated: true,
      parameters: [
        { name: 'id', in: 'path', required: true, description: 'Whose', schema: { ...INTEGER, minimum: 1 } },
        { name: 'rest', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'page', in: 'query', required: false, schema: { ...INTEGER, default: 1 } },
        { name: 'q', in: 'query', required: true, deprecated: true, schema: { type: 'string' } },
        { name: 'X-Trace', in: 'header', required: false, schema: { type: 'string' } },
      ],
      requestBody: {
        description: 'What changes',
        required: true,
        content: {
          'application/json': {
            schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          },
        },
      },
      responses: {
        202: {
          description: 'Taken',
          content: {
            'application/json': {
              schema: { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } },
            },
          },
        },
        default: { $ref: '#/components/responses/Problem' },
      },
      'x-fw-blocking': true,
    });
    expect(document.tags).toEqual([{ name: 'users' }, { name: 'admin' }]);
  });

  test('describes the response as OK when the route does not say [DOCS-ROUTE-OUTPUT-DESCRIPTION]', () => {
    expect(operation(documentOf([{ method: 'GET', pattern: '/x' }]), '/x')?.responses).toMatchObject({
      200: { description: 'OK' },
    });
  });

  test('gives no body to a status that has none, and text to a route that answers text', () => {
    const document = documentOf([
      { method: 'DELETE', pattern: '/x', status: 204, output: Type.Object({}) },
      { method: 'GET', pattern: '/x', output: Type.String() },
    ]);
    expect(operation(document, '/x', 'delete')?.responses['204']).toEqual({ description: 'OK' });
    expect(operation(document, '/x')?.responses['200']).toEqual({
      description: 'OK',
      content: { 'text/plain': { schema: { type: 'string' } } },
    });
  });

  test('writes three levels in place and refers to the fourth by its name [DOCS-SCHEMA-DEPTH-01] [DOCS-SCHEMA-DEPTH-02] [LIMIT-DOCS-DEPTH]', () => {
    const { schema, components } = written(Deep);
    expect(schema.properties.a.properties.b.properties.c).toEqual({ $ref: '#/components/schemas/Fourth' });
    expect(components['Fourth']).toMatchObject({ type: 'object', properties: { d: { type: 'string' } } });
  });

  test('does not count arrays as levels', () => {
    const list = Type.Array(Type.Array(Type.Array(Type.Array(Type.Object({ a: Type.Integer() })))));
    expect(JSON.stringify(written(list).schema)).not.toContain('$ref');
  });

  test('names a fourth level without a name by where it stands, with everything in it', () => {
    const Unnamed = Type.Object({
      a: Type.Object({ b: Type.Object({ lines: Type.Array(Type.Object({ d: Type.String() })) }) }),
    });
    const { schema, components } = written(Unnamed);
    expect(schema.properties.a.properties.b.properties.lines.items).toEqual({
      $ref: '#/components/schemas/GetXOutputABLines',
    });
    expect(components['GetXOutputABLines']).toMatchObject({ properties: { d: { type: 'string' } } });
  });

  test('represents a type that contains itself', () => {
    const { schema, components } = written(Tree);
    const third = schema.properties.children.items.properties.children.items;
    expect(third.properties.children.items).toEqual({ $ref: '#/components/schemas/Node' });
    expect(Object.keys(components)).toEqual(['Node', 'Problem']);
    expect(written(JsonValue).components['Value']).toBeDefined();
  });

  test('gives one component to one type, and two to two types of one name', async () => {
    const deep = (inner: TSchema) => Type.Object({ a: Type.Object({ b: Type.Object({ c: inner }) }) });
    const User = Type.Object({ id: Type.Integer() }, { title: 'User' });
    const OtherUser = Type.Object({ name: Type.String() }, { title: 'User' });
    const Problem = Type.Object({ mine: Type.String() }, { title: 'Problem' });
    const document = documentOf([
      { method: 'GET', pattern: '/a', output: deep(User) },
      { method: 'GET', pattern: '/b', output: deep(User) },
      { method: 'GET', pattern: '/c', output: deep(OtherUser) },
      { method: 'GET', pattern: '/d', output: deep(Problem) },
    ]);
    expect(Object.keys(document.components.schemas)).toEqual(['Problem', 'Problem2', 'User', 'User2']);
    expect(await objections(document)).toEqual([]);
  });

  test('shows a union of literals as an enum', () => {
    expect(written(FEATURES['union of literals']).schema).toEqual({
      type: ['string', 'number', 'null'],
      enum: ['a', 1, null],
    });
  });

  // https://spec.openapis.org/oas/v3.1.1.html#discriminator-object
  test('alternatives with a discriminator are components, to which its mapping leads', async () => {
    const Card = Type.Object({ kind: Type.Enum(['visa', 'amex']), last4: Type.String() }, { $id: 'Card' });
    const Cash = Type.Object({ kind: Type.Literal('cash'), change: Type.Number() });
    const mapping = { visa: '#/components/schemas/Card' };
    const { schema, components, document } = written(
      Type.Object({ pay: Type.Union([Card, Cash, Type.Null()], { discriminator: { propertyName: 'kind', mapping } }) }),
    );
    const [card, cash] = ['Card', 'GetXOutputPayCash'].map((name) => `#/components/schemas/${name}`);
    expect(schema.properties.pay).toEqual({
      anyOf: [{ $ref: card }, { $ref: cash }, { type: 'null' }],
      discriminator: { propertyName: 'kind', mapping: { ...mapping, visa: card, amex: card, cash } },
    });
    expect(Object.keys(components)).toEqual(expect.arrayContaining(['Card', 'GetXOutputPayCash']));
    expect(await objections(document)).toEqual([]);
    const bare = written(Type.Union([Card, Cash], { discriminator: { propertyName: 'kind' } }));
    expect(Object.keys(bare.schema.discriminator.mapping)).toEqual(['visa', 'amex', 'cash']);
    const parts = Type.Cyclic({ Leaf: Type.Object({ kind: Type.Literal('leaf') }), Node: Type.Union([Type.Ref('Leaf'), Type.Object({ kind: Type.Literal('pair'), left: Type.Ref('Node') })], { discriminator: { propertyName: 'kind' } }) }, 'Node'); // prettier-ignore
    const cyclic = written(parts);
    expect(Object.keys(cyclic.schema.discriminator.mapping)).toEqual(['leaf', 'pair']);
    expect(cyclic.schema.discriminator.mapping.leaf).toBe('#/components/schemas/Leaf');
  });

  test('takes an example value for a shape, and shows it', () => {
    const document = documentOf([
      { method: 'GET', pattern: '/x', output: { id: 1, price: 1.5, tags: ['a'], at: new Date(0), none: null } },
    ]);
    expect(operation(document, '/x')?.responses['200']).toEqual({
      description: 'OK',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              id: INTEGER,
              price: { type: 'number' },
              tags: { type: 'array', items: { type: 'string' } },
              at: { type: 'string', format: 'date-time' },
              none: {},
            },
            required: ['id', 'price', 'tags', 'at', 'none'],
          },
          example: { id: 1, price: 1.5, tags: ['a'], at: '1970-01-01T00:00:00.000Z', none: null },
        },
      },
    });
  });

  test('takes two spellings of one path for one path', async () => {
    const document = documentOf([
      { method: 'GET', pattern: '/users/:id' },
      {
        method: 'DELETE',
        pattern: '/users/:userId',
        input: [{ source: 'params', shape: Type.Object({ userId: Type.Integer() }) }],
      },
    ]);
    expect(Object.keys(document.paths)).toEqual(['/users/{id}']);
    expect(operation(document, '/users/{id}', 'delete')?.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: INTEGER },
    ]);
    expect(await objections(document)).toEqual([]);
  });

  test('keeps operation ids apart whose words are the same', () => {
    const document = documentOf([
      { method: 'GET', pattern: '/a-b' },
      { method: 'GET', pattern: '/a/b' },
      { method: 'GET', pattern: '/' },
    ]);
    expect(Object.values(document.paths).map(({ get }) => get?.operationId)).toEqual(['getRoot', 'getAB', 'getAB2']);
  });

  test('says how an object in a query is written, as the server reads it', () => {
    const filter = Type.Object({ status: Type.String() });
    const query = Type.Object({
      filter,
      orNull: Type.Union([filter, Type.Null()]),
      parts: Type.Intersect([filter, filter]),
      ids: Type.Array(Type.Integer()),
    });
    const document = documentOf([{ method: 'GET', pattern: '/x', input: [{ source: 'query', shape: query }] }]);
    expect(operation(document, '/x')?.parameters).toMatchObject([
      { name: 'filter', in: 'query', style: 'deepObject', explode: true },
      { name: 'orNull', in: 'query', style: 'deepObject', explode: true },
      { name: 'parts', in: 'query', style: 'deepObject', explode: true },
      { name: 'ids', in: 'query' },
    ]);
    expect(operation(document, '/x')?.parameters?.[3]).not.toHaveProperty('style');
  });

  test('reads the members of parameters from references and combinations', () => {
    const Page = Type.Object({ page: Type.Integer() });
    const query = Type.Intersect([
      Page,
      Type.Union([
        Type.Object({ a: Type.String(), c: Type.String() }),
        Type.Object({ b: Type.String(), c: Type.String() }),
      ]),
    ]);
    const document = documentOf([{ method: 'GET', pattern: '/x', input: [{ source: 'query', shape: query }] }]);
    expect(operation(document, '/x')?.parameters?.map(({ name, required }) => [name, required])).toEqual([
      ['page', true], ['a', false], ['c', true], ['b', false],
    ]); // prettier-ignore
  });

  test('asks for credentials where a guard does', async () => {
    const guard = {
      name: 'bearer',
      scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      guards: (_method: string, path: string) => (path === '/files/*rest' ? 'partly' : path.startsWith('/admin')),
    };
    const document = documentOf(
      [
        { method: 'GET', pattern: '/admin' },
        { method: 'GET', pattern: '/open' },
        { method: 'GET', pattern: '/files/*rest' },
      ],
      [guard],
    );
    // What one guard asks of some of the paths and another of all of them is asked of all.
    const whole = { ...guard, name: 'key', guards: () => true };
    const both = documentOf([{ method: 'GET', pattern: '/files/*rest' }], [guard, whole]);
    expect(operation(both, '/files/{rest}')?.security).toEqual([{ bearer: [] }, { key: [] }]);
    expect(operation(document, '/files/{rest}')?.security).toEqual([{ bearer: [] }, {}]);
    expect(operation(document, '/admin')?.security).toEqual([{ bearer: [] }]);
    expect(operation(document, '/open')).not.toHaveProperty('security');
    expect(document.components.securitySchemes).toEqual({ bearer: guard.scheme });
    expect(await objections(document)).toEqual([]);
  });

  test('is the same text whatever the order of registration', () => {
    const facts = ['/b', '/a/:id', '/a', '/c'].flatMap((pattern) =>
      ['POST', 'GET'].map((method) => ({ method, pattern, output: Deep })),
    );
    fc.assert(
      fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (shuffled) => {
        expect(JSON.stringify(documentOf(shuffled))).toBe(JSON.stringify(documentOf(facts)));
      }),
      { numRuns: 30 },
    );
  });

  test('does not change the schemas that it reads', () => {
    const before = JSON.stringify(FEATURES);
    for (const schema of Object.values(FEATURES)) written(schema);
    expect(JSON.stringify(FEATURES)).toBe(before);
  });
});

test('a registry of doc calls alone makes a document too', () => {
  const declarations = new Declarations();
  declarations.decide('on');
  declarations.add({ method: 'GET', path: '/x', doc: { title: 'X' }, attached: false });
  expect(openApiOf(new DocsRegistry({ api, declarations })).paths).toMatchObject({ '/x': { get: { summary: 'X' } } });
});
