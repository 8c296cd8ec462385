import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ProjectFiles } from './project-files.js';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'fw-files-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('passes over a link that leads to itself', () => {
  const at = { root, sources: [root], whole: [], never: [] };
  const files = new ProjectFiles();
  writeFileSync(path.join(root, 'a.ts'), '1');
  files.look(at);
  symlinkSync('loop.ts', path.join(root, 'loop.ts'));
  writeFileSync(path.join(root, 'b.ts'), '1');
  expect(files.look(at).events).toEqual([{ path: 'b.ts', became: 'added' }]);
});
