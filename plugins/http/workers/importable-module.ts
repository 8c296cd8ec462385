import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeFileAtomically } from '../../../kernel/fs/index.js';
import { fwError } from '../../../kernel/index.js';
import { HTTP_ERRORS } from '../errors.js';

/** The used part of esbuild, which the project has for building and testing. */
interface Bundler {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
}

const SOURCE = /\.[cm]?tsx?$/;

const made = new Map<string, Promise<string>>();

/**
 * The URL of a module that a thread can import. That is the module itself, except when TypeScript sources run directly, as in tests: a
 * thread lacks the test runner's transforms, so the module and its imports from the project are bundled to JavaScript. Packages stay
 * external.
 *
 * @param module - `import.meta.url`, or an address made with it
 * @throws FwError `FW_HTTP_WORKER_SOURCE` when it is a source, and the project has no esbuild
 */
export function importable(module: string): Promise<string> {
  const source = sourceOf(module);
  if (source === undefined) return Promise.resolve(module);
  const known = made.get(source);
  if (known) return known;
  const making = compiled(source);
  made.set(source, making);
  // A failure is not cached, so that a fixed module or an installed bundler is tried again.
  making.catch(() => made.delete(source));
  return making;
}

function sourceOf(module: string): string | undefined {
  if (!module.startsWith('file:')) return undefined;
  const file = fileURLToPath(module);
  if (SOURCE.test(file)) return file;
  // A source names its future output `./report.js`.
  const source = file.replace(/\.([cm]?)js$/, '.$1ts');
  return source !== file && !existsSync(file) && existsSync(source) ? source : undefined;
}

async function compiled(source: string): Promise<string> {
  const { outputFiles } = await bundlerOf(source).build({
    ...{ entryPoints: [source], bundle: true, write: false, packages: 'external' },
    ...{ platform: 'node', format: 'esm', target: 'node20', sourcemap: 'inline', logLevel: 'silent' },
    // The module may read files beside it.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(source).href) },
  });
  const text = (outputFiles[0] as { readonly text: string }).text;
  const folder = path.join(folderOfPackages(source), '.cache', 'fw-threads');
  const name = `${path.basename(source).replace(SOURCE, '')}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`;
  const file = path.join(folder, name);
  // Several workers of a test runner may do this at once.
  if (!existsSync(file)) {
    await mkdir(folder, { recursive: true });
    await writeFileAtomically(file, text);
  }
  return pathToFileURL(file).href;
}

function bundlerOf(source: string): Bundler {
  try {
    return createRequire(source)('esbuild') as Bundler;
  } catch (cause) {
    throw fwError(HTTP_ERRORS.FW_HTTP_WORKER_SOURCE, { source }, { cause });
  }
}

// Folder from which the packages of the module are resolved.
function folderOfPackages(source: string): string {
  for (let folder = path.dirname(source); ; folder = path.dirname(folder)) {
    const packages = path.join(folder, 'node_modules');
    if (existsSync(packages) || path.dirname(folder) === folder) return packages;
  }
}
