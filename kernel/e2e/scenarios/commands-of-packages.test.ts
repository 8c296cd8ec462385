import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProcess } from '../../process/index.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FW = path.join(ROOT, 'dist/kernel/bin/fw.js');
const LIMITS = { timeoutMs: PATIENCE_MS, maxOutputBytes: 200_000 };

let folder: string;
beforeAll(async () => void (folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-commands-of-')))));
afterAll(() => rm(folder, { recursive: true }));

/** A project with the greeting plugin and a copy of fw, and with packages that bring something else. */
async function project(name: string, packages: Readonly<Record<string, object>> = {}): Promise<string> {
  const root = path.join(folder, name);
  await mkdir(path.join(root, 'node_modules'), { recursive: true });
  await symlink(ROOT, path.join(root, 'node_modules/fw'));
  await cp(path.join(ROOT, 'docs/examples/greeting-plugin'), path.join(root, 'node_modules/fw-plugin-greeting'), {
    recursive: true,
  });
  const dependencies = ['fw-plugin-greeting', ...Object.keys(packages)].map((each) => [each, '*'] as const);
  await writeFile(
    path.join(root, 'package.json'),
    JSON.stringify({ name, type: 'module', dependencies: Object.fromEntries(dependencies) }),
  );
  for (const [each, fw] of Object.entries(packages)) {
    await mkdir(path.join(root, 'node_modules', each));
    const manifest = JSON.stringify({ name: each, type: 'module', fw });
    await writeFile(path.join(root, 'node_modules', each, 'package.json'), manifest);
  }
  return root;
}

const fw = (cwd: string, ...args: readonly string[]) =>
  runProcess({ command: process.execPath, args: [FW, ...args], cwd, ...LIMITS });

const command = (name: string, module = './run.js') => ({ name, summary: `Runs ${name}`, module });

describe('a command that a package brings', () => {
  test('runs, prints JSON, refuses what fw would refuse, and has its help', async () => {
    const root = await project('plain');
    expect(await fw(root, 'greet', 'Ada')).toMatchObject({ exitCode: 0, stdout: 'Hello, Ada!\n', stderr: '' });
    const json = await fw(root, 'greet', 'Ada', '--greeting', 'Servus', '--json');
    expect(JSON.parse(json.stdout)).toEqual({ text: 'Servus, Ada!' });
    const coded = await fw(root, 'greet', 'R2D2');
    expect(coded).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('FW_GREETING_RUDE: ') });
    expect(await fw(root, 'greet')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('argument') });
    expect(await fw(root, 'greet', 'Ada', '--lound')).toMatchObject({ exitCode: 2 });
    const help = await fw(root, 'greet', '--help');
    expect(help.stdout).toMatch(/^Usage: fw greet \[options\] <name>\n/);
    expect(help.stdout).toMatch(/--greeting <word> +word before the name \(default: "Hello"\)/);
    expect(await fw(path.join(root, 'node_modules'), 'help', 'greet')).toMatchObject({ stdout: help.stdout });
  });

  test('stands in the list of commands under the name of its package', async () => {
    const { stdout } = await fw(await project('listed'), '--help');
    expect(stdout).toMatch(
      /\nCommands:\n {2}add .*\n(.*\n)+\nCommands of fw-plugin-greeting:\n {2}greet .*<name> +Say how/,
    );
  });

  test('is not loaded to be listed or completed', async () => {
    const root = await project('unloaded', { loud: { commands: [command('loud')] } });
    await writeFile(path.join(root, 'node_modules/loud/run.js'), "process.stdout.write('loaded');");
    expect((await fw(root, '--help')).stdout).not.toContain('loaded');
    expect((await fw(root, 'complete', 'bash', '--', 'lou')).stdout).toBe('loud\n');
    expect((await fw(root, 'loud')).stdout).toContain('loaded');
  });

  test('may be the project itself that brings it', async () => {
    const root = await project('own');
    const manifest = { name: 'own', type: 'module', fw: { commands: [command('till')] } };
    await writeFile(path.join(root, 'package.json'), JSON.stringify(manifest));
    await writeFile(path.join(root, 'run.js'), 'export default ({ out }) => out("cash\\n");');
    expect(await fw(root, 'till')).toMatchObject({ exitCode: 0, stdout: 'cash\n' });
  });

  test.each([
    ['is not in the package', undefined, /it cannot be loaded: Cannot find module/],
    ['has no default export', 'export const run = 1;', /it exports nothing by default\./],
    ['exports an object', 'export default { run() {} };', /its default export is no function but an object\./],
    ['throws while it is loaded', "throw new Error('no luck');", /it cannot be loaded: no luck\./],
    ['returns a text', "export default () => 'fine';", /it returned "fine", expected an exit code or nothing\./],
  ])('whose module %s is an error with package and field', async (what, text, said) => {
    const root = await project(what.replaceAll(' ', '-'), { other: { commands: [command('first'), command('odd')] } });
    if (text !== undefined) await writeFile(path.join(root, 'node_modules/other/run.js'), text);
    const { exitCode, stderr } = await fw(root, 'odd');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^FW_MANIFEST_MODULE: other cannot run "fw\.commands\[1\]\.module" of .*other\/package\.json/,
    );
    expect(stderr).toMatch(said);
  });
});

describe('a package that is wrong', () => {
  const WRONG = { commands: [{ ...command('odd'), modul: './run.js' }] };
  const THIEF = { commands: [command('start')] };
  const SAME = { commands: [command('greet')] };

  test('does not keep fw, or another package, from working', async () => {
    const root = await project('wrong', { wrong: WRONG, thief: THIEF });
    expect(await fw(root, 'greet', 'Ada')).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await fw(root, 'start')).stderr).toMatch(/^FW_CONFIG_NOT_FOUND/);
    expect(await fw(root, '--version')).toMatchObject({ exitCode: 0, stderr: '' });
    const help = await fw(root, '--help');
    expect(help).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('greet') });
    expect(help.stderr).toMatch(
      /FW_MANIFEST_WRONG: wrong .*"fw\.commands\[0\]\.modul" is not known\. Did you mean "module"\?/,
    );
    expect(help.stderr).toMatch(/FW_MANIFEST_CLASH: Both fw and thief bring the command "fw start"/);
  });

  test('is named where nobody else brings the command', async () => {
    const ended = await fw(await project('named', { wrong: WRONG }), 'odd');
    expect(ended).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/^FW_MANIFEST_WRONG: wrong /),
    });
  });

  test('is named with the other one, when both bring the command', async () => {
    const ended = await fw(await project('clash', { same: SAME }), 'greet', 'Ada');
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^FW_MANIFEST_CLASH: Both fw-plugin-greeting and same bring the command "fw greet" \(fw\.commands\[0\]\.name of .*same\/package\.json\)/,
    );
  });

  test('is named when it is not installed', async () => {
    const root = await project('missing', { gone: {} });
    await rm(path.join(root, 'node_modules/gone'), { recursive: true });
    const ended = await fw(root, 'odd');
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toMatch(/unknown command 'odd'(.|\n)*not installed, and may bring commands: gone\n$/);
    expect(await fw(root, 'greet', 'Ada')).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
