import { defineTool, fwError, Type } from '../../../kernel/index.js';
import { Integer, optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { Benchmark } from './benchmarks/benchmark.js';
import { runBenchmarks } from './benchmarks/run-benchmarks.js';
import { VERIFICATION_ERRORS } from './errors.js';
import { projectAt } from './project.js';

const REST_CHARACTERS = 4_000;
const MOST_ITERATIONS = 100_000_000;
const MOST_MS = 300_000;
const UNITS: ReadonlyMap<string, number> = new Map(Object.entries({ ms: 1, s: 1_000, m: 60_000 }));

export const fwRunBenchmarks = defineTool({
  name: 'fw_run_benchmarks',
  description: 'Run the benchmarks of a project (script bench, vitest bench, go test -bench) and return their numbers.',
  input: Type.Object({
    path: optionalText('project root'),
    filter: optionalText('regular expression over names'),
    benchtime: optionalText('Go: 2s or 100x'),
  }),
  output: Type.Object({
    path: Text,
    command: Text,
    filter: Text,
    count: Integer,
    benchmarks: Type.Array(Benchmark),
    fastest: optional(Text),
    slowest: optional(Text),
    zero_allocation: Type.Array(Text, { description: 'Go' }),
    duration_ms: Integer,
    unparsed_output: optional(Text),
    notes: Texts,
  }),
  paths: ['path'],
  texts: ['filter', 'benchtime'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  run: async ({ path, filter: given = '', benchtime = '' }, context) => {
    const from = performance.now();
    const root = path ?? context.workspace;
    const filter = checkedFilter(given.trim());
    const project = await projectAt(root, context);
    const request = { filter, benchtime: checkedTime(benchtime.trim()) };
    const { commands, benchmarks, rest, notes } = await runBenchmarks(project, request, context);
    const sorted = [...benchmarks].sort((a, b) => a.ns_per_op - b.ns_per_op);
    const [fastest, slowest] = [sorted[0], sorted.at(-1)];
    const unparsed = rest.trim().slice(-REST_CHARACTERS);
    const told =
      fastest && slowest
        ? ` Fastest: ${fastest.name}, ${fastest.ns_per_op} ns; slowest: ${slowest.name}, ${slowest.ns_per_op} ns.`
        : '';
    const none =
      notes.length > 0
        ? notes.join('; ')
        : 'nothing was printed that is a measurement: print JSON lines with name and ns_per_op';
    return {
      summary:
        benchmarks.length > 0 ? `${benchmarks.length} benchmark(s).${told}` : `No benchmark was measured: ${none}.`,
      structured: {
        path: root,
        command: commands.join(' && '),
        filter,
        count: benchmarks.length,
        benchmarks,
        fastest: fastest?.name,
        slowest: slowest?.name,
        zero_allocation: benchmarks.filter(({ allocs_per_op: allocs }) => allocs === 0).map(({ name }) => name),
        duration_ms: Math.round(performance.now() - from),
        unparsed_output: unparsed || undefined,
        notes,
      },
    };
  },
});

function checkedFilter(filter: string): string {
  const wanted = filter === '' ? '.' : filter;
  if (!/^(?!-)[\w.^$|()[\]*+?/{},: -]{1,256}$/.test(wanted) || !compiles(wanted))
    throw fwError(VERIFICATION_ERRORS.FW_TOOLS_TEST_FILTER, { filter });
  return wanted;
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern) !== undefined;
  } catch {
    return false;
  }
}

function checkedTime(value: string): string {
  if (value === '') return value;
  const [, count] = /^(\d{1,9})x$/.exec(value) ?? [];
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value) ?? [];
  const isCount = count !== undefined && Number(count) >= 1 && Number(count) <= MOST_ITERATIONS;
  const ms = Number(amount) * (UNITS.get(unit) ?? 0);
  if (!isCount && !(ms > 0 && ms <= MOST_MS)) throw fwError(VERIFICATION_ERRORS.FW_TOOLS_BENCH_TIME, { value });
  return value;
}
