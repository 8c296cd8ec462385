import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { globSync } from 'tinyglobby';
import { declaredErrors } from '../../errors/index.js';
import { frameworkKnowledge, wholeSectionOf } from '../../knowledge/index.js';
import { isPlugin, type PluginManifest } from '../../plugin/index.js';
import { ownCommands } from '../../cli/index.js';
import { corpusProjects } from '../../../codegen/corpus/corpus-project.js';
import { codeGenerationPage } from './code-generation-page.js';
import { SCHEMATICS } from '../../../codegen/schematics/kinds.js';
import { commandsPage } from './commands-page.js';
import { errorsPage } from './errors-page.js';
import { exportsPages } from './exports/exports-page.js';
import { publicExports } from './exports/public-exports.js';
import { loadBuiltInTools } from '../../../plugins/mcp/testing/load-built-in-tools.js';
import { gatherTools, pluginsAt } from '../../../plugins/mcp/tool-set/tool-set.js';
import { RecordingLogger } from '../../testing/index.js';
import { optionsPage } from './options-page.js';
import { printedFiles, withPrintedFiles } from './plugin-guide.js';
import { SPEC_MAP, specMapPage, specTypesModule } from './spec-map.js';
import { toolsPage } from './tools-page.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PAGES = path.join(ROOT, 'docs/reference');

const modules = (pattern: string[]) =>
  globSync(pattern, { cwd: ROOT, absolute: true, ignore: ['**/node_modules/**', '**/*.test.ts'] }).sort();

// `npm run docs` writes the pages; without it a stale page fails, and the message says how to mend it.
function holds(name: string, content: string): void {
  const file = path.resolve(PAGES, name);
  if (process.env['FW_UPDATE_DOCS']) writeFileSync(file, content);
  const stored = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (stored !== content) throw new Error(`docs/reference/${name} is stale: run \`npm run docs\` and commit it.`);
}

async function errorTables() {
  for (const file of modules(['{kernel,plugins,codegen}/**/*errors.ts', 'kernel/contracts/*.ts'])) await import(file);
  return declaredErrors().filter(({ area }) => !area.startsWith('test'));
}

async function pluginManifests(): Promise<readonly PluginManifest[]> {
  const found: PluginManifest[] = [];
  for (const file of modules(['plugins/**/index.ts'])) {
    const { default: exported } = (await import(file)) as { default?: unknown };
    if (isPlugin(exported)) found.push(exported.manifest);
  }
  return found;
}

describe('docs/reference', () => {
  test('maps every identifier of the specification', () => {
    holds('spec-map.md', specMapPage(SPEC_MAP));
    holds('../../kernel/e2e/reference/spec-map.types.test.ts', specTypesModule(SPEC_MAP));
  });

  test('lists every error code', async () => {
    const errors = await errorTables();
    expect(errors.length).toBeGreaterThan(30);
    holds('errors.md', errorsPage(errors));
  });

  test('names guides of errors by places that fw docs and the tools show', async () => {
    const named = (await errorTables()).flatMap(({ guide }) => guide ?? []);
    expect(named.length).toBeGreaterThan(50);
    const knowledge = await frameworkKnowledge();
    for (const guide of new Set(named)) {
      const found = knowledge.pageOf(guide);
      expect([guide, found?.page.file]).toEqual([guide, `docs/guides/${guide.split('#')[0] ?? ''}`]);
      expect(await wholeSectionOf(knowledge, guide)).toMatchObject({ place: `docs/guides/${guide}` });
    }
  });

  test('lists the code of every finding of the doctor', async () => {
    const declared = new Set((await errorTables()).map(({ code }) => code));
    const rooms = modules(['{kernel,plugins,codegen}/**/doctor/**/*.ts']);
    const written = rooms.flatMap((file) => readFileSync(file, 'utf8').match(/\bFW_[A-Z0-9]+(?:_[A-Z0-9]+)+/g) ?? []);
    expect(written.length).toBeGreaterThan(30);
    expect(written.filter((code) => !declared.has(code))).toEqual([]);
  });

  test('lists every command', async () => {
    const commands = await ownCommands();
    expect(commands.length).toBeGreaterThan(12);
    holds(
      'commands.md',
      commandsPage(
        commands.map(({ command }) => command),
        SCHEMATICS,
      ),
    );
  });

  test('lists every project that code generation is held to', () => {
    holds('code-generation.md', codeGenerationPage(corpusProjects()));
  });

  test('lists every option of every plugin', async () => {
    const manifests = await pluginManifests();
    expect(manifests.map(({ id }) => id)).toContain('http');
    holds('options.md', optionsPage(manifests));
  });

  test('lists every name that users import, with its signature', () => {
    const folder = path.join(PAGES, 'exports');
    const updating = process.env['FW_UPDATE_DOCS'] !== undefined;
    if (updating) mkdirSync(folder, { recursive: true });
    const pages = exportsPages(publicExports(ROOT));
    for (const [name, page] of pages) holds(`exports/${name}`, page);
    const left = readdirSync(folder).filter((name) => !pages.has(name));
    if (updating) for (const name of left) rmSync(path.join(folder, name));
    else expect(left).toEqual([]);
  });

  test('lists every tool of the control plane', async () => {
    await loadBuiltInTools();
    const { registry, stop } = await gatherTools({
      root: ROOT,
      log: new RecordingLogger(),
      // What an operator can add is looked up here as well.
      further: pluginsAt(['fw/tools/workbench'], ROOT),
    });
    expect(registry.tools().length).toBeGreaterThan(16);
    holds('tools.md', toolsPage(registry));
    await stop();
  });

  test('prints the examples of the guide for authors of plugins as they are', () => {
    const guide = readFileSync(path.join(ROOT, 'docs/guides/write-a-plugin.md'), 'utf8');
    expect([...printedFiles(guide)].sort()).toEqual([
      'dependencies-plugin/index.js',
      'greeting-plugin/greetings-page.js',
      'greeting-plugin/index.js',
      'journal-plugin/index.js',
      'journal-plugin/journal-backend.js',
      'metrics-plugin/index.js',
      'request-id-plugin/index.js',
    ]);
    holds('../guides/write-a-plugin.md', withPrintedFiles(guide, path.join(ROOT, 'docs/examples')));
  });

  test('describes every option in words', async () => {
    const silent = (await pluginManifests()).flatMap(({ id, options }) =>
      Object.entries((options?.properties ?? {}) as Record<string, { description?: string }>)
        .filter(([, schema]) => !schema.description)
        .map(([name]) => `${id}: ${name}`),
    );
    expect(silent).toEqual([]);
  });
});
