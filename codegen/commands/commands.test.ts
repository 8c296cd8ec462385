import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { blockText } from '../schematics/engine/blocks.js';
import { routeListBody } from '../schematics/engine/route-list.js';
import { roomManifests } from '../../kernel/manifests/index.js';
import { FEATURES } from '../../plugins/tools/introspection/index.js';
import { SCHEMATICS } from '../schematics/index.js';
import { codegenCommand } from './codegen.js';
import { routesCommand } from './routes.js';

let root: string;
let out: string;
let err: string;

const output = {
  out: (text: string) => void (out += text),
  err: (text: string) => void (err += text),
};

beforeEach(() => {
  [out, err] = ['', ''];
  root = mkdtempSync(path.join(tmpdir(), 'fw-commands-'));
  write('app.config.ts', "export default defineApp({ models: ['app/models/*.ts'], plugins: [] });\n");
  write('app/models/note.ts', note("@db('id,pk,autoincrement') id!: Int;"));
  write(
    'app/routes/notes.ts',
    notes("router.get('/notes', { use: [a], blocking: true }, list); router.get('/b', () => 1);"),
  );
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const note = (members: string) =>
  `import { db, type Int, table } from 'fw/orm';\n@table('notes')\nexport class Note {\n  ${members}\n}\n`;
const notes = (body: string) =>
  `import { routes } from 'fw/http';\nexport default routes((router) => {\n  ${body}\n});\n`;

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

/** Milliseconds differ from run to run. */
const timeless = (text: string) => text.replace(/\(\d+ ms\)/g, '(N ms)');

describe('codegenCommand', () => {
  test('says what it wrote and what it removed', async () => {
    expect(await codegenCommand({ root, output })).toBe(0);
    expect(timeless(out)).toBe(
      'wrote    generated/index.ts\nwrote    generated/note.ts\nwrote    generated/reference.json\nwrote    generated/routes.json\ngenerated/: 4 written, 0 removed, 0 unchanged (N ms)\n',
    );
    [out] = [''];
    rmSync(path.join(root, 'app/models/note.ts'));
    await codegenCommand({ root, output });
    expect(timeless(out)).toBe(
      'note: no source file matches models: app/models/*.ts\nwrote    generated/index.ts\nwrote    generated/reference.json\nremoved  generated/note.ts\ngenerated/: 2 written, 1 removed, 1 unchanged (N ms)\n',
    );
    expect(err).toBe('');
  });

  test('lists the route modules of a project, unless somebody edited the list', async () => {
    const list = () => readFileSync(path.join(root, 'app/route-modules.ts'), 'utf8');
    write('app/route-modules.ts', `${blockText('routes', routeListBody([]))}\n`);
    write('app/routes/report.ts', 'export function report() {}\n');
    await codegenCommand({ root, output });
    expect(out).toContain('updated app/route-modules.ts\n');
    expect(list()).toContain(blockText('routes', routeListBody(['notes.ts'])));
    const edited = list().replace('[notesRoutes]', '[]');
    write('app/route-modules.ts', edited);
    expect(await codegenCommand({ root, output })).toBe(0);
    expect(list()).toBe(edited);
  });

  test('fails a check with a line for each file, and says what to do', async () => {
    await codegenCommand({ root, output });
    write('app/models/note.ts', note("@db('id,pk') id!: Int;"));
    expect(await codegenCommand({ root, check: true, output })).toBe(1);
    expect(err).toBe(
      'stale  generated/note.ts\n1 generated file out of date. Run `npx --no -- fw codegen` and commit the result.\n',
    );
  });

  test('passes a check when everything is up to date', async () => {
    await codegenCommand({ root, output });
    [out] = [''];
    expect(await codegenCommand({ root, check: true, output })).toBe(0);
    expect(timeless(out)).toBe('4 generated files up to date (N ms)\n');
  });

  test('names each mistake with its place on standard error', async () => {
    write(
      'app/models/note.ts',
      note("@db('id') id!: Int;\n  @db('a,nonsense') a!: Int;\n  @db('at') at!: WeakMap<object, string>;"),
    );
    expect(await codegenCommand({ root, output })).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(
      /^app\/models\/note\.ts:5:3 .*nonsense.*\napp\/models\/note\.ts:6:3 .*WeakMap.*\n2 problems; nothing was written to generated\/\n$/,
    );
  });

  test('prints the result as JSON', async () => {
    await codegenCommand({ root, json: true, output });
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      written: expect.any(Array),
      problems: [],
      ms: expect.any(Number),
    });
  });

  test('watches until its signal, with a line for each change', async () => {
    const controller = new AbortController();
    const lines: string[] = [];
    let wake = (): void => undefined;
    const printed = () => new Promise<void>((resolve) => (wake = resolve));
    const listening = {
      ...output,
      out: (text: string) => {
        lines.push(text);
        wake();
      },
    };
    const first = printed();
    const done = codegenCommand({ root, watch: true, output: listening, signal: controller.signal });
    await first;
    const second = printed();
    write('app/models/note.ts', note("@db('id,pk') id!: Int;"));
    await second;
    controller.abort();
    expect(await done).toBe(0);
    expect(timeless(lines[1] ?? '')).toBe(
      'wrote    generated/note.ts\ngenerated/: 1 written, 0 removed, 3 unchanged (N ms) (watching; Ctrl-C ends)\n',
    );
  });
});

