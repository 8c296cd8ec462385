/** @typedef {(call: number) => unknown} Operation */
/** @typedef {{ readonly us: number, readonly cpuUs: number }} Slice */
/** @typedef {{ readonly baseline: Slice, readonly subject: Slice }} SlicePair */

/** Calls between two looks at the clock are doubled until they take this long. */
const LOOK_EVERY_MS = 0.5;

/**
 * Compares two operations in one process: short slices of each, next to each other, the order swapped from pair to pair, so
 * that both see the same state of the machine.
 *
 * @param {object} plan
 * @param {Operation} plan.baseline - called with 1, 2, 3, ...; may return a promise
 * @param {Operation} plan.subject
 * @param {number} [plan.slices] - pairs; default 30
 * @param {number} [plan.sliceMs] - default 40
 * @param {number} [plan.warmMs] - of each, before the first pair, at most; default 200
 * @param {number} [plan.warmCalls] - of each, after which it is warm whatever the time; default: no number is enough
 * @param {() => unknown} [plan.betweenPairs] - not timed; undoes what would slow the later pairs down
 * @returns {Promise<SlicePair[]>}
 */
export async function pairedSlices({ baseline, subject, slices = 30, sliceMs = 40, betweenPairs, ...warmUp }) {
  const { warmMs = 200, warmCalls = Infinity } = warmUp;
  const [a, b] = [slicer(baseline), slicer(subject)];
  await a(warmMs / 2, warmCalls / 2);
  await b(warmMs, warmCalls);
  await a(warmMs / 2, warmCalls / 2);
  /** @type {SlicePair[]} */
  const pairs = [];
  for (let index = 0; index < slices; index++) {
    await betweenPairs?.();
    const subjectFirst = index % 2 === 1;
    const early = await (subjectFirst ? b : a)(sliceMs);
    const late = await (subjectFirst ? a : b)(sliceMs);
    pairs.push(subjectFirst ? { baseline: late, subject: early } : { baseline: early, subject: late });
  }
  return pairs;
}

/**
 * @param {Operation} operation
 * @returns {(ms: number, mostCalls?: number) => Promise<Slice>}
 */
function slicer(operation) {
  let call = 0;
  let batch = 1;
  /** @type {boolean | undefined} */
  let isAsync;
  return async (ms, mostCalls = Infinity) => {
    const cpu = process.cpuUsage();
    const from = performance.now();
    let calls = 0;
    let looked = from;
    while (looked - from < ms && calls < mostCalls) {
      // An operation that answers at once must not pay for an await that its caller would not need.
      isAsync ??= await isPromise(operation(++call), () => calls++);
      if (isAsync) for (let i = 0; i < batch; i++) await operation(++call);
      else for (let i = 0; i < batch; i++) operation(++call);
      calls += batch;
      const now = performance.now();
      if (now - looked < LOOK_EVERY_MS) batch *= 2;
      looked = now;
    }
    const { user, system } = process.cpuUsage(cpu);
    return { us: ((looked - from) * 1000) / calls, cpuUs: (user + system) / calls };
  };
}

/**
 * @param {unknown} result
 * @param {() => void} counted
 */
async function isPromise(result, counted) {
  const isAsync = typeof (/** @type {{ then?: unknown } | undefined} */ (result)?.then) === 'function';
  await result;
  counted();
  return isAsync;
}
