import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Connections } from './connections.mjs';
import { onMeasuredCore } from './cores.mjs';
import { messageOf } from './message-of.mjs';

/** @typedef {import('./types.js').Slices} Slices */

const SERVE = path.join(import.meta.dirname, 'serve.mjs');

/** A server in a process of its own. */
export class MeasuredServer {
  /** @type {import('node:child_process').ChildProcess} */
  #child;

  /**
   * @param {number} port
   * @param {import('node:child_process').ChildProcess} child
   */
  constructor(port, child) {
    this.port = port;
    this.#child = child;
  }

  /**
   * @param {string} module - path of a module whose `start(...values)` gives the port that it listens on
   * @param {...unknown} values - as JSON has them
   */
  static async start(module, ...values) {
    const child = fork(SERVE, [module, JSON.stringify(values)], {
      ...onMeasuredCore(),
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' },
      // Logs are written, and go nowhere.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return new MeasuredServer(Number(await messageOf(child, module)), child);
  }

  /** Processor time so far, in microseconds, of all threads. */
  async cpuUs() {
    this.#child.send('cpu');
    const { user, system } = /** @type {NodeJS.CpuUsage} */ (await messageOf(this.#child, 'the subject'));
    return user + system;
  }

  /**
   * Slices of requests over open connections, each of which sends its next request when it has its answer: what one of them took, as
   * `cpuUs` and `wallUs`.
   *
   * @param {{ readonly requests: readonly Buffer[], readonly count: number, readonly connections: number }} load - `count`: of one slice
   * @returns {Promise<Slices>}
   */
  async slices({ requests, count, connections }) {
    const opened = await Connections.open(this.port, connections, requests);
    let sent = 0;
    const next = () => {
      const from = sent % requests.length;
      sent += count;
      return [...requests.slice(from), ...requests.slice(0, from)];
    };
    return { sample: () => this.#slice(opened, next(), count, connections), end: () => opened.close() };
  }

  /** @type {(opened: Connections, requests: readonly Buffer[], count: number, connections: number) => Promise<{ cpuUs: number, wallUs: number }>} */
  async #slice(opened, requests, count, connections) {
    // A request of each connection that does not count: the caches of the core are those of whoever had the turn before.
    await opened.send(requests, connections);
    const before = await this.cpuUs();
    const from = performance.now();
    await opened.send(requests, count);
    const wallUs = ((performance.now() - from) * 1000) / count;
    return { cpuUs: ((await this.cpuUs()) - before) / count, wallUs };
  }

  async stop() {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
