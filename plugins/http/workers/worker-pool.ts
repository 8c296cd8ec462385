import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  degraded,
  type Duration,
  fwError,
  type Logger,
  milliseconds,
  ok,
  type ProbeReport,
} from '../../../kernel/index.js';
import { HTTP_ERRORS } from '../errors.js';

/** Bounds of a pool. */
interface WorkerPoolOptions {
  /** Threads; default one less than the processors, at least one. */
  readonly size?: number;
  /** Tasks that may wait; default 16 per thread. */
  readonly queue?: number;
  /** How long a task may run; default 30 s, 0 for no end. */
  readonly timeout?: Duration;
}

/** A function in a module. */
interface WorkerTask {
  readonly module: string;
  readonly name: string;
}

interface Job {
  readonly task: WorkerTask;
  readonly input: unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A 4xx error as data, because an error object cannot cross from the thread. */
interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly clientMessage?: string;
  readonly expose?: boolean;
  readonly title?: string;
  readonly errors?: unknown;
  /** Code of an `FwError`. */
  readonly code?: string;
}

type Answer = { readonly value: unknown } | { readonly error: string } | { readonly refusal: Refusal };

// Code of the thread. A text and not a file, so that it exists however the framework is bundled.
const THREAD = `
const { parentPort } = require('node:worker_threads');
const functions = new Map();
const find = async ({ module, name }) => {
  const key = module + '#' + name;
  if (!functions.has(key)) functions.set(key, (await import(module))[name]);
  const found = functions.get(key);
  if (typeof found !== 'function') throw new TypeError('the module exports no function of that name');
  return found;
};
const refusalOf = (error) => {
  const status = error?.status ?? error?.statusCode;
  if (!Number.isInteger(status) || status < 400 || status > 499) return undefined;
  const { message, clientMessage, expose, title, errors, code } = error;
  const isOurs = error[Symbol.for('fw.error')] === true;
  const fields = { status, message, clientMessage, expose, title, errors, code: isOurs ? code : undefined };
  return JSON.parse(JSON.stringify(fields));
};
parentPort.on('message', async ({ task, input }) => {
  try {
    parentPort.postMessage({ value: await (await find(task))(input) });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) {
      parentPort.postMessage({ refusal });
    } else parentPort.postMessage({ error: error instanceof Error ? error.stack : String(error) });
  }
});
`;

/** A bounded number of threads, and a bounded queue in front of them. Further tasks are refused at once. */
export class WorkerPool {
  readonly #size: number;
  readonly #maxQueue: number;
  readonly #timeoutMs: number;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #queue: Job[] = [];
  readonly #counts = { submitted: 0, rejected: 0, failed: 0, timed_out: 0 };
  #closed = false;

  /** @param log - gets errors of threads that no task is running in */
  constructor(
    { size = Math.max(1, availableParallelism() - 1), queue, timeout = '30s' }: WorkerPoolOptions,
    private readonly log: Logger,
  ) {
    this.#size = size;
    this.#maxQueue = queue ?? 16 * size;
    this.#timeoutMs = milliseconds(timeout);
  }

