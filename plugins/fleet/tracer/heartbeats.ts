import type { SpanTransport } from '../../../kernel/contracts/fleet.js';
import type { HeartbeatRecord } from '../../../kernel/contracts/fleet-wire.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { CallerCounts, LogHistogram } from '../recorded/index.js';
import type { ResolvedTracerConfig } from './options.js';
import { followWallClock } from './trace-clock.js';

/** Requests of some time. */
class Activity {
  readonly durations = new LogHistogram();
  readonly callers = new CallerCounts();
  errors = 0;

  add({ durations, callers, errors }: Activity): void {
    this.durations.merge(durations);
    this.callers.merge(callers);
    this.errors += errors;
  }
}

/** Sends the aggregator a heartbeat with the state of the service every few seconds, the first one at once. */
export class Heartbeats {
  #timer: NodeJS.Timeout | undefined;
  #activity = new Activity();
  #lastAt = performance.now();
  #sending = false;
  #failure: string | undefined;

  constructor(
    private readonly transport: SpanTransport,
    private readonly config: ResolvedTracerConfig,
  ) {}

  /** Why the last heartbeat failed; undefined when it arrived. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Counts a request for the next heartbeat, whether or not a span is recorded of it. */
  count(failed: boolean, durationMs: number, caller: string | undefined): void {
    this.#activity.durations.add(durationMs);
    if (failed) this.#activity.errors++;
    if (caller !== undefined) this.#activity.callers.add(caller, failed, durationMs);
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
    const told = this.#activity;
    this.#activity = new Activity();
    try {
      await this.transport.exportHeartbeat(this.#heartbeat(told), AbortSignal.timeout(this.config.exportTimeout));
      this.#failure = undefined;
    } catch (error) {
      // The next heartbeat tells of these requests too.
      this.#activity.add(told);
      this.#failure = messageOf(error);
    } finally {
      this.#sending = false;
    }
  }

  #heartbeat({ durations, callers, errors }: Activity): HeartbeatRecord {
    const at = performance.now();
    const seconds = Math.max((at - this.#lastAt) / 1000, 0.001);
    const requests = durations.count;
    const byCaller = callers.list();
    this.#lastAt = at;
    const { serviceName, instanceID, version, openAPIHash, openAPIURL, serviceURL, logsURL } = this.config;
    return {
      service: serviceName,
      instance_id: instanceID,
      ...(version !== undefined && { version }),
      rps: requests / seconds,
      error_rate: requests === 0 ? 0 : errors / requests,
      durations: durations.pairs(),
      errors,
      ...(byCaller && { callers: byCaller }),
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
