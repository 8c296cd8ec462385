// Heap that tracing allocates for a request.
import { median } from 'simple-statistics';
import { Connections } from '../harness/index.mjs';
import { requestsOf } from './requests.mjs';
import { AMBIENT, DISABLED, FW, OTEL_HTTP, OTEL_SPAN, PLAIN, SUBJECTS, UNSAMPLED } from './traced-subjects.mjs';
import { TracedService } from './traced-service.mjs';

const WINDOW = { count: 1_000, connections: 16 };
const WINDOWS = 7;

/**
 * @param {string} address
 * @returns {Promise<import('../harness/types.js').TableInput>}
 */
export async function heapTable(address) {
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
    const requests = requestsOf(sampled);
    const connections = await Connections.open(service.port, WINDOW.connections, requests);
    await connections.send(requests, 5_000);
    for (let run = 0; run < WINDOWS; run++) {
      await service.ask('collect');
      await new Promise((resolve) => setTimeout(resolve, 50));
      const before = await heap();
      await connections.send(requests, WINDOW.count);
      const after = await heap();
      if (after.collections === before.collections) values.push((after.bytes - before.bytes) / WINDOW.count);
    }
    connections.close();
  } finally {
    await service.stop();
  }
  return values;
}
