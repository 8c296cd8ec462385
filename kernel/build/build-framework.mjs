// Bundles the framework into dist/: every subpath of package.json's `exports` and every bin, as ES modules that share
// chunks. Bundling is what makes a start quick: loading hundreds of small modules takes longer than running them.
// Plain JavaScript, because it runs on a fresh checkout (npm's `prepare`), before anything is compiled.
import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { collectRooms, externalOfRooms, modulesOfRooms, roomsModule, sourceOf } from './collect-rooms.mjs';
import { directKernelImports } from './direct-kernel-imports.mjs';
import { lazyMimeTypes } from './lazy-mime-types.mjs';
import { lazyTsMorph } from './lazy-ts-morph.mjs';
import { lazyTypebox } from './lazy-typebox.mjs';
import { leanFiles } from './lean-files.mjs';
import { OnDemand } from './on-demand.mjs';
import { onlyBinaryLocator } from './only-binary-locator.mjs';
import { preparedOptions } from './prepared-options.mjs';
import { withoutPinoTransports } from './without-pino-transports.mjs';
import { writeChanged } from './write-changed.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

// Packages left in node_modules, besides those that rooms name: tools that are loaded on demand and would only swell the bundle, and
// packages that read their own files.
const EXTERNAL = [
  '@jest/globals',
  'ajv',
  'ajv/*',
  'ajv-formats',
  'ajv-formats/*',
  'esbuild',
  'ioredis',
  'tsx',
  'typescript',
  'fw',
  'fw/*',
  '#knowledge',
  '#on-demand/*',
  '#option-validators',
  '#prepared-tools',
  '#rooms',
];

// CommonJS dependencies call `require` for Node's own modules; an ES module has to create that function first.
const BANNER = [
  "import { createRequire as __fwCreateRequire } from 'node:module';",
  'const require = __fwCreateRequire(import.meta.url), __fwOnDemand = require;',
].join(' ');

/**
 * Source files behind package.json's exports, where patterns with `*` stand for every folder that matches, and what the rooms of the
 * framework name in their fw.json.
 */
async function entryPoints(rooms) {
  const { exports } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const sources = Object.values(exports).flatMap((target) => (typeof target === 'object' ? [target['fw-source']] : []));
  const entries = [...sources, './kernel/bin/fw.ts']
    .flatMap(expand)
    .filter((file) => existsSync(path.join(ROOT, file)));
  // A missing source is a mistake in a room's fw.json; esbuild reports it.
  return [...new Set([...entries, ...modulesOfRooms(rooms)])];
}

function expand(pattern) {
  const [before, after] = pattern.split('*');
  if (after === undefined) return [pattern];
  const slash = before.lastIndexOf('/') + 1;
  const [parent, start] = [before.slice(0, slash), before.slice(slash)];
  if (!existsSync(path.join(ROOT, parent))) return [];
  const names = readdirSync(path.join(ROOT, parent)).filter((name) => name.startsWith(start));
  return names.map((name) => `${parent}${name}${after}`);
}

/** @returns {import('esbuild').BuildOptions} */
const everyBundle = (rooms) => ({
  absWorkingDir: ROOT,
  // Packages may be linked from elsewhere, and the bundle must not contain their real paths.
  preserveSymlinks: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  // Node prints the source line of an uncaught error: short lines keep that readable.
  lineLimit: 160,
  keepNames: false,
  sourcemap: 'linked',
  external: [...EXTERNAL, ...externalOfRooms(rooms)],
  // Inversify imports a part of the package, the framework all of it: one copy serves both.
  alias: { 'reflect-metadata/lite': 'reflect-metadata' },
  logLevel: 'warning',
  write: false,
});

// What takes a third of a build, and is made when it is first asked for where the build has not.
const LATER = new Map([['knowledge.js', 'export const preparedKnowledge = undefined;\n']]);

/**
 * Builds dist/.
 *
 * @param {{ readonly forStart?: boolean }} options - forStart: leave out what an application starts without
 * @returns what esbuild reports
 */
