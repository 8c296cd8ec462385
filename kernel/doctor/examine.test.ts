import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { glob } from 'tinyglobby';
import { allChecks, examine } from './index.js';
import { listenerOf } from './listener-of.js';

let root: string;
beforeEach(() => void (root = mkdtempSync(path.join(tmpdir(), 'fw-doctor-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}

/** A built configuration that needs no package. */
const config = (plugins: string) =>
  `const app = { name: 'shop', plugins: ${plugins} };\nObject.defineProperty(app, Symbol.for('fw.app-config'), { value: true });\nexport default app;\n`;

const MINE = ['one', 'two', 'three'].map((name) => ({ name, summary: name, module: `./${name}.js` }));
const project = (fw: object = {}) =>
  JSON.stringify({ name: 'shop', type: 'module', dependencies: { nowhere: '1' }, fw });

describe('fw doctor', () => {
  test('says of an empty folder what is missing, and goes on', async () => {
    const found = await examine({ root, only: ['versions', 'packages', 'configuration', 'ports', 'disk', 'writes'] });
    expect(found.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
      'FW_DOCTOR_NO_PACKAGE',
      'FW_DOCTOR_NO_CONFIG',
    ]);
    expect(found.map(({ check }) => check)).toEqual(expect.arrayContaining(['versions', 'disk', 'writes']));
  });

  test('names packages that are not installed, with the command that installs them', async () => {
    write({ 'package.json': project(), 'package-lock.json': '{}' });
    const found = await examine({ root, only: ['packages'] });
    expect(found).toMatchObject([{ severity: 'error', details: { missing: ['nowhere'] }, command: 'npm ci' }]);
  });

  test('names the TypeScript that builds take, the newest that package.json names', async () => {
    const named = (version: string) => JSON.stringify({ name: 'typescript', version });
    write({
      'package.json': JSON.stringify({ devDependencies: { typescript: '6.0.3', next: 'npm:typescript@6.1.0' } }),
      'node_modules/typescript/package.json': named('6.0.3'),
      'node_modules/typescript/bin/tsc': '',
      'node_modules/next/package.json': named('6.1.0'),
      'node_modules/next/bin/tsc': '',
    });
    const found = await examine({ root, only: ['versions'] });
    expect(found.find(({ code }) => code === 'FW_DOCTOR_TYPESCRIPT')).toMatchObject({
      severity: 'ok',
      details: { typescript: '6.1.0' },
    });
  });

  test('runs the checks of a package: one that throws, or does not end, keeps no other from running', async () => {
    write({
      'package.json': project({ checks: MINE }),
      'one.js': `export default () => { throw Object.assign(new Error('it is broken'), { code: 'MINE' }); };\n`,
      'two.js': `export default () => new Promise(() => {});\n`,
      'three.js': `export default ({ root }) => [{ severity: 'ok', code: 'THREE', message: root }];\n`,
    });
    const found = await examine({ root, only: ['one', 'two', 'three'], deadlineMs: 50 });
    expect(found).toEqual([
      { check: 'one', severity: 'error', code: 'MINE', message: 'it is broken' },
      { check: 'two', severity: 'error', code: 'FW_DOCTOR_TIMEOUT', message: expect.stringContaining('0.05 s') },
      { check: 'three', severity: 'ok', code: 'THREE', message: root },
    ]);
  });

  test('says which sources changed since dist/ was built, and not of those that were not shipped', async () => {
    const map = (source: string, text: string) => JSON.stringify({ sources: [`../${source}`], sourcesContent: [text] });
    write({
      'app.config.ts': 'one',
      'dist/app.config.js': config('[]'),
      'dist/app.config.js.map': map('app.config.ts', 'one'),
      'dist/gone.js.map': map('gone.ts', 'of an image'),
      'dist/.fw-build.json': JSON.stringify({
        version: 1,
        outputs: { 'app.config.js': '', 'app.config.js.map': '', 'gone.js.map': '' },
      }),
    });
    expect(await examine({ root, only: ['build'] })).toMatchObject([{ severity: 'ok', code: 'FW_DOCTOR_BUILD' }]);
    write({ 'app.config.ts': 'two' });
    expect(await examine({ root, only: ['build'] })).toMatchObject([
      { severity: 'warning', code: 'FW_DOCTOR_BUILD', details: { stale: ['app.config.ts'] } },
    ]);
  });

  test('says which manifest cannot be used', async () => {
    write({ 'package.json': project({ checks: [{ name: 'One' }] }) });
    const [first] = await examine({ root, only: [] });
    expect(first).toMatchObject({ check: 'packages', severity: 'error', code: 'FW_MANIFEST_WRONG' });
  });

  test('says why a configuration cannot be loaded, once', async () => {
    write({
      'package.json': project(),
      'app.config.ts': '',
      'dist/app.config.js': `throw new Error('it is half written');\n`,
    });
    const found = await examine({ root, only: ['environment', 'configuration', 'ports', 'databases', 'aggregator'] });
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([
      expect.objectContaining({ check: 'configuration', code: 'FW_DOCTOR_CONFIG', message: 'it is half written' }),
    ]);
  });

  test('tells which plugins cannot be registered', async () => {
    write({
      'package.json': project(),
      'dist/app.config.js': config(`[{ load: () => Promise.reject(new Error('gone')), options: {}, variants: {} }]`),
    });
    const found = await examine({ root, only: ['configuration'] });
    expect(found).toMatchObject([{ severity: 'error', message: expect.stringContaining('gone') }]);
  });

  test('names what is wrong with .env, and no value', async () => {
    write({
      'package.json': project(),
      '.env': 'SECRET=geheim\nFW_PROFILE=geheim\n',
      'dist/app.config.js': config('[]'),
    });
    const found = await examine({ root, only: ['environment'] });
    expect(found).toMatchObject([{ severity: 'error', code: 'FW_CONFIG_ENV_FILE' }]);
    expect(JSON.stringify(found)).not.toContain('geheim');
  });

  test('warns of a variable that is nearly one which the application reads, and of no other', async () => {
    write({
      'package.json': project(),
      '.env': 'FW_LOG_LEVLE=geheim\nCOMPOSE_PROJECT_NAME=shop\n',
      'dist/app.config.js': config('[]'),
    });
    const found = await examine({ root, only: ['environment'] });
    expect(found).toMatchObject([
      {
        severity: 'warning',
        code: 'FW_CONFIG_ENV_UNREAD',
        details: { name: 'FW_LOG_LEVLE', meant: 'FW_LOG_LEVEL' },
      },
    ]);
    expect(JSON.stringify(found)).not.toContain('geheim');
  });

  test('says that a port is taken, and by whom where that can be told', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    write({
      'package.json': project(),
      'dist/app.config.js': config(`[{ load: () => null, options: { port: ${port} }, variants: { test: false } }]`),
    });
    const taken = await examine({ root, profile: 'dev', only: ['ports'] });
    const pid = (await listenerOf(port))?.pid;
    if (process.platform === 'linux') expect(pid).toBe(process.pid);
    expect(taken).toMatchObject([{ severity: 'warning', code: 'FW_DOCTOR_PORT_TAKEN', details: { port } }]);
    expect(await examine({ root, profile: 'test', only: ['ports'] })).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
    expect(await examine({ root, profile: 'dev', only: ['ports'] })).toMatchObject([{ severity: 'ok' }]);
  });

  test('has a check of every room that has something to look at, none twice', async () => {
    const names = (await allChecks(root)).checks.map(({ check }) => check.name);
    expect(names).toEqual(expect.arrayContaining(['generated', 'drivers', 'databases', 'aggregator', 'containers']));
    expect(new Set(names).size).toBe(names.length);
  });

  test('has a page that names every code of a finding', async () => {
    const cwd = path.resolve(import.meta.dirname, '../..');
    const files = await glob(['{kernel,plugins,codegen}/**/doctor/**/*.ts'], { cwd, ignore: ['**/*.test.ts'] });
    const texts = files.map((file) => readFileSync(path.join(cwd, file), 'utf8')).join('\n');
    const codes = new Set([...texts.matchAll(/FW_DOCTOR_\w+/g)].map(([code]) => code));
    expect(codes.size).toBeGreaterThan(25);
    const page = readFileSync(path.join(cwd, 'docs/guides/doctor.md'), 'utf8');
    expect([...codes].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});
