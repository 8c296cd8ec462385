import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { checkBundle } from './check-bundle.js';

// Stands for the start file of an application that does not start without a variable.
const START = `
if (process.env.NODE_PATH) throw new Error("Cannot find module 'beside-the-bundle'");
const said = process.env.A_SECRET;
if (said !== 'right') { console.error('FW_CONFIG_ENVIRONMENT: A_SECRET is ' + said); process.exitCode = 1; }
`;

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-check-bundle-')));
  await writeFile(path.join(root, 'start.js'), START);
});
afterEach(async () => {
  delete process.env['A_SECRET'];
  delete process.env['NODE_PATH'];
  await rm(path.join(root, '.env'), { force: true });
});
afterAll(() => rm(root, { recursive: true }));

test('a bundle is tried with the variables of the command', async () => {
  expect(await checkBundle(root, root)).toBe('FW_CONFIG_ENVIRONMENT: A_SECRET is undefined');
  process.env['A_SECRET'] = 'right';
  process.env['NODE_PATH'] = root;
  expect(await checkBundle(root, root)).toBeUndefined();
});

test('a bundle is tried with the .env files of the project, over which the environment goes', async () => {
  await writeFile(path.join(root, '.env'), 'A_SECRET=right\n');
  expect(await checkBundle(root, root)).toBeUndefined();
  process.env['A_SECRET'] = 'other';
  expect(await checkBundle(root, root)).toBe('FW_CONFIG_ENVIRONMENT: A_SECRET is other');
});
