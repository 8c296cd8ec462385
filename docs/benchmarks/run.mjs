// npm run bench:<name>: installs the peers when they are missing or the lock file changed, and runs one benchmark.
// Plain built-ins here, because nothing may be installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const FOLDER = import.meta.dirname;
const USAGE = `usage: npm run bench:<name> -- [options]
  --rounds N       most rounds
  --budget S       seconds after which no further round begins (default: the bench's own, 100)
  --only A,B       only subjects with these words in their names; nothing is written
  --no-build       measure dist/ as it is
  --no-write       print, but leave results/ and the page as they are
`;

const { values: options, positionals } = parsed();
const [name] = positionals;
if (name === undefined) fail(`Which benchmark? There is ${benches().join(', ')}.`);
if (!benches().includes(name)) fail(`There is no benchmark ${name}; there is ${benches().join(', ')}.`);
ensureInstalled();

const { runBench, summaryOf, writeResults } = await import('./harness/run-bench.mjs');
/** @type {{ default: import('./harness/types.js').Bench }} */
const { default: bench } = await import(`./${name}/bench.mjs`);
const only = options.only?.split(',') ?? [];
const results = await runBench(bench, {
  budgetSeconds: numberOf('budget') ?? bench.budgetSeconds ?? 100,
  rounds: numberOf('rounds'),
  only,
  build: !options['no-build'],
  log: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${summaryOf(bench, results)}\n`);
if (only.length === 0 && !options['no-write']) await writeResults(bench, results);

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string' },
        budget: { type: 'string' },
        only: { type: 'string' },
        'no-build': { type: 'boolean' },
        'no-write': { type: 'boolean' },
      },
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function benches() {
  return readdirSync(FOLDER).filter((each) => existsSync(path.join(FOLDER, each, 'bench.mjs')));
}

/** @param {'rounds' | 'budget'} option */
function numberOf(option) {
  const text = options[option];
  if (text === undefined) return undefined;
  const value = Number(text);
  return value > 0 ? value : fail(`--${option} takes a number above 0; it was given ${text}.`);
}

function ensureInstalled() {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(FOLDER, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(FOLDER, 'node_modules/.installed-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  process.stderr.write('installing the peers (npm ci in docs/benchmarks)\n');
  // No install scripts: no peer needs one to run, and a benchmark should not have to trust them.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, args, { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) fail('npm ci failed; see above.');
  shareSqlite();
  writeFileSync(stamp, lock);
}

// One copy of SQLite for all subjects, the compiled one of the root. Two in one process must not open the same file
// (https://sqlite.org/howtocorrupt.html, 2.2.1), and compiling takes a minute.
function shareSqlite() {
  const own = path.join(FOLDER, 'node_modules/better-sqlite3');
  rmSync(own, { recursive: true, force: true });
  symlinkSync(path.join(FOLDER, '../../node_modules/better-sqlite3'), own, 'junction');
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`${message}\n${USAGE}`);
  process.exit(2);
}
