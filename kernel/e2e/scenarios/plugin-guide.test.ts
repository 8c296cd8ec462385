import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Client as PgClient } from 'pg';
import { type RunningProcess, runProcess, startProcess } from '../../process/index.js';
import { describeWith } from '../../testing/required-service.js';
import { assertGreen, copyOfSharedProject, INSTALL_MS, run } from './installed-framework.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const GUIDE = path.join(ROOT, 'docs/guides/write-a-plugin.md');
const EXAMPLES = ['request-id', 'dependencies', 'journal', 'greeting', 'metrics'].map((name) => `${name}-plugin`);
const TOKEN = 'a token of the test';

const guide = await readFile(GUIDE, 'utf8');
const BACKGROUND = path.join(ROOT, 'docs/guides/work-in-the-background.md');
/** Schema of PostgreSQL that this run has to itself. */
const SCHEMA = `jobs_${process.pid}`;

/** The code block behind the one line of the guide that begins so, and the rest of its paragraph. */
function block(introduction: RegExp): string {
  const pattern = `^${introduction.source}[^\\n]*\\n(?:[^\\n\`]+\\n)*\\n\`\`\`\\w+\\n([\\s\\S]*?)^\`\`\`$`;
  const [found, ...others] = [...guide.matchAll(new RegExp(pattern, 'gm'))];
  if (found?.[1] === undefined || others.length > 0)
    throw new TypeError(`The guide has not one block behind ${introduction.source}.`);
  return found[1];
}

// Where app.config.ts of a new project lists the plugins, as the guide says.
const LISTED = [
  ["    plugin(() => import('fw/middleware/recovery')),", 'plugin(() => import(\'fw-plugin-metrics\'), { token: process.env.METRICS_TOKEN }),\n    plugin(() => import(\'fw/dashboard\')),'], // prettier-ignore
  ["    plugin(() => import('fw/middleware/logging')", "plugin(() => import('fw-plugin-request-id')),"],
  ["    plugin(() => import('./app/index.js')),", `plugin(() => import('fw/mcp'), { mode: 'app-runtime', port: 0 }),
    plugin(() => import('fw-plugin-dependencies')),
    plugin(() => import('fw-plugin-journal')),
    plugin(() => import('fw-plugin-greeting'), { greeting: 'Servus' }),
    plugin(() => import('fw-plugin-hello'), { greeting: 'Servus' }),`], // prettier-ignore
] as const;

let folder: string;
let project: string;

