import { type Static, Type } from '../../../../kernel/index.js';
import { Integer, Numeric, optional, optionalText, Text } from '../../../../kernel/schema/index.js';
import { parsedJson } from '../../../../kernel/values/index.js';
import { plain } from '../diagnostics.js';

/** Result of one benchmark. */
export const Benchmark = Type.Object({
  name: Text,
  file: optionalText('relative to the project; of Go, the package'),
  procs: optional(Type.Integer({ description: 'GOMAXPROCS' })),
  iterations: optional(Integer),
  ns_per_op: Numeric,
  ops_per_second: Numeric,
  p99_ns: optional(Numeric),
  error_percent: optional(Type.Number({ description: 'relative margin of error' })),
  bytes_per_op: optional(Numeric),
  allocs_per_op: optional(Numeric),
  mb_per_second: optional(Numeric),
});
export type Benchmark = Static<typeof Benchmark>;

/** Benchmarks found in an output, and the rest of the output. */
export interface ParsedBenchmarks {
  readonly benchmarks: readonly Benchmark[];
  readonly rest: string;
}

const NS_PER_SECOND = 1e9;
const NS_PER_MS = 1e6;

/** A benchmark with its time, and the rate computed from it. */
function timed(name: string, nsPerOp: number, more: Partial<Benchmark> = {}): Benchmark {
  return { name, ns_per_op: rounded(nsPerOp), ops_per_second: rounded(NS_PER_SECOND / nsPerOp), ...more };
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

const GO = /^(Benchmark[^\s]*?)(?:-(\d+))?\s+(\d+)\s+([\d.]+) ns\/op(.*)$/;

/** Reads what `go test -bench . -benchmem` prints (https://pkg.go.dev/testing#hdr-Benchmarks). */
export function goBenchmarks(output: string): ParsedBenchmarks {
  const benchmarks: Benchmark[] = [];
  const rest: string[] = [];
  let name: string | undefined;
  for (const line of output.split('\n')) {
    const [found, bench = '', procs, iterations, ns, more = ''] = GO.exec(line) ?? [];
    name = /^pkg: (\S+)/.exec(line)?.[1] ?? name;
    const measured = (unit: string) => /([\d.]+)$/.exec(more.split(` ${unit}`)[0] ?? '')?.[1];
    const number = (key: keyof Benchmark, unit: string) =>
      more.includes(` ${unit}`) ? { [key]: Number(measured(unit)) } : {};
    if (found !== undefined)
      benchmarks.push(
        timed(bench, Number(ns), {
          ...(name !== undefined && { file: name }),
          ...(procs !== undefined && { procs: Number(procs) }),
          iterations: Number(iterations),
          ...number('bytes_per_op', 'B/op'),
          ...number('allocs_per_op', 'allocs/op'),
          ...number('mb_per_second', 'MB/s'),
        }),
      );
    else if (line.trim() !== '' && !/^(goos|goarch|cpu|pkg|PASS|ok|\?)\b/.test(line) && !line.startsWith('?'))
      rest.push(line);
  }
  return { benchmarks, rest: rest.join('\n') };
}

interface VitestReport {
  readonly files?: readonly {
    readonly filepath: string;
    readonly groups: readonly {
      readonly fullName: string;
      readonly benchmarks: readonly {
        readonly name: string;
        readonly mean?: number;
        readonly p99?: number;
        readonly rme?: number;
        readonly sampleCount?: number;
      }[];
    }[];
  }[];
}

/** Reads what `vitest bench --outputJson` writes; times are milliseconds there. */
export function vitestBenchmarks(text: string, relative: (file: string) => string): readonly Benchmark[] {
  const { files = [] } = (parsedJson(text) as VitestReport | undefined) ?? {};
  return files.flatMap(({ filepath, groups }) =>
    groups.flatMap(({ fullName, benchmarks }) => {
      const suite = fullName.split(' > ').slice(1);
      return benchmarks
        .filter(({ mean = 0 }) => mean > 0)
        .map(({ name, mean = 0, p99, rme, sampleCount }) =>
          timed([...suite, name].join(' > '), mean * NS_PER_MS, {
            file: relative(filepath),
            ...(sampleCount !== undefined && { iterations: sampleCount }),
            ...(p99 !== undefined && { p99_ns: rounded(p99 * NS_PER_MS) }),
            ...(rme !== undefined && { error_percent: rounded(rme) }),
          }),
        );
    }),
  );
}

const OPS_PER_SECOND = /^\s*(.+?) x ([\d,.]+) ops\/sec(?: ±([\d.]+)%)?/;

/**
 * Reads what a script prints: JSON, as one text or a line each, with a `name` and one of `ns_per_op`, `ops_per_second`, `hz`,
 * `mean` (milliseconds); or lines of benchmark.js, `name x 1,234 ops/sec ±0.5%`.
 */
export function printedBenchmarks(output: string): ParsedBenchmarks {
  const text = plain(output);
  const whole = jsonBenchmarks(parsedJson(text));
  if (whole.length > 0) return { benchmarks: whole, rest: '' };
  const benchmarks: Benchmark[] = [];
  const rest: string[] = [];
  for (const line of text.split('\n')) {
    const fromJson = /^\s*[[{]/.test(line) ? jsonBenchmarks(parsedJson(line)) : [];
    const [, name, rate, error] = OPS_PER_SECOND.exec(line) ?? [];
    if (fromJson.length > 0) benchmarks.push(...fromJson);
    else if (name !== undefined && rate !== undefined)
      benchmarks.push(
        timed(
          name,
          NS_PER_SECOND / Number(rate.replaceAll(',', '')),
          error === undefined ? {} : { error_percent: Number(error) },
        ),
      );
    else if (line.trim() !== '') rest.push(line);
  }
  return { benchmarks, rest: rest.join('\n') };
}

function jsonBenchmarks(value: unknown): readonly Benchmark[] {
  if (Array.isArray(value)) return value.flatMap(jsonBenchmarks);
  if (typeof value !== 'object' || value === null) return [];
  const record = value as Readonly<Record<string, unknown>>;
  const inside = ['benchmarks', 'results'].flatMap((name) =>
    Array.isArray(record[name]) ? jsonBenchmarks(record[name]) : [],
  );
  const ns = nsPerOp(record);
  if (typeof record['name'] !== 'string' || ns === undefined) return inside;
  const integer = (from: string, to: keyof Benchmark) => (Number.isInteger(record[from]) ? { [to]: record[from] } : {});
  return [
    timed(record['name'], ns, { ...integer('iterations', 'iterations'), ...integer('bytes_per_op', 'bytes_per_op') }),
  ];
}

function nsPerOp(record: Readonly<Record<string, unknown>>): number | undefined {
  const positive = (name: string) => {
    const value = record[name];
    return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined;
  };
  const rate = positive('ops_per_second') ?? positive('opsPerSecond') ?? positive('hz');
  const mean = positive('mean');
  return (
    positive('ns_per_op') ??
    (rate === undefined ? undefined : NS_PER_SECOND / rate) ??
    (mean === undefined ? undefined : mean * NS_PER_MS)
  );
}
