// npm run trust -- <campaign>: attacks the product, and prints what was tried. The tests are those of `npm test`, where each property
// tries some cases; here it tries as many as there is time for.
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runForwardingSignals } from '../../kernel/bin/run.mjs';
import { environment, loadNow } from '../benchmarks/harness/environment.mjs';
import { CAMPAIGNS, filesOf } from './campaigns.mjs';
import { keepResults, keptResults, seedsOf, summaryOf, together } from './page.mjs';
import { rowsOf } from './rows.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NAMES = Object.keys(CAMPAIGNS);
const USAGE = `usage: npm run trust -- <campaign> [options]
  <campaign>       ${NAMES.join(', ')}
  --cases N        how many cases each property tries (default 10000)
  --seconds S      how long each property may take (default 20); what was tried by then counts
  --seed N|random  where generators begin (default: random); the report of a failure names it
  --only WORDS     rows with these words in their names
  --page           also writes results/<campaign>.json and ../trust.md
  --add            with --page: adds what was tried to what results/<campaign>.json has, from runs with other seeds
`;

const { values: options, positionals } = parsed();
const [name] = positionals;
const campaign = CAMPAIGNS[name ?? ''];
if (name === undefined || campaign === undefined)
  fail(name === undefined ? 'Which campaign?' : `There is no campaign ${name}; there is ${NAMES.join(', ')}.`);
const rows = campaign.rows.filter(({ what }) => what.includes(options.only ?? ''));
if (rows.length === 0)
  fail(`No row has "${options.only}" in its name; there is ${campaign.rows.map(({ what }) => what).join('; ')}.`);
if (options.page && options.only !== undefined && !options.add)
  fail('A page has all rows: --page and --only go together with --add alone.');
if (options.add && !options.page) fail('--add adds to the results of the page: give --page as well.');
// A seed that is named in the results, so that a further run cannot try the same cases and count them again.
const seed = options.seed === 'random' ? randomInt(2 ** 31) : Number(options.seed);
if (!Number.isSafeInteger(seed)) fail(`--seed takes a number or random; it was given ${options.seed}.`);
const before = options.add ? keptResults(name) : undefined;
if (options.add && before === undefined) fail(`There are no results of ${name} to add to.`);
if (before && seedsOf(before).includes(seed)) fail(`Cases of the seed ${seed} are counted in the results already.`);

const scratch = mkdtempSync(path.join(tmpdir(), 'fw-trust-'));
const loadBefore = loadNow();
const started = Date.now();
try {
  const code = await attack();
  const measured = {
    rows: rowsOf(rows, outcome(), tallies(), ROOT),
    seconds: Math.round((Date.now() - started) / 1000),
  };
  process.stdout.write(`\n${summaryOf(campaign, measured)}\n`);
  const run = { ...measured, cases: effort().cases, environment: environment(loadBefore), seeds: [seed] };
  if (options.page) keepResults(name, before ? together(before, run) : run);
  process.exitCode = code;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Runs the test files of the rows. Everything that reads the tally or the results waits for its end. */
function attack() {
  const { cases, seconds } = effort();
  const files = [...new Set(rows.flatMap(filesOf))];
  return runForwardingSignals(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--no-warnings',
      path.join(ROOT, 'node_modules/jest/bin/jest.js'),
      '--testTimeout',
      String((seconds + 60) * 1000),
      '--runTestsByPath',
      ...files,
    ],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        FW_TEST_RESULTS: path.join(scratch, 'results.json'),
        FW_TEST_SEED: String(seed),
        FW_TRUST_TALLY: scratch,
        FW_TRUST_CASES: String(cases),
        FW_TRUST_SECONDS: String(seconds),
      },
    },
  );
}

function outcome() {
  const file = path.join(scratch, 'results.json');
  if (!existsSync(file)) throw new Error('Jest ended before its tests did; see above.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

function tallies() {
  return readdirSync(scratch)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(path.join(scratch, file), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line));
}

function effort() {
  return { cases: numberOf('cases'), seconds: numberOf('seconds') };
}

/** @param {'cases' | 'seconds'} option */
function numberOf(option) {
  if (/^[1-9]\d*$/.test(options[option])) return Number(options[option]);
  return fail(`--${option} takes a number above 0; it was given ${options[option]}.`);
}

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        cases: { type: 'string', default: '10000' },
        seconds: { type: 'string', default: '20' },
        seed: { type: 'string', default: 'random' },
        only: { type: 'string' },
        page: { type: 'boolean', default: false },
        add: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail(/** @type {Error} */ (error).message);
  }
}

/** @param {string} problem @returns {never} */
function fail(problem) {
  process.stderr.write(`${problem}\n${USAGE}`);
  process.exit(2);
}
