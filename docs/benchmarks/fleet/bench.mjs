import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { buildProduct, controlName, runRounds } from '../harness/index.mjs';
import { bytesPerRetainedSpan, ingest } from './ingest.mjs';
import { load } from './load.mjs';
import { SpanSink } from './span-sink.mjs';
import { TracedService } from './traced-service.mjs';

/** @typedef {import('../harness/types.js').Round} Round */
/** @typedef {import('../harness/types.js').RowInput} RowInput */
/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').TableInput} TableInput */

/** Requests of one window and the connections that send them. */
const WINDOW = { requests: 4_000, connections: 64 };
const HEAP_WINDOW = { requests: 1_000, connections: 16 };
const HEAP_WINDOWS = 7;
/** Requests at saturation, without a pause: about six seconds of them. */
const SATURATION = { requests: 50_000, connections: 64 };
const INGEST_SECONDS = 6;
const INGEST_RUNS = 4;

const PLAIN = 'plain Koa';
const FW = 'fw, sampled';
const AMBIENT = 'fw, sampled, ambient context';
const UNSAMPLED = 'fw, not sampled';
const DISABLED = 'fw, disabled';
const OTEL_SPAN = 'OpenTelemetry, one span by hand';
const OTEL_HTTP = 'OpenTelemetry, HTTP auto-instrumentation';

/** Subjects by name: the module that traces, and whether the caller's trace is sampled. */
const SUBJECTS = {
  [PLAIN]: { module: 'plain', sampled: true, spans: 0 },
  [FW]: { module: 'fw', sampled: true, spans: 1 },
  [AMBIENT]: { module: 'fw-ambient', sampled: true, spans: 1 },
  [UNSAMPLED]: { module: 'fw', sampled: false, spans: 0 },
  [DISABLED]: { module: 'fw-disabled', sampled: true, spans: 0 },
  [OTEL_SPAN]: { module: 'otel-span', sampled: true, spans: 1 },
  [OTEL_HTTP]: { module: 'otel-http', sampled: true, spans: 1 },
};
const EXPORTING = [FW, OTEL_SPAN, OTEL_HTTP];

