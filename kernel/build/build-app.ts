import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BuildFailure, BuildOptions, BuildResult, Message, Metafile, OutputFile } from 'esbuild';
import { startFiles } from '../config/index.js';
import { fwError } from '../errors/index.js';
import { CONFIG_FILE } from '../fs/index.js';
import { aliasPlugin, type Aliases, aliasesIn } from './aliases.js';
import { checkTypes, settingsOf, type TypeCheck } from './check-types.js';
import { buildParts } from './build-parts.js';
import { BUILD_ERRORS } from './errors.js';
import { type ModuleShape, shapesOf } from './module-shape.js';
import { NODE_IMPORTS, nodeImports } from './node-imports.js';
import { type Output, writeOutputs } from './write-outputs.js';

/** What to build. */
interface AppBuild {
  /** Project folder, with `app.config.ts`. */
  readonly root: string;
  /**
   * Globs of the files that make up the application; tests are always left out. Default `APP_FILES`, and whatever
   * `app.config.ts` reaches through its imports.
   */
  readonly include?: readonly string[] | undefined;
  /** Whether types are checked; default true. */
  readonly check?: boolean | undefined;
}

/** What was built. */
interface AppBuildResult {
  /** Folder of the output. */
  readonly outDir: string;
  /** Number of files compiled. */
  readonly files: number;
  /** Outputs of earlier builds that went away, because their sources did; relative to the project, sorted. */
  readonly removed: readonly string[];
  /** Whether types were checked, and if not, why. */
  readonly types: TypeCheck;
}

const TYPESCRIPT = /\.[cm]?tsx?$/;

/**
 * Compiles an application's TypeScript to `dist/`, file by file, keeping its folders, so that relative URLs and stack traces mean the same
 * in both. Types are checked at the same time. The outputs are written all together and only when nothing failed, also when the process is
 * killed half way (see `ChangeSet.commit`). Outputs of an earlier build whose sources are gone are removed; files that no build wrote stay.
 *
 * @throws FwError `FW_BUILD_NOTHING` when there is no source
 * @throws FwError `FW_BUILD_FAILED` when a file does not parse, or an import leads nowhere or to an export that is not there
 * @throws FwError `FW_BUILD_IMPORTS` when an import is one that only the compiler can follow
 * @throws FwError `FW_CODEGEN_LIBRARY_WRITE` for a package that ships descriptions of its models
 * @throws FwError `FW_BUILD_TYPES`, `FW_BUILD_NO_TYPESCRIPT`
 */
export async function buildApp({ root, include, check = true }: AppBuild): Promise<AppBuildResult> {
  const found = await startFiles(root, include);
  if (found.length === 0 && !existsSync(path.join(root, CONFIG_FILE)))
    throw fwError(BUILD_ERRORS.FW_BUILD_NOTHING, { root });
  const stop = new AbortController();
  const checking = check
    ? checkTypes(root, absolute(root, found), stop.signal)
    : Promise.resolve<TypeCheck>({ checked: false, skipped: '--no-check' });
  const compiling = compiled(root, found, include === undefined).catch((error: unknown) => {
    // The bundler's errors are about the same files, so the type check is ended.
    stop.abort();
    throw error;
  });
  const [output, types] = await settled(compiling, checking);
  const added = include === undefined ? await addedOutputs(root) : [];
  const outputs = [...output.outputs, ...added];
  const removed = await writeOutputs(root, outputs, { isAll: include === undefined });
  return { outDir: path.join(root, 'dist'), files: output.files, removed, types };
}

/** The outputs that rooms of the framework add to a build. */
export async function addedOutputs(root: string): Promise<readonly Output[]> {
  const added = (await buildParts()).map((part) => part.outputs?.(root) ?? []);
  const outputs = (await Promise.all(added)).flat();
  return outputs.map(({ path: file, text }) => ({ path: path.join(root, file), contents: Buffer.from(text) }));
}

// Waits for both promises, so that no compiler is left running; of two errors it throws the first.
async function settled<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
}

const absolute = (root: string, files: readonly string[]) => files.map((file) => path.join(root, file));

interface Compiled {
  readonly files: number;
  readonly outputs: readonly OutputFile[];
}

async function compiled(root: string, found: readonly string[], follow: boolean): Promise<Compiled> {
  const config = existsSync(path.join(root, CONFIG_FILE)) ? [CONFIG_FILE] : [];
  const starts = follow ? [...new Set([...found, ...config])] : found;
  const settings = await ownSettings(root, starts);
  const { linked, aliases } = await reachable(root, starts, settings);
  const files = follow ? [...new Set([...found, ...linked])].sort() : [...found];
  const compiledFiles = await outputsOf(root, files, { settings, aliases });
  await printWarnings(compiledFiles);
  return { files: files.length, outputs: compiledFiles.outputs };
}

/** Compiled files. */
export interface CompiledFiles {
  readonly outputs: readonly OutputFile[];
  /** By source; without those that nothing can be said of. */
  readonly shapes: ReadonlyMap<string, ModuleShape>;
  readonly warnings: readonly Message[];
}

