import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readTarball, upgradeProject } from './index.js';
import { writeEarlierProject } from './testing/earlier-project.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fw-upgrade-'));
  await writeEarlierProject('orders', root);
});
afterEach(() => rm(root, { recursive: true }));

const framework = { name: 'fw-9.9.9.tgz', bytes: Buffer.from('the later release') };
const text = (file: string) => readFile(path.join(root, file), 'utf8');
const packageJson = async () => JSON.parse(await text('package.json')) as Record<string, Record<string, string>>;
const edit = async (change: (manifest: Record<string, Record<string, string>>) => void) => {
  const manifest = await packageJson();
  change(manifest);
  await writeFile(path.join(root, 'package.json'), JSON.stringify(manifest, null, 4));
};

describe('an upgrade', () => {
  test('exchanges the framework, and lets npm look at it anew', async () => {
    const lock = {
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { 'better-sqlite3': '12.11.1', fw: 'file:vendor/fw-0.1.0.tgz' } },
        'node_modules/fw': { version: '0.1.0', integrity: 'sha512-old' },
        'node_modules/pino': { version: '10.4.0' },
      },
    };
    await writeFile(path.join(root, 'package-lock.json'), JSON.stringify(lock));
    const { said } = await upgradeProject({ root, framework, fits: false });
    expect(said).toEqual(['vendor/fw-9.9.9.tgz is the framework now; package-lock.json follows with npm install']);
    expect(existsSync(path.join(root, 'vendor/fw-0.1.0.tgz'))).toBe(false);
    expect(await text('vendor/fw-9.9.9.tgz')).toBe('the later release');
    expect((await packageJson())['dependencies']).toEqual({
      'better-sqlite3': '12.11.1',
      fw: 'file:vendor/fw-9.9.9.tgz',
    });
    expect(JSON.parse(await text('package-lock.json'))).toMatchObject({
      packages: expect.not.objectContaining({ 'node_modules/fw': expect.anything() }) as object,
    });
    expect(await text('package-lock.json')).toContain('"fw": "file:vendor/fw-9.9.9.tgz"');
    expect(await text('package-lock.json')).toContain('node_modules/pino');
  });

  test('of a project that pnpm installs leaves the lock file to it, and tells it which scripts may run', async () => {
    await rm(path.join(root, 'package-lock.json'), { force: true });
    await writeFile(path.join(root, 'pnpm-lock.yaml'), 'lockfileVersion: 9');
    const { said } = await upgradeProject({ root, framework, fits: true });
    expect(said).toContain('vendor/fw-9.9.9.tgz is the framework now; pnpm-lock.yaml follows with pnpm install');
    expect(said).toContain('pnpm-workspace.yaml: new, with the install scripts that pnpm runs');
    expect(await text('pnpm-workspace.yaml')).toContain('allowBuilds:');
    await writeFile(path.join(root, 'pnpm-workspace.yaml'), 'packages: []');
    await upgradeProject({ root, fits: true });
    expect(await text('pnpm-workspace.yaml')).toBe('packages: []');
  });

  test('tells of a build of the same version too, and of the same one nothing', async () => {
    const same = { name: 'fw-0.1.0.tgz', bytes: Buffer.from('another build') };
    expect((await upgradeProject({ root, framework: same, fits: false })).said).toHaveLength(1);
    expect(await text('vendor/fw-0.1.0.tgz')).toBe('another build');
    expect(await upgradeProject({ root, framework: same, fits: false })).toMatchObject({ said: [], files: [] });
  });

  test('brings what new projects have, says each of it, and nothing the second time', async () => {
    await edit(({ devDependencies = {} }) => Object.assign(devDependencies, { esbuild: '^0.20.0', jest: '99.0.0' }));
    const { said, files } = await upgradeProject({ root, fits: true });
    expect(said).toEqual([
      expect.stringMatching(/^package\.json: esbuild \^0\.20\.0 is \d/),
      'package.json: scripts dev (fw dev), bundle (fw codegen && fw build --bundle)',
      '.gitignore: .env.local, .env.*.local',
      'Dockerfile: new, for an image of the bundle',
      '.dockerignore: new, for an image of the bundle',
    ]);
    expect(files.map((file) => file.path)).toEqual(['.dockerignore', '.gitignore', 'Dockerfile', 'package.json']);
    expect((await packageJson())['devDependencies']).toMatchObject({ jest: '99.0.0' });
    expect(await text('package.json')).toContain('\n    "scripts"');
    expect(await text('Dockerfile')).toContain('PORT=3000 DATABASE_FILE=/data/app.sqlite');
    expect(await upgradeProject({ root, fits: true })).toMatchObject({ said: [], files: [] });
  });

  test('keeps what people decided otherwise', async () => {
    await edit(({ scripts = {}, devDependencies = {} }) => {
      Object.assign(scripts, { dev: 'mine', bundle: 'mine' });
      Object.assign(devDependencies, { typescript: 'next' });
    });
    for (const file of ['Dockerfile', '.dockerignore']) await writeFile(path.join(root, file), 'mine');
    const { said } = await upgradeProject({ root, fits: true });
    expect(said).toEqual(['.gitignore: .env.local, .env.*.local']);
    expect(await text('Dockerfile')).toBe('mine');
  });

  test('writes nothing when it is only asked', async () => {
    const { files } = await upgradeProject({ root, framework, fits: true, dryRun: true });
    expect(files.length).toBeGreaterThan(4);
    expect(existsSync(path.join(root, 'Dockerfile'))).toBe(false);
    expect(existsSync(path.join(root, 'vendor/fw-0.1.0.tgz'))).toBe(true);
  });

  test('that cannot be installed leaves everything as it was', async () => {
    const before = await text('package.json');
    const failing = upgradeProject({ root, framework, fits: true, install: async () => 'ENOSPC' });
    await expect(failing).rejects.toMatchObject({
      code: 'FW_UPGRADE_INSTALL',
      message: expect.stringContaining('ENOSPC'),
    });
    expect(await text('package.json')).toBe(before);
    expect(['vendor/fw-9.9.9.tgz', 'Dockerfile'].filter((file) => existsSync(path.join(root, file)))).toEqual([]);
    expect(await text('vendor/fw-0.1.0.tgz')).toBe('the earlier release');
  });

  test.each([
    [{ fw: '^1.0.0' }, 'takes fw from ^1.0.0'],
    [{}, 'has no dependency fw'],
  ])('of a project with the dependencies %j is refused', async (dependencies, problem) => {
    await edit((manifest) => Object.assign(manifest, { dependencies }));
    await expect(upgradeProject({ root, framework, fits: true })).rejects.toMatchObject({
      code: 'FW_UPGRADE_NOT_VENDORED',
      message: expect.stringContaining(problem),
    });
  });
});