const QUIET = `On the same machine with nothing else running (load average below 2) single runs of this bench gave 178,000 spans per second of
processor time with a 99th percentile of 13 ms, and 6 to 6.6 us for a sampled request next to 15 to 20 us for a span by hand and 35 to 42 us for
the auto-instrumentation.`;
const UNRESOLVED = `What is to be shown is smaller than the difference of plain Koa to itself in this run (the A/A row). The middleware parses one
header, makes one object, and adds one promise to the chain. ${QUIET}`;
const TRACER_PARTS = `Measured one by one: reading the header, ids, the two objects and the promise take about 1.7 us; writing JSON and
compressing it 2 us (the peers write JSON too, and do not compress); the POST of every 200 spans 1.5 us a span. A batch size above the default of 200 makes the last part smaller.
${QUIET}`;
const INGEST_PARTS = `A profile shows JSON.parse with 22 % of the time, garbage collection with 17 %, the tag index with 8 %, eviction with 6 %, sending
the answers with 5 % and gunzip with 4 %. Processor time grows when others share the caches and the core's other thread. ${QUIET}`;

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'fleet',
  title: 'Fleet tracing',
  measured: `**The tracer.** A Koa service with one route, one middleware and an async function answers \`GET /users/:id\` with JSON; every
request brings its own W3C \`traceparent\`. Each subject traces the same service in a process of its own and exports to a sink that counts
spans. A window is ${WINDOW.requests.toLocaleString('en')} requests over ${WINDOW.connections} connections, each of which sends its next request when it has its answer, so the service is
saturated; in each round every subject has one window, in shuffled order. **Processor time** is what the service's process used, all of its
threads, exporting and compressing included, and what plain Koa used in the same round is taken off. **Heap** is what a request
allocates, of windows without a garbage collection, what plain Koa allocates taken off. **Delivered** is how many of ${SATURATION.requests.toLocaleString('en')} requests without
a pause arrived as spans. Before anything counts, every subject has to give the same answer and to deliver the spans that it should.

**The aggregator.** The application of \`fw start aggregator\` with a token, validation, tag index, graph and contract checks on; a
sender keeps 16 requests under way, each a gzipped JSON batch of 200 spans of traces of five, with two to five tags. **Spans per second of
processor time** is the speed of one core: accepted spans by the processor time of the aggregator's process, all of its threads,
reads included. **Reads** are those of one viewer that asks for traces, graph, numbers, incidents, services and violations in turn
meanwhile. **Heap per kept span** is what 100,000 kept spans hold after a garbage collection, index included.`,
  peers: [
    {
      name: 'fw',
      packages: [],
      configuration: 'the built fw/fleet; defaults (JSON, gzip, batches of 200), trace on ctx',
    },
    { name: PLAIN, packages: ['koa', '@koa/router'], configuration: 'nothing is traced' },
    {
      name: 'OpenTelemetry',
      packages: [
        '@opentelemetry/api',
        '@opentelemetry/sdk-trace-node',
        '@opentelemetry/instrumentation-http',
        '@opentelemetry/exporter-trace-otlp-http',
      ],
      configuration:
        'BatchSpanProcessor and OTLP JSON exporter, defaults (no compression); by hand: one server span with method, route and status; HTTP: the auto-instrumentation alone, one span per request. The last versions for Node 20',
    },
  ],
  budgetSeconds: 120,
  notes: {
    'cpu/fw, not sampled': UNRESOLVED,
    'cpu/fw, sampled': TRACER_PARTS,
    'http/fw, sampled': TRACER_PARTS,
    'span/fw, sampled': TRACER_PARTS,
    'ingest/fw aggregator': INGEST_PARTS,
    'reads/99th percentile of a run': `A read waits for the batch that is being taken (a millisecond or two) and for garbage collections; what is far above
that is the scheduler, when the aggregator does not have a core to itself. ${QUIET}`,
  },
  limits: `**Ambient request context** is what the plugin's \`logStamping\` switches on: the trace is in Node's AsyncLocalStorage as well, and every
await of the process pays for that, sampled or not. In the other rows it is off. OpenTelemetry uses it always.
Its exporter does not compress; fw's does, and pays for it here. One route, one host, no TLS.

**Memory over ten million spans** is measured by a run of its own, \`node --expose-gc docs/benchmarks/fleet/memory.mjs\`, with the
defaults of the aggregator and a clock that moves on with the spans: ${memoryInWords()}`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  const sink = new SpanSink();
  const address = await sink.listen();
  try {
    const tracer = await tracerTables(sink, address, settings);
    return [...tracer, ...(await aggregatorTables(settings))];
  } finally {
    sink.close();
  }
}

/** @type {(sink: SpanSink, address: string, settings: RunSettings) => Promise<TableInput[]>} */
async function tracerTables(sink, address, { rounds = 40, budgetSeconds, log }) {
  /** @type {Map<string, TracedService>} */
  const services = new Map();
  const names = [PLAIN, FW, AMBIENT, UNSAMPLED, DISABLED, OTEL_SPAN, OTEL_HTTP];
  try {
    const subjects = [];
    for (const name of [...names, ...[PLAIN, OTEL_SPAN, OTEL_HTTP].map((each) => controlName(each))]) {
      const { module } = subjectOf(name);
      const service = await TracedService.start(module, `${address}/${services.size}`);
      const number = services.size;
      services.set(name, service);
      subjects.push({
        name,
        check: () => check(name, service, () => sink.countOf(String(number))),
        sample: () => window(name, service),
      });
    }
    const measured = await runRounds({ subjects, rounds, budgetSeconds: budgetSeconds / 2, log });
    return [
      cpuTable(measured),
      ratioTable(measured, OTEL_HTTP, 'http', 0.2),
      ratioTable(measured, OTEL_SPAN, 'span', 0.4),
      await heapTable(address),
      await deliveredTable(sink, address, log),
    ];
  } finally {
    await Promise.all([...services.values()].map((service) => service.stop()));
  }
}

/** @param {string} name - of a subject, or of its control */
function subjectOf(name) {
  const subject = Object.entries(SUBJECTS).find(([key]) => name === key || name === controlName(key));
  if (subject === undefined) throw new Error(`there is no subject ${name}`);
  return subject[1];
}

