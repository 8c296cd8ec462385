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

/** Copies a folder. Node's own copy takes ten times the processor time for the twenty thousand files of an installation. */
export const copyTree = async (from: string, to: string): Promise<void> =>
  void assertGreen(await run('cp', ['-a', from, to], path.dirname(to)));

/**
 * `npm install` in a project, after the packages of the shared installation were copied into it.
 * @param project - made by `fw new`
 */
export async function installProject(project: string): Promise<RunResult> {
  const base = await installedFramework();
  await copyTree(path.join(base, 'node_modules'), path.join(project, 'node_modules'));
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
