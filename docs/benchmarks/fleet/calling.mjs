// Calls below a traced request, with spans of their own and without. A module of subjects; its address says where the callee and the sink are.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';

const { searchParams } = new URL(import.meta.url);
const CALLEE = String(searchParams.get('callee'));

/** Calls of one operation, all at once and below one span: that of the request is no part of what is measured. */
export const CALLS = 10;
export const SPANS = 'with its span';
export const WITHOUT = 'without spans of calls';

/** What is called, as the page says it. */
export const OPERATIONS = ['fetch', 'node:http', 'statement of the ORM', 'event of the bus'];

/** Ends the spans of the calls, where they are on: channels are those of the process, so the two subjects take turns. */
let end = () => {};
let areOn = false;

/** @param {string} name */
export async function open(name) {
  const dist = (/** @type {string} */ module) => import(`../../../dist/${module}`);
  const [{ newTracer, spanRecorder, queryTracing, traceCalls, traceEvents }, { LocalEventBus }, orm, sqlite] =
    await Promise.all([
      dist('plugins/fleet/tracer/index.js'),
      dist('kernel/index.js'),
      dist('plugins/orm/index.js'),
      dist('plugins/orm/dialect-sqlite/index.js'),
    ]);
  const tracer = newTracer({
    serviceName: 'bench',
    aggregatorURL: searchParams.get('sink'),
    enabled: true,
    ambientContext: true,
    clientSpans: false,
  });
  const recorder = spanRecorder(tracer);
  const isTraced = name === SPANS;
  const bus = new LocalEventBus();
  bus.on('paid', () => {});
  if (isTraced) traceEvents(bus, recorder);
  const observed = isTraced ? [orm.withObservers(queryTracing(recorder))] : [];
  const sql = orm.open(await sqlite.openSqlite(':memory:'), sqlite.sqlite, ...observed).sqlDB();
  const agent = new Agent({ keepAlive: true });
  /** @type {Readonly<Record<string, () => Promise<string>>>} */
  const calls = {
    fetch: async () => (await fetch(CALLEE)).text(),
    'node:http': () => answerOf(agent),
    'statement of the ORM': async () => JSON.stringify(await sql.query('SELECT 1 AS id', [])),
    'event of the bus': async () => String((await bus.emit('paid', { id: 1 })).called),
  };
  let done = 0;
  /** @type {(call: () => Promise<string>) => () => Promise<string | undefined>} */
  const below = (call) => async () => {
    if (areOn !== isTraced) {
      end();
      end = isTraced ? traceCalls(tracer) : () => {};
      areOn = isTraced;
    }
    done++;
    const answers = await tracer.startSpan('bench').run(() => Promise.all(Array.from({ length: CALLS }, call)));
    return answers[0];
  };
  return {
    operations: Object.fromEntries(Object.entries(calls).map(([operation, call]) => [operation, below(call)])),
    close: async () => {
      end();
      agent.destroy();
      await tracer.close();
      assert.equal(tracer.counters().spansRecorded, done * (isTraced ? 1 + CALLS : 1), `spans of ${name}`);
    },
  };
}

export const check = (/** @type {string} */ operation, /** @type {unknown} */ one, /** @type {unknown} */ other) =>
  assert.equal(one, other, operation);

/** @type {(agent: Agent) => Promise<string>} */
function answerOf(agent) {
  return new Promise((resolve, reject) => {
    let text = '';
    request(CALLEE, { agent }, (answer) => {
      answer
        .setEncoding('utf8')
        .on('data', (part) => (text += part))
        .on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
}
