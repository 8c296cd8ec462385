import { afterEach, describe, expect, test } from '@jest/globals';
import { describeWith } from '../../../../kernel/testing/required-service.js';
import { fwRunBenchmarks } from '../fw-run-benchmarks.js';
import { callOn, projectOnDisk, removeProjects } from '../testing/project-on-disk.js';
import { printedBenchmarks } from './benchmark.js';

afterEach(removeProjects);

const measure = async (root: string, input: object = {}) =>
  (await callOn<Readonly<Record<string, unknown>>>(fwRunBenchmarks, root, input)).structured;

const PRINTS = `console.log('warming up');
console.log(JSON.stringify({ name: 'parse', iterations: 10, ns_per_op: 250 }));
console.log(JSON.stringify({ name: 'render', ops_per_second: 1000 }));
`;

describe('fw_run_benchmarks', () => {
  test('runs the script bench, with its environment and arguments, and reads what it prints', async () => {
    const root = await projectOnDisk({
      'package.json': JSON.stringify({
        type: 'module',
        scripts: { bench: 'SIZE=2 node bench/run.js "two words" && node bench/more.js', 'bench:x': 'rm -rf /' },
      }),
      'bench/run.js': `if (process.env.SIZE !== '2' || process.argv[2] !== 'two words') throw new Error('arguments');\n${PRINTS}`,
      'bench/more.js': "console.log('sort x 2,000 ops/sec ±1.50% (90 runs sampled)');",
    });
    expect(await measure(root)).toMatchObject({
      command: 'node bench/run.js two words && node bench/more.js',
      benchmarks: [
        { name: 'parse', iterations: 10, ns_per_op: 250, ops_per_second: 4_000_000 },
        { name: 'render', ns_per_op: 1_000_000 },
        { name: 'sort', ns_per_op: 500_000, error_percent: 1.5 },
      ],
      fastest: 'parse',
      slowest: 'render',
      unparsed_output: 'warming up',
    });
    expect(await measure(root, { filter: '^pa', benchtime: '1s' })).toMatchObject({
      count: 1,
      notes: [expect.stringContaining('the filter chose'), expect.stringContaining('benchtime is for Go')],
    });
  });

  test('runs every bench:<name>, a program of a package, and files without any script', async () => {
    const scripts = await projectOnDisk({
      'package.json': JSON.stringify({ type: 'module', scripts: { 'bench:a': 'node a.js', 'bench:b': 'meter' } }),
      'a.js': PRINTS,
      'node_modules/meter/package.json': JSON.stringify({ name: 'meter', type: 'module', bin: './cli.js' }),
      'node_modules/meter/cli.js': "console.log(JSON.stringify({ results: [{ name: 'metered', mean: 2 }] }));",
    });
    expect((await measure(scripts))['benchmarks']).toMatchObject([
      { name: 'parse' },
      { name: 'render' },
      { name: 'metered', ns_per_op: 2_000_000 },
    ]);
    const files = await projectOnDisk({ 'package.json': '{ "type": "module" }', 'lib/a.bench.js': PRINTS });
    expect(await measure(files)).toMatchObject({ command: 'node lib/a.bench.js', count: 2 });
  });

  test.each([
    'node a.js | tee out',
    'node a.js; rm -rf x',
    'node $(echo a)',
    'node a.js > out',
    'node *.js',
    'nowhere',
    'FOO=1',
  ])('does not run a script that needs a shell: %s', async (bench) => {
    const root = await projectOnDisk({
      'package.json': JSON.stringify({ scripts: { bench } }),
      'a.js': 'process.exit(9)',
    });
    await expect(measure(root)).rejects.toMatchObject({ code: 'FW_TOOLS_SCRIPT' });
  });

  test('runs vitest bench', async () => {
    const root = await projectOnDisk(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
        'lib/sum.bench.ts':
          "import { bench, describe } from 'vitest';\nconst fast = { time: 20, iterations: 5, warmupTime: 0, warmupIterations: 0 };\ndescribe('sums', () => {\n  bench('adds', () => { 1 + 1; }, fast);\n  bench('takes away', () => { 1 - 1; }, fast);\n});\n",
      },
      ['vitest'],
    );
    expect(await measure(root, { filter: 'adds' })).toMatchObject({
      benchmarks: [
        {
          name: 'sums > adds',
          file: 'lib/sum.bench.ts',
          ns_per_op: expect.any(Number),
          iterations: expect.any(Number),
        },
      ],
    });
  });

  test('says that a benchmark failed, with what it printed, and that there is none', async () => {
    const root = await projectOnDisk({
      'package.json': '{ "type": "module" }',
      'a.bench.js': "throw new Error('no data');",
    });
    expect(await measure(root)).toMatchObject({
      count: 0,
      notes: [expect.stringContaining('failed with exit code 1')],
      unparsed_output: expect.stringContaining('no data'),
    });
    await expect(measure(await projectOnDisk({ 'package.json': '{}' }))).rejects.toMatchObject({
      code: 'FW_TOOLS_NO_BENCHMARKS',
    });
  });

  test.each([
    { filter: '-x' },
    { filter: '(' },
    { filter: '`id`' },
    { benchtime: '0x' },
    { benchtime: '6m' },
    { benchtime: '-1s' },
    { benchtime: 'x' },
  ])('refuses %j', async (input) => {
    const root = await projectOnDisk({ 'package.json': '{}' });
    await expect(measure(root, input)).rejects.toMatchObject({
      code: expect.stringMatching(/FW_TOOLS_(TEST_FILTER|BENCH_TIME)/),
    });
  });
});

describe('printedBenchmarks', () => {
  test('reads one JSON text, and takes no other object for a measurement', () => {
    expect(
      printedBenchmarks('[{"name":"a","hz":2},{"name":"b"},{"hz":3},{"name":"c","ns_per_op":0}]').benchmarks,
    ).toEqual([{ name: 'a', ns_per_op: 500_000_000, ops_per_second: 2 }]);
    expect(printedBenchmarks('{"name":"b"}\nplain').rest).toBe('{"name":"b"}\nplain');
  });
});

describeWith(
  { variable: 'FW_TEST_GO', hint: 'the go command, 1.19 or later' },
  'fw_run_benchmarks on a Go module',
  () => {
    test('runs go test -bench and counts allocations', async () => {
      const root = await projectOnDisk({
        'go.mod': 'module example.com/sums\n\ngo 1.19\n',
        'sum_test.go': `package sums

import "testing"

var kept []byte

func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
}

func BenchmarkMake(b *testing.B) {
	for i := 0; i < b.N; i++ {
		kept = make([]byte, 64)
	}
}
`,
      });
      // So often that what the runtime itself allocates does not count.
      expect(await measure(root, { benchtime: '100000x' })).toMatchObject({
        benchmarks: [
          { name: 'BenchmarkSum', iterations: 100_000, allocs_per_op: 0, file: 'example.com/sums' },
          { name: 'BenchmarkMake', iterations: 100_000, allocs_per_op: 1, bytes_per_op: 64 },
        ],
        zero_allocation: ['BenchmarkSum'],
      });
      expect(await measure(root, { filter: 'Nothing' })).toMatchObject({ count: 0, benchmarks: [] });
    });
  },
);
