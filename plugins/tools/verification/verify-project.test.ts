import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { fwVerifyProject } from './fw-verify-project.js';
import { callOn, projectOnDisk, removeProjects } from './testing/project-on-disk.js';
import type { Verification } from './verify-project.js';

afterEach(removeProjects);

const FILES = {
  'package.json': '{ "name": "p", "type": "module" }',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [] }, "include": ["src"] }',
  'eslint.config.js':
    "export default [{ languageOptions: { globals: { test: 'readonly' } }, rules: { 'no-undef': 'error' } }];",
  'jest.config.js': 'export default { transform: {} };',
  'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n',
  'sum.test.js': "test('adds', () => { if (1 + 1 !== 2) throw new TypeError('no'); });\n",
};

const projectOf = (changes: Readonly<Record<string, string>> = {}, packages = ['typescript', 'jest']) =>
  projectOnDisk({ ...FILES, ...changes }, packages);

async function verify(root: string, input: object = {}, signal?: AbortSignal) {
  const { structured, progress } = await callOn<Verification>(fwVerifyProject, root, input, signal);
  return { verdict: structured, told: progress };
}

const statuses = ({ steps }: Verification) => Object.fromEntries(steps.map(({ name, status }) => [name, status]));
const stepOf = ({ steps }: Verification, name: string) => steps.find((step) => step.name === name);

