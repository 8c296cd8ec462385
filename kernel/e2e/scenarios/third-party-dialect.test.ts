import { cp, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProcess } from '../../process/index.js';
import { assertGreen, INSTALL_MS, installedFramework, installProject, run } from './installed-framework.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const EXAMPLE = path.join(ROOT, 'docs/examples/pglite-dialect');
// Another one, of another family: it only keeps the contract, among the same tests.
const SECOND = path.join(ROOT, 'docs/examples/libsql-dialect');
const STEP_MS = 300_000;
// Types, lint, tests and conventions, one after the other.
const VERIFY_MS = 900_000;

let folder: string;
let notes: string;

const command = (): string => path.join(notes, 'node_modules/.bin/fw');
const fw = async (...args: readonly string[]) => assertGreen(await run(command(), args, notes, STEP_MS)).stdout;
const npm = async (...args: readonly string[]) => assertGreen(await run('npm', args, notes, INSTALL_MS)).stdout;

async function edit(file: string, from: string | RegExp, to: string): Promise<void> {
  const before = await readFile(path.join(notes, file), 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  await writeFile(path.join(notes, file), after);
}

const IN_MEMORY_ARCHIVE = `plugin(() => import('fw-dialect-pglite').then((dialect) => dialect.default.named('archive')), { file: 'memory://' })`;

describe('a dialect of a third party, packed with npm pack, in a project made by fw new', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-dialect-'));
    notes = path.join(folder, 'notes');
    const framework = await installedFramework();
    assertGreen(await run(path.join(framework, 'node_modules/.bin/fw'), ['new', 'notes'], folder));
    await installProject(notes);
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder, EXAMPLE, SECOND], folder);
    const names = assertGreen(packed).stdout.trim().split('\n').slice(-2);
    const tarballs = names.map((name) => path.join(folder, name));
    const { devDependencies } = JSON.parse(
      await readFile(path.join(ROOT, 'kernel/testing/tools/package.json'), 'utf8').then((text) =>
        text.replace('"dependencies"', '"devDependencies"'),
      ),
    ) as { devDependencies: Record<string, string> };
    const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    await npm('install', ...quiet, ...tarballs, `fast-check@${devDependencies['fast-check']}`);
  }, INSTALL_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('passes the check of plugins', async () => {
    const installed = path.join(notes, 'node_modules/fw-dialect-pglite');
    expect(await fw('plugin', 'check', installed, '--options', '{"file":"memory://"}')).not.toContain('FAIL');
  });

  test(
    'is added by its name, and one that nobody has is refused with those that there are',
    async () => {
      const refused = await run(command(), ['add', 'orm', '--driver', 'oracle', '--force'], notes);
      expect(refused).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('"oracle" is not among sqlite, mysql, postgres, sqlserver, '),
      });
      await fw('add', 'orm', '--driver', 'pglite', '--force');
      expect(await readFile(path.join(notes, 'app.config.ts'), 'utf8')).toContain(
        `{ driver: 'pglite', file: env.DATABASE_FOLDER, schema: 'create-missing' }`,
      );
      expect(await readFile(path.join(notes, 'app/environment.ts'), 'utf8')).toMatch(
        /DATABASE_FOLDER: withDefault\([^)]*\),\s+'\.fw\/pglite',?\s*\)/,
      );
      // What tests a project follows to the other database.
      expect(await readFile(path.join(notes, 'tests/test-app.ts'), 'utf8')).toMatch(
        /driver: 'pglite',\s+file: 'memory:\/\/'/,
      );
      await fw('generate', 'resource', 'Note', 'title:string', 'body:text?', 'starred:bool');
    },
    STEP_MS,
  );

  test(
    'migrates, and its tables become models',
    async () => {
      await npm('run', 'build');
      expect(await fw('migrate', 'diff', '--name', 'first')).toContain('first.up.sql');
      const [up = ''] = (await readdir(path.join(notes, 'app/migrations'))).filter((name) => name.endsWith('.up.sql'));
      expect(await readFile(path.join(notes, 'app/migrations', up), 'utf8')).toContain('CREATE TABLE "notes"');
      expect(await fw('migrate', 'up')).toMatch(/^applied \d{14} first$/m);
      expect(await fw('migrate', 'diff')).toBe('the database is what the models say\n');
      expect(await fw('migrate', 'down')).toMatch(/^rolled back/);
      await fw('migrate', 'up');
      expect(await fw('db', 'pull', '--dir', 'pulled')).toContain('wrote note.ts');
      expect(await readFile(path.join(notes, 'pulled/note.ts'), 'utf8')).toContain("@table('notes')");
      await rm(path.join(notes, 'pulled'), { recursive: true });
    },
    STEP_MS,
  );

  // Where the framework is installed, it has its declarations, so that types are checked too.
  test(
    'its database is described as it is, in types as well',
    async () => {
      const checked = JSON.parse(await fw('db', 'check', '--json')) as { readonly skipped: object };
      expect(checked).toMatchObject({ ok: true, dialect: 'pglite', models: 1, problems: [] });
      expect(Object.keys(checked.skipped)).not.toContain('types');
    },
    STEP_MS,
  );

  test(
    'is listed as a plugin, for the database of the application and for another one',
    async () => {
      const listed = `plugin(() => import('fw/orm'), { schema: 'create-missing' }),
    plugin(() => import('fw-dialect-pglite'), { file: '.fw/pglite' }, { test: { file: 'memory://' } }),
    plugin(() => import('fw-dialect-pglite').then((dialect) => dialect.default.named('archive')), { file: '.fw/archive' }),`;
      await edit('app.config.ts', /plugin\(\s*\(\) => import\('fw\/orm'\)[\s\S]*?\n?\s*\),\n/, `${listed}\n`);
      await npm('run', 'build');
      await npm('run', 'typecheck');
      expect(await fw('migrate', 'status')).toMatch(/^applied {2}\d{14} first/);
      await fw('migrate', 'new', 'archive notes', '--database', 'archive');
      const folder = path.join(notes, 'app/migrations-archive');
      for (const file of await readdir(folder)) {
        const table = file.endsWith('.up.sql') ? 'CREATE TABLE old_notes (id int PRIMARY KEY)' : 'DROP TABLE old_notes';
        await writeFile(path.join(folder, file), `${table};\n`);
      }
      expect(await fw('migrate', 'up', '--database', 'archive')).toMatch(/^applied \d{14} archive_notes$/m);
      expect(await fw('db', 'pull', '--database', 'archive', '--dir', 'pulled')).toContain('wrote old-note.ts');
      const pulled = path.join(notes, 'pulled/old-note.ts');
      expect(await readFile(pulled, 'utf8')).toContain("@table('old_notes', {\n  database: 'archive',\n})");
      await rename(pulled, path.join(notes, 'app/models/old-note.ts'));
      // Its tests have both databases, as the application has.
      await edit('tests/test-app.ts', /(plugin\(\(\) => import\('fw\/orm'\).*\n)/, `$1      ${IN_MEMORY_ARCHIVE},\n`);
      await rm(path.join(notes, 'pulled'), { recursive: true });
      await npm('run', 'build');
      expect(await fw('migrate', 'diff', '--database', 'archive')).toContain('the database is what the models say');
      expect(await fw('migrate', 'diff')).toContain('the database is what the models say');
      const unknown = await run(command(), ['migrate', 'status', '--database', 'arcive'], notes);
      expect(unknown.stderr).toContain('The application has no database called arcive; it has: default, archive.');
    },
    STEP_MS,
  );

  test(
    'serves',
    async () => {
      const app = await startProcess({ command: command(), args: ['start'], cwd: notes, env: { PORT: '0' } });
      try {
        const [, url = ''] = await app.waitForLine(/Application +(http:\/\/127\.0\.0\.1:\d+)/, {
          timeoutMs: PATIENCE_MS,
        });
        const body = JSON.stringify({ title: "it's here", body: null, starred: true });
        const headers = { 'content-type': 'application/json' };
        const made = await fetch(`${url}/api/notes`, { method: 'POST', body, headers });
        expect(made.status).toBe(201);
        expect(await (await fetch(`${url}/api/notes`)).json()).toMatchObject({ notes: [{ title: "it's here" }] });
      } finally {
        await app.stop({ graceMs: 5_000 });
      }
    },
    STEP_MS,
  );

  // Its tests are those of the application, and the contract of dialects: more than a thousand.
  test(
    'keeps the contract of dialects, and leaves nothing for fw_verify_project to find',
    async () => {
      await cp(path.join(EXAMPLE, 'tests/pglite.test.js'), path.join(notes, 'tests/pglite.test.ts'));
      await cp(path.join(SECOND, 'tests/libsql.test.js'), path.join(notes, 'tests/libsql.test.ts'));
      const client = new Client({ name: 'agent', version: '1' });
      const args = ['--mode', 'generator', '--scope', 'verification', '--workspace', notes];
      const server = {
        command: path.join(notes, 'node_modules/.bin/fw-mcp'),
        args,
        cwd: notes,
        stderr: 'pipe',
      } as const;
      await client.connect(new StdioClientTransport(server));
      try {
        const call = { name: 'fw_verify_project', arguments: { path: notes } };
        const { structuredContent } = await client.callTool(call, undefined, { timeout: VERIFY_MS });
        const { steps } = structuredContent as { readonly steps: readonly { status: string; summary: string }[] };
        expect(steps.filter(({ status }) => status !== 'passed')).toEqual([]);
        expect(structuredContent).toMatchObject({ ok: true, tests_skipped: false });
        expect(steps.map(({ summary }) => summary)).toContainEqual(expect.stringMatching(/^\d{4,} passed, 0 failed/));
      } finally {
        await client.close();
      }
    },
    VERIFY_MS,
  );
});