  /**
   * Runs a task in a thread.
   *
   * @param input - copied to the thread (structured clone)
   * @param signal - aborted when the result is no longer needed: a task that waits, or would, is dropped
   * @throws FwError `FW_HTTP_POOL_FULL` (503), `FW_HTTP_POOL_TIMEOUT` (504) or `FW_HTTP_WORKER` (500)
   */
  run(task: WorkerTask, input: unknown, signal?: AbortSignal): Promise<unknown> {
    this.#counts.submitted++;
    // The client may have gone away before there was a task.
    if (signal?.aborted) return Promise.reject(clientLeft());
    return new Promise((resolve, reject) => {
      const job: Job = { task, input, resolve, reject };
      const worker = this.#free();
      if (worker) return this.#start(worker, job);
      if (this.#closed || this.#queue.length >= this.#maxQueue) return reject(this.#refusal());
      this.#queue.push(job);
      signal?.addEventListener('abort', () => this.#drop(job), { once: true });
    });
  }

  /** Ends the threads; tasks that wait are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(this.#refusal());
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  /** What the `workerpool` subsystem reports. */
  report(): ProbeReport {
    const inFlight = this.#all.size - this.#idle.length;
    const detail = { ...this.#counts, queued: this.#queue.length, workers: this.#size, in_flight: inFlight };
    const troubles = this.#counts.rejected + this.#counts.failed + this.#counts.timed_out;
    if (troubles > 0) return degraded(`${troubles} blocking requests were refused or failed.`, { detail });
    return ok(`${inFlight} of ${this.#size} workers busy.`, { detail });
  }

  #refusal() {
    this.#counts.rejected++;
    const refused = fwError(HTTP_ERRORS.FW_HTTP_POOL_FULL, {});
    return Object.assign(refused, { headers: { 'Retry-After': '1' } });
  }

  #free(): Worker | undefined {
    const idle = this.#idle.pop();
    if (idle || this.#closed || this.#all.size >= this.#size) return idle;
    const worker = new Worker(THREAD, { eval: true });
    this.#all.add(worker);
    // A thread may fail or end without a task: by what a handler left running, or when its module calls process.exit.
    worker.on('error', (error) => this.#strayed(worker, error));
    worker.once('exit', () => this.#retire(worker));
    return worker;
  }

  #start(worker: Worker, job: Job): void {
    let isFinished = false;
    const finish = (end: () => void) => {
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      end();
    };
    const fail = (error: string) => finish(() => (this.#settle(job, { error }), this.#retire(worker)));
    const onMessage = (answer: Answer) => finish(() => (this.#settle(job, answer), this.#next(worker)));
    const onError = (error: Error) => fail(error.stack ?? String(error));
    const onExit = () => fail('its thread ended');
    const late = () => finish(() => this.#giveUp(worker, job));
    const timer = this.#timeoutMs > 0 ? setTimeout(late, this.#timeoutMs) : undefined;
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    try {
      worker.postMessage({ task: job.task, input: job.input });
    } catch (error) {
      onMessage({ error: String(error) });
    }
  }

  #strayed(worker: Worker, error: Error): void {
    if (!this.#idle.includes(worker)) return;
    this.#counts.failed++;
    this.log.error({ err: error }, 'a thread for blocking handlers failed after it had answered its request');
    this.#retire(worker);
  }

  #settle({ task, resolve, reject }: Job, answer: Answer): void {
    if ('value' in answer) return resolve(answer.value);
    // A refused request is no failure of the pool.
    if ('refusal' in answer) return reject(refused(answer.refusal));
    this.#counts.failed++;
    const handler = `${task.name} of ${task.module}`;
    reject(fwError(HTTP_ERRORS.FW_HTTP_WORKER, { handler, reason: answer.error }));
  }

  // A thread cannot be interrupted, only terminated; the next task gets a new one.
  #giveUp(worker: Worker, job: Job): void {
    this.#counts.timed_out++;
    job.reject(fwError(HTTP_ERRORS.FW_HTTP_POOL_TIMEOUT, {}));
    void worker.terminate();
    this.#retire(worker);
  }

  #retire(worker: Worker): void {
    this.#all.delete(worker);
    const position = this.#idle.indexOf(worker);
    if (position >= 0) this.#idle.splice(position, 1);
    const replacement = this.#queue.length > 0 ? this.#free() : undefined;
    if (replacement) this.#next(replacement);
  }

  #next(worker: Worker): void {
    const job = this.#queue.shift();
    if (job) this.#start(worker, job);
    else this.#idle.push(worker);
  }

  #drop(job: Job): void {
    const position = this.#queue.indexOf(job);
    if (position < 0) return;
    this.#queue.splice(position, 1);
    job.reject(clientLeft());
  }
}

const clientLeft = (): DOMException => new DOMException('The client went away.', 'AbortError');

function refused({ message, code, ...shape }: Refusal): Error {
  const error = Object.assign(new Error(message), shape);
  if (code === undefined) return error;
  return Object.defineProperty(Object.assign(error, { code }), Symbol.for('fw.error'), { value: true });
}
