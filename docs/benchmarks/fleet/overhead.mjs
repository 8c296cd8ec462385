// Processor time that tracing adds to a request.
import { setTimeout as pause } from 'node:timers/promises';
import { Connections, controlName, roundsOfProcesses } from '../harness/index.mjs';
import { requestsOf } from './requests.mjs';
import {
  AMBIENT,
  DISABLED,
  FW,
  OTEL_HTTP,
  OTEL_SPAN,
  PLAIN,
  startedSubject,
  subjectOf,
  UNSAMPLED,
} from './traced-subjects.mjs';

/** @typedef {import('../harness/types.js').Goal} Goal */
/** @typedef {import('../harness/types.js').Round} Round */
/** @typedef {import('../harness/types.js').RowInput} RowInput */
/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').Subject} Subject */
/** @typedef {import('../harness/types.js').TableInput} TableInput */
/** @typedef {import('./span-sink.mjs').SpanSink} SpanSink */
/** @typedef {import('./traced-service.mjs').TracedService} TracedService */

/** Requests of one window, the connections that send them, and its pieces, each next to one of plain Koa. */
export const WINDOW = { count: 4_000, connections: 64, slices: 10 };
/** Processes of each subject: they differ by one to two microseconds, as much as a request that is not sampled costs. */
export const PROCESSES = 9;
/** Milliseconds after the last answer that count as well: what a service has left for later, such as an export under way. */
const AFTERMATH = 5;

/**
 * What fw costs over plain Koa, which the same process serves as well.
 *
 * @type {(sink: SpanSink, address: string, settings: RunSettings) => Promise<TableInput>}
 */
export async function besidePlain(sink, address, { rounds = 45, budgetSeconds, log }) {
  const names = [controlName(PLAIN), FW, UNSAMPLED, DISABLED];
  const start = (/** @type {string} */ name) => started(name, sink, address);
  const measured = await roundsOfProcesses({ names, start, rounds, processes: PROCESSES, budgetSeconds, log });
  /** @type {(subject: string, goal: Goal) => RowInput} */
  const row = (subject, goal) => ({ subject, values: overPlain(measured, subject), goal });
  const control = controlName(PLAIN);
  return {
    id: 'cpu',
    title: 'Processor time of a request, over plain Koa in the same process',
    unit: 'us',
    rows: [
      { subject: control, values: overPlain(measured, control), control: true },
      row(FW, { atMost: 12 }),
      row(UNSAMPLED, { atMost: 2 }),
      row(DISABLED, { atMost: 1 }),
    ],
  };
}

/**
 * fw next to OpenTelemetry.
 *
 * @type {(sink: SpanSink, address: string, settings: RunSettings) => Promise<TableInput[]>}
 */
export async function besideOpenTelemetry(sink, address, { rounds = 30, budgetSeconds, log }) {
  const controls = [OTEL_SPAN, OTEL_HTTP].map((each) => controlName(each));
  const names = [FW, AMBIENT, OTEL_SPAN, OTEL_HTTP, ...controls];
  const start = (/** @type {string} */ name) => started(name, sink, address);
  const measured = await roundsOfProcesses({ names, start, rounds, budgetSeconds, log });
  return [ratioTable(measured, OTEL_HTTP, 'http', 0.2), ratioTable(measured, OTEL_SPAN, 'span', 0.4)];
}

/** @type {(name: string, sink: SpanSink, address: string) => Promise<Subject & { readonly stop: () => Promise<void> }>} */
async function started(name, sink, address) {
  const { service, check } = await startedSubject(name, sink, address);
  const { sampled, changesProcess } = subjectOf(name);
  const other = changesProcess ? await startedSubject(PLAIN, sink, address) : undefined;
  const own = { service, port: service.port };
  const plain = other ? { service: other.service, port: other.service.port } : { service, port: service.plainPort };
  return {
    name,
    check: async () => {
      await check();
      await other?.check();
    },
    sample: () => sampleBesidePlain(own, plain, requestsOf(sampled)),
    stop: async () => {
      await service.stop();
      await other?.service.stop();
    },
  };
}

/** @typedef {{ readonly service: TracedService, readonly port: number }} Measured */

/** @type {(own: Measured, plain: Measured, requests: readonly Buffer[]) => Promise<Record<string, number>>} */
async function sampleBesidePlain(own, plain, requests) {
  const ownConnections = await Connections.open(own.port, WINDOW.connections, requests);
  const plainConnections = await Connections.open(plain.port, WINDOW.connections, requests);
  const ownSlice = () => perRequest(own.service, ownConnections, requests);
  const plainSlice = () => perRequest(plain.service, plainConnections, requests);
  let [cpuUs, plainUs] = [0, 0];
  for (let at = 0; at < WINDOW.slices; at++) {
    // Next to each other, and in the other order each time: what drifts falls on both alike.
    if (at % 2 === 0) plainUs += (await plainSlice()) / WINDOW.slices;
    cpuUs += (await ownSlice()) / WINDOW.slices;
    if (at % 2 === 1) plainUs += (await plainSlice()) / WINDOW.slices;
  }
  ownConnections.close();
  plainConnections.close();
  return { cpuUs, plainUs };
}

/** @type {(service: TracedService, connections: Connections, requests: readonly Buffer[]) => Promise<number>} */
async function perRequest(service, connections, requests) {
  const count = WINDOW.count / WINDOW.slices;
  // A request of each connection that does not count: the caches of the core are those of whoever had the turn before.
  await connections.send(requests, WINDOW.connections);
  await pause(AFTERMATH);
  const before = await service.cpuUs();
  await connections.send(requests, count);
  await pause(AFTERMATH);
  return ((await service.cpuUs()) - before) / count;
}

/** @type {(rounds: readonly Round[], name: string) => number[]} */
const overPlain = (rounds, name) =>
  rounds.map((round) => Number(round[name]?.['cpuUs']) - Number(round[name]?.['plainUs']));

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
      { subject: AMBIENT, pairs: pairs(AMBIENT) },
    ],
  };
}
