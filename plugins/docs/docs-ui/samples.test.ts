import { describe, expect, test } from '@jest/globals';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

interface Samples {
  requestOf(origin: string, path: string, method: string, operation: object): object;
  curlOf(request: object): string;
  fetchOf(request: object): string;
  clientOf(request: object): string;
}

// A file for browsers, which nothing compiles.
const file = pathToFileURL(path.join(import.meta.dirname, 'browser/samples.js')).href;
const { requestOf, curlOf, fetchOf, clientOf } = (await import(file)) as Samples;

const change = requestOf('https://x.example', '/api/products/{id}', 'patch', {
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 3 } },
    { name: 'page', in: 'query', schema: { type: 'integer' } },
    { name: 'shop', in: 'query', required: true, schema: { enum: ["o'hara", 'b'] } },
  ],
  requestBody: {
    content: {
      'application/json': {
        schema: { type: 'object', properties: { name: { type: 'string', examples: ["it's"] }, of: { type: 'integer', minimum: -5 }, id: { type: 'integer', readOnly: true } } },
      },
    },
  },
  security: [{ bearer: [] }],
}); // prettier-ignore

describe('code of a request', () => {
  test('for a terminal quotes what a shell would take apart', () => {
    expect(curlOf(change)).toBe(
      [
        `curl -X PATCH 'https://x.example/api/products/3?shop=o%27hara'`,
        `-H 'Authorization: Bearer <token>'`,
        `-H 'Content-Type: application/json'`,
        `--data '{"name":"it'\\''s","of":1}'`,
      ].join(' \\\n  '),
    );
  });

  test('of a HEAD waits for no body', () => {
    const head = requestOf('https://x.example', '/', 'head', {});
    expect(curlOf(head)).toBe(`curl --head 'https://x.example/'`);
    expect(fetchOf(head)).not.toContain('response.json()');
  });

  test('for a program is a program', async () => {
    const asked: unknown[] = [];
    const fetch = (...given: unknown[]) => (asked.push(given), Promise.resolve({ ok: true, json: () => ({}) }));
    const run = new Function('fetch', 'console', `return (async () => { ${fetchOf(change)} })()`) as (
      ...given: unknown[]
    ) => Promise<void>;
    await run(fetch, { log: () => undefined });
    expect(asked).toEqual([
      [
        'https://x.example/api/products/3?shop=o%27hara',
        { method: 'PATCH', headers: { Authorization: 'Bearer <token>', 'Content-Type': 'application/json' }, body: '{"name":"it\'s","of":1}' },
      ],
    ]); // prettier-ignore
    expect(fetchOf(requestOf('https://x.example', '/', 'get', {}))).toMatch(/fetch\('https:\/\/x\.example\/'\);/);
    const named = { name: 'name', in: 'path', required: true, example: "O'Hara" };
    const quoted = requestOf('https://x.example', '/people/{name}', 'get', { parameters: [named] });
    expect(fetchOf(quoted)).toContain(`fetch('https://x.example/people/O%27Hara');`);
  });

  test('for the generated client names the route as the client does', () => {
    expect(clientOf(change)).toContain(
      `await api.patch('/api/products/:id', { params: {"id":"3"}, query: {"shop":"o'hara"}, body: {`,
    );
  });
});
