import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { assertDriverFits, unloadable } from './driver-fits.js';

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
    [20, '12.11.1', 'without', undefined],
    [20, '13.2.0', 'without', 'better-sqlite3@12'],
    ['22.12', '13.2.0', 'without', 'better-sqlite3@12'],
    [22, '12.11.1', 'without', undefined],
    [22, '13.2.0', 'without', undefined],
    [24, '12.11.1', 'without', undefined],
    [24, '12.11.1', 'with the hook', 'better-sqlite3@13'],
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
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ version: '12.11.1' }));
    expect(() => assertDriverFits(() => path.join(folder, 'package.json'), NODES[24])).not.toThrow();
  });

  describe('that could not load its binary', () => {
    const resolve = () => path.join(folder, 'package.json');
    const compiledForOther = Object.assign(
      new Error(
        "The module '/app/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115. This version of Node.js requires\nNODE_MODULE_VERSION 137.",
      ),
      { code: 'ERR_DLOPEN_FAILED' },
    );
    const notCompiled = Object.assign(new Error('Could not locate the bindings file. Tried:\n → a\n → b'), {
      tries: ['a', 'b'],
    });
    const noSuchPlatform = Object.assign(new Error("Cannot find module './x.node'\nRequire stack:\n- /a.js"), {
      code: 'MODULE_NOT_FOUND',
    });

    test.each<[keyof typeof NODES, string, string, Error, string]>([
      [24, 'was compiled for another Node', '12.11.1', compiledForOther, 'npm install better-sqlite3@13'],
      ['22.12', 'was compiled for another Node', '12.11.1', compiledForOther, 'npm rebuild better-sqlite3'],
      [20, 'was not compiled', '12.11.1', notCompiled, 'npm rebuild better-sqlite3'],
      [26, 'was not made for the platform', '13.2.0', noSuchPlatform, 'npx node-gyp rebuild'],
    ])('on Node %s, which %s, is told with the command that mends it', async (node, _why, version, error, command) => {
      await writeFile(resolve(), JSON.stringify({ version }));
      const told = unloadable(error, resolve, NODES[node]);
      expect(told).toMatchObject({ code: 'FW_ORM_DRIVER_BINARY', cause: error });
      expect(told?.message).toContain(
        `better-sqlite3 ${version} has no binary that Node ${NODES[node].node} can load (`,
      );
      expect(told?.message).toContain(`); run: ${command}`);
      expect(told?.message).not.toMatch(/Tried|Require stack|\n/);
    });

    test('is told where the error is of another realm, as those of Node are in Jest', async () => {
      await writeFile(resolve(), JSON.stringify({ version: '12.11.1' }));
      const foreign = runInNewContext(
        `Object.assign(new Error('compiled for another'), { code: 'ERR_DLOPEN_FAILED' })`,
      );
      expect(foreign).not.toBeInstanceOf(Error);
      expect(unloadable(foreign, resolve, NODES[24])?.message).toContain('run: npm install better-sqlite3@13');
    });

    test('is not what another error says', () => {
      const cannotOpen = Object.assign(new Error('unable to open database file'), { code: 'SQLITE_CANTOPEN' });
      expect(unloadable(cannotOpen, resolve)).toBeUndefined();
    });
  });
});
