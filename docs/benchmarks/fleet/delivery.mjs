// Spans that arrive when a service has no pause.
import { exchange } from '../harness/index.mjs';
import { requestsOf } from './requests.mjs';
import { FW, OTEL_HTTP, OTEL_SPAN, subjectOf } from './traced-subjects.mjs';
import { TracedService } from './traced-service.mjs';

/** @typedef {import('../harness/types.js').RowInput} RowInput */
/** @typedef {import('../harness/types.js').TableInput} TableInput */
/** @typedef {import('./span-sink.mjs').SpanSink} SpanSink */

/** Requests at saturation: about six seconds of them. */
export const SATURATION = { count: 50_000, connections: 64 };
const EXPORTING = [FW, OTEL_SPAN, OTEL_HTTP];

/** @type {(sink: SpanSink, address: string, log: (line: string) => void) => Promise<TableInput>} */
export async function deliveredTable(sink, address, log) {
  /** @type {RowInput[]} */
  const rows = [];
  for (const name of EXPORTING) {
    const { module } = subjectOf(name);
    const service = await TracedService.start(module, `${address}/saturated-${module}`);
    try {
      await exchange(service.port, { ...SATURATION, requests: requestsOf(true) });
      await service.ask('close');
    } finally {
      await service.stop();
    }
    const share = (sink.countOf(`saturated-${module}`) / SATURATION.count) * 100;
    log(`${name}: ${share.toFixed(1)} % delivered`);
    rows.push({ subject: name, values: [share], ...(name === FW && { goal: { atLeast: 99 } }) });
  }
  return { id: 'delivered', title: 'Spans that arrive at saturation', unit: '%', rows };
}
