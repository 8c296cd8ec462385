import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { runProcess, startProcess } from '../../process/index.js';
import { describeWithBrowser, findBrowser, launchBrowser } from '../../testing/browser.js';
import { INSTALL_MS, installedFramework } from './installed-framework.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const chromiumHere = await findBrowser();

let folder: string;

const npm = (args: readonly string[], cwd: string) =>
  runProcess({ command: 'npm', args, cwd, timeoutMs: INSTALL_MS, maxOutputBytes: 1_000_000 });

async function pack(source: string): Promise<string> {
  const packed = await npm(['pack', '--silent', '--pack-destination', folder], source);
  expect(packed).toMatchObject({ exitCode: 0 });
  return path.join(folder, packed.stdout.trim().split('\n').at(-1) ?? '');
}

// The tarball that the shared installation was made from: its project has it in vendor/ (codegen/schematics/new).
async function packedFramework(): Promise<string> {
  const vendor = path.join(await installedFramework(), 'vendor');
  const [name = ''] = await readdir(vendor);
  return path.join(vendor, name);
}

const config = (options: string) => `
  import { defineApp, plugin } from 'fw';
  export default defineApp({
    name: 'consumer',
    plugins: [plugin(() => import('fw/http'), { port: 0 }), plugin(() => import('fw-plugin-greeting'), ${options})],
  });
`;

const operatorConfig = (options: string) => `
  import { defineApp, plugin } from 'fw';
  export default defineApp({ name: 'operator', plugins: [plugin(() => import('fw/tools/provisioning'), ${options})] });
`;

const withDashboard = `
  import { defineApp, plugin } from 'fw';
  export default defineApp({
    name: 'consumer',
    plugins: [
      plugin(() => import('fw/http'), { port: 0 }),
      plugin(() => import('fw/dashboard')),
      plugin(() => import('fw/middleware/security-headers')),
      plugin(() => import('fw-plugin-greeting'), { greeting: 'Servus' }),
    ],
  });
`;

const fw = (name: 'fw' | 'fw-mcp') => path.join(folder, 'node_modules/.bin', name);

