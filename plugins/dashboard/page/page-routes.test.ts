import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DashboardPage, definePlugin, HttpServer, plugin, type Plugin } from '../../../kernel/index.js';
import { runProcess } from '../../../kernel/process/index.js';
import { bootTestApp, type BootedTestApp } from '../../../kernel/testing/index.js';
import { WebSocket } from 'ws';
import http from '../../http/index.js';
import dashboard from '../index.js';
import { PluginPages } from './plugin-pages.js';
import { PATIENCE_MS } from '../../../kernel/testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
type Options = NonNullable<typeof dashboard extends Plugin<infer Input> ? Input : never>;

let app: BootedTestApp | undefined;
let url: string;

// The pages are served from the built files.
beforeAll(async () => {
  const args = [path.join(ROOT, 'plugins/dashboard/bundle/bundle-ui.mjs')];
  const built = await runProcess({
    command: process.execPath,
    args,
    cwd: ROOT,
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: 100_000,
  });
  expect(built.exitCode).toBe(0);
});
afterEach(() => app?.stop());

async function boot(options: Options = {}, ...more: Plugin[]): Promise<void> {
  app = await bootTestApp({
    plugins: [plugin(async () => http, { port: 0 }), plugin(async () => dashboard, options), ...more],
  });
  ({ url } = app.services.get(HttpServer));
}

const secured = { username: 'admin', password: 'right' };
const basic = { authorization: `Basic ${Buffer.from('admin:right').toString('base64')}` };
const get = (at: string, headers: Record<string, string> = {}) => fetch(url + at, { headers, redirect: 'manual' });
const post = (at: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url + at, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';
const bootOf = async (answer: Response) => {
  const text = /<script type="application\/json" id="fw-boot">(.*?)<\/script>/.exec(await answer.text())?.[1] ?? '';
  return JSON.parse(text) as { csrf: string; fleet: boolean; login: boolean; pages: readonly object[] };
};

async function loggedIn(): Promise<{ readonly cookie: string }> {
  return { cookie: cookieOf(await post('/dashboard/login', { username: 'admin', password: 'right' })) };
}

describe('the pages', () => {
  test('carry a strict policy of their own, nothing inline, and what the browser has to know', async () => {
    await boot();
    const answer = await get('/dashboard');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'self';.*frame-ancestors 'none'$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await bootOf(answer)).toMatchObject({ basePath: '/dashboard', login: false, fleet: false, pages: [] });
    expect((await get('/dashboard/requests/7?status=5xx')).status).toBe(200);
    expect(await (await get('/dashboard/api/nothing')).json()).toEqual({ error: 'not found' });
    expect((await get('/dashboard/logs', { accept: 'application/json' })).status).toBe(404);
  });

  test('keep the chosen theme and take no other', async () => {
    await boot();
    const html = async (theme: string) => (await get('/dashboard', { cookie: `fw_dash_theme=${theme}` })).text();
    expect(await html('dark')).toContain('<html lang="en" data-theme="dark">');
    expect(await html('"><script>')).toContain('<html lang="en">');
  });

  test('refer to files that may be kept for good', async () => {
    await boot();
    const names = [...(await (await get('/dashboard')).text()).matchAll(/\/dashboard\/assets\/[\w.-]+/g)];
    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const [name] of names) {
      const file = await get(name);
      expect({ name, status: file.status, kept: file.headers.get('cache-control') }).toEqual({
        name,
        status: 200,
        kept: 'private, max-age=31536000, immutable',
      });
    }
    expect((await get('/dashboard/assets/manifest.json')).status).toBe(404);
    expect((await get('/dashboard/assets/..%2f..%2fpackage.json')).status).toBe(400);
  });
});

describe('the modules of a page', () => {
  const preloaded = async (at: string) => {
    const html = await (await get(`/dashboard${at}`)).text();
    return [...html.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, address]) => address as string);
  };
  /** Files that the module at an address imports before it runs, and those that they import. */
  const importedBy = async (address: string, found = new Set<string>()): Promise<Set<string>> => {
    const script = await (await get(address)).text();
    for (const [, name] of script.matchAll(/(?:from|import)"\.\/([\w.-]+)"/g)) {
      const imported = `/dashboard/assets/${name}`;
      if (!found.has(imported)) await importedBy(imported, found.add(imported));
    }
    return found;
  };

  test.each([
    ['', 'overview'],
    ['/requests/7', 'requests'],
    ['/fleet', 'fleet'],
  ])('of the page "%s" are all asked for at once', async (at, id) => {
    await boot({ fleetAggregatorURL: '/fleet' });
    const html = await (await get(`/dashboard${at}`)).text();
    const script = /<script type="module" src="([^"]+)">/.exec(html)?.[1] as string;
    const found = await preloaded(at);
    const page = found.filter((address) => address.startsWith(`/dashboard/assets/${id}-`));
    expect(page).toHaveLength(1);
    const needed = new Set([...page, ...(await importedBy(script)), ...(await importedBy(page[0] as string))]);
    expect(needed.size).toBeGreaterThan(2);
    expect([...found].sort()).toEqual([...needed].sort());
  });

  test('are only those of the script where there is no such page', async () => {
    await boot();
    const script = await preloaded('/nothing');
    expect(script.length).toBeGreaterThan(0);
    expect(await preloaded('/constructor')).toEqual(script);
    expect(await preloaded('/fleet')).toEqual(script);
    expect(await preloaded('/logs')).toEqual(expect.arrayContaining(script));
    expect((await preloaded('/logs')).length).toBeGreaterThan(script.length);
  });
});

