import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { packFramework } from './pack-framework.js';

test('a checkout in which only what runs is installed is told what to install', async () => {
  const checkout = await mkdtemp(path.join(tmpdir(), 'fw-checkout-'));
  try {
    await writeFile(path.join(checkout, 'package.json'), '{"version":"0.1.0"}');
    await mkdir(path.join(checkout, 'kernel/bin'), { recursive: true });
    await writeFile(path.join(checkout, 'kernel/bin/fw.ts'), '');
    await expect(packFramework({ folder: checkout })).rejects.toMatchObject({
      code: 'FW_SCHEMATIC_PACK',
      message: expect.stringContaining('run `npm install` in it first'),
    });
  } finally {
    await rm(checkout, { recursive: true });
  }
});
