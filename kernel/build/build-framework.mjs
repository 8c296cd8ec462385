// Bundles the framework into dist/: every subpath of package.json's `exports` and every bin, as ES modules that share
// chunks. Bundling is what makes a start quick: loading hundreds of small modules takes longer than running them.
// Plain JavaScript, because it runs on a fresh checkout (npm's `prepare`), before anything is compiled.
import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleDashboardUi } from './build-dashboard-ui.mjs';
import { directKernelImports } from './direct-kernel-imports.mjs';
import { lazyMimeTypes } from './lazy-mime-types.mjs';
import { lazyTypebox } from './lazy-typebox.mjs';
import { leanFiles } from './lean-files.mjs';
import { OnDemand } from './on-demand.mjs';
import { preparedOptions } from './prepared-options.mjs';
import { withoutPinoTransports } from './without-pino-transports.mjs';
import { writeChanged } from './write-changed.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

// Left to node_modules: native or optional drivers, tools that are loaded on demand and would only swell the bundle, and
// packages that read their own files.
const EXTERNAL = [
  'ajv',
  'ajv/*',
  'ajv-formats',
  'ajv-formats/*',
  'better-sqlite3',
  'brotli-wasm',
  'esbuild',
  'intl-messageformat',
  'ioredis',
  'mysql2',
  'mysql2/*',
  'pg',
  'pg/*',
  'pg-cursor',
  'prettier',
  'swagger-ui-dist',
  'tedious',
  'ts-morph',
  'tsx',
  'typescript',
  'yaml',
  'fw',
  'fw/*',
  '#on-demand/*',
  '#option-validators',
  '#prepared-tools',
];

// Dependencies written as CommonJS call `require` for Node's own modules; in an ES module it has to be made first.
const BANNER = [
  "import { createRequire as __fwCreateRequire } from 'node:module';",
  'const require = __fwCreateRequire(import.meta.url), __fwOnDemand = require;',
].join(' ');

// The generator of option validators; the build runs it on the plugins that it has just bundled.
const VALIDATORS = './codegen/validators/index.ts';
// Writes down the built-in tools, so that fw-mcp lists them without loading them.
const TOOLS = './plugins/mcp/tool-set/prepare-tools.ts';

// Run inside the containers of the provisioning tools, from the framework's own package.
const CONTAINER = ['entrypoint', 'prepare-image'].map((name) => `./plugins/tools/provisioning/container/${name}.ts`);

/** Source files behind package.json's exports; patterns with `*` stand for every folder that matches. */
async function entryPoints() {
  const { exports } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const sources = Object.values(exports).flatMap((target) => (typeof target === 'object' ? [target['fw-source']] : []));
  const bins = ['./kernel/bin/fw.ts', './plugins/mcp/bin/fw-mcp.ts'];
  return [...sources, ...bins, ...CONTAINER, VALIDATORS, TOOLS]
    .flatMap(expand)
    .filter((file) => existsSync(path.join(ROOT, file)));
}

function expand(pattern) {
  const [before, after] = pattern.split('*');
  if (after === undefined) return [pattern];
  const parent = path.join(ROOT, before);
  return existsSync(parent) ? readdirSync(parent).map((name) => `${before}${name}${after}`) : [];
}

/** @type {import('esbuild').BuildOptions} */
const EVERY_BUNDLE = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  // Node prints the line of an uncaught error: not half of the bundle.
  lineLimit: 160,
  keepNames: false,
  sourcemap: 'linked',
  external: EXTERNAL,
  // Ours is the whole of it, Inversify's a part.
  alias: { 'reflect-metadata/lite': 'reflect-metadata' },
  logLevel: 'warning',
  write: false,
};

/** Builds dist/. @returns what esbuild reports */
export async function buildFramework() {
  const outdir = path.join(ROOT, 'dist');
  const onDemand = new OnDemand();
  const result = await build({
    ...EVERY_BUNDLE,
    entryPoints: await entryPoints(),
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
      lazyTypebox(onDemand),
      withoutPinoTransports,
    ],
    metafile: true,
  });
  const lean = leanFiles(result.metafile, BANNER);
  const outputFiles = [...result.outputFiles, ...(await onDemand.bundle(EVERY_BUNDLE))];
  const ui = await bundleDashboardUi();
  const bundled = outputFiles.map(({ path: file, contents }) => ({ file, contents: lean(file, contents) }));
  const files = [...bundled, ...ui];
  await Promise.all(files.map(({ file, contents }) => writeChanged(file, contents)));
  await writeOptionValidators(outdir, result.metafile);
  await writePreparedTools(outdir, result.metafile);
  await prune(outdir, new Set(files.map(({ file }) => file)));
  return result;
}

// What an earlier build left; declarations and built applications below dist/ are not this build's.
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

// Options of the framework's own plugins are checked at every start: their validators are generated here, so that a start
// neither loads Ajv nor compiles anything.
async function writeOptionValidators(outdir, metafile) {
  const { emitOptionValidators } = await loadBuilt(metafile, VALIDATORS);
  const plugins = [];
  for (const { entryPoint } of Object.values(metafile.outputs)) {
    if (!/^plugins\/.*\/index\.ts$/.test(entryPoint ?? '')) continue;
    const { default: plugin } = await loadBuilt(metafile, entryPoint);
    if (plugin?.manifest) plugins.push(plugin);
  }
  await writeChanged(path.join(outdir, 'option-validators.js'), emitOptionValidators(plugins));
}

async function writePreparedTools(outdir, metafile) {
  const { emitPreparedTools } = await loadBuilt(metafile, TOOLS);
  await writeChanged(path.join(outdir, 'prepared-tools.js'), await emitPreparedTools());
}

/** Imports what this build has just written, by its source. */
function loadBuilt({ outputs }, source) {
  const wanted = source.replace(/^\.\//, '');
  const [file] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === wanted);
  return import(pathToFileURL(path.join(ROOT, file)).href);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const from = performance.now();
  const { metafile } = await buildFramework();
  const bytes = Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0);
  process.stderr.write(
    `built dist/ (${Object.keys(metafile.outputs).length} files, ${Math.round(bytes / 1024)} KiB) in ${Math.round(performance.now() - from)} ms\n`,
  );
}
