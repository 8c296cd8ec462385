import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { newProject } from './index.js';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'fw-pnpm-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const make = () =>
  newProject(
    { name: 'shop', template: 'minimal' },
    { parent, log: () => undefined, framework: { name: 'fw-0.1.0.tgz' } },
  );

test('a new project tells pnpm which scripts it tells npm', async () => {
  const { path: shop } = await make();
  const { allowBuilds } = parse(await readFile(path.join(shop, 'pnpm-workspace.yaml'), 'utf8')) as Record<
    string,
    object
  >;
  const { allowScripts } = JSON.parse(await readFile(path.join(shop, 'package.json'), 'utf8')) as Record<
    string,
    object
  >;
  expect(allowBuilds).toEqual(allowScripts);
  expect(allowBuilds).toMatchObject({ 'better-sqlite3': true, esbuild: true, '@scarf/scarf': false });
});

test('a new project in a workspace of pnpm stays in it', async () => {
  await writeFile(path.join(parent, 'pnpm-workspace.yaml'), "packages: ['*']\n");
  const { files } = await make();
  expect(files.map((file) => file.path)).toContain('package.json');
  expect(files.map((file) => file.path)).not.toContain('pnpm-workspace.yaml');
});
