import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { HttpServer } from 'fw';
import fc from 'fast-check';
import ts from 'typescript';
import { type TSchema, Type } from 'typebox';
import config from '../../app.config.js';
import { ApiError, type Client, createClient } from '../../generated/client.js';
import { type HttpContext, type Middleware, plugin, type Router, UploadedFile } from '../../kernel/index.js';
import { bootConfig } from '../../kernel/testing/boot-config.js';
import { type BootedTestApp, bootTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import { documentedRoute, type RouteFacts } from '../../plugins/docs/index.js';
import http from '../../plugins/http/index.js';
import { anyOptions } from '../../plugins/orm/contract/any-database.js';
import { clientCommand } from './client-command.js';
import { clientModule } from './client-module.js';
import { type Direction, TypeText } from './type-text.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

const moduleOf = (...facts: RouteFacts[]) =>
  clientModule(
    'Things',
    facts.map((each) => documentedRoute(each, () => undefined)),
  );

/** What the compiler says against lines that use a client, by name; strict, and compiled together because that takes seconds. */
function complaints(
  client: string,
  usages: Readonly<Record<string, string>>,
): Readonly<Record<string, readonly string[]>> {
  const start =
    "import { ApiError, createClient, type Routes } from './client.js';\nconst api = createClient({ baseUrl: '' });\n";
  const files: Record<string, string> = { '/client.ts': client };
  for (const [name, usage] of Object.entries(usages)) files[`/${name}.ts`] = `${start}${usage}\nexport {};`;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    // Node runs such files as they are (https://nodejs.org/api/typescript.html, type stripping).
    erasableSyntaxOnly: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile: read } = host;
  host.getSourceFile = (name, target) => {
    const text = files[name];
    return text === undefined ? getSourceFile(name, target) : ts.createSourceFile(name, text, target);
  };
  host.fileExists = (name) => name in files || fileExists(name);
  host.readFile = (name) => files[name] ?? read(name);
  const found: Record<string, string[]> = {};
  for (const { messageText, file } of ts.getPreEmitDiagnostics(ts.createProgram(Object.keys(files), options, host))) {
    const name = file?.fileName.slice(1, -3) ?? 'options';
    (found[name] ??= []).push(ts.flattenDiagnosticMessageText(messageText, ' '));
  }
  return found;
}