describe('a stranger who follows the guide, in a generated project', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-plugin-guide-'));
    project = path.join(folder, 'shop');
    await copyOfSharedProject(project);
    // First, because npm links folders again when it installs anything without --install-links.
    await installJobs();
    await writeHello(path.join(folder, 'fw-plugin-hello'));
    const sources = EXAMPLES.map((name) => path.join(ROOT, 'docs/examples', name));
    const said = [...block(/In the folder of a project that has `fw`/).matchAll(/^npm (.*)$/gm)].map(
      ([, words]) => words,
    );
    expect(said).toEqual(['pack ../fw-plugin-hello', 'install ./fw-plugin-hello-1.0.0.tgz']);
    assertGreen(await run('npm', ['pack', '--silent', '../fw-plugin-hello'], project, INSTALL_MS));
    const args = ['install', '--install-links', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    assertGreen(await run('npm', [...args, './fw-plugin-hello-1.0.0.tgz', ...sources], project, INSTALL_MS));
    await listPlugins();
    await writeJobs();
    assertGreen(await run('npm', ['run', '--silent', 'typecheck'], project));
    assertGreen(await run('npm', ['run', '--silent', 'build'], project));
  }, INSTALL_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('has packages that are ready to be published', async () => {
    for (const name of [
      'fw-plugin-hello',
      ...[...EXAMPLES, 'pg-boss'].map((each) => `fw-plugin-${each.replace(/-plugin$/, '')}`),
    ]) {
      const checked = assertGreen(await run(bin('fw'), ['plugin', 'check', `node_modules/${name}`], project));
      expect(checked.stdout).toMatch(new RegExp(`^(?!.*(warn|FAIL))[\\s\\S]*${name} is ready to be used\\.\\n$`));
    }
  });

  test('runs the tests that the guide has', async () => {
    const wanted = [
      ['request-id.test.ts', block(/of 0 gives requests a free one:/)],
      ['journal.test.ts', block(/What every backend does is a suite of tests/)],
    ] as const;
    for (const [name, code] of wanted) await writeFile(path.join(project, 'tests', name), code);
    assertGreen(await run('npm', ['run', '--silent', 'typecheck'], project));
    const ended = assertGreen(await run('npm', ['test', '--silent', '--', 'request-id', 'journal'], project));
    expect(ended.stderr).toMatch(/Tests: +2\d passed, 2\d total/);
    expect(ended.stderr).not.toContain('failed');
  });

  describeWith({ variable: 'FW_TEST_POSTGRES', hint: 'PostgreSQL 13 or later' }, 'with a PostgreSQL', (url) => {
    afterAll(async () => {
      const client = new PgClient({ connectionString: url });
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`).finally(() => client.end());
    });

    test('has work in the background that outlives the process that sent it', async () => {
      const args = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', 'mail-jobs'];
      const env = { ...process.env, TEST_DATABASE_URL: url };
      const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: 1_000_000 };
      const ended = await runProcess({ command: process.execPath, args, cwd: project, env, ...limits });
      expect(assertGreen(ended).stderr).toMatch(/Tests: +2 passed, 2 total/);
    });
  });

  test('has them all in the running application', async () => {
    const app = await start();
    try {
      const [url] = await app.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, { timeoutMs: PATIENCE_MS });
      const hello = await fetch(`${url}/hello/Ada`);
      expect(await hello.json()).toEqual({ text: 'Servus, Ada!' });
      expect(hello.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect((await fetch(`${url}/metrics`)).status).toBe(401);
      const metrics = await (await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } })).text();
      expect(metrics).toContain('fw_http_requests_total{method="GET",status="200"} 1\n');
      expect(metrics).toContain('fw_http_requests_total{method="GET",status="401"} 1\n');
      expect(metrics).toContain('fw_probe_state{subsystem="journal",state="ok"} 1\n');
      const boot = await (await fetch(`${url}/dashboard/api/boot`)).json();
      expect((boot as { plugins: unknown[] }).plugins).toContainEqual(
        expect.objectContaining({
          id: 'fw-plugin-dependencies',
          category: 'introspection',
          tools: ['dependencies_list'],
        }),
      );
      expect(await (await fetch(`${url}/dashboard`)).text()).toContain('Greetings');
    } finally {
      await app.stop({ graceMs: 5_000 });
    }
  });

  test('has their tools in the application, for a client over HTTP', async () => {
    const app = await start();
    try {
      const [address] = await app.waitForLine(/http:\/\/127\.0\.0\.1:\d+\/mcp/, { timeoutMs: PATIENCE_MS });
      const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
      const client = await connected(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['dependencies_list', 'fw_features', 'greeting_greet']),
      );
      const listed = await client.callTool({ name: 'dependencies_list', arguments: {} });
      expect(listed.structuredContent).toMatchObject({
        packages: expect.arrayContaining([{ name: 'fw', range: expect.stringMatching(/^file:vendor/) }]),
      });
      const outside = await client.callTool({ name: 'dependencies_list', arguments: { dir: '/etc' } });
      expect(outside).toMatchObject({ isError: true });
      await client.close();
    } finally {
      await app.stop({ graceMs: 5_000 });
    }
  });

  test('has them behind fw-mcp --config, scoped by the category of the plugin', async () => {
    const client = await connected(stdio('introspection'));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(['dependencies_list', 'fw_features', 'fw_routes']);
    // A plugin of category app: its tool names knowledge itself.
    const refused = await client.callTool({ name: 'greeting_greet', arguments: { name: 'Ada' } });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { tool: 'greeting_greet', refused: true, requires: 'knowledge', granted: ['introspection'] },
    });
    const { structuredContent } = await client.callTool({ name: 'fw_features', arguments: {} });
    expect((structuredContent as { categories: unknown[] }).categories).toContainEqual({
      category: 'introspection',
      granted: true,
      plugins: ['fw-plugin-dependencies', 'tools/introspection'],
      tools: ['dependencies_list', 'fw_features', 'fw_routes'],
    });
    await client.close();

    const other = await connected(stdio('knowledge'));
    const withheld = await other.callTool({ name: 'dependencies_list', arguments: {} });
    expect(withheld.structuredContent).toMatchObject({ refused: true, requires: 'introspection' });
    await other.close();
  });

  test.each([
    [['--scope', 'introspecton'], /"introspecton" is not a category \(Did you mean "introspection"\?\)/],
    [['--scope', 'middleware'], /"middleware" is a category of plugins, but none of tools/],
    [
      ['--config', 'app.config.ts'],
      /Run `npx --no -- fw build` and name what it writes: --config dist\/app\.config\.js\./,
    ],
  ])('is told what is wrong with %j', async (args, message) => {
    const ended = await run(bin('fw-mcp'), ['--mode', 'generator', ...args], project);
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ended.stderr).toMatch(message);
  });
});

const bin = (name: 'fw' | 'fw-mcp') => path.join(project, 'node_modules/.bin', name);

// The three files as the guide prints them.
async function writeHello(home: string): Promise<void> {
  await mkdir(home);
  await writeFile(path.join(home, 'package.json'), block(/`package\.json`\. /));
  await writeFile(path.join(home, 'index.js'), block(/`index\.js`:/));
  await writeFile(path.join(home, 'index.d.ts'), block(/`index\.d\.ts`, /));
}

// From the package alone, with the commands of the page.
async function installJobs(): Promise<void> {
  const commands = [...(await readFile(BACKGROUND, 'utf8')).matchAll(/^npm (pack|install) (.*)$/gm)];
  expect(commands.map(([, name]) => name)).toEqual(['pack', 'install']);
  for (const [, name = '', words = ''] of commands) {
    const quick = name === 'install' ? ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'] : [];
    assertGreen(await run('npm', [name, ...quick, ...words.split(' ')], project, INSTALL_MS));
  }
}

// A file of the guide is what stands behind a line that ends in its path.
async function writeJobs(): Promise<void> {
  const files = [...(await readFile(BACKGROUND, 'utf8')).matchAll(/`([\w./-]+\.ts)`:\n\n```ts\n([\s\S]*?)^```$/gm)];
  const wanted = files.filter(([, file]) => file !== 'app.config.ts');
  expect(wanted.map(([, file]) => file)).toEqual(['app/mail-jobs.ts', 'tests/mail-jobs.test.ts']);
  for (const [, file = '', code = ''] of wanted)
    await writeFile(path.join(project, file), code.replace('jobs_in_tests', SCHEMA));
}

async function listPlugins(): Promise<void> {
  const file = path.join(project, 'app.config.ts');
  let text = await readFile(file, 'utf8');
  for (const [before, entries] of LISTED) {
    expect(text).toContain(before);
    text = text.replace(before, `    ${entries}\n${before}`);
  }
  await writeFile(file, text);
}

async function start(): Promise<RunningProcess> {
  expect(existsSync(path.join(project, 'dist/app.config.js'))).toBe(true);
  const env = { ...process.env, PORT: '0', METRICS_TOKEN: TOKEN, FW_MCP_TOKEN: TOKEN };
  return startProcess({ command: bin('fw'), args: ['start'], cwd: project, env });
}

const stdio = (scope: string) =>
  new StdioClientTransport({
    command: bin('fw-mcp'),
    args: ['--mode=generator', '--config=dist/app.config.js', `--scope=${scope}`],
    cwd: project,
    stderr: 'ignore',
  });

async function connected(transport: unknown): Promise<Client> {
  const client = new Client({ name: 'stranger', version: '1.0.0' });
  await client.connect(transport as Transport);
  return client;
}
