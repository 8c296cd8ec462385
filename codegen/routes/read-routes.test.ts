import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { definePlugin, HttpRoutes, HttpServer, plugin, type RouteInfo, type RouteModule } from 'fw';
import { Project } from 'ts-morph';
import { bootTestApp } from '../../kernel/testing/index.js';
import type { GeneratorInput } from '../engine/index.js';
import { moduleResolverOf } from '../program/index.js';
import catalogue from './fixtures/catalogue.js';
import { readRoutes } from './read-routes.js';
import type { RouteEntry, ShapeEntry } from './index.js';
import type { ModelSchemas } from './route-options.js';

const noModels = (): ModelSchemas => () => undefined;

function inputOf(project: Project, files: readonly string[]): GeneratorInput {
  const routes = files.map((file) => project.getSourceFileOrThrow(file));
  moduleResolverOf(project).beginRun('/app/generated');
  return { project, root: '/app', outDir: '/app/generated', models: [], routes, config: undefined };
}

/** Reads the routes of one module, given the body of its function. */
function entriesOf(body: string, { before = '', models = noModels, files = {} as Record<string, string> } = {}) {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  for (const [name, text] of Object.entries(files)) project.getFileSystem().writeFileSync(`/app/${name}`, text);
  const text = `import { routes } from 'fw/http'; import { Type } from 'typebox'; ${before}\nexport default routes((router, services) => {\n${body}\n});\n`;
  project.createSourceFile('/app/routes/main.ts', text);
  return readRoutes(inputOf(project, ['/app/routes/main.ts']), models);
}

/** The answers of an entry as a route declares them. */
function asDeclared(responses: NonNullable<RouteEntry['responses']>): object {
  const shape = ({ schema, example }: ShapeEntry) => schema ?? example;
  const each = Object.entries(responses).map(([status, { output, content, ...rest }]) => {
    const types = Object.entries(content ?? {}).map(([type, given]) => [type, shape(given)]);
    return [
      status,
      {
        ...rest,
        ...(output && { output: shape(output) }),
        ...(content && { content: Object.fromEntries(types) as object }),
      },
    ];
  });
  return Object.fromEntries(each) as object;
}

