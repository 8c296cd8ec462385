import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fwError } from '../../../kernel/errors/index.js';
import { frameworkFolder } from '../../../kernel/plugin/index.js';
import { type RunResult, runProcess } from '../../../kernel/process/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { isCheckout, keptAlready, keptCopy } from './kept-copy.js';
import { type Manifest, shippedManifest } from './shipped-manifest.js';

const PACK_TIMEOUT_MS = 600_000;
const OUTPUT_BYTES = 1_000_000;
const PROBLEM_LINES = 4;

/** The package of the framework, packed or still to be packed. */
export interface FrameworkPackage {
  /** File name, e.g. `fw-0.1.0.tgz`. */
  readonly name: string;
  readonly bytes?: Buffer;
}

/** The packed framework. */
export interface PackedFramework extends FrameworkPackage {
  readonly bytes: Buffer;
}

/** How the framework is packed. */
interface PackOptions {
  readonly signal?: AbortSignal | undefined;
  /** Folder of its package; default {@link frameworkFolder}. */
  readonly folder?: string;
  /** Called with a line before each step that takes long. */
  readonly log?: (line: string) => void;
}

/**
 * The framework as a tarball for a new project: a copy of the surrounding project's tarball, or else the installed package packed by npm. A
 * checkout is built first, once for the same sources.
 *
 * @throws FwError `FW_SCHEMATIC_PACK`
 */
export async function packFramework(options: PackOptions = {}): Promise<PackedFramework> {
  const { signal, folder = frameworkFolder(), log } = options;
  const name = await packageName(folder);
  const vendored = vendoredFile(folder, name);
  if (vendored !== undefined) return { name, bytes: await readFile(vendored) };
  const packed = () => packedBytes(folder, name, signal);
  if (!isCheckout(folder)) return { name, bytes: await packed() };
  const make = () => {
    log?.('packing the framework, about half a minute; once for as long as its sources stay the same');
    return packed();
  };
  return { name, bytes: await keptCopy(folder, name, make, { timeoutMs: PACK_TIMEOUT_MS, signal }) };
}

/** The package of the framework, with its bytes if they are there without packing. */
export async function packedAlready(folder = frameworkFolder()): Promise<FrameworkPackage> {
  const name = await packageName(folder);
  const vendored = vendoredFile(folder, name);
  const bytes =
    vendored !== undefined
      ? await readFile(vendored)
      : isCheckout(folder)
        ? await keptAlready(folder, name)
        : undefined;
  return { name, ...(bytes && { bytes }) };
}

async function packageName(folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  return `fw-${version}.tgz`;
}

/** The package that the surrounding project has in vendor/. */
function vendoredFile(folder: string, name: string): string | undefined {
  const file = path.resolve(folder, '../../vendor', name);
  return path.basename(path.dirname(folder)) === 'node_modules' && existsSync(file) ? file : undefined;
}

async function packedBytes(folder: string, name: string, signal: AbortSignal | undefined): Promise<Buffer> {
  const target = await mkdtemp(path.join(tmpdir(), 'fw-pack-'));
  try {
    await pack(folder, target, signal);
    return await readFile(path.join(target, name));
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

// An installed package has no sources, so there is nothing to build. A checkout is built in a copy: building removes dist/ for a while, and
// this process may still have to load modules from it.
async function pack(folder: string, target: string, signal: AbortSignal | undefined): Promise<void> {
  const npm = (cwd: string, ...args: string[]) => runNpm(args, { cwd, folder, signal });
  let packed = folder;
  if (isCheckout(folder)) {
    requireCompiler(folder);
    packed = await copyOfCheckout(folder, path.join(target, 'checkout'));
    await npm(packed, 'run', '--silent', 'prepack');
    await shipManifest(packed);
  }
  await npm(packed, 'pack', '--silent', '--ignore-scripts', '--pack-destination', target);
}

// `npm start` installs no compiler, but packing needs one for declarations.
function requireCompiler(folder: string): void {
  if (existsSync(path.join(folder, 'node_modules/typescript'))) return;
  const problem = 'the compiler of this checkout is not installed; run `npm install` in it first';
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_PACK, { problem, folder });
}

async function shipManifest(copy: string): Promise<void> {
  const file = path.join(copy, 'package.json');
  const manifest = shippedManifest(JSON.parse(await readFile(file, 'utf8')) as Manifest);
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

interface NpmSurroundings {
  readonly cwd: string;
  /** Folder that errors name. */
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
}

async function runNpm(args: readonly string[], { cwd, folder, signal }: NpmSurroundings): Promise<void> {
  const limits = { timeoutMs: PACK_TIMEOUT_MS, maxOutputBytes: OUTPUT_BYTES };
  const ended = await runProcess({ command: 'npm', args, cwd, signal, ...limits });
  if (ended.exitCode === 0) return;
  const problem = ended.timedOut ? `npm ${args[0]} took too long` : saidBy(ended) || `npm ${args[0]} was ended`;
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_PACK, { problem, folder });
}

// Compilers print errors to either stream, among other output.
function saidBy({ stdout, stderr }: RunResult): string {
  const lines = `${stderr}\n${stdout}`.split('\n').filter((line) => line.trim() !== '');
  const errors = lines.filter((line) => /error/i.test(line));
  return (errors.length > 0 ? errors.slice(0, PROBLEM_LINES) : lines.slice(-PROBLEM_LINES)).join('; ');
}

const SOURCES = [
  'kernel',
  'plugins',
  'codegen',
  'docs/guides',
  'docs/reference',
  'docs/examples',
  'package.json',
  'tsconfig.json',
  'LICENSE',
  'README.md',
];

async function copyOfCheckout(folder: string, copy: string): Promise<string> {
  const filter = (source: string) => !['node_modules', '.git'].includes(path.basename(source));
  for (const name of SOURCES) await cp(path.join(folder, name), path.join(copy, name), { recursive: true, filter });
  // Packages are linked, but caches are not, because they contain paths of the original folder.
  await mkdir(path.join(copy, 'node_modules'));
  for (const name of await readdir(path.join(folder, 'node_modules'))) {
    if (name === '.cache' || name === '.package-lock.json') continue;
    await symlink(path.join(folder, 'node_modules', name), path.join(copy, 'node_modules', name));
  }
  return copy;
}
