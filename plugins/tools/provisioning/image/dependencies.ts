import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fwError, isFwError, runProcess, writeFileAtomically } from '../../../../kernel/index.js';
import { frameworkFolder } from '../../../../kernel/plugin/index.js';
import { PROXY_VARIABLES } from '../../../../kernel/process/index.js';
import { compiledDrivers, type PackedFramework } from '../../../../codegen/schematics/index.js';
import { PROVISIONING_ERRORS } from '../errors.js';

const INSTALL_TIMEOUT_MS = 10 * 60_000;
const MAX_OUTPUT_BYTES = 200_000;

/** Target of an install, and the files kept between calls. */
interface InstallOptions {
  /** Empty folder that gets `package.json`, `package-lock.json` and `node_modules`. */
  readonly into: string;
  /** Folder of the lock files of earlier installs. */
  readonly locks: string;
  readonly framework: PackedFramework;
  readonly signal: AbortSignal;
}

/** The part of a project's manifest that determines the installed packages. */
export type Dependencies = Readonly<Record<string, string>>;

/** The runtime dependencies of a project. */
export async function dependenciesOf(project: string): Promise<Dependencies> {
  const manifest = JSON.parse(await readFile(path.join(project, 'package.json'), 'utf8')) as {
    dependencies?: Dependencies;
  };
  return manifest.dependencies ?? {};
}

/** Identifies a set of dependencies: the same digest means the same packages. */
export function digestOf(dependencies: Dependencies, framework: PackedFramework): string {
  const sorted = Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([sorted, process.arch]))
    .update(framework.bytes)
    .digest('hex');
}

/**
 * Installs dependencies for Linux, outside any container: the machine has npm, its cache and its settings, and the image
 * needs none of them. Scripts of packages do not run. The first install of a set writes a lock file that every later one
 * follows, so that the same request gives the same image, without asking a registry again.
 *
 * @throws FwError `FW_PROVISION_DEPENDENCIES`
 */
export async function installDependencies(dependencies: Dependencies, options: InstallOptions): Promise<void> {
  const { into, locks, framework, signal } = options;
  await mkdir(path.join(into, 'vendor'), { recursive: true });
  await writeFile(path.join(into, 'vendor', framework.name), framework.bytes);
  await writeFile(
    path.join(into, 'package.json'),
    `${JSON.stringify({ name: 'service', private: true, dependencies }, null, 2)}\n`,
  );
  const remembered = path.join(locks, `${digestOf(dependencies, framework).slice(0, 32)}.json`);
  const lock = path.join(into, 'package-lock.json');
  const isLocked = existsSync(remembered);
  if (isLocked) await cp(remembered, lock);
  await npm(isLocked ? 'ci' : 'install', into, signal);
  if (!isLocked) {
    await mkdir(locks, { recursive: true, mode: 0o700 });
    await writeFileAtomically(remembered, await readFile(lock));
  }
  await bringCompiled(into);
}

async function npm(command: 'ci' | 'install', cwd: string, signal: AbortSignal): Promise<void> {
  const args = [
    ...[command, '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
    ...['--omit-lockfile-registry-resolved', '--os=linux', '--libc=glibc', `--cpu=${process.arch}`],
  ];
  const limits = { timeoutMs: INSTALL_TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  const ended = await runProcess({ command: 'npm', args, cwd, signal, inherit: PROXY_VARIABLES, ...limits }).catch(
    (error: unknown) => {
      throw isFwError(error) ? failed(error.message) : error;
    },
  );
  signal.throwIfAborted();
  if (ended.exitCode === 0) return;
  throw failed(ended.timedOut ? 'npm took too long' : (ended.stderr.trim() || ended.stdout.trim()).slice(-800));
}

function failed(problem: string): Error {
  return fwError(PROVISIONING_ERRORS.FW_PROVISION_DEPENDENCIES, { problem });
}

// Output folder of node-gyp.
const COMPILED = 'build/Release';

// Compiling takes minutes and needs a compiler. If this machine runs Linux and has the same package compiled, its binaries are copied; the
// build of the image tries them, and compiles again if they do not fit.
async function bringCompiled(into: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (const { package: name } of await compiledDrivers(into)) {
    const target = path.join(into, 'node_modules', name);
    const own = installedAs(name);
    if (own === undefined || !existsSync(target) || existsSync(path.join(target, COMPILED))) continue;
    if ((await versionOf(own)) !== (await versionOf(target))) continue;
    const filter = (source: string) => !/\/(obj|obj\.target|\.deps)(\/|$)/.test(source.slice(own.length));
    if (existsSync(path.join(own, COMPILED)))
      await cp(path.join(own, COMPILED), path.join(target, COMPILED), { recursive: true, filter });
  }
}

function installedAs(name: string): string | undefined {
  try {
    return path.dirname(createRequire(path.join(frameworkFolder(), 'package.json')).resolve(`${name}/package.json`));
  } catch {
    // An optional peer that is not installed here.
    return undefined;
  }
}

async function versionOf(folder: string): Promise<unknown> {
  return (JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { version?: unknown }).version;
}
