import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { messageOf, onMeasuredCore } from '../harness/index.mjs';

const SERVICE = path.join(import.meta.dirname, 'service.mjs');
/** Room for everything that a window allocates, so that no collection falls into it. */
const HEAP_FLAGS = ['--expose-gc', '--max-semi-space-size=128', '--min-semi-space-size=128'];

/** A service in a process of its own, traced by a subject of `subjects/`. */
export class TracedService {
  /** @type {import('node:child_process').ChildProcess} */
  #child;
  #ended;

  /**
   * @param {string} name - of the module in `subjects/`
   * @param {{ readonly port: number, readonly plainPort: number }} ports - the second one is traced by nobody
   * @param {import('node:child_process').ChildProcess} child
   */
  constructor(name, { port, plainPort }, child) {
    this.name = name;
    this.port = port;
    this.plainPort = plainPort;
    this.#child = child;
    this.#ended = once(child, 'exit');
  }

  /**
   * @param {string} name
   * @param {string} sink
   * @param {{ readonly forHeap?: boolean }} [options]
   */
  static async start(name, sink, { forHeap = false } = {}) {
    const child = fork(SERVICE, [name, sink], {
      ...onMeasuredCore(forHeap ? HEAP_FLAGS : []),
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' },
    });
    const ports = /** @type {{ port: number, plainPort: number }} */ (await answerOf(child, name));
    return new TracedService(name, ports, child);
  }

  /**
   * @param {'cpu' | 'heap' | 'collect' | 'flush' | 'close'} question
   * @returns {Promise<unknown>}
   */
  ask(question) {
    this.#child.send(question);
    return answerOf(this.#child, this.name);
  }

  /** Processor time so far, in microseconds, of all threads. */
  async cpuUs() {
    const { user, system } = /** @type {NodeJS.CpuUsage} */ (await this.ask('cpu'));
    return user + system;
  }

  async stop() {
    this.#child.kill('SIGTERM');
    await this.#ended;
  }
}

/** @type {(child: import('node:child_process').ChildProcess, name: string) => Promise<unknown>} */
const answerOf = async (child, name) =>
  /** @type {{ readonly answer: unknown }} */ (await messageOf(child, name)).answer;