describe('routesCommand', () => {
  test('prints a table with notes and a count', async () => {
    await codegenCommand({ root, output });
    [out] = [''];
    expect(await routesCommand({ root, output })).toBe(0);
    expect(out).toBe(
      [
        'METHOD  PATH    HANDLER                NOTES',
        'GET     /b      app/routes/notes.ts:3',
        'GET     /notes  list                   blocking, +1 mw',
        '',
        '2 routes, as of the last fw codegen. Routes that plugins add while they start are not listed.',
        '',
      ].join('\n'),
    );
  });

  test('names what is only known at run time, with its place', async () => {
    write('app/routes/notes.ts', notes('router.get(path(), f);'));
    await codegenCommand({ root, output });
    [out] = [''];
    await routesCommand({ root, output });
    expect(out).toContain('GET     path()  f        unresolved: path\n');
    expect(out).toContain('Only known at run time:\n  app/routes/notes.ts:3 GET path(), path: ');
  });

  test('prints the entries as JSON, an empty array when there are none', async () => {
    await codegenCommand({ root, output });
    [out] = [''];
    await routesCommand({ root, json: true, output });
    expect(JSON.parse(out)).toMatchObject([{ path: '/b' }, { path: '/notes', blocking: true, middleware: 1 }]);
    rmSync(path.join(root, 'app/routes/notes.ts'));
    await codegenCommand({ root, output });
    [out] = [''];
    await routesCommand({ root, json: true, output });
    expect(out).toBe('[]\n');
  });

  test('says how to declare a route when there is none', async () => {
    rmSync(path.join(root, 'app/routes/notes.ts'));
    await codegenCommand({ root, output });
    [out] = [''];
    expect(await routesCommand({ root, output })).toBe(0);
    expect(out).toMatch(/^No routes are declared\. Write a file in .*\n\n {2}import \{ routes \} from 'fw\/http';/);
  });

  test('says where the registry should be and how to get it', async () => {
    await expect(routesCommand({ root, output })).rejects.toThrow(
      /No route registry at .*generated\/routes\.json\. Run this in the folder that app\.config\.ts stands in, after `npx --no -- fw codegen`\./,
    );
  });

  test('finds the registry where app.config.ts puts it', async () => {
    write(
      'app.config.ts',
      "export default defineApp({ models: ['app/models/*.ts'], generated: () => import('./app/made/index.js'), plugins: [] });\n",
    );
    await codegenCommand({ root, output });
    await routesCommand({ root, output });
    expect(out).toContain('app/made/routes.json');
    expect(out).toContain('2 routes');
  });

  test.each(['{', '{}'])('refuses a registry that reads %s', async (text) => {
    write('generated/routes.json', text);
    await expect(routesCommand({ root, output })).rejects.toThrow(
      /is not a route registry: .* Delete it and run `npx --no -- fw codegen`/,
    );
  });
});

test('the manifest names the kinds of fw generate and the features of fw add, for completion', async () => {
  const commands = (await roomManifests()).flatMap(({ manifest }) => manifest.commands ?? []);
  const choicesOf = (name: string) => commands.find((each) => each.name === name)?.arguments?.[0]?.choices;
  expect(choicesOf('generate')).toEqual(SCHEMATICS.map(({ kind }) => kind));
  expect(choicesOf('add')).toEqual(FEATURES.map(({ name }) => name));
});
