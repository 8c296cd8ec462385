import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@jest/globals';
import { newProject } from '../../../codegen/schematics/new/index.js';
import { packFramework } from '../../../codegen/schematics/new/pack-framework.js';
import { digestOf, withFileLock } from '../../fs/index.js';
import { runProcess, type RunResult } from '../../process/index.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const CACHE = path.join(ROOT, 'node_modules/.cache/fw-e2e');
const LOCK = 'package-lock.json';
const SQLITE = 'node_modules/better-sqlite3/build';
const OUTPUT_BYTES = 1_000_000;

/** How long the first caller may take: packing, compiling types, and installing on an empty npm cache. */
export const INSTALL_MS = 900_000;

/** Runs a program to its end. */
export const run = (command: string, args: readonly string[], cwd: string, timeoutMs = 120_000): Promise<RunResult> =>
  runProcess({ command, args, cwd, timeoutMs, maxOutputBytes: OUTPUT_BYTES });

/** Fails with what the program said, unless it succeeded. */
export function assertGreen(result: RunResult): RunResult {
  if (result.exitCode !== 0) expect(`${result.stdout}\n${result.stderr}`).toBe('a program that succeeds');
  return result;
}

/**
 * A project that was made from the packed framework and installed, as a user would have it: its `node_modules/.bin` has `fw` and
 * `fw-mcp`. The scenarios share it, in one run and in the next ones, until a source file changes.
 */
export async function installedFramework(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  return withFileLock(CACHE, make, { timeoutMs: INSTALL_MS });
}

async function make(): Promise<string> {
  const framework = await packFramework({ folder: ROOT });
  // What is compiled for one release of Node does not load in another one.
  const home = path.join(CACHE, `${digestOf(framework.bytes).slice(0, 16)}-${process.version}`, 'base');
  if (existsSync(home)) return home;
  for (const old of await readdir(CACHE))
    if (!old.startsWith('.')) await rm(path.join(CACHE, old), { recursive: true });
  const made = await mkdtemp(path.join(CACHE, 'making-'));
  const { path: base } = await newProject({ name: 'base' }, { parent: made, log: () => undefined, framework });
  await install(base);
  await mkdir(path.dirname(home), { recursive: true });
  await rename(base, home);
  await rm(made, { recursive: true });
  return home;
}

/** Makes the shared project once more, at a path that is not there yet. */
export async function copyOfSharedProject(to: string): Promise<void> {
  const base = await installedFramework();
  await cp(base, to, { recursive: true, filter: (source) => source !== path.join(base, 'node_modules') });
  await linkPackages(base, to);
}

/**
 * Gives a folder the installed packages of a project, as links to the same files, which takes a tenth of the time of a copy: who installs
 * into it replaces files and changes none. npm alone writes its list of what is installed in place, so that each has its own.
 *
 * @param from - a project with node_modules
 */
async function linkPackages(from: string, to: string): Promise<void> {
  const [packages, installed] = [path.join(from, 'node_modules'), 'node_modules/.package-lock.json'];
  // Between two file systems there are no links. Node's own copy would take ten times the processor time for twenty thousand files.
  const linked = await run('cp', ['-al', packages, to], to);
  if (linked.exitCode !== 0) return void assertGreen(await run('cp', ['-a', packages, to], to));
  await rm(path.join(to, installed));
  await cp(path.join(from, installed), path.join(to, installed), { preserveTimestamps: true });
}

/**
 * `npm install` in a project, beginning with the packages and the lock file of the shared installation.
 * @param project - made by `fw new`
 */
export async function installProject(project: string): Promise<RunResult> {
  const base = await installedFramework();
  await linkPackages(base, project);
  await cp(path.join(base, LOCK), path.join(project, LOCK));
  return install(project);
}

// Compiling SQLite takes minutes, so the repository's compiled copy of the same version is reused.
async function install(project: string): Promise<RunResult> {
  const compiled = existsSync(path.join(ROOT, SQLITE));
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...(compiled ? ['--ignore-scripts'] : [])];
  const ended = assertGreen(await run('npm', args, project, INSTALL_MS));
  if (compiled && !existsSync(path.join(project, SQLITE)))
    await cp(path.join(ROOT, SQLITE), path.join(project, SQLITE), { recursive: true });
  return ended;
}
