import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** @typedef {import('./types.js').Environment} Environment */

const HERE = new URL('../', import.meta.url);

/** Changes in these make a run one of a commit "with changes". */
const PRODUCT = ['../../kernel', '../../plugins', '../../codegen', '../../package-lock.json'];

/**
 * Where numbers come from, as far as it matters to a reader. No host name and no path.
 *
 * @param {number} loadBefore - load average of the last minute when the run began
 * @returns {Environment}
 */
export function environment(loadBefore) {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    node: process.version,
    platform: `${os.platform()} ${os.arch()}`,
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.cpus().length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    loadBefore,
    loadAfter: loadNow(),
  };
}

/** Load average of the last minute. */
export function loadNow() {
  return Math.round((os.loadavg()[0] ?? 0) * 100) / 100;
}

// A tarball has no history; then the page says so.
function commit() {
  const head = git('rev-parse', '--short=10', 'HEAD');
  if (head === undefined) return 'not a git checkout';
  return git('status', '--porcelain', '--untracked-files=no', '--', ...PRODUCT) === '' ? head : `${head}, with changes`;
}

/** @param {string[]} args */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: HERE, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Version of an installed package.
 *
 * @param {string} name
 */
export function versionOf(name) {
  for (const folder of ['node_modules/', '../../node_modules/']) {
    try {
      return String(JSON.parse(readFileSync(new URL(`${folder}${name}/package.json`, HERE), 'utf8')).version);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${name} is not installed; list it in docs/benchmarks/package.json.`);
}
