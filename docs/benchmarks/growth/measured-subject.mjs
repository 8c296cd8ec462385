import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { messageOf, onMeasuredCore } from '../harness/index.mjs';

const SUBJECT = path.join(import.meta.dirname, 'subject.mjs');

/** What a subject says when it has started. @typedef {{ readonly port?: number, readonly startMs: number }} Started */

/** A subject of `subjects/` with so many of what its axis counts, in a process of its own. */
export class MeasuredSubject {
  /** @type {import('node:child_process').ChildProcess} */
  #child;

  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {number} size
   * @param {Started} started
   */
  constructor(child, size, { port = 0, startMs }) {
    this.#child = child;
    this.size = size;
    this.port = port;
    this.startMs = startMs;
  }

  /**
   * @param {string} axis
   * @param {number} size
   * @param {string} [folder] - of a project that was prepared for it
   */
  static async start(axis, size, folder = '') {
    const child = fork(SUBJECT, [axis, String(size), folder], {
      ...onMeasuredCore(['--expose-gc', '--max-old-space-size=6144']),
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', FW_LOG_LEVEL: 'error' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const started = /** @type {Started} */ (await answerOf(child, `${size} ${axis}`));
    return new MeasuredSubject(child, size, started);
  }

  /** Heap and resident memory in bytes, after a collection. */
  async memory() {
    return /** @type {{ heap: number, rss: number }} */ (await this.#ask({ ask: 'memory' }));
  }

  /** Processor time of all threads so far, in microseconds. */
  async cpuUs() {
    return Number(await this.#ask({ ask: 'cpu' }));
  }

  /**
   * Microseconds of one call.
   *
   * @param {string} operation
   * @param {number} count
   */
  async callUs(operation, count) {
    return Number(await this.#ask({ ask: 'run', operation, count }));
  }

  async stop() {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** @param {import('./subject.mjs').Question} question */
  #ask(question) {
    this.#child.send(question);
    return answerOf(this.#child, 'the subject');
  }
}

/** @type {(child: import('node:child_process').ChildProcess, name: string) => Promise<unknown>} */
const answerOf = async (child, name) =>
  /** @type {{ readonly answer: unknown }} */ (await messageOf(child, name)).answer;
