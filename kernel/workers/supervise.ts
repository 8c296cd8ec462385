import cluster, { type Worker } from 'node:cluster';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fwError } from '../errors/index.js';
import { untilAskedToStop } from '../process/index.js';
import { newSecret } from '../secrets/index.js';
import { WORKERS_ERRORS } from './errors.js';
import { type FromWorker, type ToWorker, WORKER, WORKER_DOOR, WORKER_SECRET } from './worker.js';

/** Most worker processes. */
const MOST = 256;
/** How often a worker may end by itself within {@link WINDOW_MS} before nobody starts it again. */
const MOST_CRASHES = 4;
const WINDOW_MS = 60_000;
/** Pause before a worker is started again; doubles each time. */
const FIRST_PAUSE_MS = 100;

/**
 * The number of processes that `--workers` asks for.
 *
 * @param given - `auto` for one per processor, or a number
 * @throws FwError `FW_WORKERS_COUNT`
 */
export function workerCount(given: string): number {
  if (given === 'auto') return availableParallelism();
  const count = /^\d+$/.test(given) ? Number(given) : 0;
  if (count < 1 || count > MOST) throw fwError(WORKERS_ERRORS.FW_WORKERS_COUNT, { given, most: MOST });
  return count;
}

/**
 * Serves by several processes on one port: the first one starts alone, so that one-time work of a start (tables, migrations) is done before
 * the others start. A worker that ends by itself is started again, within bounds. A request to stop stops all of them.
 *
 * @param count - of processes
 * @returns the exit code: 1 where the first worker does not start, or one did not stop cleanly
 * @throws FwError `FW_WORKERS_GIVEN_UP`, once the others have stopped
 */
export async function superviseWorkers(count: number): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-workers-'));
  // On Windows a pipe has no place in the file system (https://nodejs.org/api/net.html#identifying-paths-for-ipc-connections).
  const door = process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 'door');
  cluster.setupPrimary({ exec: process.argv[1] as string, args: process.argv.slice(2) });
  const supervisor = new Supervisor(count, door);
  try {
    return await supervisor.run();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class Supervisor {
  readonly #workers = new Map<number, Worker>();
  readonly #crashes = new Map<number, number[]>();
  /** Ends of the workers that run: those of months would be many. */
  readonly #ends = new Set<Promise<void>>();
  readonly #secret = newSecret();
  #isStopping = false;
  #exitCode = 0;
  #giveUp: (failure: Error) => void = () => undefined;
  readonly #givenUp = new Promise<Error>((resolve) => (this.#giveUp = resolve));

  constructor(
    readonly count: number,
    readonly door: string,
  ) {}

  async run(): Promise<number> {
    const asked = untilAskedToStop().received.then((cause) => {
      process.stdout.write(`\n${cause}: finishing running requests of ${this.count} workers (Ctrl-C ends at once)\n`);
    });
    void asked.then(() => this.#stop());
    let failure: unknown;
    if (await this.#start(1)) {
      for (let index = 2; index <= this.count; index++) void this.#start(index);
      process.stdout.write(`  ${this.count} workers share the address\n\n`);
      failure = await Promise.race([asked, this.#givenUp]);
    } else this.#exitCode = 1;
    this.#stop();
    await Promise.all(this.#ends);
    if (failure) throw failure;
    return this.#exitCode;
  }

  /** Starts a worker. @returns whether it serves; else it ended before */
  #start(index: number): Promise<boolean> {
    if (this.#isStopping) return Promise.resolve(false);
    const worker = cluster.fork({
      [WORKER]: `${index}/${this.count}`,
      [WORKER_DOOR]: this.door,
      [WORKER_SECRET]: this.#secret,
    });
    this.#workers.set(index, worker);
    let serves = false;
    const ended = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal: string | null) => resolve(signal ?? (code === 0 ? '' : `exit code ${code}`)));
    });
    const ready = new Promise<boolean>((resolve) => {
      worker.on('message', (message: Partial<FromWorker> | null) => {
        if (message?.fw === 'ready') resolve((serves = true));
      });
      void ended.then(() => resolve(false));
    });
    const end = ended.then((how) => this.#ended(index, how, serves));
    this.#ends.add(end);
    void end.then(() => this.#ends.delete(end));
    return ready;
  }

  async #ended(index: number, how: string, served: boolean): Promise<void> {
    this.#workers.delete(index);
    if (this.#isStopping) {
      // A worker that is stopped while it starts has no requests to finish, so any exit code is fine.
      if (how !== '' && served) this.#exitCode = 1;
      return;
    }
    // If the first worker does not come up, it has printed why, and no other is started.
    if (index === 1 && !served && !this.#crashes.has(1)) return;
    const now = performance.now();
    const crashes = [...(this.#crashes.get(index) ?? []).filter((at) => now - at < WINDOW_MS), now];
    this.#crashes.set(index, crashes);
    if (crashes.length > MOST_CRASHES) {
      const details = { index, times: crashes.length, window: `${WINDOW_MS / 1000} s` };
      this.#giveUp(fwError(WORKERS_ERRORS.FW_WORKERS_GIVEN_UP, details));
      return;
    }
    const pause = FIRST_PAUSE_MS * 2 ** (crashes.length - 1);
    process.stderr.write(`worker ${index} ended (${how || 'exit code 0'}); it is started again in ${pause} ms\n`);
    await delay(pause, undefined, { ref: !this.#isStopping });
    void this.#start(index);
  }

  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const told: ToWorker = { fw: 'stop' };
    for (const worker of this.#workers.values()) if (worker.isConnected()) worker.send(told, () => undefined);
  }
}
