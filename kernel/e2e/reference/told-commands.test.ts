import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { glob } from 'tinyglobby';
import { databaseEntry } from '../../../codegen/schematics/add/database-entry.js';
import { builtInDialects, defaultDialect } from '../../../plugins/orm/registry/index.js';
import { TEMPLATES, templateFiles } from '../../../codegen/schematics/new/template.js';
import { fetchedDependencies, fetchingCommands } from './told-commands.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const cwd = {
  cwd: ROOT,
  ignore: ['**/node_modules/**', 'dist/**', '**/told-commands*', 'docs/benchmarks/**/results/**'],
};
const contents = async (patterns: readonly string[]) =>
  Promise.all(
    (await glob([...patterns], cwd)).map(
      async (file) => [file, await readFile(path.join(ROOT, file), 'utf8')] as const,
    ),
  );

describe('what we tell people to run', () => {
  test('fetches none of our names from the registry, in docs, messages and templates', async () => {
    const texts = await contents([
      'README.md',
      '{docs,kernel,plugins,codegen,.ci}/**/*.{md,ts,mjs,cjs,js,json,sh}',
      '.ci/*',
    ]);
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.flatMap(([file, text]) => fetchingCommands(text).map((command) => `${file}: ${command}`))).toEqual([]);
  });

  test('is neither what our packages and examples depend on', async () => {
    const manifests = await contents(['**/package.json']);
    expect(manifests.length).toBeGreaterThan(3);
    const fetched = manifests.flatMap(([file, text]) =>
      fetchedDependencies(JSON.parse(text) as Record<string, unknown>).map((each) => `${file}: ${each}`),
    );
    expect(fetched).toEqual([]);
  });

  test.each(TEMPLATES)('is neither in what a project of the template %s is made of', (template) => {
    const database = databaseEntry(
      { driver: defaultDialect.name },
      builtInDialects,
      (_, problem) => new Error(problem),
    );
    const facts = {
      name: 'shop',
      template,
      docs: true,
      tarball: 'fw-0.1.0.tgz',
      host: '127.0.0.1',
      port: 3000,
      database,
    };
    const files = templateFiles(facts);
    expect(Object.values(files).flatMap(fetchingCommands)).toEqual([]);
    expect(fetchedDependencies(JSON.parse(files['package.json'] ?? '') as Record<string, unknown>)).toEqual([]);
  });

  test.each([
    'npx fw routes',
    'run `npx fw`.',
    'npx -y fw-mcp --mode generator',
    'npx --yes fw new shop',
    'npx fw@latest new shop',
    'npm exec fw routes',
    'npm exec -- fw routes',
    'npm x fw',
    'pnpm dlx fw new',
    'yarn dlx fw-mcp',
    'bunx fw',
    'bun x fw',
    'npm create fw my-app',
    'npm init fw',
    'npx tsc',
    'npx --no fw --version',
    '{ "command": "npx", "args": ["fw-mcp"] }',
    "{ command: 'npx', args: ['-y', 'fw-mcp'] }",
    'npm install fw',
    'npm i -D fw@0.1.0',
    'npm install --save-dev typescript fw',
    'pnpm add @fw/backend-nats',
    'yarn add fw, then',
  ])('is found when it would fetch one: %s', (text) => {
    expect(fetchingCommands(`first\n${text}\nlast`)).not.toEqual([]);
  });

  test.each([
    'npx --no -- fw routes --json',
    'A=1 npx --no -- fw start aggregator',
    '{ "command": "npx", "args": ["--no", "--", "fw-mcp", "--mode", "generator"] }',
    'npx node-gyp rebuild',
    'npm install ./fw-backend-nats-0.1.0.tgz',
    'npm install pg',
    'npm run fw',
    'npm install && npm start',
  ])('is left alone otherwise: %s', (text) => {
    expect(fetchingCommands(text)).toEqual([]);
  });

  test.each([
    [{ dependencies: { fw: '^0.1.0' } }],
    [{ devDependencies: { fw: 'latest' } }],
    [{ optionalDependencies: { 'fw-mcp': '*' } }],
    [{ peerDependencies: { fw: '*' } }],
    [{ dependencies: { '@fw/backend-nats': '0.1.0' } }],
    [{ dependencies: { fw: 'npm:fw@1' } }],
  ])('is found in a package.json: %j', (manifest) => {
    expect(fetchedDependencies(manifest)).toHaveLength(1);
  });
});
