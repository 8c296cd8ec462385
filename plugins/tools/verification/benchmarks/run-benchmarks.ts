import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { glob } from 'tinyglobby';
import { fwError } from '../../../../kernel/index.js';
import { VERIFICATION_ERRORS } from '../errors.js';
import { goIn } from '../go/program.js';
import { type NodeProgram, programIn, runNode } from '../node/program.js';
import { commandsOf } from '../node/script.js';
import type { RunContext, VerifiedProject } from '../project.js';
import type { ProgramRun } from '../step.js';
import {
  type Benchmark,
  goBenchmarks,
  type ParsedBenchmarks,
  printedBenchmarks,
  vitestBenchmarks,
} from './benchmark.js';

const TIMEOUT_MS = 600_000;
const VITEST = 'vitest/vitest.mjs';
const BENCH_FILES = '**/*.bench.{ts,mts,js,mjs}';
const NEVER = ['**/node_modules/**', '**/dist/**', '**/.*/**'];

/** What to measure. */
interface BenchmarkRequest {
  /** Regular expression over names; `.` for all. */
  readonly filter: string;
  /** For a Go module: duration or number of runs; empty for Go's default. */
  readonly benchtime: string;
}

/** Result of a benchmark run. */
interface BenchmarkRun {
  readonly commands: readonly string[];
  readonly benchmarks: readonly Benchmark[];
  readonly rest: string;
  readonly notes: readonly string[];
}

/**
 * Runs the benchmarks of a project: `go test -bench`; else its script `bench`, else `vitest bench`, else its scripts
 * `bench:<name>`, else its files `*.bench.js` one by one.
 *
 * @throws FwError `FW_TOOLS_NO_GO`, `FW_TOOLS_NO_BENCHMARKS`, `FW_TOOLS_SCRIPT`
 */
export async function runBenchmarks(
  project: VerifiedProject,
  request: BenchmarkRequest,
  context: RunContext,
): Promise<BenchmarkRun> {
  if (project.kind === 'go') return measuredGo(project.root, request, context);
  const { root, manifest } = project;
  const { bench } = manifest.scripts;
  const files = (await glob([BENCH_FILES], { cwd: root, ignore: NEVER })).sort();
  const hasVitest = manifest.dependencies.has('vitest') || existsSync(path.join(root, 'node_modules', VITEST));
  if (bench !== undefined ? /^vitest bench\b/.test(bench) : hasVitest && files.length > 0)
    return measuredVitest(root, request, context);
  const named = Object.keys(manifest.scripts)
    .filter((name) => name.startsWith('bench:'))
    .sort();
  const scripts = bench === undefined ? named : ['bench'];
  const programs =
    scripts.length > 0
      ? (await Promise.all(scripts.map((name) => programsOf(name, manifest.scripts[name] ?? '', root)))).flat()
      : files.map((file) => programOf(file, root));
  if (programs.length === 0) throw fwError(VERIFICATION_ERRORS.FW_TOOLS_NO_BENCHMARKS, { path: root });
  return measuredPrograms(programs, request, context);
}

async function programsOf(name: string, text: string, root: string): Promise<readonly NodeProgram[]> {
  return (await commandsOf(name, text, root)).map((command) => ({ root, timeoutMs: TIMEOUT_MS, ...command }));
}

function programOf(file: string, root: string): NodeProgram {
  const tsx = /ts$/.test(file) && programIn(root, 'tsx') !== undefined;
  return { root, nodeArgs: tsx ? ['--import=tsx'] : [], args: [file], timeoutMs: TIMEOUT_MS };
}

async function measuredPrograms(
  programs: readonly NodeProgram[],
  { filter, benchtime }: BenchmarkRequest,
  context: RunContext,
): Promise<BenchmarkRun> {
  const wanted = new RegExp(filter);
  const runs: [ProgramRun, ParsedBenchmarks][] = [];
  for (const [index, program] of programs.entries()) {
    context.progress(index, programs.length, program.args.join(' '));
    const run = await runNode(program, context);
    runs.push([run, printedBenchmarks(run.stdout)]);
    if (context.signal.aborted) break;
  }
  context.progress(programs.length, programs.length, 'done');
  return {
    commands: runs.map(([{ command }]) => command),
    benchmarks: runs.flatMap(([, { benchmarks }]) => benchmarks).filter(({ name }) => wanted.test(name)),
    rest: runs
      .map(([{ stderr }, { rest }]) => [rest, stderr.trim()].filter((text) => text !== '').join('\n'))
      .join('\n'),
    notes: [
      ...runs.flatMap(([run]) => problemsOf(run)),
      ...(filter === '.' ? [] : ['everything was run: the filter chose from the results']),
      ...(benchtime === '' ? [] : ['benchtime is for Go modules: the scripts decide how long they measure']),
    ],
  };
}

async function measuredVitest(
  root: string,
  { filter, benchtime }: BenchmarkRequest,
  context: RunContext,
): Promise<BenchmarkRun> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-bench-'));
  try {
    const file = path.join(folder, 'bench.json');
    const names = filter === '.' ? [] : ['--testNamePattern', filter];
    const args = ['bench', '--run', `--outputJson=${file}`, ...names];
    context.progress(0, 1, 'vitest bench');
    const run = await runNode({ root, script: VITEST, args, timeoutMs: TIMEOUT_MS }, context);
    context.progress(1, 1, 'done');
    // Without results there is no file; the output has the reason.
    const text = await readFile(file, 'utf8').catch(() => '');
    const benchmarks = vitestBenchmarks(text, (name) => path.relative(root, name).split(path.sep).join('/'));
    return {
      commands: [run.command],
      benchmarks,
      rest: benchmarks.length > 0 ? '' : run.stderr || run.stdout,
      notes: [
        ...problemsOf(run),
        ...(benchtime === '' ? [] : ['benchtime is for Go modules: vitest takes the option time of bench()']),
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measuredGo(
  root: string,
  { filter, benchtime }: BenchmarkRequest,
  context: RunContext,
): Promise<BenchmarkRun> {
  const go = await goIn(root, context);
  const time = benchtime === '' ? [] : ['-benchtime', benchtime];
  context.progress(0, 1, 'go test -bench');
  const run = await go(['test', './...', '-run', '^$', '-bench', filter, '-benchmem', ...time], TIMEOUT_MS);
  context.progress(1, 1, 'done');
  const { benchmarks, rest } = goBenchmarks(run.stdout);
  return { commands: [run.command], benchmarks, rest: [rest, run.stderr].join('\n'), notes: problemsOf(run) };
}

function problemsOf({ command, problem, exitCode }: ProgramRun): readonly string[] {
  if (problem !== undefined) return [`${command}: ${problem}; the list may be incomplete`];
  return exitCode === 0 ? [] : [`${command} failed with exit code ${exitCode}, see unparsed_output`];
}
