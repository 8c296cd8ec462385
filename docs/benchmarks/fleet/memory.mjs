// Ten million spans through one aggregator: `node --expose-gc docs/benchmarks/fleet/memory.mjs [millions]`.
// Measures dist/ as it was last built. Writes results/fleet-memory.json: resident memory, heap, fills and evictions after each million.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { Aggregator, aggregatorDefaults, settingsOf } from '../../../dist/plugins/fleet/aggregator/index.js';
import { spansOf } from './span-batches.mjs';

const MILLIONS = Number(process.argv[2] ?? 10);
const BATCH = 200;
const MIB = 1024 * 1024;

// A clock that moves on with the spans: 20,000 spans a second, so that windows roll and traces expire as in real time.
let now = 1_750_000_000_000;
const clock = { now: () => now, monotonic: () => now };
const subject = new Aggregator(settingsOf(aggregatorDefaults()), {
  clock,
  fetchDocument: () => Promise.reject(new Error('no network')),
});

const rows = [];
const started = performance.now();
let cpu = process.cpuUsage();
for (let million = 1; million <= MILLIONS; million++) {
  for (let batch = 0; batch < 1e6 / BATCH; batch++) {
    now += 10;
    const text = JSON.stringify(spansOf((million - 1) * (1e6 / BATCH) + batch, BATCH, now));
    subject.acceptSpans(JSON.parse(text));
    if (batch % 100 === 0) subject.sweep();
    if (batch % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 50));
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const stats = subject.stats();
  rows.push({
    million,
    rssMiB: rss / MIB,
    heapMiB: heapUsed / MIB,
    spans: stats.spans,
    traces: stats.traces,
    evicted: stats.traces_evicted,
    expired: stats.traces_expired,
  });
  console.log(rows.at(-1));
}
cpu = process.cpuUsage(cpu);
const after = rows.slice(1);
const growth = after.length > 0 ? (after.at(-1).rssMiB - rows[0].rssMiB) / after.length : 0;
const result = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${os.cpus()[0]?.model ?? 'unknown'}, ${os.cpus().length} cores, Node ${process.version}`,
  spans: MILLIONS * 1e6,
  seconds: (performance.now() - started) / 1000,
  rssGrowthMiBPerMillion: growth,
  rows,
  finalStats: subject.stats(),
};
console.log(`growth after the first million: ${growth.toFixed(2)} MiB of RSS per million`);
if (MILLIONS >= 10)
  writeFileSync(
    fileURLToPath(new URL('../results/fleet-memory.json', import.meta.url)),
    `${JSON.stringify(result, null, 2)}\n`,
  );
