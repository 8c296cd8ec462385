import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PACKING_LOG, toInstall } from '../../../kernel/plugin/index.js';
import { until } from '../../../kernel/testing/until.js';
import { packedAlready } from './pack-framework.js';
import { packInto } from './pack-into.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-pack-into-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = async (file: string, text: string) => {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
};

// Prints what it is asked for, and puts the package where a real one does.
const PACKS = `
  const { mkdirSync, writeFileSync } = require('node:fs');
  console.log(process.argv.slice(2).join(' '));
  mkdirSync('vendor');
  writeFileSync('vendor/fw-1.0.0.tgz', 'packed');
`;

test('the framework comes into a project by a process that this one does not end', async () => {
  await write('framework/dist/kernel/bin/fw.js', PACKS);
  await write('shop/package.json', '{ "dependencies": { "fw": "file:vendor/fw-1.0.0.tgz" } }');
  const shop = path.join(folder, 'shop');
  expect(toInstall(shop)).toMatch(
    /^vendor\/fw-1\.0\.0\.tgz, .* is not there yet: run `node .* upgrade --no-install` there/,
  );
  const endings = process.listenerCount('exit');
  await packInto(shop, path.join(folder, 'framework'));
  expect(process.listenerCount('exit')).toBe(endings);
  await until(() => Promise.resolve(toInstall(shop) === `run npm install in ${shop}`), 'package in the project');
  expect(await readFile(path.join(shop, PACKING_LOG), 'utf8')).toBe('upgrade --no-install\n');
  await rm(path.join(shop, 'vendor'), { recursive: true });
  expect(toInstall(shop)).toMatch(/wait until it is \(\.fw\/packing\.log says/);
});

test('a package that is there already is taken, and nobody packs for the answer', async () => {
  await write('package.json', '{"version":"1.0.0"}');
  await write('kernel/bin/fw.ts', '');
  expect(await packedAlready(folder)).toEqual({ name: 'fw-1.0.0.tgz' });
  await write('shop/vendor/fw-1.0.0.tgz', 'packed');
  await write('shop/node_modules/fw/package.json', '{"version":"1.0.0"}');
  expect(await packedAlready(path.join(folder, 'shop/node_modules/fw'))).toEqual({
    name: 'fw-1.0.0.tgz',
    bytes: Buffer.from('packed'),
  });
});
