import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PluginCheck } from '../../../codegen/plugin-check/index.js';
import { runProcess } from '../../process/index.js';
import { PATIENCE_MS } from '../../testing/patience.js';
import { assertGreen } from './installed-framework.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const EXAMPLE = path.join(ROOT, 'docs/examples/greeting-plugin');

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'fw-plugin-check-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const fw = (args: readonly string[]) =>
  runProcess({
    command: process.execPath,
    args: [path.join(ROOT, 'dist/kernel/bin/fw.js'), 'plugin', 'check', ...args],
    cwd: folder,
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: 1_000_000,
  });

// A copy of the example with something broken in it.
async function copyOf(name: string, breakIt: (root: string) => Promise<unknown>): Promise<string> {
  const root = path.join(folder, name.replaceAll(/\W+/g, '-'));
  await cp(EXAMPLE, root, { recursive: true });
  await breakIt(root);
  return root;
}

const edit = (file: string, from: string | RegExp, to: string) => async (root: string) => {
  const before = await readFile(path.join(root, file), 'utf8');
  const after = before.replace(from, to);
  if (before === after) throw new TypeError(`${file} does not have ${from}`);
  await writeFile(path.join(root, file), after);
};

const manifest = (changes: Readonly<Record<string, unknown>>) => async (root: string) => {
  const file = path.join(root, 'package.json');
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...changes }));
};

async function check(root: string, ...args: string[]): Promise<Checked> {
  const ended = await fw([root, '--json', ...args]);
  return { ...(JSON.parse(ended.stdout) as PluginCheck), exitCode: ended.exitCode };
}

type Checked = PluginCheck & { readonly exitCode: number | null };

// What the command itself calls, for one package after another: a process for each of them takes most of its time to start.
const CHECK_EACH = `
const [, command, roots] = process.argv;
const { default: check } = await import(command);
for (const root of JSON.parse(roots)) {
  let text = '';
  const options = { options: '{}', pack: false, json: true };
  const exitCode = await check({ args: [root], options, out: (part) => void (text += part) });
  console.log(JSON.stringify({ ...JSON.parse(text), exitCode }));
}
process.exit();
`;

async function checkEach(roots: readonly string[]): Promise<readonly Checked[]> {
  const command = path.join(ROOT, 'dist/codegen/commands/plugin-check.js');
  const args = ['--input-type=module', '-e', CHECK_EACH, command, JSON.stringify(roots)];
  const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: 10_000_000 };
  const ended = await runProcess({ command: process.execPath, args, cwd: folder, ...limits });
  assertGreen(ended);
  return ended.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Checked);
}

interface Case {
  readonly what: string;
  readonly breakIt: (root: string) => Promise<unknown>;
  readonly check: string;
  readonly message: RegExp;
  readonly level?: 'warning';
  /** Whether npm is asked what it would publish. */
  readonly pack?: true;
}

