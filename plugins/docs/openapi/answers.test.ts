import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { definePlugin, HttpServer, type OptionsInput, plugin, RouteGuard, type Router } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import docs, { InputBody, webhook } from '../index.js';
import type { docsOptionsSchema } from '../options.js';
import { objections } from '../testing/openapi-validators.js';
import type { OpenApiDocument } from './openapi-document.js';

const Job = Type.Object({ id: Type.BigInt(), at: Type.String({ format: 'date-time' }) });
const Deep = Type.Object({ a: Type.Object({ b: Type.Object({ c: Type.Object({ d: Type.String() }) }) }) });

const register = (router: Router) => {
  router.post(
    '/jobs',
    {
      ...{ operationId: 'makeJob', output: Job, status: 201, bodyExamples: { small: { size: 1 } } },
      input: { body: Type.Object({ size: Type.Integer() }) },
      security: [{ key: [] }, {}],
      responses: {
        201: {
          headers: Type.Object({ location: Type.String({ description: 'Where it is' }) }),
          examples: { one: { id: '1', at: '1970-01-01T00:00:00Z' } },
        },
        202: { output: Deep },
        303: { description: 'It is there' },
        404: {},
        409: { content: { 'application/json': { since: 1 }, 'text/csv': Type.String() } },
      },
    },
    () => undefined,
  );
  router.get('/state/:id', { output: Job, validator: () => 'v' }, () => undefined);
  router.put(
    '/state/:id',
    {
      output: Job,
      validator: () => 'v',
      precondition: 'required',
      input: { header: Type.Object({ 'if-match': Type.Optional(Type.String()) }) },
    },
    () => undefined,
  );
  router.patch('/state/:id', { output: Job, validator: () => 'v' }, () => undefined);
  router.get('/jobs/make', { deprecated: true }, () => 1);
};

const guard = definePlugin({
  id: 'guard',
  category: 'app',
  description: 'asks for a token',
  register: ({ contribute }) =>
    contribute(RouteGuard, () => ({ name: 'bearer', scheme: { type: 'http', scheme: 'bearer' }, guards: () => true })),
});

type DocsOptions = OptionsInput<typeof docsOptionsSchema>;

// As somebody writes them in app.config.ts.
const options: DocsOptions = {
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'Us', email: 'us@example.com' },
  termsOfService: 'https://example.com/terms',
  servers: [{ url: 'https://{region}.example.com', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } }],
  securitySchemes: {
    key: { type: 'apiKey', in: 'header', name: 'x-key' },
    sso: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example.com/.well-known/openid-configuration' },
  },
  security: [{ key: [] }],
};

async function documentOf(given: DocsOptions, routes = register): Promise<OpenApiDocument> {
  const plugins = [
    plugin(async () => http, { port: 0 }),
    plugin(async () => docs, given),
    guard,
    routesUnderTest(routes),
  ];
  await using app = await bootTestApp({ plugins });
  const answer = await fetch(`${app.services.get(HttpServer).url}/openapi.json`);
  return (await answer.json()) as OpenApiDocument;
}

describe('the OpenAPI document of routes with several answers', () => {
  test('says each of them, its conditions, schemes, servers and webhooks, and is valid', async () => {
    webhook('order.paid', {
      ...{ title: 'An order was paid', operationId: 'onOrderPaid', bodyExamples: { one: { order: 7 } } },
      input: [{ type: InputBody, fields: Type.Object({ order: Type.Integer() }), required: true }],
      responses: { 200: { description: 'It was taken' }, 410: { description: 'Do not send again' } },
    });
    const document = await documentOf(options);
    expect(await objections(document)).toEqual([]);
    expect(document).toMatchObject({
      info: { license: options.license, contact: options.contact, termsOfService: options.termsOfService },
      servers: options.servers,
      security: options.security,
      webhooks: {
        'order.paid': {
          post: {
            operationId: 'onOrderPaid',
            requestBody: {
              required: true,
              content: { 'application/json': { examples: { one: { value: { order: 7 } } } } },
            },
            responses: { 200: { description: 'It was taken' }, 410: { description: 'Do not send again' } },
          },
        },
      },
    });
    expect(document.webhooks?.['order.paid']?.['post']?.responses).not.toHaveProperty('default');
    expect(document.components.securitySchemes).toEqual({
      ...options.securitySchemes,
      bearer: { type: 'http', scheme: 'bearer' },
    });
    const { post } = document.paths['/jobs'] ?? {};
    expect(post).toMatchObject({
      operationId: 'makeJob',
      security: [{ key: [] }, {}],
      requestBody: { content: { 'application/json': { examples: { small: { value: { size: 1 } } } } } },
    });
    expect(Object.keys(post?.responses ?? {})).toEqual(['201', '202', '303', '404', '409', 'default']);
    expect(post?.responses).toMatchObject({
      201: {
        description: 'OK',
        headers: { location: { description: 'Where it is', required: true, schema: { type: 'string' } } },
        content: { 'application/json': { examples: { one: { value: { id: '1' } } } } },
      },
      202: { description: 'Accepted' },
      303: { description: 'It is there' },
      404: {
        description: 'Not Found',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
      409: { content: { 'application/json': { example: { since: 1 } }, 'text/csv': { schema: { type: 'string' } } } },
    });
    const statuses = (path: string, method: string) => Object.keys(document.paths[path]?.[method]?.responses ?? {});
    expect([statuses('/state/{id}', 'get'), statuses('/state/{id}', 'put'), statuses('/state/{id}', 'patch')]).toEqual([
      ['200', '304', '412', 'default'],
      ['200', '412', '428', 'default'],
      ['200', '412', 'default'],
    ]);
    const named = (method: string) => document.paths['/state/{id}']?.[method]?.parameters?.map(({ name }) => name);
    expect([named('get'), named('put'), named('patch')]).toEqual([
      ['id', 'If-None-Match'],
      ['id', 'if-match'],
      ['id', 'If-Match'],
    ]);
    expect(document.paths['/state/{id}']?.['get']?.responses['304']).toMatchObject({ headers: { ETag: {} } });
  });

  test('is not made where security names a scheme that nothing defines', async () => {
    await expect(documentOf({})).rejects.toThrow(
      'The security of POST /jobs names the scheme "key", which does not exist. Known: bearer.',
    );
    await expect(documentOf({ security: [{ nobody: [] }] }, () => undefined)).rejects.toThrow('the option `security`');
  });

  test.each(['', '/orders', ':x'])('has no webhook called %p', (name) => {
    expect(() => webhook(name, {})).toThrow(/has a name that is a path/);
  });
});
