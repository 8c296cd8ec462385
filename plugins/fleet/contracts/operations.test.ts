import { describe, expect, test } from '@jest/globals';
import { Operations, SEVERAL, shapeOf } from './operations.js';
import { OpenApiDocument } from './thread/openapi-document.js';

const found = (document: object, method: string, route: string) => {
  const facts = new Operations(new OpenApiDocument(document as Readonly<Record<string, unknown>>).operations);
  const operation = facts.find(method, route);
  return operation === SEVERAL ? SEVERAL : operation?.paths[0];
};
const ok = { responses: { 200: {} } };

describe('the operation of a request', () => {
  const paths = {
    '/orders/{id}': { get: ok },
    '/orders/latest': { get: ok },
    '/orders/{id}/lines/{line}': { get: ok },
    '/files/{name}.json': { get: ok },
    '/files/{name}': { get: ok },
    '/users/{id}:activate': { post: ok },
    '/range/{from}-{to}': { get: ok },
    '/2010-04-01/pay': { get: ok },
    '/2fa/{id}': { get: ok },
    '/levels/all:trim': { get: ok },
    '/levels/all:append': { get: ok },
    '/': { get: ok },
  };
  test.each([
    ['/orders/:id', '/orders/{}'],
    ['/orders/{order_id}', '/orders/{}'],
    ['/orders/4711', '/orders/{}'],
    ['/orders/latest', '/orders/latest'],
    ['/orders/4711/', undefined],
    ['/orders/1/lines/2', '/orders/{}/lines/{}'],
    ['/orders//lines/2', undefined],
    ['/files/a.json', '/files/{name}.json'],
    ['/files/.json', '/files/{}'],
    ['/files/a.xml', '/files/{}'],
    ['/range/1-2', '/range/{from}-{to}'],
    ['/range/1', undefined],
    ['/', '/'],
    ['/nowhere', undefined],
    // As a path without a route is recorded: with a star for whatever may be an id.
    ['/*/pay', '/2010-04-01/pay'],
    ['/*/*', '/2fa/{}'],
    ['/files/*', '/files/{}'],
    ['/levels:*', undefined],
    ['/levels/*', SEVERAL],
    ['/*/nowhere/x', undefined],
  ])('GET %s is %s', (route, path) => {
    expect(found({ paths }, 'get', route)).toBe(path);
  });

  test('is found by HEAD as by GET, and by no other method', () => {
    expect(['HEAD', 'GET', 'POST'].map((method) => found({ paths }, method, '/orders/1'))).toEqual([
      '/orders/{}',
      '/orders/{}',
      undefined,
    ]);
    expect(found({ paths }, 'POST', '/users/7:activate')).toBe('/users/{id}:activate');
  });

  test.each<[string, unknown, readonly string[]]>([
    ['a path', [{ url: '/api/v1' }], ['/api/v1/a']],
    ['an address', [{ url: 'https://example.com/api/v1/' }], ['/api/v1/a']],
    ['an address without a path', [{ url: 'https://example.com' }], ['/a']],
    ['a variable for the host', [{ url: 'https://{host}/api' }], ['/api/a']],
    ['variables', [{ url: '/{base}', variables: { base: { default: 'v2', enum: ['v1', 'v2'] } } }], ['/v1/a', '/v2/a']],
    ['several servers', [{ url: '/one' }, { url: '/two' }], ['/one/a', '/two/a']],
    ['what is no server', ['x', null, { url: 7 }, {}], ['/a']],
  ])('is behind the paths of the servers: %s', (_, servers, routes) => {
    for (const route of routes) expect(found({ servers, paths: { '/a': { get: ok } } }, 'GET', route)).toBe('/a');
    expect(found({ servers, paths: { '/a': { get: ok } } }, 'GET', '/elsewhere/a')).toBeUndefined();
  });

  test('has servers of its own', () => {
    const document = { servers: [{ url: '/v1' }], paths: { '/a': { servers: [{ url: '/v2' }], get: ok } } };
    expect([found(document, 'GET', '/v2/a'), found(document, 'GET', '/v1/a')]).toEqual(['/a', undefined]);
  });

  test('stands in a path item that is referred to', () => {
    const document = {
      paths: { '/a/{id}': { $ref: '#/components/pathItems/A' }, '/b': { $ref: 'elsewhere.json' }, '/c': { $ref: '#/paths/~1c' } },
      components: { pathItems: { A: { get: ok, parameters: [] } } },
    }; // prettier-ignore
    expect(found(document, 'GET', '/a/1')).toBe('/a/{}');
    expect(found(document, 'GET', '/b')).toBeUndefined();
  });
});

test('a shape leaves out names of parameters, and a slash at the end', () => {
  expect(['/a/:id/', '/a/{x}', '/a/*rest', '/', ''].map(shapeOf)).toEqual(['/a/{}', '/a/{}', '/a/{}', '/', '']);
});
