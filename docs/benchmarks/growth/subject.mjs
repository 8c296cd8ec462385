// One subject of one size: `node --expose-gc subject.mjs <axis> <size> [folder]`. Started by measured-subject.mjs, which asks over IPC.

/**
 * What a module of `subjects/` opens.
 *
 * @typedef {object} OpenSubject
 * @property {number} [port] - of subjects that are asked over HTTP
 * @property {Readonly<Record<string, () => unknown>>} [operations] - of subjects that are called
 */

/** @typedef {{ readonly ask: 'cpu' | 'memory' } | { readonly ask: 'run', readonly operation: string, readonly count: number }} Question */

const [axis, size, folder] = process.argv.slice(2);
const { open } = await import(`./subjects/${axis}.mjs`);
/** @type {OpenSubject} */
const { port, operations = {} } = await open(Number(size), folder);

process.on('message', (message) => process.send?.({ answer: answerOf(/** @type {Question} */ (message)) }));
process.send?.({ answer: { port, startMs: processorUs() / 1000, operations: Object.keys(operations) } });

/** @param {Question} question */
function answerOf(question) {
  if (question.ask === 'run') return microsecondsOf(question.operation, question.count);
  return question.ask === 'cpu' ? processorUs() : memory();
}

/** Processor time of all threads so far, in microseconds. */
function processorUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function memory() {
  const collect = /** @type {() => void} */ (globalThis.gc);
  collect();
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss };
}

/** @type {(operation: string, count: number) => number} */
function microsecondsOf(operation, count) {
  const run = operations[operation];
  if (run === undefined) throw new Error(`${axis} has no operation ${operation}`);
  const from = processorUs();
  for (let at = 0; at < count; at++) run();
  return (processorUs() - from) / count;
}
