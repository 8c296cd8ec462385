import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeFileAtomically } from './index.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'fw-write-'));
});
afterEach(() => rm(home, { recursive: true }));

const at = (name: string): string => path.join(home, name);
const text = (name: string): Promise<string> => readFile(at(name), 'utf8');

describe('writeFileAtomically', () => {
  test('makes a file with the permissions that any new file of this process gets', async () => {
    await writeFile(at('ordinary'), '');
    await writeFileAtomically(at('file'), 'content');
    expect(await text('file')).toBe('content');
    expect((await stat(at('file'))).mode).toBe((await stat(at('ordinary'))).mode);
  });

  test('replaces a file and keeps its permissions', async () => {
    await writeFile(at('file'), 'old');
    await chmod(at('file'), 0o750);
    await writeFileAtomically(at('file'), Buffer.from('new'));
    expect(await text('file')).toBe('new');
    expect((await stat(at('file'))).mode & 0o777).toBe(0o750);
  });

  test('gives the permissions that are asked for, whatever the umask says', async () => {
    await writeFileAtomically(at('file'), '', { mode: 0o666 });
    expect((await stat(at('file'))).mode & 0o777).toBe(0o666);
  });

  test('never shows half a file to a reader', async () => {
    const [one, other] = ['1'.repeat(300_000), '2'.repeat(300_000)];
    await writeFileAtomically(at('file'), one);
    let writing = true;
    const write = (async () => {
      for (let i = 0; i < 20; i++) await writeFileAtomically(at('file'), i % 2 ? one : other);
      writing = false;
    })();
    while (writing) expect([one, other]).toContain(await text('file'));
    await write;
  });

  test('replaces a link and does not write through it', async () => {
    await writeFile(at('target'), 'untouched');
    await symlink('target', at('link'));
    await writeFileAtomically(at('link'), 'new');
    expect(await text('target')).toBe('untouched');
    expect((await lstat(at('link'))).isFile()).toBe(true);
    await expect(readlink(at('link'))).rejects.toThrow(/EINVAL/);
  });

  test('takes the longest name that a file may have', async () => {
    const name = 'ä'.repeat(127);
    await writeFileAtomically(at(name), 'x');
    expect(await readdir(home)).toEqual([name]);
  });

  test('leaves nothing behind when it fails', async () => {
    await mkdir(at('folder'));
    const failed = expect.objectContaining({ code: 'FW_FILE_WRITE' });
    await expect(writeFileAtomically(at('folder'), 'x')).rejects.toEqual(failed);
    await expect(writeFileAtomically(at('missing/file'), 'x')).rejects.toEqual(failed);
    expect(await readdir(home)).toEqual(['folder']);
  });
});
