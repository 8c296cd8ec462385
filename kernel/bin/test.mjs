// `npm test`: everything that this machine can run. Arguments go to jest and skip the other checks: `npm test -- plugins/orm`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkTypes } from './check-types.mjs';
import { buildFramework, ensureInstalled } from './ensure-installed.mjs';
import { run, runForwardingSignals } from './run.mjs';
import { failedTests, missingNeeds, slowestFiles } from './test-summary.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const bin = (name) => path.join(root, 'node_modules', name);
const node = (...args) => run(process.execPath, args, { cwd: root });
const codeOf = (...args) => runForwardingSignals(process.execPath, args, { cwd: root });
const jestArguments = process.argv.slice(2);

const built = await ensureInstalled(root, { scope: 'test' });
if (!built) await buildFramework(root, 'test');
await node('dist/kernel/bin/fw.js', 'codegen', ...(process.env.CI ? ['--check'] : []));
// Compiler and linter give the same result on every Node: a run of the tests on several releases of Node checks sources on one of them.
if (jestArguments.length === 0 && process.env.FW_TEST_SOURCES !== 'checked') await checkSources();
const runs =
  jestArguments.length > 0
    ? [await jest({}, jestArguments)]
    : [await jest({ FW_TEST_PART: 'together' }), await jest({ FW_TEST_PART: 'apart' })];
const all = { testResults: runs.flatMap(({ results }) => results.testResults) };
if (jestArguments.length === 0) process.stdout.write(`Slowest files:\n${slowestFiles(all, root, 20).join('\n')}\n`);
const failures = failedTests(all, root);
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
const missing = missingNeeds(all);
if (missing.length > 0) process.stdout.write(`Not run, for want of what this machine does not have:\n`);
for (const need of missing) process.stdout.write(`  ${need}\n`);
const sum = (count) => runs.reduce((all, { results }) => all + results[count], 0);
process.stdout.write(`${sum('numPassedTests')} passed, ${failures.length} failed, ${sum('numPendingTests')} skipped\n`);
process.exitCode = Math.max(...runs.map(({ code }) => code));

/**
 * Checks types, lint and layout; types and lint, which take a minute each, run at the same time. Ends this process when one of them fails.
 */
async function checkSources() {
  const codes = await Promise.all([checkTypes(root), checkLint()]);
  const failed = codes.find((code) => code !== 0);
  if (failed !== undefined) process.exit(failed);
}

async function checkLint() {
  const rules = ['--config', 'kernel/lint/eslint.config.js', '--max-warnings', '0', '.'];
  const lint = await codeOf(bin('eslint/bin/eslint.js'), ...rules);
  return lint || (await codeOf(bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'));
}

/** One run of jest, with variables for its configuration. */
async function jest(variables, args = []) {
  const results = mkdtempSync(path.join(tmpdir(), 'fw-test-'));
  const file = path.join(results, 'results.json');
  const command = ['--experimental-vm-modules', '--no-warnings', bin('jest/bin/jest.js')];
  try {
    const code = await runForwardingSignals(process.execPath, [...command, ...args], {
      cwd: root,
      env: { ...process.env, ...variables, FW_TEST_RESULTS: file },
    });
    if (!existsSync(file)) throw new Error(`jest ended before its tests did (exit code ${code}); see above.`);
    return { code, results: JSON.parse(readFileSync(file, 'utf8')) };
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}