const CASES: readonly Case[] = [
  {
    what: 'a module of CommonJS',
    breakIt: manifest({ type: 'commonjs' }),
    check: 'package',
    message: /not an ES module/,
  },
  { what: 'no version', breakIt: manifest({ version: undefined }), check: 'package', message: /no version/ },
  { what: 'no exports', breakIt: manifest({ exports: undefined }), check: 'exports', message: /nothing is exported/ },
  {
    what: 'an export that is not there',
    breakIt: manifest({ exports: './dist/index.js' }),
    check: 'exports',
    message: /dist\/index.js does not exist/,
  },
  {
    what: 'an export of TypeScript',
    breakIt: manifest({ exports: './index.d.ts' }),
    check: 'exports',
    message: /is TypeScript/,
  },
  {
    what: 'an export that is not published',
    breakIt: manifest({ files: ['index.d.ts'], main: undefined }),
    check: 'exports',
    message: /index.js is exported, but not published/,
    pack: true,
  },
  {
    what: 'main instead of exports',
    breakIt: manifest({ exports: undefined, main: './index.js' }),
    check: 'exports',
    message: /main, but no exports/,
    level: 'warning',
  },
  {
    what: 'fw as a dependency',
    breakIt: manifest({ dependencies: { fw: '*' } }),
    check: 'peer',
    message: /dependency of its own/,
  },
  {
    what: 'no peer dependency',
    breakIt: manifest({ peerDependencies: {} }),
    check: 'peer',
    message: /not a peer dependency/,
  },
  {
    what: 'a peer that npm installs',
    breakIt: manifest({ peerDependenciesMeta: undefined }),
    check: 'peer',
    message: /peer dependency that npm installs/,
  },
  {
    what: 'a peer that may be anything',
    breakIt: manifest({ peerDependencies: { fw: '*' } }),
    check: 'peer',
    message: /the peer dependency fw is "\*", which says nothing/,
  },
  {
    what: 'a peer of another release',
    breakIt: manifest({ peerDependencies: { fw: '>=7' } }),
    check: 'peer',
    message: /the peer dependency fw is ">=7", and this is fw \d/,
  },
  {
    what: 'fw from the registry for development',
    breakIt: manifest({ devDependencies: { fw: 'latest' } }),
    check: 'peer',
    message: /development dependency from the registry/,
  },
  {
    what: 'a manifest without the releases that it is made for',
    breakIt: edit('index.js', "fw: '^0.1.0',", ''),
    check: 'definition',
    message: /does not say for which releases of fw it is made/,
  },
  {
    what: 'a manifest for other releases than its peer',
    breakIt: edit('index.js', "fw: '^0.1.0',", "fw: '0.1.x',"),
    check: 'definition',
    message: /its manifest is for fw 0.1.x, its peer dependency for \^0.1.0/,
  },
  {
    what: 'a manifest for a release to come, with what that one has',
    breakIt: edit('index.js', "fw: '^0.1.0',", "fw: '^7.1.0',\n  novelty: true,"),
    check: 'definition',
    message: /is made for fw \^7.1.0, and this is fw \d/,
  },
  {
    what: 'no types',
    breakIt: (root) => Promise.all([manifest({ exports: './index.js' })(root), rm(path.join(root, 'index.d.ts'))]),
    check: 'types',
    message: /no type declarations/,
  },
  {
    what: 'types that are not there',
    breakIt: (root) => rm(path.join(root, 'index.d.ts')),
    check: 'types',
    message: /index.d.ts does not exist/,
  },
  {
    what: 'types without a default',
    breakIt: edit('index.d.ts', 'export default plugin;', ''),
    check: 'types',
    message: /no default export/,
  },
  {
    what: 'a command with a field that nobody knows',
    breakIt: edit('package.json', '"summary"', '"sumary"'),
    check: 'commands',
    message: /"fw\.commands\[0\]\.summary" of package\.json is missing/,
  },
  {
    what: 'a command of fw itself',
    breakIt: edit('package.json', '"name": "greet"', '"name": "start greeting"'),
    check: 'commands',
    message: /"fw\.commands\[0\]\.name" of package\.json stands below "start"/,
  },
  {
    what: 'a command that fw has',
    breakIt: edit('package.json', '"name": "greet"', '"name": "start"'),
    check: 'commands',
    message: /fw itself has a command "start"/,
  },
  {
    what: 'a command whose module is not there',
    breakIt: (root) => rm(path.join(root, 'commands/greet.js')),
    check: 'commands',
    message: /\.\/commands\/greet\.js does not exist/,
  },
  {
    what: 'a command that is no function',
    breakIt: edit('commands/greet.js', 'export default command', 'export default { command }'),
    check: 'commands',
    message: /"fw\.commands\[0\]\.module" .* its default export is no function but an object/,
  },
  {
    what: 'a command that is not published',
    breakIt: edit('package.json', '"commands"\n  ],', '"greet.css"\n  ],'),
    check: 'exports',
    message: /commands\/greet\.js is a command, but not published/,
    pack: true,
  },
  {
    what: 'a tool that the plugin does not contribute',
    breakIt: edit('package.json', '"greeting_greet"', '"greeting_greet", "greeting_part"'),
    check: 'capabilities',
    message: /"fw\.tools" of package\.json names greeting_part, which it does not contribute/,
  },
  {
    what: 'a tool that package.json does not name',
    breakIt: edit('package.json', '"greeting_greet"', ''),
    check: 'capabilities',
    message: /"fw\.tools" of package\.json does not name greeting_greet/,
    level: 'warning',
  },
  {
    what: 'no default export',
    breakIt: edit('index.js', 'export default', 'export const plugin ='),
    check: 'definition',
    message: /no default export/,
  },
  {
    what: 'a plain object',
    breakIt: edit('index.js', 'export default definePlugin({', 'export default ({'),
    check: 'definition',
    message: /not what definePlugin returns/,
  },
  {
    what: 'a wrong category',
    breakIt: edit('index.js', "category: 'app'", "category: 'nothing'"),
    check: 'definition',
    message: /its category is "nothing"/,
  },
  {
    what: 'a missing import',
    breakIt: edit('index.js', "from 'fw/http'", "from 'fw/gone'"),
    check: 'definition',
    message: /cannot be loaded/,
  },
  {
    what: 'the id of somebody else',
    breakIt: edit('index.js', "id: 'fw-plugin-greeting'", "id: 'middleware/cors'"),
    check: 'definition',
    message: /its id is middleware\/cors, but the package is fw-plugin-greeting/,
  },
  {
    what: 'an option without a description',
    breakIt: edit('index.js', ", description: 'Word before the name'", ''),
    check: 'options',
    message: /option greeting has no description/,
    level: 'warning',
  },
  {
    what: 'a register that fails',
    breakIt: edit('index.js', 'contribute(HttpRoutes', 'missing();\n    contribute(HttpRoutes'),
    check: 'capabilities',
    message: /register fails: missing is not defined/,
  },
  {
    what: 'a service that is not declared',
    breakIt: edit(
      'index.js',
      'register({ options: { greeting }, contribute }) {',
      'register({ options: { greeting }, contribute, bind }) {\n    bind(HttpRoutes, () => []);',
    ),
    check: 'capabilities',
    message: /binds fw.HttpRoutes, which its manifest does not declare/,
  },
  {
    what: 'a service that is declared only',
    breakIt: edit('index.js', "category: 'app',", "category: 'app',\n  provides: [HttpRoutes],"),
    check: 'capabilities',
    message: /declares fw.HttpRoutes, but binds nothing/,
  },
  {
    what: 'a contribution that nobody hears',
    breakIt: edit('index.js', "optionalNeeds: ['http'", "optionalNeeds: ['docs'"),
    check: 'capabilities',
    message: /contributes fw.HttpRoutes, but does not name http/,
  },
  {
    what: 'a tool named like those of fw',
    breakIt: edit('index.js', "name: 'greeting_greet'", "name: 'fw_greet'"),
    check: 'capabilities',
    message: /names with fw_ are those of the framework/,
  },
  {
    what: 'a tool that cannot be made',
    breakIt: edit('index.js', "texts: ['name']", 'texts: []'),
    check: 'capabilities',
    message: /tool cannot be made: .*neither in paths nor in texts/,
  },
];