export async function buildFramework({ forStart = false } = {}) {
  const outdir = path.join(ROOT, 'dist');
  const onDemand = new OnDemand();
  const rooms = await collectRooms(ROOT);
  const result = await build({
    ...everyBundle(rooms),
    entryPoints: await entryPoints(rooms),
    outdir,
    outbase: '.',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    banner: { js: BANNER },
    plugins: [
      preparedOptions(ROOT),
      directKernelImports(ROOT),
      lazyMimeTypes(onDemand),
      lazyTsMorph,
      lazyTypebox(onDemand),
      onlyBinaryLocator,
      withoutPinoTransports,
    ],
    metafile: true,
  });
  const lean = leanFiles(result.metafile, BANNER);
  const outputFiles = [...result.outputFiles, ...(await onDemand.bundle(everyBundle(rooms)))];
  const bundled = outputFiles.map(({ path: file, contents }) => ({ file, contents: lean(file, contents) }));
  const files = [...bundled, ...(await bundlesOf(rooms))];
  await Promise.all(files.map(({ file, contents }) => writeChanged(file, contents)));
  await writeChanged(path.join(outdir, 'rooms.js'), roomsModule(rooms));
  await writePrepared(outdir, rooms, result.metafile, forStart ? LATER : new Map());
  await prune(outdir, new Set(files.map(({ file }) => file)));
  return result;
}

/** Bundles for browsers, which rooms build themselves. */
async function bundlesOf(rooms) {
  const bundles = rooms.flatMap(({ room, manifest }) =>
    manifest.bundle ? [path.join(ROOT, room, manifest.bundle)] : [],
  );
  const made = bundles.map(async (file) => (await import(pathToFileURL(file).href)).default());
  return (await Promise.all(made)).flat();
}

// Removes files of earlier builds. Declarations and built applications below dist/ belong to other builds and stay.
async function prune(outdir, current) {
  for (const folder of ['kernel', 'plugins', 'codegen', 'chunks', 'on-demand']) {
    const below = path.join(outdir, folder);
    if (!existsSync(below)) continue;
    for (const entry of await readdir(below, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath ?? entry.path, entry.name);
      if (entry.isFile() && !current.has(file) && !file.endsWith('.new')) await rm(file, { force: true });
    }
  }
}

// Rooms compute here what is the same at every start: the validators of options, so that a start neither loads Ajv nor compiles anything,
// and the list of tools, so that fw-mcp lists tools without loading them. The rooms run in the order of their folders, because listing the
// tools boots them with the prepared validators.
async function writePrepared(outdir, rooms, metafile, later) {
  const plugins = await builtPlugins(metafile);
  for (const { room, manifest } of rooms) {
    for (const [file, module] of Object.entries(manifest.prepared ?? {})) {
      const text = later.get(file) ?? (await preparedText(metafile, sourceOf(room, module), plugins));
      await writeChanged(path.join(outdir, file), text);
    }
  }
}

async function preparedText(metafile, source, plugins) {
  const { default: textOf } = await loadBuilt(metafile, source);
  return textOf(plugins);
}

/** The framework's own plugins. */
async function builtPlugins(metafile) {
  const plugins = [];
  for (const { entryPoint } of Object.values(metafile.outputs)) {
    if (!/^plugins\/.*\/index\.ts$/.test(entryPoint ?? '')) continue;
    const { default: plugin } = await loadBuilt(metafile, entryPoint);
    if (plugin?.manifest) plugins.push(plugin);
  }
  return plugins;
}

/** Imports the output that this build has just written for a source. */
function loadBuilt({ outputs }, source) {
  const wanted = source.replace(/^\.\//, '');
  const [file] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === wanted);
  return import(pathToFileURL(path.join(ROOT, file)).href);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const from = performance.now();
  const long = setTimeout(() => process.stderr.write('building the framework\n'), 1_000);
  const { metafile } = await buildFramework({ forStart: process.argv.includes('--start') });
  clearTimeout(long);
  const bytes = Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0);
  process.stderr.write(
    `built dist/ (${Object.keys(metafile.outputs).length} files, ${Math.round(bytes / 1024)} KiB) in ${Math.round(performance.now() - from)} ms\n`,
  );
}
