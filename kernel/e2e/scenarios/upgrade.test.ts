import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { upgradeProject } from '../../../codegen/schematics/upgrade/index.js';
import { earlierProjects, writeEarlierProject } from '../../../codegen/schematics/upgrade/testing/earlier-project.js';
import { startProcess } from '../../process/index.js';
import { assertGreen, INSTALL_MS, installedFramework, run } from './installed-framework.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const names = await earlierProjects();

describe('projects that the release before made', () => {
  let folder: string;
  let base: string;
  const at = (name: string, ...rest: readonly string[]) => path.join(folder, name, ...rest);
  const fw = (name: string, ...args: readonly string[]) =>
    run(process.execPath, ['node_modules/fw/dist/kernel/bin/fw.js', ...args], at(name));

  beforeAll(async () => {
    process.env['JWT_ACCESS_SECRET'] = 'a secret that only this test knows: 0123456789';
    base = await installedFramework();
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-earlier-')));
    const bytes = await readFile(path.join(base, 'vendor/fw-0.1.0.tgz'));
    for (const name of names) {
      await mkdir(at(name));
      await writeEarlierProject(name, at(name));
      await upgradeProject({ root: at(name), framework: { name: 'fw-0.1.0.tgz', bytes }, fits: true });
      // What npm would install: the same packages, which the scenarios share.
      await symlink(path.join(base, 'node_modules'), at(name, 'node_modules'));
      assertGreen(await fw(name, 'codegen'));
      assertGreen(await fw(name, 'build', '--no-check'));
    }
  }, INSTALL_MS);
  afterAll(async () => {
    delete process.env['JWT_ACCESS_SECRET'];
    await rm(folder, { recursive: true, force: true });
  });

  test('have the types that the compiler wants, all in one program', async () => {
    const settings = { extends: `./${names[0]}/tsconfig.json`, compilerOptions: { rootDir: '.' } };
    const include = names.flatMap((name) =>
      ['app', 'generated', 'tests', 'app.config.ts'].map((part) => `${name}/${part}`),
    );
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ ...settings, include }));
    await symlink(path.join(base, 'node_modules'), path.join(folder, 'node_modules'));
    assertGreen(
      await run(process.execPath, [path.join(base, 'node_modules/typescript/bin/tsc'), '-p', folder], folder),
    );
  });

  test('pass their own tests', async () => {
    const jest = path.join(base, 'node_modules/jest/bin/jest.js');
    const projects = names.map((name) => at(name));
    const flags = ['--experimental-vm-modules', '--no-warnings'];
    assertGreen(
      await run(process.execPath, [...flags, jest, '--runInBand', '--projects', ...projects], folder, 180_000),
    );
  });

  test.each(names)('find the tables of %s as they say them, and no migration is due', async (name) => {
    const { stdout } = await fw(name, 'doctor', '--only', 'databases', '--json');
    const { findings } = JSON.parse(stdout) as {
      findings: readonly { code: string; severity: string; message: string }[];
    };
    expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
    expect(findings.map(({ code }) => code)).toContain('FW_DOCTOR_SCHEMA');
    expect(findings.some(({ code }) => code === 'FW_DOCTOR_MIGRATIONS')).toBe(existsSync(at(name, 'app/migrations')));
  });

  test('answer with the rows that were there', async () => {
    const app = await startProcess({
      command: process.execPath,
      args: ['node_modules/fw/dist/kernel/bin/fw.js', 'start'],
      cwd: at('notes'),
      env: { ...process.env, PORT: '0' },
    });
    try {
      const [url] = await app.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, { timeoutMs: PATIENCE_MS });
      expect(await (await fetch(`${url}/api/notes`)).json()).toMatchObject({
        notes: [
          { id: 1, title: 'First', body: "It's here", pinned: true },
          { id: 2, title: 'Zweite ä', body: null, pinned: false },
        ],
      });
    } finally {
      await app.stop({ graceMs: 5_000 });
    }
  });
});