/** Compiles files, each by itself. */
export async function outputsOf(
  root: string,
  files: readonly string[],
  { settings, aliases }: { readonly settings: Settings; readonly aliases: Aliases },
): Promise<CompiledFiles> {
  const builds = [...groupsOf(files, aliases)].map(([, group]) =>
    esbuild({ ...settings, ...compilation(root, group, aliases) }),
  );
  const results = await Promise.all(builds);
  return {
    outputs: results.flatMap(({ outputFiles = [] }) => outputFiles),
    shapes: new Map(results.flatMap((result) => [...shapesOf(root, result)])),
    warnings: results.flatMap(({ warnings }) => warnings),
  };
}

/** Prints what the compiler warns of. */
export async function printWarnings({ warnings }: Pick<CompiledFiles, 'warnings'>): Promise<void> {
  if (warnings.length === 0) return;
  const { formatMessages } = await import('esbuild');
  const color = process.stderr.hasColors?.() ?? false;
  process.stderr.write((await formatMessages([...warnings], { kind: 'warning', color })).join(''));
}

/** Files that one run of esbuild compiles: they have the same extension, and all of them use aliases or none does. */
interface Group {
  readonly files: string[];
  readonly ending: string;
  readonly hasAliases: boolean;
}

function groupsOf(files: readonly string[], aliases: Aliases): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const file of files) {
    const ending = /\.[cm]/.exec(path.extname(file))?.[0] ?? '.';
    const hasAliases = aliases.has(file);
    const key = `${ending} ${hasAliases}`;
    const group = groups.get(key) ?? { files: [], ending, hasAliases };
    groups.set(key, group);
    group.files.push(file);
  }
  return groups;
}

function compilation(root: string, { files, ending, hasAliases }: Group, aliases: Aliases): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: files,
    outdir: 'dist',
    outbase: '.',
    write: false,
    metafile: true,
    format: ending === '.c' ? 'cjs' : 'esm',
    // Node reads a module by its extension, and other modules import it by that name, so the extension is kept.
    outExtension: { '.js': `${ending}js` },
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'silent',
    ...(hasAliases
      ? // esbuild calls resolve plugins only when it bundles. The aliased imports are external: nothing is inlined or dropped, and classes keep their names.
        { bundle: true, treeShaking: false, keepNames: true, plugins: [aliasPlugin(root, aliases)] }
      : { bundle: false }),
  };
}

/** How a project's files are compiled. */
export type Settings = Pick<BuildOptions, 'tsconfig'>;

// The bundler finds the nearest tsconfig.json by itself, but ignores the projects in its `references`.
export async function ownSettings(root: string, files: readonly string[]): Promise<Settings> {
  const tsconfig = await settingsOf(root, absolute(root, files));
  return tsconfig === undefined || path.basename(tsconfig) === 'tsconfig.json' ? {} : { tsconfig };
}

/** The files that imports reach. */
export interface Reached {
  /** TypeScript of the project, relative to it. */
  readonly linked: readonly string[];
  readonly aliases: Aliases;
  /** Every file with its imports. */
  readonly inputs: Metafile['inputs'];
}

async function reachable(root: string, files: readonly string[], settings: Settings): Promise<Reached> {
  if (files.length === 0) return { linked: [], aliases: new Map(), inputs: {} };
  return reachedBy(await esbuild(linking(root, files, settings)));
}

/** The files in the result of a bundle that {@link linking} describes. */
export function reachedBy({ metafile }: Pick<BuildResult, 'metafile'>): Reached {
  const inputs = metafile?.inputs ?? {};
  const linked = Object.keys(inputs).filter((file) => TYPESCRIPT.test(file) && !file.startsWith('../'));
  return { linked, aliases: aliasesIn(inputs), inputs };
}

/**
 * Models and routes may lie anywhere: the configuration names their folders, and its imports lead to them. Bundling all of it, and dropping
 * the output, finds those files and every import that does not resolve.
 */
export function linking(root: string, files: readonly string[], settings: Settings): BuildOptions {
  return {
    ...settings,
    absWorkingDir: root,
    stdin: { contents: files.map((file) => `import ${JSON.stringify(`./${file}`)};`).join('\n'), resolveDir: root },
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    // With "sideEffects": false in package.json, the bundler would drop every import.
    ignoreAnnotations: true,
    packages: 'external',
    plugins: [nodeImports(root)],
    // Where package.json has conditions for compilers and for Node, this build takes those for compilers.
    conditions: ['types'],
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    // The imported module exists, but has no export of that name: Node would give undefined, or refuse to start.
    logOverride: { 'import-is-undefined': 'error' },
  };
}

async function esbuild(options: BuildOptions): Promise<BuildResult> {
  // Loaded here, because esbuild belongs to the tools and not to a running application.
  const { build } = await import('esbuild');
  return inOwnErrors(() => build(options));
}

/** Turns errors of the bundler into errors of this room; the bundler's error is the cause. */
export async function inOwnErrors<Result>(build: () => Promise<Result>): Promise<Result> {
  try {
    return await build();
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    const { formatMessages } = await import('esbuild');
    const isOfImports = (message: Message) => message.pluginName === NODE_IMPORTS;
    // If anything but imports is wrong, the error is the general one, and it lists all problems.
    const kind = error.errors.every(isOfImports) ? BUILD_ERRORS.FW_BUILD_IMPORTS : BUILD_ERRORS.FW_BUILD_FAILED;
    const problems = (await formatMessages(error.errors, { kind: 'error' })).join('').trim();
    throw fwError(kind, { problems }, { cause: error });
  }
}

const isBuildFailure = (error: unknown): error is BuildFailure => error instanceof Error && 'errors' in error;
