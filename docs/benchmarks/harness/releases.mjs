// Plain built-ins here, because nothing may be installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const OWN = String(process.versions.node.split('.')[0]);
/** What stays in a checkout from one benchmark to the next: it is installed anew when a lock file says so. */
const KEPT = ['node_modules', 'dist', 'docs/benchmarks/node_modules'];

/**
 * Where a release of Node runs this tree: each in a checkout of its own, so that none finds what was compiled for another, and
 * a process has one copy of SQLite.
 *
 * @typedef {object} Place
 * @property {string} node - the binary
 * @property {string} folder - of the checkout
 */

/**
 * The place of a release; this tree where it is the release that runs. Another release comes from the npm package of its
 * binary, the newest version of it, and gets a copy of what git knows of this tree and of what is new in it.
 *
 * @param {string} release - a major version, `26`
 * @param {(line: string) => void} log
 * @returns {Place}
 */
export function placeOf(release, log) {
  if (release === OWN) return { node: process.execPath, folder: ROOT };
  const tree = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);
  const at = path.join(tmpdir(), 'fw-benchmarks', tree, release);
  const folder = path.join(at, 'checkout');
  const node = installedNode(release, at, log);
  copyTree(folder);
  log(`Node ${release}: installing what the lock file lists`);
  const install = `import('./kernel/bin/ensure-installed.mjs').then((it) => it.ensureInstalled(process.cwd(), { scope: 'test' }))`;
  run(node, ['-e', install], { cwd: folder, env: environmentOf(node), stdio: ['ignore', 'inherit', 'inherit'] });
  return { node, folder };
}

/**
 * The variables of a process that has this Node in its path, for what it starts by name.
 *
 * @param {string} node
 */
export function environmentOf(node) {
  return { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}` };
}

/** @type {(release: string, at: string, log: (line: string) => void) => string} */
function installedNode(release, at, log) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const node = path.join(at, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(node)) return node;
  log(`Node ${release}: installing ${name}@${release}`);
  mkdirSync(at, { recursive: true });
  writeFileSync(path.join(at, 'package.json'), '{ "private": true }\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  run(npm, ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${release}`], { cwd: at });
  return node;
}

/**
 * A new copy in the place of the old one, whose installed packages it takes over.
 *
 * @param {string} folder
 */
function copyTree(folder) {
  const before = `${folder}.before`;
  const archive = `${folder}.tar`;
  rmSync(before, { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, before);
  mkdirSync(folder);
  const known = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const files = run('git', known, { cwd: ROOT }).split('\0');
  const there = files.filter((file) => file !== '' && existsSync(path.join(ROOT, file)));
  run('tar', ['--create', '--file', archive, '--null', '--files-from=-'], { cwd: ROOT, input: there.join('\0') });
  run('tar', ['--extract', '--file', archive], { cwd: folder });
  rmSync(archive);
  for (const kept of KEPT) {
    if (existsSync(path.join(before, kept))) renameSync(path.join(before, kept), path.join(folder, kept));
  }
  rmSync(before, { recursive: true, force: true });
}

/** @type {(command: string, args: readonly string[], options: import('node:child_process').SpawnSyncOptions) => string} */
function run(command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'utf8',
    ...options,
  });
  if (status === 0) return String(stdout ?? '');
  throw new Error(`${command} ${args.slice(0, 2).join(' ')} ended with ${status}.\n${stderr ?? ''}`, { cause: error });
}
