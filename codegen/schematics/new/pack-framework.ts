import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fwError } from '../../../kernel/errors/index.js';
import { frameworkFolder } from '../../../kernel/plugin/index.js';
import { type RunResult, runProcess } from '../../../kernel/process/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { isCheckout, keptCopy } from './kept-copy.js';
import { type Manifest, shippedManifest } from './shipped-manifest.js';

const PACK_TIMEOUT_MS = 600_000;
const OUTPUT_BYTES = 1_000_000;
const PROBLEM_LINES = 4;

/** The packed framework. */
export interface PackedFramework {
  /** File name, e.g. `fw-0.1.0.tgz`. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** How the framework is packed. */
export interface PackOptions {
  readonly signal?: AbortSignal | undefined;
  /** Folder of its package; default {@link frameworkFolder}. */
  readonly folder?: string;
  /** Told a line before what takes long. */
  readonly log?: (line: string) => void;
}

/**
 * The framework as a tarball for a new project: a copy of the one that the surrounding project was made from; else what npm
 * packs of the installed package; of a checkout after building it, once for the same sources.
 *
 * @throws FwError `FW_SCHEMATIC_PACK`
 */
export async function packFramework(options: PackOptions = {}): Promise<PackedFramework> {
  const { signal, folder = frameworkFolder(), log } = options;
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  const name = `fw-${version}.tgz`;
  const vendored = path.resolve(folder, '../../vendor', name);
  if (path.basename(path.dirname(folder)) === 'node_modules' && existsSync(vendored))
    return { name, bytes: await readFile(vendored) };
  const packed = () => packedBytes(folder, name, signal);
  if (!isCheckout(folder)) return { name, bytes: await packed() };
  const make = () => {
    log?.('packing the framework, about half a minute; once for as long as its sources stay the same');
    return packed();
  };
  return { name, bytes: await keptCopy(folder, name, make, { timeoutMs: PACK_TIMEOUT_MS, signal }) };
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

// An installed package has no sources, so there is nothing to build. A checkout is built in a copy: building takes dist/ away for a
// while, from which this very process may still have to load something.
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

// `npm start` installs what runs; packing also writes declarations.
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

// Compilers print what is wrong to either stream, and much else around it.
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
  'package.json',
  'tsconfig.json',
  'LICENSE',
  'README.md',
];

async function copyOfCheckout(folder: string, copy: string): Promise<string> {
  const filter = (source: string) => !['node_modules', '.git'].includes(path.basename(source));
  for (const name of SOURCES) await cp(path.join(folder, name), path.join(copy, name), { recursive: true, filter });
  // Packages are shared, their caches are not: these know where they were made.
  await mkdir(path.join(copy, 'node_modules'));
  for (const name of await readdir(path.join(folder, 'node_modules'))) {
    if (name === '.cache' || name === '.package-lock.json') continue;
    await symlink(path.join(folder, 'node_modules', name), path.join(copy, 'node_modules', name));
  }
  return copy;
}
