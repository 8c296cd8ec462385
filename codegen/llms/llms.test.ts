import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { HttpServer } from 'fw';
import config from '../../app.config.js';
import { bootConfig } from '../../kernel/testing/boot-config.js';
import { bodyDigest, readStamp } from '../../plugins/docs/index.js';
import { anyOptions } from '../../plugins/orm/contract/any-database.js';
import { readRouteRegistry } from '../routes/index.js';
import { changesBetween, freshnessOf } from './freshness.js';
import { projectLlms } from './index.js';
import { llmsCommand } from './llms-command.js';
import { readReferenceFacts } from './reference-facts.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILES = ['llms.txt', 'llms-full.txt'];

describe('the llms files of the reference app', () => {
  test('are the same bytes from generated/ and from the running application, and are committed [DOCS-CLI-01] [DOCS-CLI-02]', async () => {
    const made = projectLlms(ROOT, readRouteRegistry(ROOT).routes, readReferenceFacts(path.join(ROOT, 'generated')));
    expect(made.notes).toEqual([]);
    expect(made.doc.routes.length).toBeGreaterThan(10);
    const app = await bootConfig(config, { root: ROOT, without: ['fw/mcp'], overrides: { orm: await anyOptions() } });
    try {
      const { url } = app.services.get(HttpServer);
      for (const name of FILES) {
        const live = await (await fetch(`${url}/${name}`)).text();
        expect(made.files[name]).toBe(live);
        expect(await readFile(path.join(ROOT, 'docs/examples/shop', name), 'utf8')).toBe(live);
      }
    } finally {
      await app.stop();
    }
  });
});

