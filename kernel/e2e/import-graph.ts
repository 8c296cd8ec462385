import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';

/** One import of one file. */
export interface Import {
  /** Importing file, relative to the repository. */
  readonly from: string;
  /** Imported file relative to the repository, or the name of a package. */
  readonly to: string;
}

const SOURCES = [
  'kernel/**/*.{ts,mjs,mts}',
  'plugins/**/*.ts',
  'codegen/**/*.ts',
  'generated/**/*.ts',
  'docs/examples/**/*.ts',
  'app.config.ts',
];

/** Every import of the repository's sources, static or dynamic; tests, what only they use, and declarations left out. */
export function importsOf(root: string): readonly Import[] {
  const files = globSync(SOURCES, {
    cwd: root,
    ignore: ['**/*.test.ts', 'plugins/**/testing/**', '**/*.d.ts', '**/node_modules/**', '**/dist/**'],
  });
  return files.flatMap((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(path.join(root, file), 'utf8'), true, true);
    return importedFiles.map(({ fileName }) => ({ from: file, to: targetOf(root, file, fileName) }));
  });
}

function targetOf(root: string, from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const target = path.posix.join(path.posix.dirname(from), specifier);
  return existsSync(path.join(root, target)) ? target : target.replace(/\.js$/, '.ts');
}

/** Packages and built-ins that only some folders may import. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  inversify: ['kernel/container/'],
  // Scripts that run before the framework is compiled spawn processes themselves.
  'node:child_process': ['kernel/process/', 'kernel/bin/run.mjs', 'kernel/bin/started-by.mjs'],
  commander: ['kernel/cli/'],
  ajv: ['kernel/schema/', 'kernel/foreign-schema/', 'codegen/validators/'],
  'ts-morph': ['codegen/', 'plugins/tools/'],
  koa: [
    'plugins/http/',
    'plugins/middleware/',
    'kernel/contracts/http.ts',
    'plugins/dashboard/',
    'plugins/docs/',
    'plugins/fleet/',
  ],
};

/** What the rules need to know about the tree besides its imports. */
export interface Tree {
  /** Whether a folder's index.ts exports a plugin by default. */
  isPlugin(folder: string): boolean;
  /** Text of a plugin folder's files that declare manifests. */
  manifestOf(folder: string): string;
}

/**
 * The folder that a file below plugins/ belongs to: the nearest one that is a plugin, else `plugins/<category>`, whose rooms the
 * plugins of the category share.
 */
export function pluginFolder(file: string, { isPlugin }: Pick<Tree, 'isPlugin'>): string | undefined {
  const [top, category] = file.split('/');
  if (top !== 'plugins' || category === undefined) return undefined;
  const shared = `plugins/${category}`;
  for (let folder = path.posix.dirname(file); folder.length > shared.length; folder = path.posix.dirname(folder)) {
    if (isPlugin(folder)) return folder;
  }
  return shared;
}

/**
 * What breaks the direction of dependencies: kernel <- plugins <- generated <- app.config.ts; a plugin uses another one only
 * through its index, and only when its manifest names it.
 *
 * @param imports - the graph
 */
export function boundaryProblems(imports: readonly Import[], tree: Tree): readonly string[] {
  return imports.flatMap((each) => problemOf(each, tree).map((reason) => `${each.from} imports ${each.to}: ${reason}`));
}

function problemOf({ from, to }: Import, tree: Tree): string[] {
  const owners =
    OWNERS[
      to
        .split('/')
        .slice(0, to.startsWith('@') ? 2 : 1)
        .join('/')
    ];
  if (owners && !owners.some((owner) => from.startsWith(owner))) return [`only ${owners.join(', ')} may`];
  if (from.startsWith('kernel/')) return kernelProblem(from, to);
  if (from.startsWith('plugins/')) return pluginProblem(from, to, tree);
  if (from.startsWith('generated/') && /^(kernel|plugins|codegen)\//.test(to))
    return ['generated code uses the package subpaths'];
  return [];
}

function kernelProblem(from: string, to: string): string[] {
  // Scenarios boot the whole framework.
  if (from.startsWith('kernel/e2e/') || !/^(plugins|codegen|generated|fw)\//.test(to)) return [];
  return ['the kernel knows no plugin, and loads what the manifests of rooms name'];
}

function pluginProblem(from: string, to: string, tree: Tree): string[] {
  const own = pluginFolder(from, tree) as string;
  const other = pluginFolder(to, tree);
  if (/^(generated|docs|app\.config)/.test(to)) return ['a plugin knows no application'];
  if (to.startsWith('kernel/') && !isPublicKernel(to))
    return ['a plugin uses the index of a kernel room, or a contract'];
  if (other === undefined || other === own) return [];
  if (!to.endsWith('/index.ts')) return ['another plugin is used through its index only'];
  return isNamed(own, other, tree) ? [] : [`its manifest does not name '${idOf(other)}' in needs or optionalNeeds`];
}

const idOf = (folder: string) => folder.replace('plugins/', '');

function isNamed(own: string, other: string, { isPlugin, manifestOf }: Tree): boolean {
  // Rooms that the plugins of a category share are no plugins: they have no manifest, so no plugin can list them in `needs`.
  if (!isPlugin(own) || (!isPlugin(other) && own.startsWith(`${other}/`))) return true;
  return manifestOf(own).includes(`'${idOf(other)}'`);
}

function isPublicKernel(file: string): boolean {
  return /^kernel\/(index\.ts|contracts\/[\w-]+\.ts|[\w-]+\/index\.ts|testing\/.*)$/.test(file);
}
