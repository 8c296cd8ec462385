import { fwError, type Logger } from '../../../kernel/index.js';
import { RATE_LIMIT_ERRORS } from './errors.js';
import type { RateLimitStore } from './fixed-window.js';
import { redisRateLimitStore } from './redis-store.js';

/** Longest that a request waits for Redis, in milliseconds. */
const COMMAND_TIMEOUT_MS = 500;

/** A store that connects when the plugin starts and answers with an error before and after. */
export class RedisConnection implements RateLimitStore {
  #store: RateLimitStore | undefined;
  #close: (() => void) | undefined;

  constructor(
    private readonly url: string,
    private readonly prefix: string,
    private readonly log: Logger,
  ) {}

  /** @throws FwError `FW_RATE_LIMIT_NO_DRIVER` when ioredis is not installed */
  async open(): Promise<void> {
    const { Redis } = await import('ioredis').catch((cause: unknown) => {
      throw fwError(RATE_LIMIT_ERRORS.FW_RATE_LIMIT_NO_DRIVER, {}, { cause });
    });
    // Without an offline queue a command fails at once while Redis is away, and `onStoreError` decides.
    const client = new Redis(this.url, {
      commandTimeout: COMMAND_TIMEOUT_MS,
      enableOfflineQueue: false,
      lazyConnect: true,
    });
    client.on('error', (error) => this.log.warn({ err: error }, 'Redis of the rate limiter'));
    this.#close = () => client.disconnect();
    this.#store = redisRateLimitStore(client, this.prefix);
    await client
      .connect()
      .catch((error: unknown) => this.log.warn({ err: error }, 'Redis of the rate limiter is away'));
  }

  close(): void {
    this.#close?.();
  }

  hit(key: string, windowMs: number, now: number) {
    return this.#store === undefined
      ? Promise.reject(new TypeError('not connected'))
      : this.#store.hit(key, windowMs, now);
  }

  detail(): Readonly<Record<string, unknown>> {
    return { store: 'redis', key_prefix: this.prefix };
  }
}