/** @type {(name: string, service: TracedService, count: () => number) => Promise<void>} */
async function check(name, service, count) {
  const { sampled, spans } = subjectOf(name);
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${sampled ? '01' : '00'}`;
  const answer = await fetch(`http://127.0.0.1:${service.port}/users/1234`, { headers: { traceparent } });
  assert.deepEqual(await answer.json(), { id: '1234', name: 'user 1234', roles: ['reader', 'writer'] });
  await load(service.port, { requests: 99, connections: 4, sampled });
  await service.ask('flush');
  assert.equal(count(), 100 * spans);
}

/** @type {(name: string, service: TracedService) => Promise<{ cpuUs: number }>} */
async function window(name, service) {
  const before = await service.cpuUs();
  await load(service.port, { ...WINDOW, sampled: subjectOf(name).sampled });
  return { cpuUs: ((await service.cpuUs()) - before) / WINDOW.requests };
}

/**
 * What a subject used over plain Koa in the same round.
 *
 * @type {(rounds: readonly Round[], name: string) => number[]}
 */
const overPlain = (rounds, name) =>
  rounds.map((round) => Number(round[name]?.['cpuUs']) - Number(round[PLAIN]?.['cpuUs']));

/** @type {(rounds: readonly Round[]) => TableInput} */
function cpuTable(rounds) {
  return {
    id: 'cpu',
    title: 'Processor time of a request, over plain Koa',
    unit: 'us',
    rows: [
      { subject: controlName(PLAIN), control: true, values: overPlain(rounds, controlName(PLAIN)) },
      { subject: FW, values: overPlain(rounds, FW), goal: { atMost: 12 } },
      { subject: AMBIENT, values: overPlain(rounds, AMBIENT) },
      { subject: UNSAMPLED, values: overPlain(rounds, UNSAMPLED), goal: { atMost: 2 } },
      { subject: DISABLED, values: overPlain(rounds, DISABLED), goal: { atMost: 1 } },
      { subject: OTEL_SPAN, values: overPlain(rounds, OTEL_SPAN) },
      { subject: OTEL_HTTP, values: overPlain(rounds, OTEL_HTTP) },
    ],
  };
}

/** @type {(rounds: readonly Round[], baseline: string, id: string, atMost: number) => TableInput} */
function ratioTable(rounds, baseline, id, atMost) {
  const bases = overPlain(rounds, baseline);
  /** @type {(name: string) => import('../harness/types.js').Pair[]} */
  const pairs = (name) => overPlain(rounds, name).map((own, round) => [Number(bases[round]), own]);
  const control = controlName(baseline);
  return {
    id,
    title: `Tracing, next to ${baseline}`,
    unit: 'us over plain Koa',
    baseline,
    formula: 'subject ÷ baseline',
    rows: [
      { subject: control, control: true, pairs: pairs(control) },
      { subject: FW, pairs: pairs(FW), goal: { atMost } },
    ],
  };
}

/** @param {string} address */
async function heapTable(address) {
  /** @type {Map<string, number[]>} */
  const bytes = new Map();
  for (const [name, { module, sampled }] of Object.entries(SUBJECTS)) {
    bytes.set(
      name,
      await heapWindows(await TracedService.start(module, `${address}/heap`, { forHeap: true }), sampled),
    );
  }
  const plain = median(bytes.get(PLAIN) ?? []);
  const over = (/** @type {string} */ name) => (bytes.get(name) ?? []).map((each) => each - plain);
  return {
    id: 'heap',
    title: 'Heap that a request allocates, over plain Koa',
    unit: 'B',
    rows: [
      { subject: PLAIN, control: true, values: over(PLAIN) },
      { subject: FW, values: over(FW), goal: { atMost: 2_500 } },
      { subject: AMBIENT, values: over(AMBIENT) },
      { subject: UNSAMPLED, values: over(UNSAMPLED) },
      { subject: DISABLED, values: over(DISABLED) },
      { subject: OTEL_SPAN, values: over(OTEL_SPAN) },
      { subject: OTEL_HTTP, values: over(OTEL_HTTP) },
    ],
  };
}

