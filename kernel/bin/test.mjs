// `npm test`: everything that this machine can run. Arguments go to jest and skip the other checks: `npm test -- plugins/orm`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled } from './ensure-installed.mjs';
import { run, runForwardingSignals } from './run.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const bin = (name) => path.join(root, 'node_modules', name);
const node = (...args) => run(process.execPath, args, { cwd: root });
const jestArguments = process.argv.slice(2);

const built = await ensureInstalled(root, { scope: 'test' });
if (!built) await node('kernel/build/build-framework.mjs');
await node('dist/kernel/bin/fw.js', 'codegen', ...(process.env.CI ? ['--check'] : []));
if (jestArguments.length === 0) {
  await node(bin('typescript/bin/tsc'));
  await node(bin('typescript/bin/tsc'), '--project', 'plugins/dashboard/ui');
  await node(bin('eslint/bin/eslint.js'), '--config', 'kernel/lint/eslint.config.js', '--max-warnings', '0', '.');
  await node(bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.');
}
const runs =
  jestArguments.length > 0
    ? [await jest({}, jestArguments)]
    : [await jest({ FW_TEST_PART: 'together' }), await jest({ FW_TEST_PART: 'apart' })];
const sum = (count) => runs.reduce((all, { results }) => all + results[count], 0);
process.stdout.write(
  `${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed, ${sum('numPendingTests')} skipped\n`,
);
process.exitCode = Math.max(...runs.map(({ code }) => code));

/** One run of jest, with variables for its configuration. */
async function jest(variables, args = []) {
  const results = mkdtempSync(path.join(tmpdir(), 'fw-test-'));
  const file = path.join(results, 'results.json');
  const command = [
    '--experimental-vm-modules',
    '--no-warnings',
    bin('jest/bin/jest.js'),
    '--json',
    '--outputFile',
    file,
  ];
  try {
    const code = await runForwardingSignals(process.execPath, [...command, ...args], {
      cwd: root,
      env: { ...process.env, ...variables },
      stdio: ['inherit', 'ignore', 'inherit'],
    });
    if (!existsSync(file)) throw new Error(`jest ended before its tests did (exit code ${code}); see above.`);
    return { code, results: JSON.parse(readFileSync(file, 'utf8')) };
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}
