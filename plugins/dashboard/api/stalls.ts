import type { Ring } from '../../../kernel/bounded/index.js';
import type { PerformancePoint, RequestDetail, Stall } from '../wire/api.js';

const LAG_MS = 100;
const SECOND_MS = 1_000;
const MAX_STALLS = 5;
const MAX_REQUESTS = 3;

/**
 * Seconds in which one piece of work blocked the event loop, with the requests that ran then: if a request blocked it, it is among them.
 */
export function stallsOf(points: readonly PerformancePoint[], records: Ring<RequestDetail>): Stall[] {
  return points
    .filter((point) => point.lag_p99_ms > LAG_MS)
    .sort((one, other) => other.lag_p99_ms - one.lag_p99_ms)
    .slice(0, MAX_STALLS)
    .map(({ time, lag_p99_ms: lag }) => ({
      time,
      lag_ms: Math.round(lag),
      requests: atWork(Date.parse(time), lag, records),
    }));
}

function atWork(until: number, lagMs: number, records: Ring<RequestDetail>): string[] {
  const from = until - SECOND_MS - lagMs;
  const overlaps = ({ time, duration_ms: ms }: RequestDetail) =>
    Date.parse(time) <= until && Date.parse(time) + ms >= from && ms >= lagMs / 2;
  return records
    .newest(records.size, overlaps)
    .sort((one, other) => other.duration_ms - one.duration_ms)
    .slice(0, MAX_REQUESTS)
    .map(({ method, route, path, duration_ms: ms }) => `${method} ${route || path} ${Math.round(ms)} ms`);
}
