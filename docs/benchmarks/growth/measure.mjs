import { median, shuffle } from 'simple-statistics';
import { Connections } from '../harness/index.mjs';

/** @typedef {import('./axes.mjs').Axis} Axis */
/** @typedef {import('./axes.mjs').Filled} Filled */
/** @typedef {import('./axes.mjs').Prepared} Prepared */

/** What a process of one size cost: megabytes of memory, milliseconds of its start, microseconds of each thing it was asked for. */
/** @typedef {{ readonly startMs: number, readonly heapMiB: number, readonly rssMiB: number, readonly us: ReadonlyMap<string, number> }} Cost */

/** One fresh process of each size of an axis. @typedef {ReadonlyMap<number, Cost>} Costs */

const SLICES = 15;
/** Of one slice; they come over open connections, each of which sends its next request when it has its answer. */
const REQUESTS = 400;
const CONNECTIONS = 16;
/** Before anything counts. */
const WARM_REQUESTS = 3_000;
const WARM_SLICES = 12;
/** A document of ten thousand routes takes half a second, so there are few of them. */
const DOCUMENTS = 2;
const MIB = 1024 * 1024;

/** What the page says of {@link costsOf}. */
export const PLAN = `${SLICES} slices of ${REQUESTS} requests over ${CONNECTIONS} connections, after ${WARM_REQUESTS.toLocaleString('en')} that do not count`;

/**
 * Starts a fresh process of each size, in shuffled order, and asks them for the same things in slices that take turns.
 *
 * @param {Axis} axis
 * @param {Prepared | undefined} prepared
 * @returns {Promise<Costs>}
 */
export async function costsOf(axis, prepared) {
  /** @type {Filled[]} */
  const filled = [];
  try {
    for (const size of shuffle([...axis.sizes])) filled.push(await axis.start(size, prepared?.folders.get(size)));
    const memory = new Map();
    for (const { subject } of filled) memory.set(subject.size, await subject.memory());
    const us = axis.calls ? await callCosts(axis, filled) : await requestCosts(axis, filled);
    return new Map(
      axis.sizes.map((size) => {
        const { subject } = /** @type {Filled} */ (filled.find((each) => each.subject.size === size));
        const { heap, rss } = memory.get(size);
        const cost = {
          startMs: subject.startMs,
          heapMiB: heap / MIB,
          rssMiB: rss / MIB,
          us: us.get(size) ?? new Map(),
        };
        return [size, cost];
      }),
    );
  } finally {
    for (const { subject, close } of filled) {
      close?.();
      await subject.stop();
    }
  }
}

/** Microseconds by size, then by operation. @typedef {Map<number, Map<string, number>>} Measured */

/** @type {(axis: Axis, filled: readonly Filled[]) => Promise<Measured>} */
async function callCosts({ calls = {} }, filled) {
  const slices = new Slices();
  for (const [operation, count] of Object.entries(calls)) {
    for (const { subject } of filled) await subject.callUs(operation, WARM_SLICES * count);
    for (let slice = 0; slice < SLICES; slice++) {
      for (const { subject } of shuffle([...filled])) {
        slices.note(subject.size, operation, await subject.callUs(operation, count));
      }
    }
  }
  return slices.medians();
}

/** @type {(axis: Axis, filled: readonly Filled[]) => Promise<Measured>} */
async function requestCosts({ requests = {}, answersGrow = [] }, filled) {
  const slices = new Slices();
  for (const [operation, of] of Object.entries(requests)) {
    const grows = answersGrow.includes(operation);
    const [count, warm, connections] = grows ? [DOCUMENTS, DOCUMENTS, 1] : [REQUESTS, WARM_REQUESTS, CONNECTIONS];
    const asked = [];
    for (const { subject } of filled) {
      const sent = of(subject.size);
      const opened = await Connections.open(subject.port, connections, sent);
      await opened.send(sent, warm);
      asked.push({ subject, opened, sent });
    }
    for (let slice = 0; slice < (grows ? DOCUMENTS : SLICES); slice++) {
      for (const { subject, opened, sent } of shuffle([...asked])) {
        const from = await subject.cpuUs();
        await opened.send(sent, count);
        slices.note(subject.size, operation, ((await subject.cpuUs()) - from) / count);
      }
    }
    for (const { opened } of asked) opened.close();
  }
  return slices.medians();
}

/** What slices took. */
class Slices {
  /** @type {Map<number, Map<string, number[]>>} */
  #values = new Map();

  /** @type {(size: number, operation: string, us: number) => void} */
  note(size, operation, us) {
    const of = this.#values.get(size) ?? new Map();
    this.#values.set(size, of);
    of.set(operation, [...(of.get(operation) ?? []), us]);
  }

  /** @returns {Measured} */
  medians() {
    return new Map(
      [...this.#values].map(([size, of]) => [size, new Map([...of].map(([name, us]) => [name, median(us)]))]),
    );
  }
}
