import type { Logger } from '../contracts/logger.js';
import { fwError } from '../errors/index.js';
import { REDIS_ERRORS } from './errors.js';

/** The one command of an ioredis client that our stores use. */
export interface RedisScripts {
  eval(script: string, keyCount: number, ...args: (string | number)[]): Promise<unknown>;
}

/** Longest that a request waits for Redis, in milliseconds. */
const COMMAND_TIMEOUT_MS = 500;

/** The Redis connection of one plugin: it is opened when the plugin starts; commands before that and after its end fail. */
export class RedisConnection implements RedisScripts {
  #client: (RedisScripts & { disconnect(): void }) | undefined;

  /**
   * @param url - `redis://` or `rediss://`
   * @param owner - names the plugin in sentences
   */
  constructor(
    private readonly url: string,
    private readonly owner: string,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Connects; an unreachable Redis is logged, and connected to when it is back.
   *
   * @throws FwError `FW_REDIS_NO_DRIVER` when ioredis is not installed
   */
  async open(): Promise<void> {
    const { Redis } = await import('ioredis').catch((cause: unknown) => {
      throw fwError(REDIS_ERRORS.FW_REDIS_NO_DRIVER, { owner: this.owner }, { cause });
    });
    // Without an offline queue a command fails at once while Redis is unreachable, and the plugin decides what to do.
    const client = new Redis(this.url, {
      commandTimeout: COMMAND_TIMEOUT_MS,
      enableOfflineQueue: false,
      lazyConnect: true,
    });
    client.on('error', (error) => this.log.warn({ err: error }, `Redis of ${this.owner}`));
    this.#client = client;
    const away = (error: unknown) => this.log.warn({ err: error }, `Redis of ${this.owner} is away`);
    await client.connect().catch(away);
  }

  close(): void {
    this.#client?.disconnect();
    this.#client = undefined;
  }

  /** @throws FwError `FW_REDIS_AWAY`, or what ioredis says */
  async eval(script: string, keyCount: number, ...args: (string | number)[]): Promise<unknown> {
    if (this.#client === undefined) throw fwError(REDIS_ERRORS.FW_REDIS_AWAY, { owner: this.owner });
    return this.#client.eval(script, keyCount, ...args);
  }
}
