import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { onMeasuredCore } from '../harness/index.mjs';

const TOKEN = 'bench';
/** In production nobody reads without a credential. */
const VIEWER = { FLEET_USERNAME: 'bench', FLEET_PASSWORD: 'a password of the bench' };
const AS_VIEWER = {
  authorization: `Basic ${Buffer.from(`${VIEWER.FLEET_USERNAME}:${VIEWER.FLEET_PASSWORD}`).toString('base64')}`,
};
const WARM_MS = 1_000;
const PAUSE_MS = 20;
/** What a dashboard asks for, in turn. */
const READS = ['traces?min_services=1', 'topology', 'stats', 'incidents', 'services', 'violations'];

/** @typedef {{ readonly spansPerCpuSecond: number, readonly latencies: readonly number[] }} Ingest */

/**
 * An aggregator with a token, with as many spans as it takes for some seconds, and one viewer.
 *
 * @param {number} seconds
 * @returns {Promise<Ingest>}
 */
export async function ingest(seconds) {
  const aggregator = child('aggregator.mjs', [], { FLEET_INGEST_TOKEN: TOKEN, ...VIEWER }, onMeasuredCore());
  const url = String(await answerOf(aggregator));
  const sender = child('sender.mjs', [url, TOKEN]);
  try {
    await once(sender, 'message');
    await pause(WARM_MS);
    const [before, cpu] = [await accepted(url), await cpuUs(aggregator)];
    const latencies = await view(url, performance.now() + seconds * 1_000);
    const [after, used] = [await accepted(url), (await cpuUs(aggregator)) - cpu];
    return { spansPerCpuSecond: ((after - before) * 1e6) / used, latencies };
  } finally {
    await Promise.all([sender, aggregator].map(ended));
  }
}

/**
 * Bytes of heap that a kept span costs, measured in a fresh process.
 *
 * @returns {Promise<number>}
 */
export async function bytesPerRetainedSpan() {
  const measuring = child('retained.mjs', [], {}, { execArgv: ['--expose-gc'] });
  const [message] = await Promise.race([once(measuring, 'message'), failedOn(measuring)]);
  return /** @type {{ readonly bytesPerSpan: number }} */ (message).bytesPerSpan;
}

/** @type {(url: string, until: number) => Promise<number[]>} */
async function view(url, until) {
  const latencies = [];
  for (let turn = 0; performance.now() < until; turn++) {
    const from = performance.now();
    await (await read(url, String(READS[turn % READS.length]))).arrayBuffer();
    latencies.push(performance.now() - from);
    await pause(PAUSE_MS);
  }
  return latencies;
}

/**
 * @param {string} url
 * @param {string} what
 */
async function read(url, what) {
  const answer = await fetch(`${url}/fleet/api/${what}`, { headers: AS_VIEWER });
  if (!answer.ok) throw new Error(`the aggregator answered ${answer.status} to a viewer who asked for ${what}`);
  return answer;
}

/** @param {string} url */
async function accepted(url) {
  const stats = /** @type {{ spans_accepted: number, spans_rejected: number }} */ (
    await (await read(url, 'stats')).json()
  );
  if (stats.spans_rejected > 0) throw new Error(`the aggregator refused ${stats.spans_rejected} spans`);
  return stats.spans_accepted;
}

/** @param {import('node:child_process').ChildProcess} aggregator */
async function cpuUs(aggregator) {
  aggregator.send('cpu');
  const { user, system } = /** @type {NodeJS.CpuUsage} */ (await answerOf(aggregator));
  return user + system;
}

/** @type {(script: string, args: string[], env?: Record<string, string>, options?: import('node:child_process').ForkOptions) => import('node:child_process').ChildProcess} */
function child(script, args, env = {}, options = {}) {
  return fork(path.join(import.meta.dirname, script), args, {
    ...options,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...env },
  });
}

/** @param {import('node:child_process').ChildProcess} process */
async function answerOf(process) {
  const [message] = await Promise.race([once(process, 'message'), failedOn(process)]);
  return /** @type {{ readonly answer: unknown }} */ (message).answer;
}

/**
 * @param {import('node:child_process').ChildProcess} process
 * @returns {Promise<never>}
 */
function failedOn(process) {
  const failed = once(process, 'exit').then(([code]) => Promise.reject(new Error(`a process ended with ${code}`)));
  // After the answer its end is what we want.
  failed.catch(() => {});
  return failed;
}

/** @param {import('node:child_process').ChildProcess} process */
async function ended(process) {
  if (process.exitCode !== null || process.signalCode !== null) return;
  process.kill('SIGKILL');
  await once(process, 'exit');
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
