import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import {
  definePlugin,
  DocsPage,
  HttpServer,
  ModelCatalogue,
  plugin,
  RouteGuard,
  type Router,
  UploadedFile,
} from '../../kernel/index.js';
import { type BootedTestApp, bootTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import http from '../http/index.js';
import security from '../middleware/security-headers/index.js';
import docs, {
  docGET,
  docPOST,
  generate,
  InputBody,
  InputHeader,
  InputParams,
  InputQuery,
  llmsFromRegistry,
  readStamp,
  routes as recorded,
} from './index.js';
import { objections } from './testing/openapi-validators.js';

const INTEGER = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const Product = Type.Object({ id: Type.Integer(), name: Type.String() });

class User {
  id = 0;
  name = '';
}

function shop(router: Router): void {
  router.get('/products', { title: 'List products', tags: ['products'], output: Type.Array(Product) }, () => []);
  router.post(
    '/products',
    { title: 'Add', input: { body: Product }, output: Product, status: 201 },
    (ctx) => ctx.input.body,
  );
  router.group('/users', { tags: ['people'] }, (users) => {
    users.get(
      '/:id',
      docGET('/somewhere/else', {
        title: 'Read a user',
        description: 'By number.',
        tags: ['admin'],
        input: [
          { type: InputParams, fields: Type.Object({ id: Type.Integer() }) },
          { type: InputQuery, fields: { verbose: true } },
          { type: InputHeader, fields: Type.Object({ 'x-tenant': Type.String() }) },
        ],
        output: User,
        outputStatus: 203,
        outputDescription: 'A user',
      }),
      () => new User(),
    );
    users.put('/:id', docPOST('/x', { input: [{ type: InputBody, fields: [User], required: true }] }), () => undefined);
  });
  router.get('/internal', { hidden: true, title: 'Internal' }, () => 1);
  router.get('/bare', () => 1);
}

interface Options {
  readonly docs?: object;
  readonly more?: Parameters<typeof bootTestApp>[0]['plugins'];
  readonly profile?: string;
  readonly register?: (router: Router) => void;
}

function boot({ docs: options = {}, more = [], profile, register = shop }: Options = {}): Promise<BootedTestApp> {
  const plugins = [
    plugin(() => Promise.resolve(http), { port: 0 }),
    security,
    plugin(() => Promise.resolve(docs), options),
    ...more,
    routesUnderTest(register),
  ];
  return bootTestApp({ name: 'shop', plugins, ...(profile !== undefined && { profile }) });
}

const urlOf = (app: BootedTestApp) => app.services.get(HttpServer).url;

async function json(url: string) {
  const response = await fetch(url);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as never,
  };
}

