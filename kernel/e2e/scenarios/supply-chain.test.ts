import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { globSync } from 'tinyglobby';
import { digestOf } from '../../fs/index.js';
import { assertGreen, run } from './installed-framework.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

interface Component {
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly unknown[];
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[];
}

describe('what an application installs with fw', () => {
  let components: readonly Component[];
  beforeAll(async () => {
    const args = ['sbom', '--omit', 'dev', '--workspaces=false', '--package-lock-only', '--sbom-format', 'cyclonedx'];
    const { stdout } = assertGreen(await run('npm', args, ROOT));
    ({ components } = JSON.parse(stdout) as { readonly components: readonly Component[] });
  });

  test('is under licences that ask for no more than to be named', () => {
    const free = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', '0BSD'];
    // MIT by their LICENSE files; their package.json says it in a form that npm has given up.
    const unsaid = ['busboy', 'streamsearch'];
    const licenceOf = ({ licenses = [] }: Component) =>
      licenses.map(({ license, expression }) => license?.id ?? expression);
    const other = components.filter((each) => {
      const [licence, ...more] = licenceOf(each);
      return more.length > 0 || !(licence === undefined ? unsaid.includes(each.name) : free.includes(licence));
    });
    expect(other.map((each) => `${each.name} ${licenceOf(each).join()}`)).toEqual([]);
  });

  test('is pinned by its digest', () => {
    expect(components.length).toBeGreaterThan(50);
    expect(components.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
  });

  test('has no package twice, but for those that Koa and drivers bring', () => {
    const versions = new Map<string, Set<string>>();
    for (const { name, version } of components) versions.set(name, (versions.get(name) ?? new Set()).add(version));
    const twice = [...versions].filter(([, each]) => each.size > 1).map(([name]) => name);
    expect(twice.sort()).toEqual([
      ...['@azure/msal-common', 'accepts', 'content-disposition', 'content-type', 'depd', 'fresh', 'http-errors'],
      ...['mime-db', 'mime-types', 'negotiator', 'statuses'],
    ]);
  });

  test('runs no scripts at its installation, but for those that put binaries in place', async () => {
    const { packages } = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
    };
    const names = new Set(components.map(({ name }) => name));
    const scripted = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([place]) => place.split('node_modules/').at(-1) ?? '')
      .filter((name) => names.has(name));
    // The last one reports installations, which package.json switches off (`scarfSettings`).
    expect(new Set(scripted)).toEqual(
      new Set(['better-sqlite3', 'esbuild', '@scarf/scarf'].filter((name) => names.has(name))),
    );
  });

  test('is what the sources import', async () => {
    const { dependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const files = globSync(['{kernel,plugins,codegen}/**/*.{ts,tsx,mjs,json}'], {
      cwd: ROOT,
      ignore: ['**/*.test.ts', '**/node_modules/**'],
    });
    const sources = (await Promise.all(files.map((file) => readFile(path.join(ROOT, file), 'utf8')))).join('\n');
    const isNamed = (name: string) =>
      sources.includes(`'${name}'`) || sources.includes(`'${name}/`) || sources.includes(`"${name}"`);
    const types = (name: string) => name.startsWith('@types/');
    expect(Object.keys(dependencies).filter((name) => !types(name) && !isNamed(name))).toEqual([]);
    for (const name of Object.keys(dependencies).filter(types))
      expect(dependencies).toHaveProperty([name.slice('@types/'.length)]);
  });
});

describe('the build', () => {
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true });
  });

  async function builtIn(name: string): Promise<ReadonlyMap<string, string>> {
    const folder = path.join(await realpath(await mkdtemp(path.join(tmpdir(), 'fw-build-'))), name);
    folders.push(path.dirname(folder));
    const unwanted = new Set(['node_modules', 'dist', '.git', '.fw']);
    await cp(ROOT, folder, { recursive: true, filter: (source) => !unwanted.has(path.basename(source)) });
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    assertGreen(await run(process.execPath, ['kernel/build/build-framework.mjs'], folder, 240_000));
    const files = (await readdir(path.join(folder, 'dist'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()); // prettier-ignore
    const places = [folder, ROOT, homedir()].filter((place) => place !== '/' && place.length > 5);
    const entries = await Promise.all(
      files.map(async (file) => {
        const at = path.join(file.parentPath, file.name);
        const bytes = await readFile(at);
        for (const place of places) if (bytes.includes(`${place}/`)) throw new Error(`${at} holds ${place}`);
        return [path.relative(folder, at), digestOf(bytes)] as const;
      }),
    );
    return new Map(entries.sort());
  }

  test('gives the same bytes in every folder, and none of its path', async () => {
    const one = await builtIn('one');
    expect(one.size).toBeGreaterThan(100);
    expect(await builtIn('another folder')).toEqual(one);
  }, 600_000);

  test('is packed with what is listed, and nothing else', async () => {
    expect(existsSync(path.join(ROOT, 'dist/kernel/bin/fw.js'))).toBe(true);
    const { stdout } = assertGreen(await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], ROOT));
    const [{ files }] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
    const kinds = files.map(({ path: file }) =>
      file.startsWith('dist/') ? `dist/**/*${path.extname(file)}` : `${path.dirname(file)}/*${path.extname(file)}`,
    );
    // Types are built when it is packed, and may not be there before.
    expect(new Set(['dist/**/*.ts', ...kinds])).toEqual(
      new Set([
        ...['./*', './*.json', './*.md'],
        ...['cjs', 'css', 'js', 'json', 'map', 'svg', 'ts'].map((ending) => `dist/**/*.${ending}`),
        ...['docs/guides/*.md', 'docs/reference/*.md', 'docs/reference/exports/*.md', 'kernel/build/*.mjs'],
        ...['js', 'json', 'ts'].map((ending) => `docs/examples/pg-boss-plugin/*.${ending}`),
        ...['css', 'js', 'svg'].map((ending) => `plugins/docs/docs-ui/browser/*.${ending}`),
      ]),
    );
    expect(kinds.filter((kind) => kind === './*')).toEqual(['./*']);
  });
});
