import { describe, expect, jest, test } from '@jest/globals';
import { ROUTE_DOC } from '../../../kernel/index.js';
import { Declarations, DocsRegistry } from './index.js';
import { declarations } from './declarations.js';
import {
  doc,
  docDELETE,
  docGET,
  docPATCH,
  docPOST,
  docPUT,
  InputBody,
  InputHeader,
  InputParams,
  InputQuery,
  tag,
} from './doc.js';
import { pathTemplate, templateShape } from './path-template.js';

const api = { title: '', version: '', description: '' };
const declare = (into: Declarations, path: string, title: string) =>
  into.add({ method: 'GET', path, doc: { title }, attached: false });

describe('doc', () => {
  test('returns a middleware that only calls next [DOCS-DOC-02]', async () => {
    const next = jest.fn(() => Promise.resolve('from next'));
    const context = Object.freeze({});
    expect(await docGET('/x', {})(context as never, next)).toBe('from next');
    expect(next).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['docGET', docGET, 'GET'],
    ['docPOST', docPOST, 'POST'],
    ['docPUT', docPUT, 'PUT'],
    ['docPATCH', docPATCH, 'PATCH'],
    ['docDELETE', docDELETE, 'DELETE'],
  ])(
    '%s fixes the method [DOCS-DOC-GET] [DOCS-DOC-POST] [DOCS-DOC-PUT] [DOCS-DOC-PATCH] [DOCS-DOC-DELETE]',
    (_, wrap, method) => {
      declarations.decide('on');
      wrap(`/only-${method}`, { title: method });
      expect(declarations.all().at(-1)).toMatchObject({ method, path: `/only-${method}`, doc: { title: method } });
    },
  );

  test('refuses what is no method, and a path that does not begin with a slash', () => {
    expect(() => doc('FETCH', '/x', {})).toThrow(expect.objectContaining({ code: 'FW_DOCS_METHOD' }));
    expect(() => doc('get', 'x', {})).toThrow(expect.objectContaining({ code: 'FW_DOCS_PATH' }));
  });

  test('takes the method and path of the route that it is registered with', () => {
    declarations.decide('on');
    const wrapper = docGET('/x', { title: 'Attached' });
    wrapper[ROUTE_DOC].attach('POST', '/api/x');
    expect(declarations.all().at(-1)).toMatchObject({ method: 'POST', path: '/api/x', attached: true });
  });

  test('names the four sources', () => {
    expect([InputBody, InputQuery, InputParams, InputHeader]).toEqual(['body', 'query', 'params', 'header']);
  });
});

describe('tag', () => {
  test('puts a tag first, once, and leaves the given object as it is [DOCS-TAG-01]', () => {
    const given = { title: 'x', tags: ['a', 'b'] };
    expect(tag('b', given)).toEqual({ title: 'x', tags: ['b', 'a'] });
    expect(tag('c', {})).toEqual({ tags: ['c'] });
    expect(given.tags).toEqual(['a', 'b']);
  });
});

describe('Declarations', () => {
  test('keeps what is said before the decision, whatever the order, and drops it when the decision is off', () => {
    const on = new Declarations();
    declare(on, '/before', 'a');
    expect(on.all()).toEqual([]);
    on.decide('on');
    declare(on, '/after', 'b');
    expect(on.all().map(({ path }) => path)).toEqual(['/before', '/after']);
    const off = new Declarations();
    declare(off, '/before', 'a');
    off.decide('off');
    declare(off, '/after', 'b');
    off.decide('on');
    expect(off.all()).toEqual([]);
  });

  test('is bounded, and counts what it did not take', () => {
    const many = new Declarations();
    for (let index = 0; index < 20_003; index++) declare(many, '/x', 'x');
    expect(many.dropped).toBe(3);
  });
});

describe('DocsRegistry', () => {
  test('lists the last of two with one method and path, sorted by path, then method', () => {
    const own = new Declarations();
    own.decide('on');
    for (const [path, title] of [
      ['/b', 'old'],
      ['/a', 'first'],
      ['/b/', 'new'],
    ] as const)
      declare(own, path, title);
    const registry = new DocsRegistry({ api, declarations: own });
    expect(registry.routes().map(({ path, title }) => [path, title])).toEqual([
      ['/a', 'first'],
      ['/b', 'new'],
    ]);
  });

  test('names the class that it cannot read', () => {
    class Broken {
      constructor(readonly given: { name: string }) {
        given.name.trim();
      }
    }
    const own = new Declarations();
    own.decide('on');
    own.add({ method: 'GET', path: '/x', doc: { output: Broken }, attached: false });
    expect(() => new DocsRegistry({ api, declarations: own }).routes()).toThrow(
      /The shape Broken in the documentation of GET \/x cannot be read/,
    );
  });
});

describe('pathTemplate', () => {
  test.each([
    ['/', '/'],
    ['/users/:id', '/users/{id}'],
    ['/users/:id/', '/users/{id}'],
    ['/files/*', '/files/{wildcard}'],
    ['/files/*rest', '/files/{rest}'],
    ['/a:b/{c}', '/a:b/{c}'],
  ])('writes %s as %s', (pattern, template) => {
    expect(pathTemplate(pattern)).toBe(template);
  });

  test('gives one shape to two spellings', () => {
    expect(templateShape('/users/{id}/x')).toBe(templateShape('/users/{name}/x'));
  });
});
