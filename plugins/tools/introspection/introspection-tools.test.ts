import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Logger, type ToolContext, type ToolResult, validatorOf } from '../../../kernel/index.js';
import { ANY_TOOL, RecordingLogger } from '../../../kernel/testing/index.js';
import { pathPolicy } from '../../mcp/confinement/workspace-roots.js';
import { FEATURES, findFeature } from './feature-catalogue.js';
import { fwFeatures } from './fw-features.js';
import { fwRoutes } from './fw-routes.js';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

async function project(routes?: unknown): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-introspection-'));
  folders.push(folder);
  await mkdir(path.join(folder, 'generated'));
  if (routes !== undefined) {
    await writeFile(
      path.join(folder, 'generated/routes.json'),
      typeof routes === 'string' ? routes : JSON.stringify(routes),
    );
  }
  return folder;
}

async function contextIn(folder: string): Promise<ToolContext> {
  const { workspace, confine } = await pathPolicy([folder], folder);
  const log: Logger = new RecordingLogger();
  const { signal } = new AbortController();
  return { ...ANY_TOOL, signal, log, workspace, readOnly: false, confine, progress: () => {} };
}

const routesIn = async (dir: string, rest: object = {}): Promise<ToolResult<Record<string, unknown>>> =>
  (await fwRoutes.run({ dir, ...rest } as never, await contextIn(dir))) as ToolResult<Record<string, unknown>>;

const ROUTE = {
  block: 'products',
  method: 'GET',
  path: '/api/products',
  handler: 'list',
  blocking: false,
  middleware: 0,
};

describe('fw_routes', () => {
  test('lists the routes that code generation wrote, as data and as a table [MCP-CATEGORY-INTROSPECTION]', async () => {
    const folder = await project([
      { ...ROUTE, input: { body: {} }, title: 'Products', file: 'routes/products.ts', line: 3, unresolved: [] },
      {
        ...ROUTE,
        method: 'POST',
        blocking: true,
        middleware: 2,
        unresolved: [{ what: 'handler', file: 'a', line: 1, reason: 'b' }],
      },
    ]);
    const { structured, text } = await routesIn(folder);
    expect(validatorOf(fwRoutes.output).check(structured)).toEqual([]);
    expect(structured).toMatchObject({ count: 2, file: 'generated/routes.json' });
    expect((structured['routes'] as object[])[0]).toEqual({
      ...ROUTE,
      title: 'Products',
      file: 'routes/products.ts',
      line: 3,
    });
    expect(text?.split('\n').slice(0, 3)).toEqual([
      'METHOD  PATH           HANDLER  BLOCK     NOTES',
      'GET     /api/products  list     products',
      'POST    /api/products  list     products  blocking, +2 mw, only known at run time: handler',
    ]);
    expect(JSON.parse((await routesIn(folder, { json: true })).text ?? '')).toEqual(structured['routes']);
    expect((await routesIn(folder, { route: 'POST /api' })).structured).toMatchObject({ count: 2, routes: [{ method: 'POST' }] }); // prettier-ignore
  });

  test('shows as many as an answer may have, and says how to get the others', async () => {
    const folder = await project(Array.from({ length: 300 }, (_, at) => ({ ...ROUTE, path: `/api/products/${at}` })));
    const { structured, text } = await routesIn(folder);
    expect(structured).toMatchObject({ count: 300, notes: [expect.stringMatching(/more; pass route or limit/)] });
    expect(Math.max(text?.length ?? 0, JSON.stringify(structured).length)).toBeLessThan(6_000);
    expect((await routesIn(folder, { limit: 299 })).structured['routes']).toHaveLength(299);
  });

  test('says what to do when there are no routes, no file, or not the right one', async () => {
    expect((await routesIn(await project([]))).text).toMatch(/No routes yet/);
    await expect(routesIn(await project())).rejects.toMatchObject({
      code: 'FW_TOOLS_NO_ROUTES_FILE',
      message: expect.stringMatching(/run `npx --no -- fw codegen`/),
    });
    await expect(routesIn(await project('{'))).rejects.toThrow(/it is not JSON/);
    await expect(routesIn(await project([{ method: 3 }]))).rejects.toThrow(/cannot be read: \/routes\/0/);
  });

  test('does not follow a link from the project to a file outside', async () => {
    const folder = await project();
    const secret = path.join(await project([ROUTE]), 'generated/routes.json');
    await symlink(secret, path.join(folder, 'generated/routes.json'));
    await expect(routesIn(folder)).rejects.toMatchObject({ code: 'FW_PATH_SYMLINK' });
  });
});

const HELD = [
  { category: 'introspection', granted: true, plugins: ['acme', 'tools/introspection'], tools: ['acme_look'] },
  { category: 'runtime', granted: false, plugins: ['tools/runtime'], tools: ['fw_get_logs', 'fw_get_routes'] },
];

describe('fw_features', () => {
  const features = async (feature?: string) =>
    (await fwFeatures.run(
      { ...(feature !== undefined && { feature }) } as never,
      { categories: HELD } as never,
    )) as ToolResult<Record<string, unknown>>;

  test('lists every feature, the nine middlewares in the order of the specification', async () => {
    const { structured } = await features();
    expect(validatorOf(fwFeatures.output).check(structured)).toEqual([]);
    const names = (structured['features'] as { name: string }[]).map(({ name }) => name);
    const nine = ['recovery', 'logging', 'ratelimit', 'i18n', 'cors', 'security', 'jwt', 'etag', 'compression'];
    expect(names.filter((name) => nine.includes(name))).toEqual(nine);
    expect(FEATURES.map(({ priority }) => priority)).toEqual(
      FEATURES.map(({ priority }) => priority).sort((a, b) => a - b),
    );
  });

  test('says what the server holds, by category', async () => {
    const { structured, text } = await features();
    expect(structured['categories']).toEqual(HELD);
    expect(text).toMatch(
      /by category \[plugins\]:\n {2}introspection: acme_look \[acme, tools\/introspection\]\n {2}runtime \(not granted\): fw_get_logs, fw_get_routes \[tools\/runtime\]$/,
    );
  });

  test('shows one feature with its flags, by name or alias', async () => {
    expect((await features('Rate-Limit')).text).toBe(
      [
        'ratelimit: fixed-window rate limit per client address',
        '(rate-limit is an alias of ratelimit)',
        '  --requests  requests allowed per window; at least 1 (default 100)',
        '  --per  length of the window, e.g. 500ms, 10s, 1m (default "1m")',
        '  --message  body of the 429 response (default "")',
        'Example: fw_add {"feature":"ratelimit","flags":{"requests":100}}',
      ].join('\n'),
    );
    expect((await features('etag')).text).toContain('takes no flags');
    await expect(features('nope')).rejects.toThrow(/There is no feature "nope". Features: events, fleet, dashboard/);
  });

  test('gives no two features the same name or alias', () => {
    const names = FEATURES.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(findFeature('swagger')?.name).toBe('docs');
  });
});