describe('a plugin packed with npm pack, in a folder outside the repository', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-third-party-'));
    await cp(path.join(ROOT, 'docs/examples/greeting-plugin'), path.join(folder, 'greeting-plugin'), {
      recursive: true,
    });
    await mkdir(path.join(folder, 'app'));
    const tarballs = [await packedFramework(), await pack(path.join(folder, 'greeting-plugin'))];
    await writeFile(
      path.join(folder, 'package.json'),
      JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
    );
    const installed = await npm(
      ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs],
      folder,
    );
    expect(installed).toMatchObject({ exitCode: 0 });
    await writeFile(path.join(folder, 'good.config.js'), config(`{ greeting: 'Servus' }`));
    await writeFile(path.join(folder, 'dashboard.config.js'), withDashboard);
    await writeFile(path.join(folder, 'bad.config.js'), config(`{ greting: 'Servus' }`));
  }, INSTALL_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('adds a route and stands in the boot report', async () => {
    const app = await startProcess({
      command: fw('fw'),
      args: ['start', '--report', '--config', 'good.config.js'],
      cwd: folder,
    });
    try {
      const [url] = await app.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, { timeoutMs: PATIENCE_MS });
      const answer = await fetch(`${url}/greet/Ada`);
      expect(await answer.json()).toEqual({ text: 'Servus, Ada!' });
      expect((await fetch(`${url}/greet/R2D2`)).status).toBe(422);
      expect(app.recentLines().join('\n')).toMatch(/^fw-plugin-greeting\s+app\s+ready/m);
      expect(app.recentLines().join('\n')).toMatch(/^router\s+ok\s/m);
    } finally {
      await app.stop({ graceMs: 5_000 });
    }
  });

  test('adds a command to those of fw', async () => {
    const run = (...args: readonly string[]) =>
      runProcess({ command: fw('fw'), args, cwd: folder, timeoutMs: PATIENCE_MS, maxOutputBytes: 100_000 });
    const greeted = await run('greet', 'Ada', '--json');
    expect(JSON.parse(greeted.stdout)).toEqual({ text: 'Hello, Ada!' });
    expect((await run('--help')).stdout).toMatch(/Commands of fw-plugin-greeting:\n +greet /);
    const listed = await run('plugins', '--config', 'good.config.js', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({
      app: 'consumer',
      plugins: [
        { id: 'http', category: 'http', state: 'registered', provides: ['fw.HttpServer', 'fw.LocalDoors'], uses: [] },
        { id: 'fw-plugin-greeting', category: 'app', state: 'registered', reason: '', provides: [] },
      ],
    });
  });

  test('that cannot be booted stands in the list with why, and the command says so by its exit code', async () => {
    const run = (...args: readonly string[]) =>
      runProcess({
        command: fw('fw'),
        args: ['plugins', ...args],
        cwd: folder,
        timeoutMs: PATIENCE_MS,
        maxOutputBytes: 100_000,
      });
    const told = await run('--config', 'bad.config.js');
    expect(told).toMatchObject({ exitCode: 1, stderr: '' });
    expect(told.stdout).toMatch(/^http +http +registered /m);
    expect(told.stdout).toMatch(/^fw-plugin-greeting +app +failed/m);
    expect(told.stdout).toMatch(
      /^fw-plugin-greeting failed: FW_CONFIG_OPTIONS: .*greting is not an option of this plugin/m,
    );
    expect(told.stdout).toContain('It does not start: 1 of them failed.');
    const json = await run('--config', 'bad.config.js', '--json');
    expect(json).toMatchObject({ exitCode: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({
      plugins: [
        { id: 'http', state: 'registered', reason: '' },
        {
          id: 'fw-plugin-greeting',
          state: 'failed',
          code: 'FW_CONFIG_OPTIONS',
          reason: expect.stringContaining('greting'),
        },
      ],
    });
  });

  test('is named by an fw-mcp that does not load it, to who asks for its tool', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const server = { command: fw('fw-mcp'), args: ['--mode', 'generator'], cwd: folder, stderr: 'ignore' as const };
    await client.connect(new StdioClientTransport(server));
    try {
      await expect(client.callTool({ name: 'greeting_greet', arguments: { name: 'Ada' } })).rejects.toThrow(
        /There is no tool "greeting_greet" on this generator server\. The package fw-plugin-greeting brings it: start this server with --config/,
      );
    } finally {
      await client.close();
    }
  });

  test('gets its options validated', async () => {
    const ended = await runProcess({
      command: fw('fw'),
      args: ['start', '--config', 'bad.config.js'],
      cwd: folder,
      timeoutMs: PATIENCE_MS,
      maxOutputBytes: 100_000,
    });
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toContain(
      'Options of plugin fw-plugin-greeting in app.config.ts are wrong: greting is not an option of this plugin (known: greeting)',
    );
  });

  test('adds a tool that an MCP client sees through fw-mcp --config', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const args = ['--mode', 'generator', '--config', 'good.config.js'];
    await client.connect(new StdioClientTransport({ command: fw('fw-mcp'), args, cwd: folder, stderr: 'ignore' }));
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['fw_features', 'greeting_greet']));
      const result = await client.callTool({ name: 'greeting_greet', arguments: { name: 'Grace' } });
      expect(result.structuredContent).toEqual({ text: 'Servus, Grace!' });
    } finally {
      await client.close();
    }
  });

  test('sets options of one built-in tool plugin through fw-mcp --config, which lists nothing else', async () => {
    await writeFile(path.join(folder, 'operator.config.js'), operatorConfig(`{ baseImage: 'example.org/node:22' }`));
    await writeFile(path.join(folder, 'mistaken.config.js'), operatorConfig(`{ basImage: 'example.org/node:22' }`));
    const args = (file: string) => ['--mode', 'generator', '--config', file];
    const client = new Client({ name: 'test', version: '1.0.0' });
    const server = { command: fw('fw-mcp'), args: args('operator.config.js'), cwd: folder, stderr: 'ignore' as const };
    await client.connect(new StdioClientTransport(server));
    try {
      expect((await client.listTools()).tools).toHaveLength(40);
    } finally {
      await client.close();
    }
    const limits = { cwd: folder, timeoutMs: PATIENCE_MS, maxOutputBytes: 100_000 };
    const ended = await runProcess({ command: fw('fw-mcp'), args: args('mistaken.config.js'), ...limits });
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toContain('Options of plugin tools/provisioning in app.config.ts are wrong: basImage is not');
  });

  describeWithBrowser(chromiumHere, 'its page of the dashboard', (executablePath) => {
    test('stands in the navigation, and works under the strict policy with the live connection', async () => {
      const app = await startProcess({
        command: fw('fw'),
        args: ['start', '--config', 'dashboard.config.js'],
        cwd: folder,
      });
      const browser = await launchBrowser(executablePath);
      try {
        const [url] = await app.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, { timeoutMs: PATIENCE_MS });
        const page = await browser.newPage();
        const complaints: string[] = [];
        page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
        page.on('pageerror', (error) => complaints.push(String(error)));
        const answer = await page.goto(`${url}/dashboard`);
        expect(answer?.headers()['content-security-policy']).toMatch(/^default-src 'self'/);
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Greetings' }).click();
        await page.getByRole('heading', { level: 1, name: 'Greetings' }).waitFor();
        await page.getByLabel('Whom to greet').fill('Ada');
        await page.getByRole('button', { name: 'Greet' }).click();
        await page.getByText('Servus, Ada!').waitFor();
        // The address works by itself, too.
        await page.reload();
        await page.getByLabel('Whom to greet').waitFor();
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
        await app.stop({ graceMs: 5_000 });
      }
    });
  });

  test('brings types: every subpath of the package has its declarations', async () => {
    const types = await readdir(path.join(folder, 'node_modules/fw/dist/types'));
    expect(types).toEqual(expect.arrayContaining(['kernel', 'plugins']));
  });
});
