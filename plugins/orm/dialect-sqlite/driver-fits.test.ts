import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { assertDriverFits } from './driver-fits.js';

const NODES = {
  20: { node: '20.20.2', modules: '115', napi: '9' },
  '22.12': { node: '22.12.0', modules: '127', napi: '9' },
  22: { node: '22.23.3', modules: '127', napi: '10' },
  24: { node: '24.21.0', modules: '137', napi: '10' },
  26: { node: '26.10.0', modules: '147', napi: '10' },
};

describe('a better-sqlite3', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-driver-'));
    await mkdir(path.join(folder, 'build/Release'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  test.each<[keyof typeof NODES, string, 'with the hook' | 'without', string | undefined]>([
    [20, '12.9.0', 'without', undefined],
    [20, '13.2.0', 'without', 'better-sqlite3@12'],
    ['22.12', '13.2.0', 'without', 'better-sqlite3@12'],
    [22, '12.9.0', 'without', undefined],
    [22, '13.2.0', 'without', undefined],
    [24, '12.9.0', 'without', undefined],
    [24, '12.9.0', 'with the hook', 'better-sqlite3@13'],
    [26, '12.11.1', 'with the hook', 'better-sqlite3@13'],
    [26, '13.2.0', 'without', undefined],
  ])('on Node %s, %s %s: %s', async (node, version, hook, wanted) => {
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ version }));
    const symbols = ['AddEnvironmentCleanupHook', ...(hook === 'without' ? [] : ['RemoveEnvironmentCleanupHook'])];
    await writeFile(path.join(folder, 'build/Release/better_sqlite3.node'), `\0${symbols.join('\0')}\0`);
    const check = () => assertDriverFits(() => path.join(folder, 'package.json'), NODES[node]);
    if (wanted === undefined) return expect(check).not.toThrow();
    expect(check).toThrow(expect.objectContaining({ code: 'FW_ORM_DRIVER_NODE' }));
    expect(check).toThrow(`${version} ends the process`);
    expect(check).toThrow(`npm install ${wanted}`);
  });

  test('that is not installed, or has its binary elsewhere, is left to what loads it', async () => {
    const missing = () => {
      throw new Error('not found');
    };
    expect(() => assertDriverFits(missing, NODES[24])).not.toThrow();
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ version: '12.9.0' }));
    expect(() => assertDriverFits(() => path.join(folder, 'package.json'), NODES[24])).not.toThrow();
  });
});
