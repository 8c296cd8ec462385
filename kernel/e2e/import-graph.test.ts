import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { globSync } from 'tinyglobby';
import { boundaryProblems, importsOf, pluginFolder, type Tree } from './import-graph.js';
import { loadedSources } from './loaded-sources.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const tree: Tree = {
  isPlugin(folder) {
    const index = `${folder}/index.ts`;
    return existsSync(path.join(ROOT, index)) && /export default|export \{[^}]*\bdefault\b/.test(read(index));
  },
  // `defineDialect` writes the manifest of a dialect, and names the plugin `orm` there.
  manifestOf: (folder) =>
    globSync([`${folder}/**/*.ts`], { cwd: ROOT, ignore: ['**/*.test.ts'] })
      .map(read)
      .filter((text) => /define(Plugin|Dialect)\(/.test(text))
      .map((text) => text.replaceAll('defineDialect(', "defineDialect('orm', "))
      .join('\n'),
};

describe('the import graph', () => {
  test('points one way: kernel, plugins, generated, application', () => {
    expect(boundaryProblems(importsOf(ROOT), tree)).toEqual([]);
  });

  test('is really read: the kernel index and its rooms are in it', () => {
    const edges = importsOf(ROOT).map(({ from, to }) => `${from} -> ${to}`);
    expect(edges).toContain('kernel/index.ts -> kernel/boot/index.ts');
    expect(edges).toContain('kernel/container/service-container.ts -> inversify');
    // One that waits until a command runs.
    expect(edges).toContain('kernel/cli/run-cli.ts -> kernel/cli/interrupted-writes.ts');
    expect(edges).toContain('kernel/build/build-framework.mjs -> kernel/build/collect-rooms.mjs');
  });

  test.each([
    ['kernel/boot/boot-app.ts', 'plugins/http/index.ts', /the kernel knows no plugin/],
    ['kernel/cli/run-cli.ts', 'plugins/orm/index.ts', /the kernel knows no plugin/],
    ['kernel/build/build-app.ts', 'codegen/orm/write-library.ts', /the kernel knows no plugin/],
    ['kernel/bin/fw.ts', 'fw/mcp', /the kernel knows no plugin/],
    ['plugins/http/index.ts', 'inversify', /only kernel\/container\//],
    ['plugins/http/server.ts', 'node:child_process', /only kernel\/process\//],
    ['plugins/docs/openapi/index.ts', 'plugins/http/router.ts', /through its index only/],
    ['plugins/docs/openapi/index.ts', 'plugins/http/index.ts', /does not name 'http'/],
    ['plugins/http/index.ts', 'kernel/boot/lifecycle.ts', /index of a kernel room/],
    ['generated/user.ts', 'plugins/orm/index.ts', /package subpaths/],
  ])('refuses %s -> %s', (from, to, reason) => {
    expect(boundaryProblems([{ from, to }], { isPlugin: tree.isPlugin, manifestOf: () => '' })).toEqual([
      expect.stringMatching(reason),
    ]);
  });

  test.each([
    ['plugins/http/router.ts', 'plugins/http'],
    ['plugins/middleware/cors/index.ts', 'plugins/middleware/cors'],
    ['plugins/docs/openapi/openapi.ts', 'plugins/docs'],
    ['plugins/fleet/transports/http-transport.ts', 'plugins/fleet'],
    ['kernel/index.ts', undefined],
  ])('puts %s into %s', (file, folder) => {
    expect(pluginFolder(file, tree)).toBe(folder);
  });
});

describe('the built ORM as a library', () => {
  const dialects = globSync(['dialect*/index.ts'], { cwd: path.join(ROOT, 'plugins/orm') }).map(path.dirname);
  const libraries = ['orm', ...dialects.map((room) => `orm/${room}`)];
  const built = (library: string) => loadedSources(path.join(ROOT, `dist/plugins/${library}/index.js`));
  const among = (sources: readonly string[], unwanted: RegExp) =>
    sources.map((source) => path.relative(ROOT, source)).filter((source) => unwanted.test(source));

  test.each(libraries)('fw/%s loads no package', async (library) => {
    expect(among(await built(library), /node_modules/)).toEqual([]);
  });

  test.each(libraries)('fw/%s loads nothing that only an application needs', async (library) => {
    expect(
      among(await built(library), /^kernel\/(boot|config|context|events|fs|log|process|schema)\/|service-container/),
    ).toEqual([]);
  });

  test.each(libraries)('fw/%s loads nothing that only changes of the schema need', async (library) => {
    expect(among(await built(library), /^plugins\/orm\/(migrations|schema|db-pull)\//)).toEqual([]);
  });

  test('is really read: queries and the plugin are in it', async () => {
    const sources = await built('orm');
    expect(sources).toContain(path.join(ROOT, 'plugins/orm/core/query/query.ts'));
    expect(sources).toContain(path.join(ROOT, 'plugins/orm/orm-plugin.ts'));
  });
});