describe('a tarball', () => {
  const tar = (file: string, content: string) => {
    const block = Buffer.alloc(512 + Math.ceil(content.length / 512) * 512);
    block.write(file, 0);
    block.write(content.length.toString(8).padStart(11, '0'), 124);
    block.write(content, 512);
    return block;
  };
  const read = async (bytes: Buffer) => {
    await writeFile(path.join(root, 'some.tgz'), bytes);
    return readTarball(path.join(root, 'some.tgz'));
  };

  test('is called by the version in it', async () => {
    const bytes = gzipSync(
      Buffer.concat([
        tar('package/README.md', 'x'.repeat(700)),
        tar('package/package.json', '{ "name": "fw", "version": "0.2.0" }'),
      ]),
    );
    expect(await read(bytes)).toEqual({ name: 'fw-0.2.0.tgz', bytes });
  });

  test.each([
    ['text', Buffer.from('hello'), 'incorrect header check'],
    ['a package without a manifest', gzipSync(tar('package/README.md', 'x')), 'it has no package/package.json'],
    ['another package', gzipSync(tar('package/package.json', '{ "name": "koa" }')), 'its package.json says koa'],
  ])('that is %s is refused', async (_, bytes, problem) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'FW_UPGRADE_TARBALL',
      message: expect.stringContaining(problem),
    });
  });
});
