// Builds an optional package of this repository that stands on fw: `node kernel/build/build-backend.mjs plugins/events/nats` (npm's
// `prepack` of the package). The package's own modules are bundled into one file, and its imports from the kernel become imports from `fw`,
// so that it shares the application's tokens and error codes instead of having copies.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const KERNEL = /^(\.\.\/)+kernel\/.*$/;
/** A specifier in a declaration that leads to the kernel. */
const KERNEL_IN_TYPES = /(['"])(?:\.\.\/)+kernel\/[^'"]+\1/g;

/** @type {import('esbuild').Plugin} */
const kernelFromFw = {
  name: 'kernel-from-fw',
  setup({ onResolve }) {
    onResolve({ filter: KERNEL }, () => ({ path: 'fw', external: true }));
  },
};

/** @param {string} folder - of the package, below the root */
async function buildBackend(folder) {
  const home = path.join(ROOT, folder);
  const out = path.join(home, 'dist');
  const { dependencies } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8'));
  await rm(out, { recursive: true, force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: [path.join(folder, 'index.ts')],
    outfile: path.join(out, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: Object.keys(dependencies),
    plugins: [kernelFromFw],
    logLevel: 'warning',
  });
  await writeDeclarations(folder, out);
}

async function writeDeclarations(folder, out) {
  const ts = createRequire(import.meta.url)('typescript');
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const emit = { ...options, noEmit: false, incremental: false, declaration: true, emitDeclarationOnly: true };
  const program = ts.createProgram([path.join(ROOT, folder, 'index.ts')], { ...emit, tsBuildInfoFile: undefined });
  const own = path.join(ROOT, folder) + path.sep;
  const writes = [];
  for (const source of program.getSourceFiles().filter(({ fileName }) => path.normalize(fileName).startsWith(own))) {
    program.emit(source, (file, text) => {
      writes.push(writeFile(path.join(out, path.basename(file)), text.replace(KERNEL_IN_TYPES, '$1fw$1')));
    });
  }
  await Promise.all(writes);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // npm runs `prepack` in the package's own folder.
  const folder = path.relative(ROOT, path.resolve(process.argv[2] ?? '.'));
  await buildBackend(folder);
  process.stderr.write(`built ${folder}/dist (${(await readdir(path.join(ROOT, folder, 'dist'))).length} files)\n`);
}