describe('fw llms', () => {
  let root: string;
  let printed: string[];
  const output = { out: (text: string) => void printed.push(text), err: (text: string) => void printed.push(text) };
  const write = async (name: string, text: string) => {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  };
  const run = async (options: object = {}) => {
    printed = [];
    const exitCode = await llmsCommand({ root, output, ...options });
    return { exitCode, text: printed.join('') };
  };
  const routesText = (title: string, more = '') => `
    import { routes } from 'fw/http'; import { Type } from 'typebox'; import { docGET, InputQuery } from 'fw/docs';
    export default routes((router) => {
      router.get('/users', { title: '${title}', output: Type.Array(Type.Object({ id: Type.Integer() })) }, () => []);
      router.get('/users/:id', docGET('/users/:id', { title: 'Read', input: [{ type: InputQuery, fields: { page: 1 }, description: 'Which' }] }), () => 1);
      ${more}
    });`;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'fw-llms-'));
    await write('package.json', '{"name":"people"}');
    await write(
      'app.config.ts',
      `import { defineApp, plugin } from 'fw'; const title = 'People';
       export default defineApp({ name: 'people', routes: ['routes/*.ts'], models: ['models/*.ts'], plugins: [
         plugin(() => import('fw/http'), { port: 1 }), plugin(() => import('fw/docs'), { title, version: '3.0.0' }) ] });`,
    );
    await write('routes/users.ts', routesText('List users'));
    await write(
      'models/user.ts',
      `import { db, table, type Int } from 'fw/orm'; @table('users') export class User { @db('id,pk') id!: Int; @db('full_name') name!: string | null; }`,
    );
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  test('writes both files, each with a stamp of its own text', async () => {
    expect(await run()).toEqual({ exitCode: 0, text: 'wrote llms.txt\nwrote llms-full.txt\n' });
    for (const name of FILES) {
      const text = await readFile(path.join(root, name), 'utf8');
      expect(readStamp(text)).toEqual([bodyDigest(text), true]);
      expect(text.trimEnd().split('\n').at(-1)).toMatch(/^<!-- fw-llms-stamp: sha256=[0-9a-f]{64} -->$/);
    }
    const full = await readFile(path.join(root, 'llms-full.txt'), 'utf8');
    expect(full).toContain('# People\n\n> Version 3.0.0\n> Package: `people`\n');
    expect(full).toContain('### `GET /users/{id}`\n\nRead\n\n- query: {page!: integer}\n  Which\n- response 200 OK\n');
    expect(full).toContain('- `id` int, primary key\n- `name` string or null, column `full_name`\n');
  });

  test('names members by their json tags, leaves out what they exclude, and requires what they do not call optional [DOCS-SCHEMA-JSON] [DOCS-SCHEMA-OMITEMPTY] [DOCS-SCHEMA-EXCLUDED]', async () => {
    await write(
      'models/user.ts',
      `import { db, json, table, type Int } from 'fw/orm';
       @table('users') export class User {
         @db('id,pk') id!: Int;
         @db('full_name') @json('fullName') name!: string;
         @db('nick') @json('nick,omitempty') nick!: string;
         @db('secret') @json('-') secret!: string;
       }`,
    );
    await write(
      'routes/users.ts',
      `import { routes } from 'fw/http'; import { User } from '../models/user.js';
       export default routes((router) => { router.get('/users', { output: [User] }, () => []); });`,
    );
    await run();
    expect(await readFile(path.join(root, 'llms-full.txt'), 'utf8')).toContain(
      '- response 200 OK: [{fullName!: string, id!: integer, nick: string}]\n',
    );
  });

  test('has nothing to do the second time', async () => {
    await run();
    expect(await run()).toEqual({ exitCode: 0, text: 'llms.txt is up to date\nllms-full.txt is up to date\n' });
    expect(await run({ check: true })).toMatchObject({ exitCode: 0 });
  });

  test('names the route that has changed since, before code is generated again, and writes nothing', async () => {
    await run();
    const before = await readFile(path.join(root, 'llms-full.txt'), 'utf8');
    await write(
      'routes/users.ts',
      routesText('List everybody', "router.delete('/users/:id', { title: 'Remove' }, () => undefined);"),
    );
    const { exitCode, text } = await run({ check: true });
    expect(exitCode).toBe(1);
    expect(text).toContain(
      'llms.txt is stale: the project has changed since it was generated\n  changed GET /users\n  added DELETE /users/{id}\n',
    );
    expect(text).toContain(
      'llms-full.txt is stale: the project has changed since it was generated\n  changed GET /users\n  added DELETE /users/{id}\n',
    );
    expect(await readFile(path.join(root, 'llms-full.txt'), 'utf8')).toBe(before);
  });

  test('names a payload that changed, which only the full reference shows', async () => {
    await run();
    await write('routes/users.ts', routesText('List users').replace('Type.Integer()', 'Type.String()'));
    expect((await run({ check: true })).text).toBe(
      'llms.txt is up to date\nllms-full.txt is stale: the project has changed since it was generated\n  changed GET /users\nRun `npx --no -- fw llms` and commit the result.\n',
    );
  });

  test('tells a file that is missing, written by hand, or edited', async () => {
    expect((await run({ check: true })).text).toContain('llms.txt is missing: there is no such file');
    await run();
    const file = path.join(root, 'llms.txt');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('List users', 'Lists users'));
    expect((await run({ check: true })).text).toContain(
      'llms.txt is edited: it was edited after it was generated\n  changed GET /users\n',
    );
    await writeFile(file, '# My own\n');
    expect((await run({ check: true })).text).toContain('llms.txt is unstamped');
  });

  test('says what it could not know, with file and line', async () => {
    await write('routes/users.ts', routesText('List users', 'router.get(process.env.WHERE, () => 1);'));
    const { text, exitCode } = await run();
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^note: GET process\.env\.WHERE: path is only known at run time \(routes\/users\.ts:6: /);
  });

  test('refuses sources with mistakes, and a folder that is no project', async () => {
    await write('routes/users.ts', 'export default routes((');
    await expect(run()).rejects.toThrow(expect.objectContaining({ code: 'FW_LLMS_SOURCES' }));
    await rm(path.join(root, 'app.config.ts'));
    await expect(run()).rejects.toThrow(expect.objectContaining({ code: 'FW_CODEGEN_NO_CONFIG' }));
  });

  test('writes where the option llmsDir or --out says, and prints JSON', async () => {
    const { text } = await run({ out: 'docs', json: true, check: true });
    expect(JSON.parse(text)).toMatchObject({
      ok: false,
      files: [{ file: 'docs/llms.txt', status: 'missing' }, { file: 'docs/llms-full.txt' }],
    });
    await run({ out: 'docs' });
    expect(await readFile(path.join(root, 'docs/llms.txt'), 'utf8')).toContain('- `GET /users` — List users');
  });
});

describe('freshnessOf', () => {
  test('is not disturbed by white space at the ends of lines', async () => {
    const text = await readFile(path.join(ROOT, 'docs/examples/shop/llms.txt'), 'utf8');
    expect(freshnessOf(text.replaceAll('\n', '  \n'), text).status).toBe('current');
  });

  test('names what was removed, and the introduction', () => {
    expect(changesBetween('# A\n\n- `GET /x` — X\n', '# B\n')).toEqual(['changed the introduction', 'removed GET /x']);
  });
});
