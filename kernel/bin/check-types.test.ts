import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const { ownPrograms } = (await import('./check-types.mjs' as string)) as { ownPrograms(root: string): string[] };

test('a room with a tsconfig.json is a program of its own, an installed package is none', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'fw-programs-'));
  for (const folder of ['kernel', 'codegen', 'plugins/page/ui', 'plugins/page/node_modules/other']) {
    mkdirSync(path.join(root, folder), { recursive: true });
    if (folder.startsWith('plugins')) writeFileSync(path.join(root, folder, 'tsconfig.json'), '{}');
  }
  expect(ownPrograms(root)).toEqual([path.join('plugins', 'page', 'ui')]);
  rmSync(root, { recursive: true });
});