describe('a file of the page', () => {
  test('comes in the coding that the browser takes, and is the same in each', async () => {
    await boot();
    const html = await (await get('/dashboard')).text();
    const style = /\/dashboard\/assets\/app-\w+\.css/.exec(html)?.[0] as string;
    const plain = await (await get(style, { 'accept-encoding': 'identity' })).text();
    for (const coding of ['br', 'gzip', 'deflate']) {
      const answer = await get(style, { 'accept-encoding': coding });
      expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([coding, 'Accept-Encoding']);
      expect(Number(answer.headers.get('content-length'))).toBeLessThan(plain.length / 3);
      expect(await answer.text()).toBe(plain);
    }
  });
});

describe('the login', () => {
  test('stands before every page, keeps the way back, and opens a session', async () => {
    await boot(secured);
    const away = await get('/dashboard/logs?level=error');
    expect(away.status).toBe(302);
    expect(away.headers.get('location')).toBe('/dashboard/login?next=%2Fdashboard%2Flogs%3Flevel%3Derror');
    expect(await (await get(away.headers.get('location') ?? '')).text()).toContain(
      'name="next" value="/dashboard/logs?level=error"',
    );
    const answer = await post('/dashboard/login', { ...secured, next: '/dashboard/logs?level=error' });
    expect(await answer.json()).toEqual({ ok: true, redirect: '/dashboard/logs?level=error' });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^fw_dash_session=[0-9a-f]{64}; Path=\/dashboard; Max-Age=86400; HttpOnly; SameSite=Strict$/,
    );
    const cookie = cookieOf(answer);
    expect((await get('/dashboard/logs', { cookie })).status).toBe(200);
    expect((await get('/dashboard/api/routes', { cookie })).status).toBe(200);
    expect((await get('/dashboard/login', { cookie })).headers.get('location')).toBe('/dashboard');
    expect((await get('/dashboard/api/routes', { cookie: `fw_dash_session=${'0'.repeat(64)}` })).status).toBe(401);
  });

  test.each(['https://evil.example/', '//evil.example', '/dashboard\\..\\..', '/dashboardish', '/other'])(
    'does not lead to %s',
    async (next) => {
      await boot(secured);
      expect(await (await post('/dashboard/login', { ...secured, next })).json()).toMatchObject({
        redirect: '/dashboard',
      });
    },
  );

  test('says what is wrong, blocks a guesser, and takes nothing from another page', async () => {
    await boot(secured);
    const wrong = { username: 'admin', password: 'guess' };
    expect((await post('/dashboard/login', { username: 'admin' })).status).toBe(422);
    expect((await post('/dashboard/login', secured, { origin: 'http://evil.example' })).status).toBe(403);
    for (let tries = 0; tries < 8; tries++) {
      const answer = await post('/dashboard/login', wrong);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { ok: false, error: 'User name or password is wrong.' },
      ]);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const blocked = await post('/dashboard/login', secured);
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '900']);
  });

  test('works as a plain form as well, and never with a password in an address', async () => {
    await boot(secured);
    expect(await (await get('/dashboard/login')).text()).toContain('method="post" action="/dashboard/login"');
    const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${url}/dashboard/login`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
    const next = '/dashboard/logs?q="><b>';
    const wrong = await send({ username: 'admin', password: 'guess', next });
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([200, null]);
    const html = await wrong.text();
    expect(html).toContain('role="alert">User name or password is wrong.</p>');
    expect(html).toContain('name="next" value="/dashboard/logs?q=&#34;&#62;&#60;b&#62;"');
    const right = await send({ ...secured, next: '/dashboard/logs' });
    expect([right.status, right.headers.get('location')]).toEqual([303, '/dashboard/logs']);
    expect((await get('/dashboard/logs', { cookie: cookieOf(right) })).status).toBe(200);
    expect((await send({ ...secured, next }, { origin: 'http://evil.example' })).status).toBe(403);
    const opaque = (site: string) => send({ ...secured, next }, { origin: 'null', 'sec-fetch-site': site });
    expect((await opaque('same-origin')).status).toBe(303);
    expect((await opaque('cross-site')).status).toBe(403);
    expect((await send({ ...secured, next }, { origin: 'null' })).status).toBe(403);
  });

  test('is Secure behind https', async () => {
    await boot(secured);
    const answer = await post('/dashboard/login', secured, { 'x-forwarded-proto': 'https' });
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('turns a password that is sent with the page into a session', async () => {
    await boot(secured);
    const answer = await get('/dashboard/routes', basic);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/dashboard/routes']);
    expect((await get('/dashboard/routes', { cookie: cookieOf(answer) })).status).toBe(200);
    expect(await (await get('/dashboard/routes', { accept: 'application/json' })).json()).toEqual({
      error: 'unauthorized',
      login: '/dashboard/login',
    });
  });

  test('ends with a logout, which only the dashboard itself can ask for', async () => {
    await boot(secured);
    const session = await loggedIn();
    const { csrf } = await bootOf(await get('/dashboard', session));
    expect((await post('/dashboard/logout', undefined, session)).status).toBe(403);
    expect((await post('/dashboard/logout', undefined, { ...session, 'x-fw-csrf': 'f'.repeat(64) })).status).toBe(403);
    const other = await bootOf(await get('/dashboard', await loggedIn()));
    expect((await post('/dashboard/logout', undefined, { ...session, 'x-fw-csrf': other.csrf })).status).toBe(403);
    const left = await post('/dashboard/logout', undefined, { ...session, 'x-fw-csrf': csrf });
    expect([left.status, left.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^fw_dash_session=; .*Max-Age=0/),
    ]);
    expect((await get('/dashboard/api/routes', session)).status).toBe(401);
  });

  test('a password alone changes nothing in a browser, but does in a program', async () => {
    await boot(secured);
    expect((await post('/dashboard/logout', undefined, { ...basic, origin: url })).status).toBe(403);
    expect((await post('/dashboard/logout', undefined, basic)).status).toBe(200);
  });

  test('stands before the live connection: a session, and no password', async () => {
    await boot(secured);
    const opened = (headers: Record<string, string>) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/dashboard/ws`, { headers });
        socket.once('open', () => (resolve('open'), socket.close()));
        socket.once('unexpected-response', (_request, { statusCode }) => resolve(String(statusCode)));
        socket.once('error', () => undefined);
      });
    expect(await opened({})).toBe('401');
    expect(await opened(basic)).toBe('401');
    const session = await loggedIn();
    expect(await opened(session)).toBe('open');
    expect(await opened({ ...session, origin: 'http://evil.example' })).toBe('403');
  });
});

