import type { Logger } from '../contracts/logger.js';
import { settlesWithin } from '../contracts/settles-within.js';
import { fwError } from '../errors/index.js';
import { REDIS_ERRORS } from './errors.js';

/** The one command of an ioredis client that our stores use. */
export interface RedisScripts {
  eval(script: string, keyCount: number, ...args: (string | number)[]): Promise<unknown>;
}

/** Longest that a request waits for Redis, in milliseconds. */
const ANSWER_MS = 500;
/** Longest that the start of a plugin waits for the connection, in milliseconds. */
const START_MS = 3_000;
/** Longest that Redis may say nothing while something is asked of it, in milliseconds; after that the connection is made anew. */
const SILENCE_MS = 5_000;

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
    const client = new Redis(this.url, {
      // Without an offline queue a command fails at once while Redis is unreachable, and the plugin decides what to do.
      enableOfflineQueue: false,
      // A script that counts or rotates must not run twice: a command whose answer is lost fails, and is never sent again.
      maxRetriesPerRequest: 0,
      // For the handshake too, to which the limit of a request does not apply: it falls into the start, when the event loop is busiest.
      connectTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      lazyConnect: true,
    });
    client.on('error', (error) => this.log.warn({ err: error }, `Redis of ${this.owner}`));
    this.#client = client;
    const away = (err: unknown) => {
      if (this.#client === client) this.log.warn({ err }, `Redis of ${this.owner} is away`);
    };
    if (await settlesWithin(client.connect().catch(away), START_MS)) return;
    away(fwError(REDIS_ERRORS.FW_REDIS_SILENT, { owner: this.owner, ms: START_MS }));
  }

  close(): void {
    this.#client?.disconnect();
    this.#client = undefined;
  }

  /** @throws FwError `FW_REDIS_AWAY`, `FW_REDIS_SILENT`, or what ioredis says */
  async eval(script: string, keyCount: number, ...args: (string | number)[]): Promise<unknown> {
    if (this.#client === undefined) throw fwError(REDIS_ERRORS.FW_REDIS_AWAY, { owner: this.owner });
    const answer = this.#client.eval(script, keyCount, ...args);
    if (await settlesWithin(answer, ANSWER_MS)) return answer;
    throw fwError(REDIS_ERRORS.FW_REDIS_SILENT, { owner: this.owner, ms: ANSWER_MS });
  }
}
