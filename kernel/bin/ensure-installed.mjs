import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nativeDrivers } from './native-drivers.mjs';
import { run } from './run.mjs';

/** What each command needs from the lock file. */
const SCOPES = {
  // What only checks and tests need is in a workspace of its own (kernel/testing/tools) and waits. `--legacy-peer-deps` keeps npm from
  // installing the optional peers that the workspace has.
  start: ['--workspaces=false', '--legacy-peer-deps'],
  test: [],
};

/**
 * Installs dependencies when there are none, or when the lock file or the kind of Node changed since they were installed, and not
 * otherwise.
 *
 * @param root - folder of package.json
 * @param options.scope - `start` (what runs the reference app) or `test` (everything)
 * @returns whether something was installed, which also built the framework (npm runs `prepare`)
 */
export async function ensureInstalled(root, { scope }) {
  refuseOldNode();
  const stamp = path.join(root, 'node_modules/.cache/fw-installed.json');
  const wanted = { lock: lockDigest(root), abi: process.versions.modules };
  const installed = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : undefined;
  if (installed !== undefined && fits(installed, wanted, scope)) return false;
  // `npm ci` would delete what an earlier, smaller install has already compiled.
  const verb = existsSync(path.join(root, 'node_modules')) ? 'install' : 'ci';
  const drivers = nativeDrivers();
  const compiles = drivers.some((driver) => driver.compiles);
  if (compiles) checkNativeToolchain(root, drivers);
  const note = compiles ? ': this compiles a database and may take two minutes' : '';
  process.stderr.write(`installing dependencies (${scope})${note}\n`);
  if (!compiles) await installWithDrivers(root, scope, drivers);
  else {
    await npm(root, scope, verb);
    // npm keeps an installed package, even one that was compiled for another Node.
    if (installed !== undefined && installed.abi !== wanted.abi) {
      await npm(root, scope, 'rebuild', ...drivers.map(({ name }) => name));
    }
  }
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, JSON.stringify({ ...wanted, scope }));
  return true;
}

// The lock file names the drivers that need compiling, which this Node shall not use: the prebuilt drivers take their place. One run of npm
// installs all packages, so that it does not unpack a driver only to delete it; `npm ci` accepts no names. No install script is needed.
async function installWithDrivers(root, scope, drivers) {
  const wanted = drivers.map(({ name, version }) => `${name}@${version}`);
  await npm(root, scope, 'install', '--ignore-scripts', '--no-save', ...wanted);
  await buildFramework(root, scope);
}

/** Builds dist/ for what is asked for. */
export function buildFramework(root, scope) {
  const args = scope === 'start' ? ['--start'] : [];
  return run(process.execPath, [path.join(root, 'kernel/build/build-framework.mjs'), ...args], { cwd: root });
}

function npm(root, scope, verb, ...args) {
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  return run(command, [verb, ...args, ...quiet, ...SCOPES[scope]], { cwd: root });
}

function fits(installed, { lock, abi }, scope) {
  return installed.lock === lock && installed.abi === abi && (installed.scope === 'test' || installed.scope === scope);
}

function lockDigest(root) {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`fw needs Node 20.19 or later; this is ${process.version}.\n`);
  process.exit(1);
}

// A native driver is compiled on this machine when no prebuilt binary can be had; without a compiler the failure would come
// two minutes later and be four screens long.
function checkNativeToolchain(root, drivers) {
  if (drivers.every(({ name }) => existsSync(path.join(root, 'node_modules', name, 'build/Release')))) return;
  const missing = ['python3', 'make', 'g++'].filter(
    (command) => !onPath(command) && !(command === 'g++' && onPath('clang++')),
  );
  if (missing.length === 0 || process.platform === 'win32') return;
  process.stderr.write(
    `${drivers.map(({ name }) => name).join(', ')} may have to be compiled, and this machine has no ${missing.join(', no ')}. If the installation fails, install a C++ toolchain:\n` +
      `  Debian/Ubuntu: apt-get install -y python3 make g++\n  macOS: xcode-select --install\n`,
  );
}

function onPath(command) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, command)));
}
