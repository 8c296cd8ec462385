import type { SpanTransport } from '../../../kernel/contracts/fleet.js';
import type { HeartbeatRecord } from '../../../kernel/contracts/fleet-wire.js';
import type { ResolvedTracerConfig } from './options.js';
import { followWallClock } from './trace-clock.js';

/** Requests and failures since the start. */
export interface Activity {
  readonly requests: number;
  readonly errors: number;
}

/** Sends the aggregator a heartbeat with the state of the service every few seconds, the first one at once. */
export class Heartbeats {
  #timer: NodeJS.Timeout | undefined;
  #last: Activity = { requests: 0, errors: 0 };
  #lastAt = performance.now();
  #sending = false;
  #failure: string | undefined;

  constructor(
    private readonly transport: SpanTransport,
    private readonly config: ResolvedTracerConfig,
    private readonly activity: () => Activity,
  ) {}

  /** Why the last heartbeat failed; undefined when it arrived. */
  get failure(): string | undefined {
    return this.#failure;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.beat(), this.config.heartbeatInterval).unref();
    setImmediate(() => void this.beat()).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Sends one heartbeat, unless the last one is still being sent. A failure is kept for the probe, never thrown. */
  async beat(): Promise<void> {
    if (this.#sending || this.#timer === undefined) return;
    this.#sending = true;
    followWallClock();
    try {
      await this.transport.exportHeartbeat(this.#heartbeat(), AbortSignal.timeout(this.config.exportTimeout));
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
    } finally {
      this.#sending = false;
    }
  }

  #heartbeat(): HeartbeatRecord {
    const now = this.activity();
    const at = performance.now();
    const seconds = Math.max((at - this.#lastAt) / 1000, 0.001);
    const requests = now.requests - this.#last.requests;
    const errors = now.errors - this.#last.errors;
    this.#last = now;
    this.#lastAt = at;
    const { serviceName, instanceID, version, openAPIHash, openAPIURL, serviceURL, logsURL } = this.config;
    return {
      service: serviceName,
      instance_id: instanceID,
      ...(version !== undefined && { version }),
      rps: requests / seconds,
      error_rate: requests === 0 ? 0 : errors / requests,
      ...optional('openapi_hash', openAPIHash()),
      ...optional('openapi_url', openAPIURL()),
      ...optional('service_url', serviceURL()),
      ...optional('logs_url', logsURL()),
    };
  }
}

function optional(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}