describe('readRoutes', () => {
  test('tells the same of a module as the server that runs it', async () => {
    const file = path.join(import.meta.dirname, 'fixtures/catalogue.ts');
    const project = new Project({ skipAddingFilesFromTsConfig: true, skipLoadingLibFiles: true });
    project.addSourceFileAtPath(file);
    const input = { ...inputOf(project, [file]), root: import.meta.dirname };
    const { entries } = readRoutes(input, noModels);
    expect(entries.flatMap(({ unresolved }) => unresolved)).toEqual([]);
    const read = entries.map(({ method, path: at, output, outputExample, middleware, ...entry }) => ({
      route: `${method} ${at}`,
      handler: entry.handler,
      module: entry.block,
      blocking: entry.blocking,
      middlewares: middleware,
      title: entry.title,
      description: entry.description,
      tags: entry.tags,
      hidden: entry.hidden,
      deprecated: entry.deprecated,
      status: entry.status,
      outputDescription: entry.outputDescription,
      input: entry.input,
      output: output ?? outputExample,
      ...(entry.roles && { roles: entry.roles }),
      ...(entry.public && { public: entry.public }),
      ...(entry.encodedSlashes && { encodedSlashes: entry.encodedSlashes }),
      ...(entry.responses && { responses: asDeclared(entry.responses) }),
      ...(entry.bodyExamples && { bodyExamples: entry.bodyExamples }),
      ...(entry.operationId && { operationId: entry.operationId }),
      ...(entry.security && { security: entry.security }),
      ...(entry.conditional && { conditional: entry.conditional }),
    }));
    const live = (await liveRoutes(catalogue)).map(({ method, path: at, output, doc: _, ...info }) => ({
      ...info,
      route: `${method} ${at}`,
      output: plain(output),
      input: plain(info.input),
      ...(info.responses && { responses: plain(info.responses) }),
    }));
    const byRoute = (a: { route: string }, b: { route: string }) => (a.route < b.route ? -1 : 1);
    expect(read.sort(byRoute)).toEqual(live.sort(byRoute));
    expect(live).toHaveLength(15);
  });

  test('says where each route stands', () => {
    const { entries, sources } = entriesOf("router.get('/a', one);\n\nrouter.post('/b', () => 1);");
    expect(entries).toMatchObject([
      { method: 'GET', path: '/a', handler: 'one', file: 'routes/main.ts', line: 3 },
      { method: 'POST', path: '/b', handler: '(anonymous)', line: 5 },
    ]);
    expect(sources).toEqual(['/app/routes/main.ts']);
  });

  test('names the files that schemas come from as sources', () => {
    const { sources } = entriesOf("router.get('/a', { output: Shape }, () => 1);", {
      before: "import { Shape } from '../shapes.js';",
      files: { 'shapes.ts': "import { Type } from 'typebox'; export const Shape = Type.Null();", 'unused.ts': '' },
    });
    expect(sources).toEqual(['/app/routes/main.ts', '/app/shapes.ts']);
  });

  test('sorts by path, then method', () => {
    const { entries } = entriesOf("router.post('/b', f); router.get('/b', f); router.get('/a', f);");
    expect(entries.map(({ method, path: at }) => `${method} ${at}`)).toEqual(['GET /a', 'GET /b', 'POST /b']);
  });

  test('finds every call of routes in a file, whatever it is called, and no other', () => {
    const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
    project.createSourceFile(
      '/app/routes/more.ts',
      `import { routes as declare } from 'fw/http'; import * as http from 'fw/http'; import { routes } from 'other';
       export const a = declare((r) => { r.get('/a', f); }); export const b = http.routes((r) => { r.get('/b', f); }, 'named');
       export const c = routes((r) => { r.get('/c', f); }); router.routes((r) => { r.get('/d', f); });`,
    );
    const { entries } = readRoutes(inputOf(project, ['/app/routes/more.ts']), noModels);
    expect(entries.map(({ path: at, block }) => [at, block])).toEqual([
      ['/a', 'more'],
      ['/b', 'named'],
    ]);
  });

  test('gives a model class as its JSON Schema, alone and in an array', () => {
    const schema = { type: 'object', properties: {} };
    const { entries } = entriesOf("router.get('/a', { output: User }, f); router.get('/b', { output: [User] }, f);", {
      before: "import { User } from '../user.js';",
      files: { 'user.ts': 'export class User {}' },
      models:
        () =>
        ({ name, file }) =>
          name === 'User' && file === '/app/user.ts' ? schema : undefined,
    });
    expect(entries).toMatchObject([
      { output: schema, outputModel: 'User', unresolved: [] },
      { output: { type: 'array', items: schema }, outputModel: 'User', unresolved: [] },
    ]);
  });

  test('marks what it cannot know with file and line, and keeps the rest', () => {
    const { entries } = entriesOf(
      `router.post('/a', {
        title: 'Known',
        description: text(),
        input: { body: load(), query: Type.Object({}) },
        output: User,
        use: guards,
      }, f);`,
      { before: "class User {} const text = () => process.title; import { guards, load } from './other.js';" },
    );
    expect(entries).toMatchObject([{ title: 'Known', input: { query: { type: 'object' } }, middleware: 0 }]);
    expect(entries[0]?.unresolved.map(({ what, file, line }) => [what, file, line])).toEqual([
      ['description', 'routes/main.ts', 1],
      ['input.body', 'routes/main.ts', 6],
      ['output', 'routes/main.ts', 7],
      ['middleware', 'routes/main.ts', 8],
    ]);
    expect(entries[0]?.unresolved[2]?.reason).toBe('User is no model, so its JSON Schema is only known at run time');
  });

  test('shows the source text of a path that is not constant', () => {
    const { entries } = entriesOf('router.get(`/${process.env.BASE}/a`, f);');
    expect(entries).toMatchObject([{ path: '`/${process.env.BASE}/a`', unresolved: [{ what: 'path', line: 3 }] }]);
  });

  test.each([
    ['a loop over literals', "for (const name of ['a', 'b']) {\n router.get('/' + name, f);\n}"],
    ['forEach', "['a', 'b'].forEach((name) =>\n router.get('/' + name, f));"],
    ['a condition', "if (process.env.DEBUG)\n router.get('/debug', f);"],
  ])('marks routes that are registered in %s', (_, body) => {
    const { entries } = entriesOf(body);
    expect(entries).toMatchObject([
      {
        method: 'GET',
        line: 4,
        unresolved: expect.arrayContaining([expect.objectContaining({ what: 'registration', line: 3 })]),
      },
    ]);
  });

  test.each([
    ['an unknown function gets the router', 'mount(router);', /mount gets the router/],
    ['the router gets another name', 'const r = router; r.get("/a", f);', /used in a way that is not followed/],
    ['a group is filled by an unknown function', "router.group('/a', fill);", /fill is only known at run time/],
    ['an unknown method is called', "router.all('/a', f);", /router\.all is not known/],
    ['functions call each other in a circle', 'again(router); function again(r) { again(r); }', /in a circle/],
  ])('lists an entry that says so when %s', (_, body, reason) => {
    const { entries } = entriesOf(body);
    expect(entries).toMatchObject([
      {
        method: '?',
        unresolved: [{ what: 'registration', file: 'routes/main.ts', line: 3, reason: expect.stringMatching(reason) }],
      },
    ]);
  });

  test('does not take a router of the same name inside for the one outside', () => {
    const { entries } = entriesOf(
      "const make = () => { const router = other(); router.get('/no', f); }; router.get('/yes', f);",
    );
    expect(entries.map(({ path: at }) => at)).toEqual(['/yes']);
  });

  test('fills in what a doc wrapper says and the options leave open', () => {
    const { entries } = entriesOf(
      `router.post('/a', docPOST('/elsewhere', tag('first', {
         title: 'From doc', description: 'Long.', tags: ['second'], outputStatus: 201, output: { id: 1 },
         input: [{ type: InputBody, fields: Type.Object({}), required: true }, { type: InputQuery, fields: { q: 'x' } }],
       })), f);
       router.get('/b', { title: 'From options', tags: ['own'] , use: [] }, f);
       router.get('/c', doc('GET', '/c', { title: 'T', output: load() }), audit, f);`,
      { before: "import { doc, docPOST, InputBody, InputQuery, tag } from 'fw/docs'; const audit = () => 1;" },
    );
    expect(entries).toMatchObject([
      {
        title: 'From doc',
        description: 'Long.',
        tags: ['first', 'second'],
        status: 201,
        outputExample: { id: 1 },
        input: {},
        documentedInput: [
          { source: 'body', schema: { type: 'object' }, required: true },
          { source: 'query', example: { q: 'x' }, required: false },
        ],
        middleware: 1,
        unresolved: [],
      },
      { title: 'From options', tags: ['own'] },
      { title: 'T', middleware: 2, unresolved: [{ what: 'output', line: 8 }] },
    ]);
  });

  test('lists static folders, WebSocket routes and handlers of worker threads', () => {
    const { entries } = entriesOf(
      `router.group('/g', { roles: ['clerk'] }, (group) => {
         group.static('/files', './public', { public: true });
         group.websocket('/live', { title: 'Live', origins: ['*'], roles: [] }, onLive);
         group.handleBlocking('POST', '/report', { module: new URL('./report.js', import.meta.url), export: 'report' }, { title: 'Report' });
       });`,
    );
    expect(entries).toMatchObject([
      {
        method: 'GET',
        path: '/g/files/*filepath',
        handler: 'static ./public',
        title: 'Files under /files',
        hidden: true,
        public: true,
      },
      {
        method: 'GET',
        path: '/g/live',
        handler: 'onLive',
        title: 'Live',
        websocket: true,
        hidden: true,
        roles: ['clerk'],
      },
      {
        method: 'POST',
        path: '/g/report',
        handler: 'report',
        title: 'Report',
        blocking: true,
        roles: ['clerk'],
        unresolved: [],
      },
    ]);
  });

  test('knows the schema of an uploaded file', () => {
    const { entries } = entriesOf(
      `router.post('/upload', { input: { body: Type.Object({ photo: UploadedFile() }) } }, () => 1);`,
      { before: `import { UploadedFile } from 'fw/http';` },
    );
    expect(entries).toMatchObject([
      { input: { body: { properties: { photo: { contentMediaType: 'application/octet-stream' } } } }, unresolved: [] },
    ]);
  });

  test('tells whether a body must be sent', () => {
    const { entries } = entriesOf(
      "router.post('/a', { input: { body: Type.Null() } }, f); router.post('/b', { input: { body: Type.Optional(Type.Null()) } }, f); router.post('/c', f);",
    );
    expect(entries.map(({ bodyRequired }) => bodyRequired)).toEqual([true, false, false]);
  });
});

/** The routes of a module as a running server has them. */
async function liveRoutes(module: RouteModule): Promise<readonly RouteInfo[]> {
  const contributor = definePlugin({
    id: 'test/catalogue',
    category: 'app',
    description: 'Contributes the module under test',
    needs: ['http'],
    register: ({ contribute }) => contribute(HttpRoutes, () => module),
  });
  const jwt = plugin(() => import('fw/middleware/jwt'), { accessSecret: 'x'.repeat(32) });
  await using app = await bootTestApp({ plugins: [plugin(() => import('fw/http'), { port: 0 }), jwt, contributor] });
  return (app.services.get(HttpServer) as HttpServer).routes();
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
