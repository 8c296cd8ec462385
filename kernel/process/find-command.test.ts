import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findCommand } from './find-command.js';

let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'fw-find-')));
  await mkdir(join(root, 'one'));
  await mkdir(join(root, 'two/folder'), { recursive: true });
  for (const path of ['one/podman', 'two/podman', 'two/docker']) await writeFile(join(root, path), '', { mode: 0o755 });
  await writeFile(join(root, 'one/docker'), 'not executable');
  await chmod(join(root, 'one/docker'), 0o644);
});
afterAll(() => rm(root, { recursive: true }));

const env = (...folders: string[]) => ({ PATH: folders.map((each) => (each ? join(root, each) : '')).join(delimiter) });

describe('findCommand', () => {
  test('takes the first folder of PATH that has the program', async () => {
    const found = await findCommand('podman', { env: env('one', 'two') });
    expect(found).toEqual({ name: 'podman', path: join(root, 'one/podman') });
  });

  test('prefers the first name, wherever it stands, and passes over files that are not executable', async () => {
    const found = await findCommand(['docker', 'podman'], { env: env('one', 'two') });
    expect(found).toEqual({ name: 'docker', path: join(root, 'two/docker') });
  });

  test('finds nothing when there is nothing, no PATH or no name', async () => {
    expect(await findCommand('nothing', { env: env('one') })).toBeUndefined();
    expect(await findCommand('podman', { env: {} })).toBeUndefined();
    expect(await findCommand(['', '\0'], { env: env('one') })).toBeUndefined();
  });

  test('does not take a folder for a program', async () => {
    expect(await findCommand('folder', { env: env('two') })).toBeUndefined();
  });

  test('skips empty and relative entries of PATH', async () => {
    const relative = { PATH: ['', '.', 'one'].join(delimiter) };
    expect(await findCommand('podman', { env: relative, cwd: join(root, 'one') })).toBeUndefined();
  });

  test('takes a name with a slash as a path below the working directory', async () => {
    const found = await findCommand('./podman', { env: {}, cwd: join(root, 'one') });
    expect(found?.path).toBe(join(root, 'one/podman'));
  });
});
