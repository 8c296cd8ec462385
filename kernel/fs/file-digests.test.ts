import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { digestOf, FileDigests } from './index.js';

let root: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'fw-digests-'));
  file = path.join(root, 'a.txt');
});
afterEach(() => rmSync(root, { recursive: true }));

/** Makes it look as if it was written long ago. */
const age = () => utimesSync(file, 1_000, 1_000);

describe('digests of files', () => {
  test('are those of what is in a file, however soon it is written again with the same size', () => {
    const digests = new FileDigests();
    for (const text of ['one', 'two', 'six']) {
      writeFileSync(file, text);
      expect(digests.of(file)).toBe(digestOf(text));
    }
  });

  test('are new for an old file that another took the place of', () => {
    const digests = new FileDigests();
    writeFileSync(file, 'one');
    age();
    expect(digests.of(file)).toBe(digestOf('one'));
    expect(digests.of(file)).toBe(digestOf('one'));
    writeFileSync(file, 'longer');
    age();
    expect(digests.of(file)).toBe(digestOf('longer'));
  });

  test('are none where there is no file, or no longer', () => {
    const digests = new FileDigests();
    expect(digests.of(file)).toBeUndefined();
    writeFileSync(file, 'one');
    age();
    digests.of(file);
    rmSync(file);
    expect(digests.of(file)).toBeUndefined();
    expect(digests.of(root)).toBeUndefined();
  });
});
