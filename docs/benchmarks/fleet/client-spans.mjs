// Processor time of the spans below a request: those of its calls, statements and events.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { controlName, slicesInFreshProcesses } from '../harness/index.mjs';
import { CALLS, OPERATIONS, SPANS, WITHOUT } from './calling.mjs';

/** @typedef {import('../harness/types.js').RowInput} RowInput */
/** @typedef {import('../harness/types.js').TableInput} TableInput */

const PROCESSES = 4;
const SLICES = 60;
const WARM_MS = 500;
/** What allocates most needs the longest slices, so that collections of garbage fall into all of them. */
const sliceMs = (/** @type {string} */ operation) => (operation === 'fetch' ? 300 : 60);

/**
 * What the span of a call costs: the same call in the same process, with and without.
 *
 * @type {(address: string, log: (line: string) => void) => Promise<TableInput>}
 */
export async function clientSpansTable(address, log) {
  const callee = createServer((_, response) => void response.end('{"id":1}')).listen(0, '127.0.0.1');
  await once(callee, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (callee.address());
  const module = new URL('calling.mjs', import.meta.url);
  module.searchParams.set('callee', `http://127.0.0.1:${port}/items/1`);
  module.searchParams.set('sink', `${address}/calls`);
  /** @type {(subject: string, operation: string) => Promise<number[]>} */
  const perCall = async (subject, operation) => {
    const plan = { processes: PROCESSES, slices: SLICES, sliceMs: sliceMs(operation), warmMs: WARM_MS };
    const job = { module: module.href, baseline: WITHOUT, subject, operations: [operation], ...plan };
    const { [operation]: pairs = [] } = await slicesInFreshProcesses(job);
    return pairs.map((pair) => (pair.subject.cpuUs - pair.baseline.cpuUs) / CALLS);
  };
  /** @type {RowInput[]} */
  const rows = [];
  try {
    for (const operation of OPERATIONS) {
      const control = { subject: controlName(WITHOUT), control: true, values: await perCall(WITHOUT, operation) };
      rows.push({ operation, ...control }, { operation, subject: SPANS, values: await perCall(SPANS, operation) });
      log(`${operation}: calls without and with their spans`);
    }
    return { id: 'calls', title: 'Processor time of the span of a call, over the same call without', unit: 'us', rows };
  } finally {
    callee.closeAllConnections();
    callee.close();
  }
}
