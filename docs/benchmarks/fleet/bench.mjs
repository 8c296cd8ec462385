import { readFileSync } from 'node:fs';
import { quantile } from 'simple-statistics';
import { buildProduct, CORES, leaveMeasuredCore } from '../harness/index.mjs';
import { heapTable } from './allocation.mjs';
import { CALLS } from './calling.mjs';
import { clientSpansTable } from './client-spans.mjs';
import { deliveredTable, SATURATION } from './delivery.mjs';
import { bytesPerRetainedSpan, ingest } from './ingest.mjs';
import { besideOpenTelemetry, besidePlain, PROCESSES, WINDOW } from './overhead.mjs';
import { SpanSink } from './span-sink.mjs';
import { PLAIN } from './traced-subjects.mjs';

/** @typedef {import('../harness/types.js').RunSettings} RunSettings */

const INGEST_SECONDS = 6;
const INGEST_RUNS = 4;

const UNSAMPLED_PARTS = `Parts left out one by one, in processes of their own: the check of the header takes about 1.2 us, the clock 0.9, the layer in
Koa's chain 0.7, and the promise behind it less than this shows. In a loop that does nothing else all of it takes 0.2 us: between two requests the
processor has forgotten it. The time is taken although nothing is recorded, because a failure would be.`;
const TRACER_PARTS = `Measured one by one: reading the header, ids, the two objects and the promise take about 1.7 us; writing JSON and
compressing it 2 us (the peers write JSON too, and do not compress); the POST of every 200 spans 1.5 us a span. A batch size above the default of 200 makes the last part smaller.`;
const INGEST_PARTS = `A profile shows JSON.parse with 22 % of the time, garbage collection with 17 %, the tag index with 8 %, eviction with 6 %, sending
the answers with 5 % and gunzip with 4 %. Processor time grows when others share the caches and the core's other thread.`;

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'fleet',
  title: 'Fleet tracing',
  measured: `**The tracer.** A Koa service with one route, one middleware and an async function answers \`GET /users/:id\` with JSON; every
request brings its own W3C \`traceparent\`. Each subject traces the same service in a process of its own and exports to a sink that counts
spans. A window is ${WINDOW.count.toLocaleString('en')} requests over ${WINDOW.connections} open connections, each of which sends its next request when it has its answer, so the service is
saturated; in each round every subject has one window, in shuffled order. ${CORES} **Processor time** is what the
service's process used, all of its threads, exporting and compressing included; what plain Koa used is taken off, in ${WINDOW.slices} slices of the
window that alternate with those of plain Koa, each after ${WINDOW.connections} requests that do not count. fw changes nothing for a service beside it, so its own process serves plain Koa too, on
another port: two processes of one program differ by more than is to be shown. OpenTelemetry and ambient context change the whole
process; plain Koa beside them has a process of its own. There are ${PROCESSES} processes of each subject, one after the other, three next to OpenTelemetry. **Heap** is what a request
allocates, of windows without a garbage collection, what plain Koa allocates taken off. **Delivered** is how many of ${SATURATION.count.toLocaleString('en')} requests without
a pause arrived as spans. Before anything counts, every subject has to give the same answer and to deliver the spans that it should.

**Spans of calls** are on in all of this (\`clientSpans\`), and these requests make none. What one costs is measured next to the same call
without: ${CALLS} of a kind below one span, with ambient context, by slices that take turns in one process; the callee and the sink are in another, on the
other core. The statement is \`SELECT 1\` on SQLite in memory, the event has one listener that does nothing.

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
  budgetSeconds: 360,
  notes: {
    'cpu/fw, not sampled': UNSAMPLED_PARTS,
    'cpu/fw, sampled': TRACER_PARTS,
    'http/fw, sampled': TRACER_PARTS,
    'span/fw, sampled': TRACER_PARTS,
    'ingest/fw aggregator': INGEST_PARTS,
    'reads/99th percentile of a run': `A read waits for the batch that is being taken (a millisecond or two) and for garbage collections; what is far above
that is the scheduler, when the aggregator does not have a core to itself.`,
  },
  limits: `**Ambient request context** is what the plugin's \`logStamping\` switches on: the trace is in Node's AsyncLocalStorage as well, and every
await of the process pays for that, sampled or not. In the other rows it is off. OpenTelemetry uses it always.
Its exporter does not compress; fw's does, and pays for it here. One route, one host, no TLS.

**What the span of a call costs**, in microseconds of processor time over the same call without, its control within 1.3 of zero for \`fetch\` and
0.1 for the others, one run on Node 26.12 and one on 20.20 (2026-11-29, AMD EPYC): \`fetch\` 10.4 and 21.2, \`node:http\` 8.6 and 10.8, a statement of the ORM
0.9 and 1.6, an event 0.1 and 0.2. The goals in these two runs, with spans of calls on: a sampled request cost 5.5 and 6.6 us over plain Koa,
0.21 and 0.17 of OpenTelemetry's auto-instrumentation, and 0.52 and 0.41 of its span by hand (control 0.81 to 1.13 and 0.78 to 1.18), which Node 26 has
made cheaper by what AsyncLocalStorage cost; all the others were met.

**Memory over ten million spans** is measured by a run of its own, \`node --expose-gc docs/benchmarks/fleet/memory.mjs\`, with the
defaults of the aggregator and a clock that moves on with the spans: ${memoryInWords()}`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  leaveMeasuredCore();
  const sink = new SpanSink();
  const address = await sink.listen();
  const half = { ...settings, budgetSeconds: settings.budgetSeconds / 2 };
  try {
    return [
      await besidePlain(sink, address, half),
      ...(await besideOpenTelemetry(sink, address, half)),
      await clientSpansTable(address, settings.log),
      await heapTable(address),
      await deliveredTable(sink, address, settings.log),
      ...(await aggregatorTables(settings)),
    ];
  } finally {
    sink.close();
  }
}

/** @param {RunSettings} settings */
async function aggregatorTables({ log }) {
  const runs = [];
  for (let run = 0; run < INGEST_RUNS; run++) {
    runs.push(await ingest(INGEST_SECONDS));
    log(`ingest run ${run + 1}: ${Math.round(runs[run]?.spansPerCpuSecond ?? 0)} spans per second of processor time`);
  }
  const p99 = runs.map(({ latencies }) => quantile([...latencies], 0.99));
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
        { subject: 'median of a run', values: runs.map(({ latencies }) => quantile([...latencies], 0.5)) },
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
