import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { compilerAbove } from './index.js';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-compiler-')));
});
afterEach(() => rm(root, { recursive: true }));

const HERE = `@typescript/typescript-${process.platform}-${process.arch}`;
const PROGRAM = process.platform === 'win32' ? 'lib/tsc.exe' : 'lib/tsc';

async function write(file: string, text = ''): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}
const installed = async (at: string, manifest: object, ...files: readonly string[]): Promise<void> => {
  await write(`${at}/package.json`, JSON.stringify(manifest));
  for (const file of files) await write(`${at}/${file}`);
};
const six = (at = 'node_modules/typescript') => installed(at, { name: 'typescript', version: '6.0.3' }, 'bin/tsc');
const seven = (at: string) => installed(at, { name: 'typescript', version: '7.0.2' }, 'bin/tsc');
const machineCode = (at = `node_modules/${HERE}`) => installed(at, { name: HERE, version: '7.0.2' }, PROGRAM);
const project = (devDependencies: object, at = '.') => write(`${at}/package.json`, JSON.stringify({ devDependencies }));

describe('the compiler of a project', () => {
  test('is what npm calls typescript', async () => {
    await six();
    const folder = path.join(root, 'node_modules/typescript');
    const script = 'typescript/bin/tsc';
    const command = [process.execPath, path.join(folder, 'bin/tsc')];
    expect(compilerAbove(root)).toEqual({ folder, script, version: '6.0.3', command });
  });

  test('is TypeScript 7 in machine code, where that is typescript', async () => {
    await seven('node_modules/typescript');
    await machineCode();
    expect(compilerAbove(root)?.command).toEqual([path.join(root, 'node_modules', HERE, PROGRAM)]);
  });

  test('is the newer of two, where 7 has another name', async () => {
    await project({ typescript: '6.0.3', 'typescript-7': 'npm:typescript@7.0.2' });
    await six();
    await seven('node_modules/typescript-7');
    await machineCode();
    expect(compilerAbove(root)).toMatchObject({ version: '7.0.2', script: 'typescript-7/bin/tsc' });
  });

  test('is 6 where the part of 7 for this system is not installed', async () => {
    await project({ 'typescript-7': 'npm:typescript@^7' });
    await six();
    await seven('node_modules/typescript-7');
    expect(compilerAbove(root)?.version).toBe('6.0.3');
  });

  test('is 7 beside the package that has nothing of 6 but its interface', async () => {
    await project({ typescript: 'npm:@typescript/typescript6@^6.0.0', native: 'npm:typescript@7' });
    await installed('node_modules/typescript', { name: '@typescript/typescript6', version: '6.0.2' }, 'lib/tsc.js');
    expect(compilerAbove(root)?.script).toBe('typescript/lib/tsc.js');
    await seven('node_modules/native');
    await machineCode();
    expect(compilerAbove(root)?.script).toBe('native/bin/tsc');
  });

  test('is found where package.json does not say what the name stands for', async () => {
    await project({ typescript: '6.0.3', '@typescript/native': 'catalog:' });
    await six();
    await seven('node_modules/@typescript/native');
    await machineCode();
    expect(compilerAbove(root)?.script).toBe('@typescript/native/bin/tsc');
  });

  test('is found where package.json cannot be read', async () => {
    await write('package.json', '{ "devDependencies": ');
    await six();
    expect(compilerAbove(root)?.version).toBe('6.0.3');
  });

  test('is found where a link leads, with what is installed beside it there', async () => {
    await seven('store/node_modules/typescript');
    await machineCode(`store/node_modules/${HERE}`);
    await mkdir(path.join(root, 'node_modules'));
    await symlink(
      path.join(root, 'store/node_modules/typescript'),
      path.join(root, 'node_modules/typescript'),
      'junction',
    );
    expect(compilerAbove(root)?.command).toEqual([path.join(root, 'store/node_modules', HERE, PROGRAM)]);
  });

  test('is that of the workspace, unless the project has its own', async () => {
    await project({ typescript: '6.0.3', 'typescript-7': 'npm:typescript@7.0.2' });
    await six();
    await seven('node_modules/typescript-7');
    await machineCode();
    const shop = path.join(root, 'packages/shop');
    await project({}, 'packages/shop');
    expect(compilerAbove(shop)?.version).toBe('7.0.2');
    await six('packages/shop/node_modules/typescript');
    expect(compilerAbove(shop)?.version).toBe('6.0.3');
  });

  test('is none in an empty folder, and nothing that only has the name', async () => {
    expect(compilerAbove(root)).toBeUndefined();
    await project({ prettier: 'npm:typescript-formatter@1' });
    await installed('node_modules/prettier', { name: 'typescript-formatter', version: '9.0.0' }, 'bin/tsc');
    expect(compilerAbove(root)).toBeUndefined();
  });
});
