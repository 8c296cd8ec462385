/** 2^53: the last 53 bits of the trace id as a fraction of it are compared with the rate. */
const RANGE = 2 ** 53;

/**
 * The decision of a root: the same for one trace id wherever it is made.
 *
 * @param traceId - 32 hex digits
 * @param rate - 0 to 1; 1 takes every trace, 0 none
 */
export function isSampled(traceId: string, rate: number): boolean {
  if (rate >= 1) return true;
  if (!(rate > 0)) return false;
  const high = Number.parseInt(traceId.slice(16, 24), 16);
  const low = Number.parseInt(traceId.slice(24, 32), 16) >>> 11;
  return (high * 2 ** 21 + low) / RANGE < rate;
}