/** @type {(service: TracedService, sampled: boolean) => Promise<number[]>} */
async function heapWindows(service, sampled) {
  const heap = async () => /** @type {{ bytes: number, collections: number }} */ (await service.ask('heap'));
  const values = [];
  try {
    // Compiled code first: what the first thousands of requests allocate is for it.
    await load(service.port, { requests: 5_000, connections: 16, sampled });
    for (let run = 0; run < HEAP_WINDOWS; run++) {
      await service.ask('collect');
      await new Promise((resolve) => setTimeout(resolve, 50));
      const before = await heap();
      await load(service.port, { ...HEAP_WINDOW, sampled });
      const after = await heap();
      if (after.collections === before.collections) values.push((after.bytes - before.bytes) / HEAP_WINDOW.requests);
    }
  } finally {
    await service.stop();
  }
  return values;
}

/** @type {(sink: SpanSink, address: string, log: (line: string) => void) => Promise<TableInput>} */
async function deliveredTable(sink, address, log) {
  /** @type {RowInput[]} */
  const rows = [];
  for (const name of EXPORTING) {
    const { module } = subjectOf(name);
    const service = await TracedService.start(module, `${address}/saturated-${module}`);
    try {
      await load(service.port, SATURATION);
      await service.ask('close');
    } finally {
      await service.stop();
    }
    const share = (sink.countOf(`saturated-${module}`) / SATURATION.requests) * 100;
    log(`${name}: ${share.toFixed(1)} % delivered`);
    rows.push({ subject: name, values: [share], ...(name === FW && { goal: { atLeast: 99 } }) });
  }
  return { id: 'delivered', title: 'Spans that arrive at saturation', unit: '%', rows };
}

/** @param {RunSettings} settings */
async function aggregatorTables({ log }) {
  const runs = [];
  for (let run = 0; run < INGEST_RUNS; run++) {
    runs.push(await ingest(INGEST_SECONDS));
    log(`ingest run ${run + 1}: ${Math.round(runs[run]?.spansPerCpuSecond ?? 0)} spans per second of processor time`);
  }
  const p99 = runs.map(({ latencies }) => quantile(latencies, 0.99));
  return [
    {
      id: 'ingest',
      title: 'Spans taken over HTTP, per core',
      unit: 'spans per second of processor time',
      rows: [
        {
          subject: 'fw aggregator',
          values: runs.map(({ spansPerCpuSecond }) => spansPerCpuSecond),
          goal: { atLeast: 100_000 },
        },
      ],
    },
    {
      id: 'reads',
      title: 'Reads under full ingest',
      unit: 'ms',
      rows: [
        { subject: 'median of a run', values: runs.map(({ latencies }) => quantile(latencies, 0.5)) },
        { subject: '99th percentile of a run', values: p99, goal: { atMost: 50 } },
      ],
    },
    {
      id: 'retained',
      title: 'Heap per kept span',
      unit: 'B',
      rows: [
        {
          subject: 'fw aggregator',
          values: [await bytesPerRetainedSpan(), await bytesPerRetainedSpan()],
          goal: { atMost: 600 },
        },
      ],
    },
  ];
}

function memoryInWords() {
  const file = new URL('../results/fleet-memory.json', import.meta.url);
  const { spans, rssGrowthMiBPerMillion: growth, rows } = JSON.parse(readFileSync(file, 'utf8'));
  const [first, last] = [rows[0], rows.at(-1)];
  const mib = (/** @type {number} */ value) => value.toFixed(0);
  return (
    `after the first million of ${spans / 1e6} million spans the heap held ${mib(first.heapMiB)} MiB, after the last ${mib(last.heapMiB)} MiB; ` +
    `resident memory went from ${mib(first.rssMiB)} to ${mib(last.rssMiB)} MiB, ${growth.toFixed(2)} MiB for each further million (goal: at most 1). ` +
    'Each million, with fills and evictions, is in [results/fleet-memory.json](results/fleet-memory.json).'
  );
}

/** @type {(values: readonly number[]) => number} */
const median = (values) => quantile(values, 0.5);

/** @type {(values: readonly number[], share: number) => number} */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return Number(sorted[Math.floor(share * (sorted.length - 1))]);
}
