import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CorpusProject, corpusProjects, writeProject } from '../../../codegen/corpus/corpus-project.js';
import { COMPILED_WITH_EACH, TYPESCRIPT_VERSIONS } from '../../../codegen/corpus/typescript-versions.js';
import { runCodegen } from '../../../codegen/engine/index.js';
import { buildApp } from '../../build/index.js';
import { assertGreen, INSTALL_MS, installedFramework, run } from './installed-framework.js';

const STEP_MS = 240_000;
const aliasOf = (version: string) => `typescript-${version}`;
let folder: string;

const projectAt = (name: string) => path.join(folder, 'projects', name);
const compilerOf = (version: string) => path.join(folder, 'node_modules', aliasOf(version));

// The packed framework, so that the declarations are those that its users compile against.
async function makeProject(name: string, framework: string): Promise<void> {
  const project = corpusProjects().find((each) => each.name === name) as CorpusProject;
  const root = projectAt(name);
  writeProject(project, root);
  await rm(path.join(root, 'node_modules/fw'));
  await symlink(path.join(framework, 'node_modules/fw'), path.join(root, 'node_modules/fw'), 'dir');
  expect(await runCodegen({ root })).toMatchObject({ ok: true, problems: [] });
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-typescript-')));
  const framework = await installedFramework();
  const dependencies = Object.fromEntries(TYPESCRIPT_VERSIONS.map((each) => [aliasOf(each), `npm:typescript@${each}`]));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  assertGreen(await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], folder, INSTALL_MS));
  await mkdir(path.join(folder, 'projects'));
  for (const name of COMPILED_WITH_EACH) await makeProject(name, framework);
}, INSTALL_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(TYPESCRIPT_VERSIONS)('TypeScript %s', (version) => {
  test.each(COMPILED_WITH_EACH)(
    'compiles generated/ of %s',
    async (name) => {
      const compiler = path.join(compilerOf(version), 'bin/tsc');
      assertGreen(await run(process.execPath, [compiler, '--project', '.'], projectAt(name), STEP_MS));
    },
    STEP_MS,
  );

  test(
    'checks what fw build builds, and finds its errors',
    async () => {
      const root = projectAt('kinds');
      const installed = path.join(root, 'node_modules/typescript');
      await rm(installed, { force: true });
      await symlink(compilerOf(version), installed, 'dir');
      expect(await buildApp({ root })).toMatchObject({ types: { checked: true } });
      const wrong = path.join(root, 'app/wrong.ts');
      await writeFile(wrong, "export const n: number = 'x';\n");
      await expect(buildApp({ root })).rejects.toMatchObject({
        code: 'FW_BUILD_TYPES',
        message: expect.stringMatching(/^app\/wrong\.ts:1:14 - error TS2322: /m),
      });
      await rm(wrong);
    },
    STEP_MS,
  );
});
