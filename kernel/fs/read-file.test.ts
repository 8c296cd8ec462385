import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findCommand, runProcess } from '../process/index.js';
import { readBoundedFile, readTextFile } from './index.js';
import { PATIENCE_MS } from '../testing/patience.js';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'fw-read-'));
  await writeFile(path.join(home, 'text'), 'grüße');
  await writeFile(path.join(home, 'empty'), '');
  await writeFile(path.join(home, 'marked'), '\uFEFFtext');
  await writeFile(path.join(home, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
  await mkdir(path.join(home, 'folder'));
  await symlink('text', path.join(home, 'link'));
  await symlink('self', path.join(home, 'self'));
});
afterAll(() => rm(home, { recursive: true }));

const at = (name: string): string => path.join(home, name);
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('readTextFile', () => {
  test('reads text of up to the largest size', async () => {
    expect(await readTextFile(at('text'), { maxBytes: 7 })).toBe('grüße');
    expect(await readTextFile(at('empty'), { maxBytes: 0 })).toBe('');
  });

  test('leaves a byte order mark out', async () => {
    expect(await readTextFile(at('marked'), { maxBytes: 100 })).toBe('text');
  });

  test('refuses a larger file, and names the limit', async () => {
    await expect(readTextFile(at('text'), { maxBytes: 6 })).rejects.toEqual(code('FW_FILE_TOO_LARGE'));
    await expect(readTextFile(at('text'), { maxBytes: 6 })).rejects.toThrow(/larger than 6 bytes/);
  });

  test('refuses what is not UTF-8', async () => {
    await expect(readTextFile(at('binary'), { maxBytes: 100 })).rejects.toEqual(code('FW_FILE_NOT_TEXT'));
  });

  test('refuses a symbolic link unless it is to be followed', async () => {
    await expect(readTextFile(at('link'), { maxBytes: 100 })).rejects.toThrow(/link is a symbolic link\. Expected/);
    expect(await readTextFile(at('link'), { maxBytes: 100, links: 'follow' })).toBe('grüße');
  });

  test.each([
    ['missing', 'FW_FILE_NOT_FOUND'],
    ['text/child', 'FW_FILE_NOT_FOUND'],
    ['folder', 'FW_FILE_KIND'],
  ])('says what is wrong with %s', async (name, expected) => {
    await expect(readTextFile(at(name), { maxBytes: 100 })).rejects.toEqual(code(expected));
  });

  test('says what is wrong with a link to itself that is to be followed', async () => {
    const read = readTextFile(at('self'), { maxBytes: 100, links: 'follow' });
    await expect(read).rejects.toEqual(code('FW_FILE_READ'));
  });
});

describe('readBoundedFile', () => {
  test('does not wait for somebody to write to a pipe', async () => {
    const mkfifo = await findCommand('mkfifo');
    if (!mkfifo) return;
    await runProcess({
      command: mkfifo.path,
      args: ['pipe'],
      cwd: home,
      timeoutMs: PATIENCE_MS,
      maxOutputBytes: 1_000,
    });
    await expect(readBoundedFile(at('pipe'), { maxBytes: 100 })).rejects.toEqual(code('FW_FILE_KIND'));
  });

  test('refuses a socket', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(at('socket'), done));
    await expect(readBoundedFile(at('socket'), { maxBytes: 100 })).rejects.toEqual(code('FW_FILE_KIND'));
    await new Promise((done) => server.close(done));
  });

  test('holds a file to its size that says it is empty and is not', async () => {
    if (process.platform !== 'linux') return;
    const { bytes } = await readBoundedFile('/proc/self/status', { maxBytes: 1 << 20 });
    expect(bytes.toString()).toContain('Pid:');
    await expect(readBoundedFile('/proc/self/status', { maxBytes: 10 })).rejects.toEqual(code('FW_FILE_TOO_LARGE'));
  });
});