describe('fw plugin check', () => {
  // Packed, as their users get them.
  test.each(['kafka', 'nats'])('finds nothing wrong with the backend of %s', async (name) => {
    const source = path.join(ROOT, 'plugins/events', name);
    const run = (command: string, args: readonly string[], cwd: string) =>
      runProcess({ command, args, cwd, timeoutMs: PATIENCE_MS, maxOutputBytes: 100_000 });
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], source);
    const tarball = path.join(folder, packed.stdout.trim().split('\n').at(-1) ?? '');
    const root = path.join(folder, name);
    await mkdir(root);
    await symlink(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
    expect(await run('tar', ['-xzf', tarball, '-C', root], folder)).toMatchObject({ exitCode: 0 });
    const options = JSON.stringify({ brokers: ['127.0.0.1:1'], groupId: 'a' });
    expect(await check(path.join(root, 'package'), '--options', options)).toMatchObject({
      name: `@fw/backend-${name}`,
      ok: true,
      exitCode: 0,
      problems: [],
    });
  });

  test('finds nothing wrong with the example, installed nowhere, and says what it brings along', async () => {
    const root = await copyOf('good', () => Promise.resolve());
    expect(await check(root)).toEqual({
      name: 'fw-plugin-greeting',
      ok: true,
      exitCode: 0,
      problems: [],
      capabilities: expect.objectContaining({
        tools: ['greeting_greet'],
        contributions: expect.arrayContaining(['fw.HttpRoutes']),
      }),
    });
    const { stdout } = await fw(['good', '--no-pack']);
    expect(stdout).toMatch(/^ok {3}package\nok {3}exports\nok {3}peer\nok {3}types\n/);
    expect(stdout).toMatch(/fw-plugin-greeting is ready to be used\.\n$/);
  });

  let unpacked: Promise<ReadonlyMap<Case, Checked>> | undefined;
  const checkUnpacked = async (): Promise<ReadonlyMap<Case, Checked>> => {
    const cases = CASES.filter(({ pack }) => pack === undefined);
    // An error code is declared once in a process.
    const distinct = (at: number) => edit('greet.js', /FW_GREETING_RUDE/g, `FW_GREETING_RUDE_${at}`);
    const roots = await Promise.all(
      cases.map(({ what, breakIt }, at) =>
        copyOf(what, async (root) => [await distinct(at)(root), await breakIt(root)]),
      ),
    );
    const checked = await checkEach(roots);
    expect(checked).toHaveLength(cases.length);
    return new Map(cases.map((each, at) => [each, checked[at] as Checked]));
  };

  test.each(CASES)('names $what, and what to do', async (each) => {
    const { what, breakIt, check: part, message, pack, level = 'error' } = each;
    const checked = pack ? await check(await copyOf(what, breakIt)) : (await (unpacked ??= checkUnpacked())).get(each);
    const { problems, ok, exitCode } = checked as Checked;
    expect(problems).toContainEqual({
      level,
      check: part,
      message: expect.stringMatching(message),
      fix: expect.stringMatching(/\.$/),
    });
    expect([ok, exitCode]).toEqual(level === 'error' ? [false, 1] : [true, 0]);
  });

  test('looks at every plugin of the package, by whatever name it is exported', async () => {
    const root = await copyOf('several', async (folder) => {
      const exports = {
        '.': { types: './index.d.ts', default: './index.js' },
        './loud': './loud.js',
        './greet': './greet.js',
      };
      const text = await readFile(path.join(folder, 'package.json'), 'utf8');
      await manifest({ exports, fw: { ...JSON.parse(text).fw, tools: ['greeting_greet', 'greeting_shout'] } })(folder);
      await writeFile(
        path.join(folder, 'loud.js'),
        `import { definePlugin, defineTool, ToolContribution, Type } from 'fw';
const shout = () => defineTool({ name: 'greeting_shout', description: 'Shouts.', input: Type.Object({}), output: Type.Object({}), reach: 'inProcess', effects: [], run: async () => ({ summary: '', structured: {} }) });
export default definePlugin({ id: 'fw-plugin-loud', category: 'knowledge', description: 'Is loud.', fw: '^0.1.0', register: ({ contribute }) => contribute(ToolContribution, shout) });
`,
      );
    });
    const checked = await check(root, '--no-pack');
    expect(checked.capabilities?.tools).toEqual(['greeting_greet', 'greeting_shout']);
    expect(checked.problems.map(({ message }) => message)).toEqual([
      'its id is fw-plugin-loud, but the package is fw-plugin-greeting',
    ]);
    await edit('loud.js', 'fw-plugin-loud', 'fw-plugin-greeting/loud')(root);
    expect(await check(root, '--no-pack')).toMatchObject({ ok: true, problems: [] });
  });

  test('registers it with the options that are given', async () => {
    const root = await copyOf(
      'options',
      edit(
        'index.js',
        "withDefault(Type.String({ minLength: 1, description: 'Word before the name' }), 'Hello')",
        "Type.String({ description: 'Word' })",
      ),
    );
    expect((await check(root, '--no-pack')).problems).toMatchObject([
      { level: 'warning', check: 'options', message: expect.stringContaining('greeting') },
    ]);
    expect((await check(root, '--no-pack', '--options', '{"greeting":"Servus"}')).problems).toEqual([]);
    expect((await fw([root, '--options', '[]'])).stderr).toMatch(/^FW_PLUGIN_CHECK_OPTIONS: .*not an object/);
  });

  test('refuses a folder that is no package', async () => {
    const ended = await fw(['nowhere']);
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^FW_PLUGIN_CHECK_PACKAGE: .*it does not exist/);
  });
});
