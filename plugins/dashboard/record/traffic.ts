import type { Clock } from '../../../kernel/index.js';
import type { OverviewAnswer, TrafficPoint } from '../wire/api.js';
import { Latencies, roundedMs } from './latencies.js';
import { Ring } from '../../../kernel/bounded/index.js';

/** Ten minutes. */
const POINTS = 600;

/** Counts requests: since the start, and second by second. */
export class Traffic {
  readonly history = new Ring<TrafficPoint>(POINTS);
  readonly #ever = new Latencies();
  readonly #second = new Latencies();
  #requests = 0;
  #clientErrors = 0;
  #errors = 0;
  #before = { requests: 0, clientErrors: 0, errors: 0 };

  constructor(private readonly clock: Clock) {}

  get requests(): number {
    return this.#requests;
  }

  /** Answers with a 5xx. */
  get errors(): number {
    return this.#errors;
  }

  add(status: number, ms: number): void {
    this.#requests++;
    if (status >= 500) this.#errors++;
    else if (status >= 400) this.#clientErrors++;
    this.#ever.add(ms);
    this.#second.add(ms);
  }

  totals(): OverviewAnswer['totals'] {
    return {
      requests: this.#requests,
      client_errors: this.#clientErrors,
      errors: this.#errors,
      ...percentilesOf(this.#ever),
    };
  }

  /** Ends the current second; called once a second. */
  tick(): TrafficPoint {
    const point = {
      time: new Date(this.clock.now()).toISOString(),
      requests: this.#requests - this.#before.requests,
      client_errors: this.#clientErrors - this.#before.clientErrors,
      errors: this.#errors - this.#before.errors,
      ...percentilesOf(this.#second),
    };
    this.#before = { requests: this.#requests, clientErrors: this.#clientErrors, errors: this.#errors };
    this.#second.reset();
    this.history.push(point);
    return point;
  }
}

function percentilesOf(latencies: Latencies) {
  const at = (percent: number) => {
    const ms = latencies.percentile(percent);
    return ms === null ? null : roundedMs(ms);
  };
  return { p50_ms: at(50), p95_ms: at(95), p99_ms: at(99) };
}