describe('the docs plugin', () => {
  test('serves the OpenAPI document of the live routes, valid to both validators [DOCS-HTTP-OPENAPI-01] [DOCS-OPT-JSON-PATH]', async () => {
    await using app = await boot();
    const { status, type, body } = await json(`${urlOf(app)}/openapi.json`);
    expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
    expect(Object.keys((body as { paths: object }).paths)).toEqual(['/bare', '/products', '/users/{id}']);
    expect(body).toEqual(JSON.parse(JSON.stringify(generate())));
    expect(await objections(body)).toEqual([]);
  });

  test('documents what a doc wrapper says, at the method and path of its route [DOCS-DOC-01] [DOCS-ROUTE-TITLE] [DOCS-ROUTE-TAGS] [DOCS-ROUTE-DESCRIPTION] [DOCS-ROUTE-INPUT] [DOCS-ROUTE-OUTPUT] [DOCS-ROUTE-OUTPUT-STATUS] [DOCS-INPUT-TYPE] [DOCS-INPUT-QUERY] [DOCS-INPUT-PARAMS] [DOCS-INPUT-HEADER]', async () => {
    await using app = await boot();
    expect(app.services.get(HttpServer).routes().length).toBeGreaterThan(0);
    expect(generate().paths['/users/{id}']?.['get']).toEqual({
      operationId: 'getUsersById',
      summary: 'Read a user',
      description: 'By number.',
      tags: ['people', 'admin'],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: INTEGER },
        { name: 'verbose', in: 'query', required: true, schema: { type: 'boolean' } },
        { name: 'x-tenant', in: 'header', required: true, schema: { type: 'string' } },
      ],
      responses: {
        203: {
          description: 'A user',
          content: {
            'application/json': {
              schema: {
                title: 'User',
                type: 'object',
                properties: { id: INTEGER, name: { type: 'string' } },
                required: ['id', 'name'],
              },
            },
          },
        },
        default: { $ref: '#/components/responses/Problem' },
      },
    });
  });

  test('takes fields from a schema, a class or an example, and says whether the whole body is required [DOCS-INPUT-FIELDS] [DOCS-INPUT-REQUIRED] [DOCS-INPUT-BODY]', async () => {
    const wrap = (fields: unknown, required?: boolean) =>
      docPOST('/x', { input: [{ type: InputBody, fields, ...(required !== undefined && { required }) }] });
    await using app = await boot({
      register: (router) => {
        router.post('/schema', wrap(Product, true), () => 1);
        router.post('/class', wrap([User]), () => 1);
        router.post('/example', wrap({ id: 1 }), () => 1);
        router.post('/upload', { input: { body: Type.Object({ photos: Type.Array(UploadedFile()) }) } }, () => 1);
        // Only the body can be required as a whole.
        router.get(
          '/query',
          docGET('/query', {
            input: [{ type: InputQuery, fields: Type.Object({ q: Type.Optional(Type.String()) }), required: true }],
          }),
          () => 1,
        );
      },
    });
    const { paths } = (await json(`${urlOf(app)}/openapi.json`)).body as ReturnType<typeof generate>;
    const bodyOf = (path: string) => paths[path]?.['post']?.requestBody;
    expect(bodyOf('/schema')).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { properties: { name: { type: 'string' } } } } },
    });
    expect(bodyOf('/class')).toMatchObject({
      required: false,
      content: { 'application/json': { schema: { type: 'array', items: { title: 'User' } } } },
    });
    expect(bodyOf('/example')).toMatchObject({
      content: { 'application/json': { schema: { properties: { id: { type: 'integer' } } }, example: { id: 1 } } },
    });
    const file = {
      ...{ type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
      description: 'Uploaded file',
    };
    expect(bodyOf('/upload')?.content).toEqual({
      'multipart/form-data': {
        schema: { type: 'object', required: ['photos'], properties: { photos: { type: 'array', items: file } } },
      },
    });
    expect(paths['/query']?.['get']?.parameters).toMatchObject([{ name: 'q', required: false }]);
  });

  test('does not change what a wrapped route answers, and validates only what options declare', async () => {
    await using app = await boot();
    const response = await fetch(`${urlOf(app)}/users/not-a-number`);
    expect([response.status, await response.json()]).toEqual([200, { id: 0, name: '' }]);
    const refused = await fetch(`${urlOf(app)}/products`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(refused.status).toBe(422);
  });

  test('regenerates the document for every request [DOCS-HTTP-OPENAPI-02] [DOCS-BLOCKING-02]', async () => {
    let title = 'Before';
    const page: DocsPage = {
      name: 'counting',
      render: () => `<p>${title}</p>`,
      file: () => Promise.resolve(undefined),
    };
    const own = definePlugin({
      id: 'x/page',
      category: 'docs',
      description: 'x',
      provides: [DocsPage],
      register: ({ bind }) => bind(DocsPage, () => page),
    });
    await using app = await boot({ more: [own] });
    const first = await (await fetch(`${urlOf(app)}/docsui`)).text();
    title = 'After';
    expect([first, await (await fetch(`${urlOf(app)}/docsui`)).text()]).toEqual(['<p>Before</p>', '<p>After</p>']);
  });

  test('marks document and page as blocking, and keeps its own routes out of the reference [DOCS-BLOCKING-01]', async () => {
    await using app = await boot();
    const own = app.services
      .get(HttpServer)
      .routes()
      .filter(({ module }) => module === 'docs');
    expect(own.map(({ path, blocking, hidden }) => [path, blocking, hidden])).toEqual([
      ['/openapi.json', true, true],
      ['/llms.txt', false, true],
      ['/llms-full.txt', false, true],
      ['/docsui', true, true],
      ['/docsui/*file', false, true],
    ]);
  });

  test('serves a page with nothing inline and nothing from elsewhere [DOCS-HTTP-UI-01] [DOCS-OPT-UI-PATH-01]', async () => {
    await using app = await boot({ docs: { title: '<Shop> & "co"' } });
    const response = await fetch(`${urlOf(app)}/docsui`);
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(html).toContain('<title>&#60;Shop&#62; &#38; &#34;co&#34;</title>');
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|onclick|https?:/);
    for (const [, address] of html.matchAll(/(?:href|src)="([^"#]+)"/g)) {
      const file = await fetch(new URL(address as string, `${urlOf(app)}/docsui`));
      expect([address, file.status]).toEqual([address, 200]);
      if ((address as string).includes('?v=')) expect(file.headers.get('cache-control')).toMatch(/immutable/);
      await file.arrayBuffer();
    }
  });

  test('serves the images of the viewer as files, and nothing else of its folders', async () => {
    await using app = await boot();
    const css = await (await fetch(`${urlOf(app)}/docsui/swagger-ui.css`)).text();
    expect(css).not.toContain('data:');
    const images = [...css.matchAll(/url\((viewer-[^)]+)\)/g)].map(([, name]) => name as string);
    expect(images.length).toBeGreaterThan(5);
    for (const name of new Set(images)) {
      const image = await fetch(`${urlOf(app)}/docsui/${name}`);
      expect([name, image.status, image.headers.get('content-type')]).toEqual([
        name,
        200,
        expect.stringMatching(/^image\//),
      ]);
      await image.arrayBuffer();
    }
    for (const name of ['package.json', '../package.json', 'viewer-999.svg', 'constructor']) {
      expect((await fetch(`${urlOf(app)}/docsui/${name}`)).status).toBe(404);
    }
    expect((await fetch(`${urlOf(app)}/docsui/..%2fpackage.json`)).status).toBe(400);
  });

  test('serves JSON only when uiPath is empty [DOCS-OPT-UI-PATH-02] [DOCS-HTTP-UI-02]', async () => {
    await using app = await boot({ docs: { uiPath: '', jsonPath: '/api/spec.json' } });
    expect((await fetch(`${urlOf(app)}/docsui`)).status).toBe(404);
    expect((await json(`${urlOf(app)}/api/spec.json`)).body).toMatchObject({ openapi: '3.1.0' });
  });

  test('defaults to the title fw API, version 1.0.0 and no description [DOCS-OPT-TITLE] [DOCS-OPT-VERSION] [DOCS-OPT-DESCRIPTION] [VERSION-DOCS-01]', async () => {
    await using app = await boot();
    expect((await json(`${urlOf(app)}/openapi.json`)).body).toMatchObject({
      info: { title: 'fw API', version: '1.0.0' },
    });
    expect(generate().info).not.toHaveProperty('description');
  });

  test('reports the version of the options as the version of the API [VERSION-DOCS-02]', async () => {
    await using app = await boot({ docs: { version: '4.5.6' } });
    expect((await json(`${urlOf(app)}/openapi.json`)).body).toMatchObject({ info: { version: '4.5.6' } });
  });

  test('serves llms.txt and llms-full.txt of the same routes, as text or as Markdown [DOCS-OVERVIEW-03] [DOCS-HTTP-LLMS] [DOCS-HTTP-LLMS-FULL] [DOCS-ROUTES-01]', async () => {
    await using app = await boot({ docs: { title: 'Shop' } });
    const index = await fetch(`${urlOf(app)}/llms.txt`);
    const text = await index.text();
    expect(index.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(index.headers.get('vary')).toBe('Accept');
    expect(text).toContain('# Shop\n');
    const paths = Object.entries(generate().paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...text.matchAll(/^- `([^`]+)`/gm)].map(([, route]) => route).sort()).toEqual(paths.sort());
    const full = await fetch(`${urlOf(app)}/llms-full.txt`, { headers: { accept: 'text/markdown' } });
    expect(full.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const body = await full.text();
    expect(body).toContain(
      '### `POST /products`\n\nAdd\n\n- body (required): {id!: integer, name!: string}\n- response 201 OK: {id!: integer, name!: string}',
    );
    expect(readStamp(body)[1]).toBe(true);
  });

  test('lists the models of the application, and takes their classes for shapes', async () => {
    class Order {}
    const schema = { title: 'Order', type: 'object', properties: { id: { type: 'integer' } } };
    const catalogue: ModelCatalogue = {
      models: () => [
        {
          name: 'Order',
          table: 'orders',
          fields: [
            { name: 'id', type: 'int', column: 'id', primaryKey: true },
            { name: 'user', type: 'belongsTo', references: 'User' },
          ],
        },
      ],
      schemaOf: (model) => (model === Order ? schema : undefined),
    };
    const orm = definePlugin({
      id: 'x/models',
      category: 'orm',
      description: 'x',
      register: ({ contribute }) => contribute(ModelCatalogue, () => catalogue),
    });
    await using app = await boot({
      more: [orm],
      register: (router) => router.get('/orders', { output: [Order] }, () => []),
    });
    expect(generate().paths['/orders']?.['get']?.responses['200']).toMatchObject({
      content: { 'application/json': { schema: { type: 'array', items: schema } } },
    });
    const full = await (await fetch(`${urlOf(app)}/llms-full.txt`)).text();
    expect(full).toContain(
      '## Models (1)\n\n### `Order`\n\nTable: `orders`\n\n- `id` int, primary key\n- `user` belongsTo, references `User`',
    );
    expect(await (await fetch(`${urlOf(app)}/llms.txt`)).text()).toContain(
      '- `Order` → table `orders`, references `User`',
    );
  });

  test('shows the guards of the application as security schemes', async () => {
    const guard: RouteGuard = {
      name: 'bearer',
      scheme: { type: 'http', scheme: 'bearer' },
      guards: (_method, path) => path === '/bare',
    };
    const own = definePlugin({
      id: 'x/guard',
      category: 'middleware',
      description: 'x',
      register: ({ contribute }) => contribute(RouteGuard, () => guard),
    });
    await using app = await boot({ more: [own] });
    expect(app.services.get(HttpServer).routes().length).toBeGreaterThan(0);
    expect(generate().paths['/bare']?.['get']?.security).toEqual([{ bearer: [] }]);
    expect(await objections(generate())).toEqual([]);
  });

  test('reads routes, document and llms files from one list [DOCS-SAME-LIST] [DOCS-LLMS-REGISTRY] [DOCS-ROUTES-02] [DOCS-ROUTES-03]', async () => {
    await using app = await boot({ docs: { title: 'T' } });
    const list = recorded().map(({ method, path }) => `${path} ${method}`);
    expect(list).toEqual(['/bare GET', '/products GET', '/products POST', '/users/{id} GET', '/users/{id} PUT']);
    expect(llmsFromRegistry()).toMatchObject({ title: 'T', version: '1.0.0', package: 'fw' });
    expect(llmsFromRegistry().routes.map(({ method, path }) => `${path} ${method}`)).toEqual(list);
    await app.stop();
  });

  test('resolves nothing per request', async () => {
    await using app = await boot();
    const { services } = app;
    const before = services.resolutions;
    for (const path of ['/openapi.json', '/docsui', '/llms-full.txt'])
      await (await fetch(`${urlOf(app)}${path}`)).arrayBuffer();
    // One for each address that this test asks for itself.
    expect(services.resolutions - before).toBe(3);
  });

  test.each([
    ['a relative path', { jsonPath: 'openapi.json' }, 'FW_DOCS_PATH'],
    ['two things at one path', { uiPath: '/openapi.json' }, 'FW_DOCS_SAME_PATH'],
    ['a path that the llms files have', { jsonPath: '/llms.txt' }, 'FW_DOCS_SAME_PATH'],
  ])('refuses %s', async (_, options, code) => {
    await expect(boot({ docs: options })).rejects.toMatchObject({ code });
  });
});

describe('collection', () => {
  test('off: wrappers record nothing, the document has no paths, and the probe says off [DOCS-DOC-03] [DIAG-DOCS-02] [DIAG-DOCS-STATE-OFF] [ERR-DOCS-COLLECTION]', async () => {
    await using app = await boot({ docs: { collect: false } });
    expect((await json(`${urlOf(app)}/openapi.json`)).body).toMatchObject({ paths: {} });
    expect(recorded()).toEqual([]);
    expect(app.diagnostics.get('docs')).toMatchObject({
      status: 'off',
      summary: expect.stringMatching(/collect: true/),
      detail: { routes_recorded: 0 },
    });
    expect((await fetch(`${urlOf(app)}/bare`)).status).toBe(200);
  });

  test('on: modules that loaded before the configuration was read are documented all the same', async () => {
    const early = docGET('/early', { title: 'Early' });
    await using app = await boot({ register: (router) => router.get('/early', early, () => 1) });
    expect(recorded()).toMatchObject([{ path: '/early', title: 'Early' }]);
    await app.stop();
  });
});

describe('the docs probe', () => {
  test('says how to install the plugin where it is not', async () => {
    await using app = await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 })] });
    expect(app.diagnostics.get('docs')).toMatchObject({
      status: 'off',
      summary: expect.stringMatching(/import\('fw\/docs'\)/),
    });
  });

  test('reports every field of the specification [DIAG-DOCS-01] [DIAG-DOCS-ROUTES-RECORDED] [DIAG-DOCS-WITH-TITLE] [DIAG-DOCS-WITHOUT-TITLE] [DIAG-DOCS-BY-METHOD] [DIAG-DOCS-API-TITLE] [DIAG-DOCS-API-VERSION] [DIAG-DOCS-HAS-DESCRIPTION] [DIAG-DOCS-UNDOCUMENTED-LIST] [DIAG-DOCS-STATE-OK]', async () => {
    await using app = await boot({ docs: { title: 'Shop', version: '2.0.0', description: 'x' } });
    expect(app.diagnostics.get('docs')).toEqual({
      subsystem: 'docs',
      status: 'ok',
      summary: '5 routes documented, 2 without a title',
      detail: {
        routes_recorded: 5,
        with_title: 3,
        without_title: 2,
        by_method: { GET: 3, POST: 1, PUT: 1 },
        api_title: 'Shop',
        api_version: '2.0.0',
        has_description: true,
        undocumented_list: ['GET /bare', 'PUT /users/{id}'],
      },
      notes: [expect.stringMatching(/^2 without a title/)],
    });
  });

  test('is degraded without routes, and when no route says anything about itself [DIAG-DOCS-STATE-DEGRADED] [DIAG-DOCS-03]', async () => {
    await using empty = await boot({ register: () => undefined });
    expect(empty.diagnostics.get('docs')).toMatchObject({
      status: 'degraded',
      detail: { routes_recorded: 0, undocumented_list: [], by_method: {} },
    });
    await using bare = await boot({ register: (router) => router.get('/x', () => 1) });
    expect(bare.diagnostics.get('docs')).toMatchObject({ status: 'degraded' });
  });

  test('names at most 20 routes without a title, the first in order [LIMIT-DOCS-UNDOCUMENTED]', async () => {
    await using app = await boot({
      register: (router) => {
        for (let index = 30; index > 0; index--)
          router.get(`/r${String(index).padStart(2, '0')}`, { tags: ['x'] }, () => 1);
      },
    });
    const list = (app.diagnostics.get('docs')?.detail as { undocumented_list: string[] }).undocumented_list;
    expect([list.length, list[0], list.at(-1)]).toEqual([20, 'GET /r01', 'GET /r20']);
  });
});

describe('the check of responses', () => {
  const wrong = (router: Router) => {
    router.get(
      '/wrong',
      { output: Type.Array(Product) },
      () =>
        [
          { id: 'x', name: 'a' },
          { id: 'y', name: 'b' },
        ] as never,
    );
    router.get('/right', { output: Type.Object({ at: Type.String({ format: 'date-time' }) }) }, () => ({
      at: new Date(),
    }));
    router.get('/error', { output: Product }, (ctx) => ctx.throw(404));
    router.get('/bigint', { output: Type.Object({ id: Type.BigInt() }) }, () => ({ id: 9_007_199_254_740_993n }));
    router.get('/circle', { output: Type.Object({ id: Type.Integer(), self: Type.Unknown() }) }, () => {
      const circle = { id: 1, name: 'a', self: {} };
      circle.self = circle;
      return circle;
    });
  };
  const warnings = (app: BootedTestApp) => app.log.messages('warn');

  test('says once what differs from the declared output, and sends the response as it is', async () => {
    await using app = await boot({ register: wrong, profile: 'dev' });
    for (const path of ['/wrong', '/wrong', '/right', '/error', '/bigint', '/circle'])
      await (await fetch(`${urlOf(app)}${path}`)).text();
    expect(await (await fetch(`${urlOf(app)}/wrong`)).json()).toEqual([
      { id: 'x', name: 'a' },
      { id: 'y', name: 'b' },
    ]);
    expect(await (await fetch(`${urlOf(app)}/bigint`)).json()).toEqual({ id: '9007199254740993' });
    expect(await (await fetch(`${urlOf(app)}/circle`)).json()).toMatchObject({ code: 'FW_HTTP_BODY_UNWRITABLE' });
    expect(warnings(app)).toEqual([
      'response differs from the declared output: /0/id must be an integer',
      'GET /circle answers with name, which its output does not declare: it is left out',
    ]);
  });

  test('goes as deep as inputs may be, and says where it stops', async () => {
    const Tree = { $defs: { node: { type: 'object', properties: { is: { type: 'integer' }, in: { $ref: '#/$defs/node' } } } }, $ref: '#/$defs/node' }; // prettier-ignore
    const nested = (levels: number, innermost: object) => {
      let tree: object = innermost;
      for (let level = 1; level < levels; level++) tree = { in: tree };
      return tree;
    };
    const register = (router: Router) => {
      router.get('/deep/:levels', { output: Type.Unsafe<object>(Tree) }, (ctx) =>
        nested(Number(ctx.params.levels), { is: 1 }),
      );
      router.get('/wrong/:levels', { output: Type.Unsafe<object>(Tree) }, (ctx) =>
        nested(Number(ctx.params.levels), { is: 'x' }),
      );
    };
    await using app = await boot({ register, profile: 'dev' });
    const statusOf = async (path: string) => {
      const answer = await fetch(`${urlOf(app)}${path}`);
      await answer.text();
      return answer.status;
    };
    expect(await statusOf('/deep/1000')).toBe(200);
    expect(warnings(app)).toEqual([]);
    await statusOf('/wrong/1000');
    expect(warnings(app)).toEqual([expect.stringMatching(/\/in\/is must be an integer$/)]);
    for (const levels of [1001, 5_000]) await statusOf(`/deep/${levels}`);
    expect(warnings(app).slice(1)).toEqual([
      'response differs from the declared output: the whole of it has more than 1000 levels of lists and objects, of which none was checked',
    ]);
  });

  test('is off in production, unless it is asked for', async () => {
    await using app = await boot({ register: wrong, profile: 'prod' });
    await (await fetch(`${urlOf(app)}/wrong`)).text();
    expect(warnings(app)).toEqual([]);
    await using asked = await boot({ register: wrong, profile: 'prod', docs: { checkResponses: true } });
    await (await fetch(`${urlOf(asked)}/wrong`)).text();
    expect(warnings(asked)).toHaveLength(1);
  });
});
