// fast-check for the project's own tests: the same values in each run, so that a failure comes from a change and not from other values.
// FW_TEST_SEED=random uses others (the report of a failure names the seed), FW_TEST_SEED=<number> those of a report.
// `npm run trust` asks for more cases of each property, and counts them.
import fc from '../../node_modules/fast-check/lib/fast-check.js';
import { tally } from './tally.mjs';

const asked = process.env['FW_TEST_SEED'] ?? '1';
if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: integer('FW_TEST_SEED', asked) });

const counts = process.env['FW_TRUST_TALLY'] !== undefined;
const numRuns = integer('FW_TRUST_CASES', process.env['FW_TRUST_CASES']);
const seconds = integer('FW_TRUST_SECONDS', process.env['FW_TRUST_SECONDS']);
const more = {
  ...(numRuns !== undefined && { numRuns }),
  ...(seconds !== undefined && { interruptAfterTimeLimit: seconds * 1000, markInterruptAsFailure: false }),
};

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default counts ? { ...fc, assert } : fc;

/** `fc.assert` that tells how many cases there were. */
function assert(property, parameters) {
  const outcome = fc.check(property, { ...parameters, ...more });
  return outcome instanceof Promise ? outcome.then(judge) : judge(outcome);
}

function judge(details) {
  tally({ tried: details.numRuns });
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
}

function integer(name, text) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value)) throw new Error(`${name}: expected an integer, got ${text}`);
  return value;
}
