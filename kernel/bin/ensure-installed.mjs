import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

/** What each command needs from the lock file. */
const SCOPES = {
  // What only checks and tests need is in a workspace of its own (kernel/testing/tools) and waits. Optional peers that the
  // workspace has would come along all the same, did npm look at peers at all.
  start: ['--workspaces=false', '--legacy-peer-deps'],
  test: [],
};

/**
 * Installs dependencies when there are none, or when the lock file changed since they were installed, and not otherwise.
 *
 * @param root - folder of package.json
 * @param options.scope - `start` (what runs the reference app) or `test` (everything)
 * @returns whether something was installed, which also built the framework (npm runs `prepare`)
 */
export async function ensureInstalled(root, { scope }) {
  refuseOldNode();
  const stamp = path.join(root, 'node_modules/.cache/fw-installed.json');
  const wanted = lockDigest(root);
  if (isInstalled(stamp, wanted, scope)) return false;
  checkNativeToolchain(root);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // `npm ci` would delete what an earlier, smaller install has already compiled.
  const verb = existsSync(path.join(root, 'node_modules')) ? 'install' : 'ci';
  process.stderr.write(
    `installing dependencies (npm ${verb}, ${scope}): this compiles SQLite and may take two minutes\n`,
  );
  await run(npm, [verb, '--no-audit', '--no-fund', '--loglevel=error', ...SCOPES[scope]], { cwd: root });
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, JSON.stringify({ lock: wanted, scope }));
  return true;
}

function isInstalled(stamp, wanted, scope) {
  if (!existsSync(stamp)) return false;
  const { lock, scope: installed } = JSON.parse(readFileSync(stamp, 'utf8'));
  return lock === wanted && (installed === 'test' || installed === scope);
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

// better-sqlite3 is compiled on this machine when no prebuilt binary can be had; without a compiler the failure would come
// two minutes later and be four screens long.
function checkNativeToolchain(root) {
  if (existsSync(path.join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'))) return;
  const missing = ['python3', 'make', 'g++'].filter(
    (command) => !onPath(command) && !(command === 'g++' && onPath('clang++')),
  );
  if (missing.length === 0 || process.platform === 'win32') return;
  process.stderr.write(
    `SQLite may have to be compiled, and this machine has no ${missing.join(', no ')}. If the installation fails, install a C++ toolchain:\n` +
      `  Debian/Ubuntu: apt-get install -y python3 make g++\n  macOS: xcode-select --install\n`,
  );
}

function onPath(command) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, command)));
}
