import { availableParallelism } from 'node:os';
import {
  type IntervalHistogram,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
  type EventLoopUtilization,
} from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../../../kernel/index.js';
import type { PerformanceMetrics, PerformancePoint } from '../wire/api.js';
import { Ring } from '../../../kernel/bounded/index.js';

const INTERVAL_MS = 1_000;
const POINTS = 600;
const STALE_MS = 5_000;
const RESOLUTION_MS = 20;

/** Samples the process once a second. */
export class PerformanceSampler {
  readonly history = new Ring<PerformancePoint>(POINTS);
  readonly #lag: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #gc = { count: 0, pauseMs: 0 };
  readonly #observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      this.#gc.count++;
      this.#gc.pauseMs += duration;
    }
  });
  /** Told about every point. */
  onPoint: (point: PerformancePoint) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #utilization: EventLoopUtilization = performance.eventLoopUtilization();
  #cpu = process.cpuUsage();
  #sampledAt: number;
  #last: PerformanceMetrics;

  constructor(private readonly clock: Clock) {
    this.#sampledAt = clock.monotonic();
    this.#last = this.#measure(1);
  }

  start(): void {
    this.#lag.enable();
    this.#observer.observe({ entryTypes: ['gc'] });
    this.#timer = setInterval(() => this.sample(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#lag.disable();
    this.#observer.disconnect();
  }

  /** Whether samples stopped coming. */
  get stale(): boolean {
    return this.clock.monotonic() - this.#sampledAt > STALE_MS;
  }

  /** The newest sample, with current values where they can be read at once. */
  current(): PerformanceMetrics {
    const { heapUsed, heapTotal, rss, external } = process.memoryUsage();
    const heap = { ...this.#last.heap, used: heapUsed, total: heapTotal };
    return { ...this.#last, time: this.#time(), heap, rss, external, active_resources: activeResources() };
  }

  /** Takes a sample; called once a second. */
  sample(): void {
    const now = this.clock.monotonic();
    this.#last = this.#measure(Math.max(1, now - this.#sampledAt));
    this.#sampledAt = now;
    const { time, active_resources, heap, rss, gc, event_loop, cpu } = this.#last;
    const point = {
      time,
      active_resources,
      heap_used: heap.used,
      rss,
      gc_count: gc.count,
      lag_p99_ms: event_loop.lag_p99_ms,
      cpu_usage_pct: cpu.usage_pct,
    };
    this.history.push(point);
    this.#lag.reset();
    this.onPoint(point);
  }

  #measure(elapsedMs: number): PerformanceMetrics {
    const { heapUsed, heapTotal, rss, external } = process.memoryUsage();
    const limit = getHeapStatistics().heap_size_limit;
    const utilization = performance.eventLoopUtilization();
    const spent = process.cpuUsage(this.#cpu);
    const metrics = {
      time: this.#time(),
      event_loop: {
        lag_p50_ms: lagMs(this.#lag, 50),
        lag_p99_ms: lagMs(this.#lag, 99),
        utilization: rounded(performance.eventLoopUtilization(utilization, this.#utilization).utilization),
      },
      active_resources: activeResources(),
      heap: { used: heapUsed, total: heapTotal, limit },
      rss,
      external,
      gc: {
        count: this.#gc.count,
        pause_total_ms: rounded(this.#gc.pauseMs),
        cpu_fraction: rounded(this.#gc.pauseMs / Math.max(1, performance.now())),
      },
      cpu: { num_cpu: availableParallelism(), usage_pct: rounded((spent.user + spent.system) / 10 / elapsedMs) },
      runtime_tuning: { max_old_space_mb: Math.round(limit / 1024 / 1024) },
    };
    this.#utilization = utilization;
    this.#cpu = process.cpuUsage();
    return metrics;
  }

  #time(): string {
    return new Date(this.clock.now()).toISOString();
  }
}

function activeResources(): number {
  return process.getActiveResourcesInfo().length;
}

// The histogram counts the time between two ticks of its own timer, which is its resolution when nothing lags.
function lagMs(histogram: IntervalHistogram, percentile: number): number {
  const nanoseconds = histogram.percentile(percentile);
  return rounded(Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS));
}

function rounded(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : 0;
}
