import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { packageManifests } from './packages.js';

let root: string;
beforeEach(async () => void (root = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-packages-')))));
afterEach(() => rm(root, { recursive: true }));

async function packageAt(folder: string, content: object | string): Promise<void> {
  await mkdir(path.join(root, folder), { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(path.join(root, folder, 'package.json'), text);
}

const bringing = (name: string, command: string) => ({
  name,
  fw: { commands: [{ name: command, summary: `Runs ${command}`, module: './run.js' }] },
});

async function ownersFrom(folder = '.'): Promise<readonly string[]> {
  return (await packageManifests(path.join(root, folder))).found.map(({ owner }) => owner);
}

describe('the packages of a project', () => {
  test('are itself, and those that its package.json names, of every kind that is installed for it', async () => {
    await packageAt('.', {
      ...bringing('shop', 'till'),
      dependencies: { one: '1', plain: '1' },
      devDependencies: { two: '1' },
      optionalDependencies: { '@scope/three': '1' },
    });
    await packageAt('node_modules/one', bringing('one', 'one'));
    await packageAt('node_modules/two', bringing('two', 'two'));
    await packageAt('node_modules/@scope/three', bringing('@scope/three', 'three'));
    await packageAt('node_modules/plain', { name: 'plain' });
    await packageAt('node_modules/one/node_modules/brought-along', bringing('brought-along', 'x'));
    await packageAt('node_modules/stray', bringing('stray', 'x'));
    expect(await ownersFrom()).toEqual(['shop', 'one', 'two', '@scope/three']);
    await mkdir(path.join(root, 'app/routes'), { recursive: true });
    expect(await ownersFrom('app/routes')).toEqual(['shop', 'one', 'two', '@scope/three']);
  });

  test('may be hoisted to the top of a workspace, and linked there', async () => {
    await packageAt('.', { name: 'top', workspaces: ['packages/*'], dependencies: { 'only-of-top': '1' } });
    await packageAt('packages/web', { name: 'web', dependencies: { hoisted: '1', tools: '*' } });
    await packageAt('packages/tools', bringing('tools', 'tools'));
    await packageAt('node_modules/hoisted', bringing('hoisted', 'hoisted'));
    await packageAt('node_modules/only-of-top', bringing('only-of-top', 'x'));
    await symlink(path.join(root, 'packages/tools'), path.join(root, 'node_modules/tools'));
    expect(await ownersFrom('packages/web')).toEqual(['hoisted', 'tools']);
  });

  test('are reached through the links of pnpm, with their modules', async () => {
    await packageAt('.', { name: 'shop', dependencies: { linked: '1' } });
    const store = 'node_modules/.pnpm/linked@1.0.0/node_modules/linked';
    await packageAt(store, bringing('linked', 'linked'));
    await packageAt('node_modules/.pnpm/linked@1.0.0/node_modules/below', bringing('below', 'x'));
    await symlink(path.join(root, store), path.join(root, 'node_modules/linked'));
    const { found } = await packageManifests(root);
    expect(found.map(({ owner, locate }) => [owner, locate('./run.js')])).toEqual([
      ['linked', pathToFileURL(path.join(root, 'node_modules/linked/run.js')).href],
    ]);
  });

  test('are none where there is no package.json, and those that are not installed are named', async () => {
    expect(await packageManifests(root)).toEqual({ found: [], problems: [], missing: [] });
    await packageAt('.', { name: 'shop', dependencies: { gone: '1' }, devDependencies: { '@scope/gone': '1' } });
    expect(await packageManifests(root)).toEqual({ found: [], problems: [], missing: ['gone', '@scope/gone'] });
  });

  test('do not keep each other from being found when one of them is wrong', async () => {
    await packageAt('.', { name: 'shop', dependencies: { broken: '1', odd: '1', fine: '1' } });
    await packageAt('node_modules/broken', '{');
    await packageAt('node_modules/odd', { name: 'odd', fw: { comands: [] } });
    await packageAt('node_modules/fine', bringing('fine', 'fine'));
    const { found, problems } = await packageManifests(root);
    expect(found.map(({ owner }) => owner)).toEqual(['fine']);
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^FW_MANIFEST_WRONG broken .*broken\/package\.json: it cannot be read: .*JSON/),
      `FW_MANIFEST_WRONG odd has a wrong manifest, in ${path.join(root, 'node_modules/odd/package.json')}: ` +
        '"fw.comands" is not known. Did you mean "commands"? Known here: commands, checks, tools, runtime, dialects, models',
    ]);
  });
});
