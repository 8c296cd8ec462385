const { writeFileSync } = require('node:fs');
const { formatTestResults } = require('@jest/test-result');

/** Writes what jest's `--json` would print to the file that FW_TEST_RESULTS names, for who sums up several runs. */
module.exports = class ResultsReporter {
  onRunComplete(_contexts, results) {
    writeFileSync(process.env.FW_TEST_RESULTS, JSON.stringify(formatTestResults(results)));
  }
};
