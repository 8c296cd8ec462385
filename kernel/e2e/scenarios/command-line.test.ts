import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { roomManifests } from '../../manifests/index.js';
import { runProcess } from '../../process/index.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

let folder: string;

const run = (bin: string, args: readonly string[]) =>
  runProcess({
    command: process.execPath,
    args: [path.join(ROOT, 'dist', bin), ...args],
    cwd: folder,
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: 100_000,
  });
const fw = (...args: string[]) => run('kernel/bin/fw.js', args);

describe('the command line', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-cli-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('lists its commands, and its version', async () => {
    const help = await fw('--help');
    expect(help.exitCode).toBe(0);
    for (const command of ['start', 'codegen', 'routes', 'build']) expect(help.stdout).toContain(command);
    expect((await fw('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('exits 2 for a command or an option that does not exist', async () => {
    expect(await fw('strat')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`unknown command 'strat'`),
    });
    expect(await fw('start', '--prot', '1')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`unknown option '--prot'`),
    });
  });

  test.each([
    [['generate', 'client', '--prot'], /unknown option '--prot'/],
    [['migrate', 'sideways'], /'sideways' is invalid.*up, down, status, diff, new/],
    [['plugin', 'chekc'], /unknown command 'chekc'/],
  ])('exits 2 for a mistake in %j as well', async (args, said) => {
    expect(await fw(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(said) });
  });

  test('shows the flags of a kind and of a feature', async () => {
    const kind = await fw('generate', 'model', '--help');
    expect(kind).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^model .*\n(.*\n)*? +--timestamps/m) });
    expect(kind.stdout).not.toContain('listener');
    expect((await fw('generate', '--help')).stdout).toMatch(/^listener /m);
    expect((await fw('add', 'cors', '--help')).stdout).toMatch(/--origins .*default \*/);
    expect((await fw('add', '-h')).stdout).toMatch(/^cors +\S/m);
  });

  // Of each command that takes --json: one call that cannot do what it asks, in a folder that is no project.
  const JSON_CALLS: Readonly<Record<string, readonly string[]>> = {
    new: ['../outside'],
    migrate: ['status'],
    'db read': ['SELECT 1', '--rows', 'many'],
    'db check': ['--rows', 'many'],
    docs: ['zzzqqq'],
    doctor: ['--only', 'nobody'],
    upgrade: ['nowhere.tgz'],
    verify: ['nowhere'],
    'plugin check': ['nowhere'],
    add: ['cors', 'another'],
    generate: ['nobody', 'Name'],
  };

  test('prints one document for each command that is asked for JSON, when it fails as well', async () => {
    const commands = (await roomManifests()).flatMap(({ manifest }) => manifest.commands ?? []);
    const takesJson = commands
      .filter(({ options = [] }) => options.some(({ flags }) => flags === '--json'))
      .map(({ name }) => name);
    expect(takesJson).toEqual(expect.arrayContaining(['routes', 'codegen', 'plugins', 'build', 'db schema', 'llms']));
    for (const name of new Set([...takesJson, 'add', 'generate'])) {
      const { exitCode, stdout } = await fw(...name.split(' '), ...(JSON_CALLS[name] ?? []), '--json');
      expect([name, exitCode]).toEqual([name, exitCode === 2 ? 2 : 1]);
      expect([name, JSON.parse(stdout)]).toEqual([
        name,
        { error: { code: expect.stringMatching(/^FW_/), message: expect.stringMatching(/./) } },
      ]);
    }
  });

  test('takes switches of a generator and of a feature in front of its name', async () => {
    const said = JSON.parse((await fw('generate', '--json', '--dry-run', 'nobody', 'Name')).stdout) as object;
    expect(said).toEqual({ error: { code: 'FW_SCHEMATIC_KIND', message: expect.stringContaining('"nobody"') } });
    expect((await fw('add', '--dry-run', 'nobody')).stderr).toMatch(/^FW_SCHEMATIC_FEATURE: .*"nobody"/);
    expect(JSON.parse((await fw('add', '--json')).stdout)).toContainEqual(expect.objectContaining({ name: 'cors' }));
  });

  test('says that a folder to verify is not there', async () => {
    const ended = await fw('verify', 'nowhere');
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^FW_PATH_ROOTS: The folder ".*nowhere" cannot be worked in: .*Expected an existing directory/,
    );
  });

  test('says what is missing where there is no application', async () => {
    const ended = await fw('start');
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^FW_CONFIG_NOT_FOUND: No configuration at .*dist\/app\.config\.js\. Expected/);
  });

  test('says what a configuration exports instead of an application', async () => {
    await writeFile(path.join(folder, 'odd.mjs'), 'export default 3;');
    expect((await fw('start', '--config', 'odd.mjs')).stderr).toContain(
      'must default-export defineApp({ ... }), but its default export is number',
    );
    expect((await fw('start', '--config', path.join(ROOT, 'app.config.ts'))).stderr).toContain(
      'is TypeScript, which Node 20 does not run',
    );
  });

  test('refuses to start an MCP server without a mode, and says which there are', async () => {
    const ended = await run('plugins/mcp/bin/fw-mcp.js', []);
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ended.stderr).toMatch(/--mode generator .*--mode app-runtime/);
  });
});
