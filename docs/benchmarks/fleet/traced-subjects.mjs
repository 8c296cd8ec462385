import assert from 'node:assert/strict';
import { controlName, exchange } from '../harness/index.mjs';
import { requestsOf } from './requests.mjs';
import { TracedService } from './traced-service.mjs';

/** @typedef {import('./span-sink.mjs').SpanSink} SpanSink */

export const PLAIN = 'plain Koa';
export const FW = 'fw, sampled';
export const AMBIENT = 'fw, sampled, ambient context';
export const UNSAMPLED = 'fw, not sampled';
export const DISABLED = 'fw, disabled';
export const OTEL_SPAN = 'OpenTelemetry, one span by hand';
export const OTEL_HTTP = 'OpenTelemetry, HTTP auto-instrumentation';

/**
 * Subjects by name: the module that traces, whether the caller's trace is sampled, the spans of a request, and whether tracing
 * changes the whole process, so that plain Koa beside it has to be in another.
 */
export const SUBJECTS = {
  [PLAIN]: { module: 'plain', sampled: true, spans: 0, changesProcess: false },
  [FW]: { module: 'fw', sampled: true, spans: 1, changesProcess: false },
  [AMBIENT]: { module: 'fw-ambient', sampled: true, spans: 1, changesProcess: true },
  [UNSAMPLED]: { module: 'fw', sampled: false, spans: 0, changesProcess: false },
  [DISABLED]: { module: 'fw-disabled', sampled: true, spans: 0, changesProcess: false },
  [OTEL_SPAN]: { module: 'otel-span', sampled: true, spans: 1, changesProcess: true },
  [OTEL_HTTP]: { module: 'otel-http', sampled: true, spans: 1, changesProcess: true },
};

/** @param {string} name - of a subject, or of its control */
export function subjectOf(name) {
  const subject = Object.entries(SUBJECTS).find(([key]) => name === key || name === controlName(key));
  if (subject === undefined) throw new Error(`there is no subject ${name}`);
  return subject[1];
}

let started = 0;

/**
 * A service of its own for a subject, and the check that it does the work.
 *
 * @param {string} name
 * @param {SpanSink} sink
 * @param {string} address - of the sink
 */
export async function startedSubject(name, sink, address) {
  const number = String(started++);
  const service = await TracedService.start(subjectOf(name).module, `${address}/${number}`);
  return { service, check: () => check(name, service, () => sink.countOf(number)) };
}

/** @type {(name: string, service: TracedService, count: () => number) => Promise<void>} */
async function check(name, service, count) {
  const { sampled, spans } = subjectOf(name);
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${sampled ? '01' : '00'}`;
  const answer = await fetch(`http://127.0.0.1:${service.port}/users/1234`, { headers: { traceparent } });
  assert.deepEqual(await answer.json(), { id: '1234', name: 'user 1234', roles: ['reader', 'writer'] });
  await exchange(service.port, { requests: requestsOf(sampled), count: 99, connections: 4 });
  await service.ask('flush');
  assert.equal(count(), 100 * spans);
}
