// npm run bench:<name>: installs the peers when they are missing or the lock file changed, and runs one benchmark.
// Plain built-ins here, because nothing may be installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const FOLDER = import.meta.dirname;
const USAGE = `usage: npm run bench:<name> -- [options]
  --node R         on this release of Node (20, 24, 26, ...); default: the one that runs
  --page           five runs on Node 20, 24 and 26 each, and writes results/<name>.json and <name>.md; otherwise nothing is written
  --only A,B       only parts with these words in their names
  --rounds N       most rounds
  --budget S       seconds after which no further round begins (default: the bench's own, 100)
  --no-build       measure dist/ as it is
`;

const { values: options, positionals } = parsed();
const [name] = positionals;
if (name === undefined) fail(`Which benchmark? There is ${benches().join(', ')}.`);
if (!benches().includes(name)) fail(`There is no benchmark ${name}; there is ${benches().join(', ')}.`);
if (options.node !== undefined && !/^\d+$/.test(options.node))
  fail(`--node takes a major version; it was given ${options.node}.`);
const effort = ['rounds', 'budget'].flatMap((option) => {
  const value = numberOf(/** @type {'rounds' | 'budget'} */ (option));
  return value === undefined ? [] : [`--${option}`, String(value)];
});
const log = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`);
ensureInstalled();

const { runBench, summaryOf, writePage } = await import('./harness/run-bench.mjs');
/** @type {{ default: import('./harness/types.js').Bench }} */
const { default: bench } = await import(`./${name}/bench.mjs`);
const only = options.only?.split(',') ?? [];
const { refuseUnknownParts } = await import('./harness/only.mjs');
try {
  refuseUnknownParts(bench, only);
} catch (error) {
  fail(/** @type {Error} */ (error).message);
}
if (options.page) await page();
else if (options.node !== undefined && options.node !== process.versions.node.split('.')[0])
  await elsewhere(options.node);
else await here();

/** One run on this Node. */
async function here() {
  const results = await runBench(bench, {
    budgetSeconds: numberOf('budget') ?? bench.budgetSeconds ?? 100,
    rounds: numberOf('rounds'),
    only,
    build: !options['no-build'],
    log,
  });
  process.stdout.write(`${summaryOf(bench, results)}\n`);
  if (options.results) writeFileSync(options.results, JSON.stringify(results));
}

/** @param {string} release */
async function elsewhere(release) {
  const { placeOf } = await import('./harness/releases.mjs');
  const { runIn } = await import('./harness/page-run.mjs');
  const words = only.length > 0 ? ['--only', only.join(',')] : [];
  runIn(placeOf(release, log), bench.name, [...effort, ...words, ...(options['no-build'] ? ['--no-build'] : [])]);
}

async function page() {
  const chosen = ['only', 'node', 'no-build', 'results'].find((option) => option in options);
  if (chosen) fail(`A page is five whole runs on each of its releases; --${chosen} does not go with --page.`);
  const { runsOfPage } = await import('./harness/page-run.mjs');
  const releases = runsOfPage(bench.name, { args: effort, log });
  await writePage(bench, { name: bench.name, title: bench.title, releases });
}

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        node: { type: 'string' },
        page: { type: 'boolean' },
        only: { type: 'string' },
        rounds: { type: 'string' },
        budget: { type: 'string' },
        'no-build': { type: 'boolean' },
        // Where a run of a page leaves its results.
        results: { type: 'string' },
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