describe('fw_verify_project', () => {
  test('runs types, lint and tests of the project, and tells how far it is', async () => {
    const { verdict, told } = await verify(await projectOf({}, ['typescript', 'jest', 'eslint']));
    expect(statuses(verdict)).toEqual({ build: 'passed', vet: 'passed', test: 'passed', idioms: 'passed' });
    expect(verdict.ok).toBe(true);
    expect(told).toEqual(['checking types', 'linting', 'running tests', 'checking conventions', 'done']);
  });

  test('names file, line and message of a type error, and leaves the tests out', async () => {
    const { verdict } = await verify(await projectOf({ 'src/sum.ts': '\nexport const sum: number = "text";\n' }));
    expect(statuses(verdict)).toEqual({ build: 'failed', vet: 'skipped', test: 'skipped', idioms: 'passed' });
    expect(verdict.steps[0]?.diagnostics).toEqual([
      {
        file: 'src/sum.ts',
        line: 2,
        column: 14,
        code: 'TS2322',
        message: "Type 'string' is not assignable to type 'number'.",
        excerpt: 'export const sum: number = "text";',
      },
    ]);
    expect(verdict.first_failure).toBe("src/sum.ts:2 Type 'string' is not assignable to type 'number'.");
  });

  test('names file, line and rule of a lint finding', async () => {
    const root = await projectOf({ 'bad.js': '\nmissing();\n' }, ['typescript', 'eslint']);
    const { verdict } = await verify(root, { skip_tests: true });
    expect(statuses(verdict)).toMatchObject({ vet: 'failed', test: 'skipped' });
    expect(verdict.steps[1]?.diagnostics).toContainEqual(
      expect.objectContaining({ file: 'bad.js', line: 2, code: 'no-undef', excerpt: 'missing();' }),
    );
  });

  test('names the test that failed, with the part of the message that says why', async () => {
    const { verdict } = await verify(
      await projectOf({ 'sum.test.js': "test('adds', () => { throw new TypeError('three'); });\n" }),
    );
    expect(verdict).toMatchObject({ ok: false, first_failure: 'sum.test.js:1: adds' });
    expect(verdict.steps[2]?.failures).toEqual([
      {
        name: 'adds',
        file: 'sum.test.js',
        line: 1,
        detail: expect.stringMatching(/^TypeError: three/),
        excerpt: "test('adds', () => { throw new TypeError('three'); });",
      },
    ]);
  });

  test('says what is not installed', async () => {
    const { verdict } = await verify(await projectOf({}, []));
    expect(statuses(verdict)).toEqual({ build: 'errored', vet: 'skipped', test: 'errored', idioms: 'passed' });
    expect(verdict.first_failure).toMatch(/typescript is not installed; run npm install/);
    expect(stepOf(verdict, 'test')?.summary).toMatch(/jest is not installed; run npm install/);
  });

  test('runs vitest where the project has it', async () => {
    const tests = (value: number) =>
      `import { expect, test } from 'vitest';\nimport { sum } from './sum';\ntest('adds', () => {\n  expect(sum(1, 2)).toBe(${value});\n});\ntest.skip('later', () => {});\n`;
    const files = {
      'package.json': '{ "type": "module", "scripts": { "test": "vitest run" } }',
      'src/sum.ts': FILES['src/sum.ts'],
    };
    const good = await projectOnDisk({ ...files, 'src/sum.test.ts': tests(3) }, ['vitest']);
    const { verdict } = await verify(good);
    expect(statuses(verdict)).toMatchObject({ build: 'skipped', test: 'passed' });
    expect(stepOf(verdict, 'test')).toMatchObject({
      tests: { passed: 1, failed: 0, skipped: 1 },
      packages: [{ package: 'src/sum.test.ts', status: 'ok' }],
    });
    await writeFile(path.join(good, 'src/sum.test.ts'), tests(4));
    expect((await verify(good, { test_filter: 'adds' })).verdict).toMatchObject({
      ok: false,
      first_failure: 'src/sum.test.ts:3: adds',
      notes: ['only tests that match adds ran'],
    });
    await writeFile(path.join(good, 'src/sum.test.ts'), "import './gone.js';\n");
    expect(stepOf((await verify(good)).verdict, 'test')?.failures).toMatchObject([
      { file: 'src/sum.test.ts', detail: expect.stringContaining('gone.js') },
    ]);
  });

  test('runs node --test where the project uses it, with the loaders and files of its script', async () => {
    const root = await projectOnDisk({
      'package.json': '{ "type": "module", "scripts": { "test": "node --import ./hook.js --test \'checks/*.js\'" } }',
      'hook.js': 'globalThis.HOOKED = true;',
      'checks/sum.js': `import { describe, test } from 'node:test';
import assert from 'node:assert';
describe('sums', () => {
  test('adds', () => assert.ok(globalThis.HOOKED));
  test('fails', () => {
    assert.equal(1 + 1, 3);
  });
  test('later', { skip: true }, () => {});
});
`,
      'elsewhere.test.js': 'throw new Error("not one of the files");',
    });
    const { verdict } = await verify(root);
    expect(stepOf(verdict, 'test')).toMatchObject({
      status: 'failed',
      tests: { passed: 1, failed: 1, skipped: 1 },
      failures: [{ name: 'fails', file: 'checks/sum.js', line: 5, detail: expect.stringContaining('2 == 3') }],
      packages: [{ package: 'checks/sum.js', status: 'FAIL' }],
    });
    expect(stepOf((await verify(root, { test_filter: 'adds' })).verdict, 'test')).toMatchObject({ status: 'passed' });
  });

  test('names a test file that node --test cannot load', async () => {
    const root = await projectOnDisk({ 'package.json': '{ "type": "module" }', 'a.test.js': "import './gone.js';" });
    expect(stepOf((await verify(root)).verdict, 'test')).toMatchObject({
      status: 'failed',
      tests: { passed: 0, failed: 1 },
      failures: [{ file: 'a.test.js' }],
    });
  });

  test('does not call tests passed of which none ran', async () => {
    const { 'package.json': manifest, 'jest.config.js': config, 'sum.test.js': tests } = FILES;
    const files = { 'package.json': manifest, 'jest.config.js': config, 'sum.test.js': tests };
    const root = await projectOnDisk(files, ['jest']);
    const called = (input: object) => callOn<Verification>(fwVerifyProject, root, { ...input });
    const none = await called({ test_filter: 'no such test' });
    expect(statuses(none.structured)).toMatchObject({ test: 'skipped' });
    expect(none.structured).toMatchObject({ ok: true, tests_skipped: true });
    expect(none.summary).toMatch(
      /^Green, but no test ran: .*test skipped \(no test ran: 0 passed, 0 failed, 1 skipped\)/,
    );
    await rm(path.join(root, 'sum.test.js'));
    expect((await called({})).summary).toMatch(/^Green, but no test ran: .*test skipped \(no test ran: 0 passed/);
  });

  test('says that there is nothing to run', async () => {
    const { verdict } = await verify(await projectOnDisk({ 'package.json': '{}' }));
    expect(statuses(verdict)).toEqual({ build: 'skipped', vet: 'skipped', test: 'skipped', idioms: 'passed' });
    expect(verdict).toMatchObject({ ok: true, tests_skipped: true });
  });

  test('shows what a program prints that gives no report, and no more than a part of it', async () => {
    const noisy = `console.error('x'.repeat(20_000_000) + 'the end');\nprocess.exitCode = 7;`;
    const root = await projectOnDisk({
      'package.json': '{ "type": "module" }',
      'node_modules/jest/bin/jest.js': noisy,
      'node_modules/jest/package.json': '{ "type": "module" }',
    });
    const step = stepOf((await verify(root)).verdict, 'test');
    expect(step).toMatchObject({ status: 'errored', summary: expect.stringContaining('no report') });
    expect(step?.unparsed_output).toHaveLength(1_000);
    expect(step?.unparsed_output?.slice(-10)).toBe('xxxthe end');
    const whole = stepOf((await verify(root, { detail: true })).verdict, 'test');
    expect(whole?.unparsed_output).toHaveLength(4_000);
  });

  test('finds broken conventions, of which only errors fail', async () => {
    const docs = "import { scalarMiddleware } from 'fw/docs';\nexport default scalarMiddleware;\n";
    const root = await projectOnDisk({ 'package.json': '{}', 'app/a.ts': docs });
    expect((await verify(root)).verdict).toMatchObject({ ok: true, counts: { idiom_errors: 0, idiom_warnings: 1 } });
    await writeFile(
      path.join(root, 'app/b.ts'),
      "import type { HttpContext } from 'fw';\nexport const act = (ctx: HttpContext) => eval('1');\n",
    );
    expect((await verify(root)).verdict).toMatchObject({
      ok: false,
      first_failure: expect.stringMatching(/^app\/b.ts:2 /),
    });
  });

  test('refuses a filter that is an option, and a folder that is no project', async () => {
    const root = await projectOf();
    await expect(verify(root, { test_filter: '--config=/etc/passwd' })).rejects.toMatchObject({
      code: 'FW_TOOLS_TEST_FILTER',
    });
    await rm(path.join(root, 'package.json'));
    await expect(verify(root)).rejects.toMatchObject({ code: 'FW_TOOLS_NO_PACKAGE' });
    await writeFile(path.join(root, 'package.json'), '[]');
    await expect(verify(root)).rejects.toMatchObject({ code: 'FW_TOOLS_PACKAGE' });
  });
});

const GO = {
  'go.mod': 'module example.com/sums\n\ngo 1.19\n',
  'sum.go': 'package sums\n\nfunc Sum(a, b int) int { return a + b }\n',
  'sum_test.go': `package sums

import "testing"

func TestSum(t *testing.T) {
	t.Run("small", func(t *testing.T) {
		if Sum(1, 1) != 2 {
			t.Errorf("got %d", Sum(1, 1))
		}
	})
	t.Run("later", func(t *testing.T) { t.Skip() })
}
`,
  'other/other.go': 'package other\n',
};

test('says how to get Go for a Go module, where there is none', async () => {
  const { PATH } = process.env;
  process.env['PATH'] = '/nowhere';
  try {
    await expect(verify(await projectOnDisk(GO))).rejects.toMatchObject({
      code: 'FW_TOOLS_NO_GO',
      message: expect.stringContaining('go.dev/doc/install'),
    });
  } finally {
    process.env['PATH'] = PATH;
  }
});

describeWith(
  { variable: 'FW_TEST_GO', hint: 'the go command, 1.19 or later' },
  'fw_verify_project on a Go module',
  () => {
    test('runs go build, go vet and go test [MCP-CATEGORY-VERIFICATION] [MCP-OP-VERIFY-01]', async () => {
      const { verdict } = await verify(await projectOnDisk(GO));
      expect(verdict).toMatchObject({ kind: 'go', ok: true });
      expect(statuses(verdict)).toEqual({ build: 'passed', vet: 'passed', test: 'passed', idioms: 'skipped' });
      expect(stepOf(verdict, 'test')).toMatchObject({
        command: 'go test -json ./... -timeout 285s',
        tests: { passed: 1, failed: 0, skipped: 1 },
        packages: [
          { package: 'example.com/sums', status: 'ok' },
          { package: 'example.com/sums/other', status: 'no-test-files' },
        ],
      });
    });

    test('names file and line of a test that fails, and of code that does not compile', async () => {
      const wrong = await projectOnDisk({ ...GO, 'sum.go': GO['sum.go'].replace('a + b', 'a - b') });
      expect((await verify(wrong)).verdict).toMatchObject({
        ok: false,
        first_failure: 'sum_test.go:8: TestSum/small',
      });
      await writeFile(path.join(wrong, 'sum.go'), 'package sums\n\nfunc Sum(a, b int) int { return "x" }\n');
      const { verdict } = await verify(wrong);
      expect(statuses(verdict)).toMatchObject({ build: 'failed', vet: 'failed', test: 'skipped' });
      expect(stepOf(verdict, 'build')?.diagnostics).toEqual([
        {
          file: 'sum.go',
          line: 3,
          column: 33,
          message: expect.stringContaining('cannot use "x"'),
          package: 'example.com/sums',
          excerpt: 'func Sum(a, b int) int { return "x" }',
        },
      ]);
    });

    test('names a finding of go vet, and test code that does not compile', async () => {
      const vetted = await projectOnDisk({
        ...GO,
        'print.go': 'package sums\n\nimport "fmt"\n\nfunc Print() { fmt.Printf("%d\\n", "x") }\n',
      });
      expect(stepOf((await verify(vetted)).verdict, 'vet')?.diagnostics).toMatchObject([{ file: 'print.go', line: 5 }]);
      const broken = await projectOnDisk({ ...GO, 'sum_test.go': 'package sums\n\nvar x int = "a"\n' });
      expect(stepOf((await verify(broken)).verdict, 'test')).toMatchObject({
        status: 'failed',
        diagnostics: [{ file: 'sum_test.go', line: 3 }],
      });
    });
  },
);
