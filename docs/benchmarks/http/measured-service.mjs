import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { messageOf, onMeasuredCore } from '../harness/index.mjs';

const SERVICE = path.join(import.meta.dirname, 'service.mjs');

/** A subject of `subjects/` that serves one scenario in a process of its own. */
export class MeasuredService {
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
   * @param {string} module
   * @param {string} scenario
   * @param {object} variant
   */
  static async start(module, scenario, variant) {
    const child = fork(SERVICE, [module, scenario, JSON.stringify(variant)], {
      ...onMeasuredCore(),
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' },
      // Logs are written, and go nowhere.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return new MeasuredService(Number(await messageOf(child, module)), child);
  }

  /** Processor time so far, in microseconds, of all threads. */
  async cpuUs() {
    this.#child.send('cpu');
    const { user, system } = /** @type {NodeJS.CpuUsage} */ (await messageOf(this.#child, 'the subject'));
    return user + system;
  }

  async stop() {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
