import cluster from 'node:cluster';

/** Variable by which `fw start --workers` tells a process that it starts which one it is: `2/4`. */
export const WORKER = 'FW_WORKER';

/** Variable with the socket at which the first worker takes requests from the others. */
export const WORKER_DOOR = 'FW_WORKER_DOOR';

/** Variable with the secret that the workers of one start share. */
export const WORKER_SECRET = 'FW_WORKER_SECRET';

/** Sent to a worker. */
export type ToWorker = { readonly fw: 'stop' };

/** Sent by a worker. */
export type FromWorker = { readonly fw: 'ready' };

/** One of several processes that serve an application on one port. */
export class ThisWorker {
  /** Resolves when the workers are asked to stop, and when the supervisor is gone. */
  readonly stop: Promise<void>;
  #held: readonly string[] = [];

  constructor(
    /** From 1. */
    readonly index: number,
    readonly count: number,
    /** Socket at which the first worker takes requests from the others. */
    readonly door: string,
    /** Shared by the workers of this start. */
    readonly secret: string,
  ) {
    this.stop = new Promise((resolve) => {
      process.on('message', (message: unknown) => {
        if ((message as Partial<ToWorker> | null)?.fw === 'stop') resolve();
      });
      process.once('disconnect', resolve);
    });
    // Otherwise Node would end the worker in the middle of its requests when the supervisor is killed.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  }

  /** Whether it runs what only one process may run, such as the dashboard. */
  get isFirst(): boolean {
    return this.index === 1;
  }

  /** Paths whose requests the first worker answers, with all below them; none in that worker itself. */
  get held(): readonly string[] {
    return this.#held;
  }

  /** Registers paths that only the first worker answers. */
  hold(paths: readonly string[]): void {
    this.#held = paths;
  }

  /** Says that the application is up. */
  ready(): void {
    const told: FromWorker = { fw: 'ready' };
    process.send?.(told);
  }
}

let worker: ThisWorker | undefined;
let isAsked = false;

/** This process as a worker; undefined if it serves alone. */
export function thisWorker(): ThisWorker | undefined {
  if (isAsked) return worker;
  isAsked = true;
  const [index, count] = (process.env[WORKER] ?? '').split('/').map(Number);
  const { [WORKER_DOOR]: door, [WORKER_SECRET]: secret } = process.env;
  if (index && count && door !== undefined && secret !== undefined && process.send !== undefined)
    worker = new ThisWorker(index, count, door, secret);
  // Children of this process are no workers.
  delete process.env[WORKER];
  delete process.env[WORKER_DOOR];
  delete process.env[WORKER_SECRET];
  return worker;
}