describe('the client of the reference app', () => {
  let app: BootedTestApp;
  let api: Client;

  beforeAll(async () => {
    app = await bootConfig(config, { root: ROOT, without: ['fw/mcp'], overrides: { orm: await anyOptions() } });
    api = createClient({ baseUrl: `${app.services.get(HttpServer).url}/` });
  });
  afterAll(() => app?.stop());

  test('is what fw generate client makes of the sources', async () => {
    const printed: string[] = [];
    const output = { out: (text: string) => void printed.push(text), err: (text: string) => void printed.push(text) };
    expect(await clientCommand({ root: ROOT, check: true, output })).toBe(0);
    expect(printed).toEqual([expect.stringMatching(/^generated\/client\.ts is up to date \(\d+ routes\)\n$/)]);
  });

  test('creates, reads, lists and changes', async () => {
    const made = await api.post('/api/products', { body: { sku: 'NEW-001', name: 'New', priceCents: 100 } });
    expect(made).toMatchObject({ sku: 'NEW-001', stock: 0 });
    const read = await api.get('/api/products/:id', { params: { id: made.id } });
    expect(read).toEqual(made);
    const found = await api.get('/api/products', { query: { search: 'New', limit: 5 } });
    expect(found.map(({ sku }) => sku)).toEqual(['NEW-001']);
    const changed = await api.patch('/api/products/:id', { params: { id: made.id }, body: { stock: 3 } });
    expect(changed.stock).toBe(3);
    expect(await api.call('GET /api/products')).toHaveLength(5);
  });

  test('throws the problem that the API answers with', async () => {
    const error = await api.get('/api/products/:id', { params: { id: 999_999 } }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 404,
      route: 'GET /api/products/:id',
      problem: { code: 'FW_SHOP_NOT_FOUND' },
    });
    expect((error as Error).message).toBe(
      'GET /api/products/:id answered 404: There is no product with the id 999999.',
    );
  });

  test('sends credentials that a function gives', async () => {
    await expect(api.get('/api/admin/summary')).rejects.toMatchObject({ status: 401 });
    const { token } = await api.post('/api/admin/login', { body: { password: 'admin' } });
    const { url } = app.services.get(HttpServer);
    const admin = createClient({ baseUrl: url, headers: async () => ({ authorization: `Bearer ${token}` }) });
    expect(await admin.get('/api/admin/summary')).toMatchObject({ customers: expect.any(Number) as unknown as number });
  });

  test('gives a call up when its signal says so', async () => {
    await expect(api.get('/api/products', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

describe('a generated client', () => {
  const Tree = Type.Cyclic(
    { Node: Type.Object({ value: Type.Integer(), children: Type.Array(Type.Ref('Node')) }) },
    'Node',
  );
  const client = moduleOf(
    {
      method: 'GET', pattern: '/things/:id', title: 'Read */ a thing', deprecated: true, output: Tree,
      input: [
        { source: 'params', shape: Type.Object({ id: Type.Integer() }) },
        { source: 'query', shape: Type.Object({ page: Type.Integer({ default: 1 }), tags: Type.Optional(Type.Array(Type.String())) }) },
        { source: 'header', shape: Type.Object({ 'x-trace': Type.String() }) },
      ],
    },
    { method: 'GET', pattern: '/files/:owner/*rest', output: Type.String() },
    { method: 'POST', pattern: '/things', input: [{ source: 'body', required: true, shape: Type.Object({ kind: Type.Union([Type.Literal('a'), Type.Literal('b')]), size: Type.Integer({ default: 1 }) }) }] },
    { method: 'POST', pattern: '/photos', input: [{ source: 'body', required: true, shape: Type.Object({ photo: UploadedFile() }) }] },
    { method: 'DELETE', pattern: '/things/:id', status: 204 },
    {
      method: 'POST', pattern: '/jobs', output: Type.Object({ id: Type.Integer() }), status: 201,
      responses: {
        202: { output: Type.Object({ ticket: Type.String() }) },
        200: { content: { 'text/csv': Type.String(), 'application/pdf': Type.String() } },
        404: {}, 409: { output: Type.Object({ since: Type.String() }) },
      },
    },
    { method: 'GET', pattern: '/lines', responses: { 200: { content: { 'application/x-ndjson': Type.Object({ id: Type.Integer() }) } } } },
    { method: 'GET', pattern: '/either', output: Type.Array(Type.Integer()), responses: { 200: { content: { 'application/json': Type.Array(Type.Integer()), 'application/jsonl': Type.Integer() } } } },
  ); // prettier-ignore

  test('imports nothing', () => {
    expect(client).not.toMatch(/^import|require\(/m);
  });

  const RIGHT = `
    const thing = await api.get('/things/:id', { params: { id: 1 }, header: { 'x-trace': 'a' }, query: { tags: ['a'] } });
    const deep: number | undefined = thing.children[0]?.children[0]?.value;
    const text: string = await api.get('/files/:owner/*rest', { params: { owner: 'me', rest: 'a/b' } });
    await api.post('/things', { body: { kind: 'a' }, signal: AbortSignal.timeout(1) });
    await api.post('/photos', { body: new FormData() });
    const nothing: undefined = await api.delete('/things/:id', { params: { id: '1' } });
    const same: Routes['GET /things/:id']['output'] = await api.call('GET /things/:id', { params: { id: 1 }, header: { 'x-trace': 'a' } });
    new ApiError('', 1, null).status satisfies number;
    const job = await api.answer('POST /jobs');
    switch (job.status) {
      case 201: job.body.id satisfies number; break;
      case 202: job.body.ticket satisfies string; break;
      case 200: job.type === 'text/csv' ? (job.body satisfies string) : (job.body satisfies Blob); break;
      case 404: job.body.title satisfies string; break;
      default: job.body.since satisfies string; job.status satisfies 409;
    }
    const success: { id: number } | { ticket: string } | string | Blob = await api.post('/jobs', { accept: 'text/csv' });
    const one = await api.answer('GET /files/:owner/*rest', { params: { owner: 'a', rest: 'b' } });
    one.body satisfies string; one.headers.get('etag') satisfies string | null;
    for await (const { id } of await api.get('/lines')) id satisfies number;
    const either = await api.answer('GET /either');
    if (either.type === 'application/jsonl') for await (const n of either.body) n satisfies number;
    else either.body satisfies number[];
    export { deep, text, nothing, same, success };`;
  const WRONG: Readonly<Record<string, string>> = {
    'a path that no route has': "api.get('/nowhere');",
    'a method that the path does not answer': "api.put('/things', { body: {} });",
    'a missing parameter': "api.get('/things/:id', { params: {}, header: { 'x-trace': 'a' } });",
    'a missing input': "api.post('/things');",
    'a literal that the schema does not know': "api.post('/things', { body: { kind: 'c' } });",
    'a member that the schema does not know': "api.post('/things', { body: { kind: 'a', other: 1 } });",
    'an answer that the route does not declare': "(await api.answer('POST /jobs')).status satisfies 201 | 202 | 404;",
    'the body of one status for another':
      "const a = await api.answer('POST /jobs'); if (a.status === 202) a.body.since;",
    'a stream taken for a list': "(await api.get('/lines')).length;",
    'files that are not in a form': "api.post('/photos', { body: { photo: 'x' } });",
    'a wrong use of what comes back':
      "(await api.get('/files/:owner/*rest', { params: { owner: 'a', rest: 'b' } })).toFixed();",
  };

  test('compiles in strict mode, and its calls have the types of the routes, which refuse every wrong use', () => {
    const found = complaints(client, { right: RIGHT, ...WRONG });
    expect(found['client']).toBeUndefined();
    expect(found['right']).toBeUndefined();
    expect(Object.keys(found).sort()).toEqual(Object.keys(WRONG).sort());
    for (const messages of Object.values(found)) expect(messages).toHaveLength(1);
  });

  const load = async () => {
    const { outputText } = ts.transpileModule(client, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    const url = `data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`;
    return (await import(url)) as {
      createClient: (options: object) => Record<string, (path: string, input?: object) => Promise<unknown>>;
    };
  };

  test('writes any query so that the server reads the same', async () => {
    const Line = Type.Object({ sku: Type.String(), n: Type.Integer(), tags: Type.Array(Type.String()) });
    const schema = Type.Object({
      ids: Type.Optional(Type.Array(Type.Integer())),
      ratio: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      dry: Type.Optional(Type.Boolean()),
      filter: Type.Optional(Type.Object({ status: Type.String(), line: Line })),
      lines: Type.Optional(Type.Array(Line)),
    });
    const line = fc.record({ sku: fc.string(), n: fc.maxSafeInteger(), tags: fc.array(fc.string(), { minLength: 1 }) });
    const query = fc.record(
      {
        ids: fc.array(fc.maxSafeInteger(), { minLength: 1 }),
        ratio: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0)),
        dry: fc.boolean(),
        filter: fc.record({ status: fc.string(), line }),
        lines: fc.array(line, { minLength: 1 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    const { createClient } = await load();
    let asked = '';
    const fetched = (at: string) => ((asked = at), Promise.resolve(new Response(null, { status: 204 })));
    const api = createClient({ baseUrl: 'http://x', fetch: fetched });
    const register = (router: Router) =>
      router.get('/read', { input: { query: schema } }, (ctx) => void (ctx.state['read'] = ctx.input.query));
    const read: unknown[] = [];
    const keep: Middleware = async (ctx, next) => {
      await next();
      read.push(ctx.state['read']);
      ctx.status = 204;
    };
    await using app = await bootTestApp({
      plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register, [keep])],
    });
    await fc.assert(
      fc.asyncProperty(query, async (value) => {
        await api['get']?.('/read', { query: value });
        await fetch(app.services.get(HttpServer).url + asked.slice('http://x'.length));
        expect(read.pop()).toEqual(value);
      }),
      { numRuns: 60 },
    );
  });

  test('gives declared answers with status, type and headers, and throws the others', async () => {
    const { createClient } = await load();
    let response = new Response(null);
    const api = createClient({ baseUrl: 'http://x', fetch: () => Promise.resolve(response) });
    const answered = async (body: string | null, init: ResponseInit) => {
      response = new Response(body, init);
      return api['answer']?.('POST /jobs');
    };
    const json = { 'content-type': 'application/problem+json', 'retry-after': '5' };
    const missing = (await answered('{"title":"x"}', { status: 404, headers: json })) as { headers: Headers };
    expect(missing).toMatchObject({ status: 404, type: 'application/problem+json', body: { title: 'x' } });
    expect(missing.headers.get('retry-after')).toBe('5');
    const pdf = await answered('%PDF', { headers: { 'content-type': 'application/pdf' } });
    expect(await (pdf as { body: Blob }).body.text()).toBe('%PDF');
    expect(await answered('a,b', { headers: { 'content-type': 'text/csv; charset=utf-8' } })).toMatchObject({
      body: 'a,b',
    });
    await expect(answered('{}', { status: 500, headers: json })).rejects.toMatchObject({
      name: 'ApiError',
      status: 500,
    });
    response = new Response('{"title":"x"}', { status: 404, headers: json });
    await expect(api['post']?.('/jobs')).rejects.toMatchObject({ name: 'ApiError', status: 404 });
  });

  describe('reads lines of JSON as they come', () => {
    const served = async (handler: (ctx: HttpContext) => unknown) => {
      const register = (router: Router) => router.get('/lines', handler as never);
      return bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)] });
    };
    const read = async (app: BootedTestApp) => {
      const { createClient } = await load();
      const api = createClient({ baseUrl: app.services.get(HttpServer).url });
      return (await api['get']?.('/lines')) as AsyncIterable<{ id: unknown }>;
    };

    test('each before the next one is made', async () => {
      const made: number[] = [];
      const seen: unknown[] = [];
      let go: () => void = () => undefined;
      await using app = await served(async function* () {
        for (let id = 0; id < 3; id++) {
          made.push(id);
          const asked = new Promise<void>((resolve) => (go = resolve));
          yield { id };
          await asked;
        }
      });
      for await (const { id } of await read(app)) {
        seen.push([id, made.length]);
        go();
      }
      expect(seen).toEqual([
        [0, 1],
        [1, 2],
        [2, 3],
      ]);
    });

    test('however they are cut into chunks, without the last line break, and none at all', async () => {
      const values = Array.from({ length: 50 }, (_, id) => ({ id: `ä${'€'.repeat(id)}\n` }));
      const bytes = Buffer.from(values.map((value) => JSON.stringify(value)).join('\r\n'));
      let size = 7;
      await using app = await served(async function* (this: void) {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      });
      const handler = async () => {
        const ids = [];
        const { createClient } = await load();
        const typed: typeof fetch = async (...given) => {
          const { body } = await fetch(...given);
          return new Response(body, { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } });
        };
        const api = createClient({ baseUrl: app.services.get(HttpServer).url, fetch: typed });
        for await (const value of (await api['get']?.('/lines')) as AsyncIterable<unknown>) ids.push(value);
        return ids;
      };
      for (size of [1, 2, 7, 100_000]) expect(await handler()).toEqual(values);
      const { createClient } = await load();
      const none = new Response(null, { headers: { 'content-type': 'application/x-ndjson' } });
      const api = createClient({ baseUrl: 'http://x', fetch: () => Promise.resolve(none) });
      for await (const _ of (await api['get']?.('/lines')) as AsyncIterable<unknown>) throw new Error('none came');
    });

    test('and says when they break off', async () => {
      await using app = await served(async function* () {
        yield { id: 1 };
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('broken');
      });
      const reading = (async () => {
        for await (const _ of await read(app));
      })();
      await expect(reading).rejects.toBeDefined();
    });

    test('until it is left, which the server hears', async () => {
      let leave: () => void = () => undefined;
      const left = new Promise<void>((resolve) => (leave = resolve));
      await using app = await served(async function* () {
        try {
          for (let id = 0; ; id++) yield { id: String(id).padEnd(10_000) };
        } finally {
          leave();
        }
      });
      for await (const _ of await read(app)) break;
      await left;
    });

    test('but a refusal is thrown as ever', async () => {
      await using app = await served((ctx) => ctx.throw(409, 'Not now.'));
      await expect(read(app)).rejects.toMatchObject({ name: 'ApiError', status: 409 });
    });
  });

  test('puts parameters, query, headers and body where they belong', async () => {
    const loaded = await load();
    const sent: unknown[] = [];
    const fetched = async (at: string, { method, headers, body }: RequestInit) => {
      sent.push([method, at, headers, body]);
      return new Response(null, { status: 204 });
    };
    const api = loaded.createClient({ baseUrl: 'http://x/v1/', headers: { a: '1' }, fetch: fetched });
    const accept = 'application/json, application/problem+json, text/plain, */*;q=0.1';
    await api['get']?.('/files/:owner/*rest', { params: { owner: 'a/b', rest: 'c d/e' } });
    await api['get']?.('/things/:id', {
      params: { id: 1 },
      query: { tags: ['x&', 'y'], page: undefined },
      header: { 'x-trace': 't' },
    });
    const on = new Date(0);
    await api['get']?.('/in/:box', { params: { box: { w: 1, on } }, header: { 'x-box': { w: 2, none: undefined }, 'x-on': [on, 'é'] } }); // prettier-ignore
    await api['post']?.('/things', { body: { kind: 'a' } });
    const form = new FormData();
    await api['post']?.('/photos', { body: form });
    expect(sent).toEqual([
      ['GET', 'http://x/v1/files/a%2Fb/c%20d/e', { accept, a: '1' }, undefined],
      ['GET', 'http://x/v1/things/1?tags=x%26&tags=y', { accept, a: '1', 'x-trace': 't' }, undefined],
      ['GET', 'http://x/v1/in/w%2C1%2Con%2C1970-01-01T00%3A00%3A00.000Z', { accept, a: '1', 'x-box': 'w,2', 'x-on': '1970-01-01T00:00:00.000Z,é' }, undefined], // prettier-ignore
      ['POST', 'http://x/v1/things', { accept, a: '1', 'content-type': 'application/json' }, '{"kind":"a"}'],
      ['POST', 'http://x/v1/photos', { accept, a: '1' }, form],
    ]);
  });
});

describe('TypeText', () => {
  const text = (schema: object, direction: Direction = 'output') => {
    const types = new TypeText();
    return [types.of(schema as never, direction), ...types.declarations()];
  };

  test.each([
    ['any', Type.Any(), 'unknown'],
    ['never', Type.Never(), 'never'],
    ['array of a union', Type.Array(Type.Union([Type.String(), Type.Integer()])), '(string | number)[]'],
    ['literals', Type.Union([Type.Literal('a'), Type.Literal(1), Type.Null()]), '"a" | 1 | null'],
    ['tuple', Type.Tuple([Type.String(), Type.Boolean()]), '[string, boolean]'],
    ['record', Type.Record(Type.String(), Type.Array(Type.Number())), 'Record<string, number[]>'],
    ['object', Type.Object({ 'a-b': Type.Optional(Type.String()), c: Type.Null() }), '{ "a-b"?: string; c: null }'],
    ['empty object', Type.Object({}), 'Record<string, unknown>'],
    [
      'intersection',
      Type.Intersect([Type.Object({ a: Type.String() }), Type.Record(Type.String(), Type.String())]),
      '{ a: string } & (Record<string, string>)',
    ],
    ['nullable', { type: ['string', 'null'] }, 'string | null'],
    ['date', Type.String({ format: 'date-time' }), 'string'],
  ])('writes %s', (_, schema, expected) => {
    expect(text(schema)).toEqual([expected]);
  });

  test('declares named types once, and lets them refer to themselves', () => {
    const Tree = Type.Cyclic({ Node: Type.Object({ children: Type.Array(Type.Ref('Node')) }) }, 'Node');
    expect(text(Type.Object({ a: Tree, b: Tree }))).toEqual([
      '{ a: Node; b: Node }',
      'export type Node = { children: Node[] };',
    ]);
  });

  const treeOf = (leaf: TSchema) =>
    Type.Cyclic({ Tree: Type.Object({ leaf: Type.Ref('Leaf') }), Leaf: Type.Object({ value: leaf }) }, 'Tree');

  test('keeps named types apart whose references lead to different ones', () => {
    expect(text(Type.Object({ a: treeOf(Type.String()), b: treeOf(Type.Integer()) }))).toEqual([
      '{ a: Tree; b: Tree2 }',
      'export type Leaf = { value: string };',
      'export type Leaf2 = { value: number };',
      'export type Tree = { leaf: Leaf };',
      'export type Tree2 = { leaf: Leaf2 };',
    ]);
  });

  test('finds a default behind a reference, too', () => {
    const types = new TypeText();
    const tree = treeOf(Type.Integer({ default: 1 })) as never;
    expect([types.of(tree, 'output'), types.of(tree, 'input')]).toEqual(['Tree', 'Tree2']);
    expect(types.declarations()).toContain('export type Leaf2 = { value?: number };');
  });

  test('lets what has a default be left out of what is sent', () => {
    const schema = Type.Object({ a: Type.Integer({ default: 1 }) });
    expect([text(schema), text(schema, 'input')]).toEqual([['{ a: number }'], ['{ a?: number }']]);
  });
});

describe('fw generate client', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'fw-client-'));
    await writeFile(
      path.join(root, 'app.config.ts'),
      "import { defineApp } from 'fw'; export default defineApp({ name: 'x', routes: ['*.routes.ts'], models: [], plugins: [] });",
    );
    await writeFile(
      path.join(root, 'x.routes.ts'),
      "import { routes } from 'fw/http'; export default routes((router) => { router.get('/x', () => 1); });",
    );
  });
  afterEach(() => rm(root, { recursive: true, force: true }));
  const output = { out: () => undefined, err: () => undefined };

  test('writes where --out says, and finds it stale after a change', async () => {
    expect(await clientCommand({ root, out: 'web/api.ts', check: true, output })).toBe(1);
    expect(await clientCommand({ root, out: 'web/api.ts', output })).toBe(0);
    expect(await clientCommand({ root, out: 'web/api.ts', check: true, output })).toBe(0);
    await writeFile(
      path.join(root, 'y.routes.ts'),
      "import { routes } from 'fw/http'; export default routes((router) => { router.get('/y', () => 1); });",
    );
    expect(await clientCommand({ root, out: 'web/api.ts', check: true, output })).toBe(1);
    expect(await clientCommand({ root, out: 'web/api.ts', output })).toBe(0);
    expect(await readFile(path.join(root, 'web/api.ts'), 'utf8')).toContain("'GET /y'");
  });

  test('does not replace a file that somebody wrote', async () => {
    await expect(clientCommand({ root, out: 'x.routes.ts', output })).rejects.toMatchObject({
      code: 'FW_CLIENT_FOREIGN_FILE',
    });
  });
});