describe('pages of plugins', () => {
  const withPage = (page: Partial<DashboardPage>) =>
    definePlugin({
      id: 'greeting',
      category: 'app',
      description: 'adds a page',
      register: ({ contribute }) =>
        contribute(DashboardPage, () => ({
          id: 'greetings',
          title: 'Greetings',
          path: '/greetings',
          module: '/greetings.js',
          ...page,
        })),
    });

  test('are served from the own origin, to those who may read the dashboard', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'fw-page-'));
    try {
      const file = path.join(folder, 'page.js');
      await writeFile(file, 'export default () => undefined;');
      await boot(secured, withPage({ module: pathToFileURL(file) }));
      const session = await loggedIn();
      const { pages } = await bootOf(await get('/dashboard', session));
      expect(pages).toEqual([
        {
          id: 'greetings',
          title: 'Greetings',
          path: '/greetings',
          module: expect.stringMatching(/^\/dashboard\/pages\/greetings\.js\?v=[0-9a-f]{12}$/),
        },
      ]);
      const { module } = pages[0] as { module: string };
      const html = async (at: string) => (await get(at, session)).text();
      expect(await html('/dashboard/greetings/7')).toContain(`<link rel="modulepreload" href="${module}">`);
      expect(await html('/dashboard/greetingsish')).not.toContain(module + '">');
      expect((await get(module)).status).toBe(401);
      const served = await get(module, session);
      expect(served.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(await served.text()).toBe('export default () => undefined;');
      expect((await get('/dashboard/pages/other.js', session)).status).toBe(404);
      // Without the file, only the page of the plugin fails.
      await rm(file);
      const [missing] = (await bootOf(await get('/dashboard', session))).pages as readonly { module: string }[];
      expect(missing?.module).toBe('/dashboard/pages/greetings.js');
      expect((await get('/dashboard/pages/greetings.js', session)).status).toBe(404);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    [{ id: 'Greet ings' }, /its id must be lower-case words/],
    [{ title: ' ' }, /it has no title/],
    [{ path: 'greetings' }, /expected one like "\/greetings"/],
    [{ path: '/logs/mine' }, /belongs to the dashboard itself/],
    [{ module: 'https://cdn.example/page.js' }, /must be a file: URL or a path/],
    [{ module: '//cdn.example/page.js' }, /must be a file: URL or a path/],
  ])('are refused at boot when they are wrong: %j', async (page, message) => {
    await expect(boot({}, withPage(page))).rejects.toThrow(message);
  });

  test('are refused at the path of every built-in page', async () => {
    const registry = await readFile(path.join(import.meta.dirname, '../ui/pages/registry.ts'), 'utf8');
    const ids = [...registry.matchAll(/\bpage\('([a-z]+)'/g)].map(([, id]) => id);
    expect(ids).toContain('overview');
    for (const id of ids) {
      const page = { id: 'mine', title: 'Mine', path: `/${id}`, module: '/mine.js' };
      expect(() => new PluginPages([page], '/dashboard')).toThrow(`"/${id}" belongs to the dashboard itself`);
    }
  });
});
