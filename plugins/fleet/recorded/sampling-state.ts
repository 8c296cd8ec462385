/** Key of the member of `tracestate` with the sampling rate of the root. */
const KEY = 'fw';
/** A threshold of OpenTelemetry has up to 14 hex digits; it is the share of traces that are not recorded. */
const THRESHOLD_DIGITS = 14;

/** The member that a root adds to `tracestate`; undefined when all of its traces are recorded. */
export function samplingMember(rate: number): string | undefined {
  return rate > 0 && rate < 1 ? `${KEY}=p:${Number(rate.toPrecision(6))}` : undefined;
}

/**
 * The share of traces that the root of this one records, above 0 and up to 1: its own member of `tracestate`, else the threshold that
 * OpenTelemetry's samplers write (`ot=th:c`). 1 without either.
 */
export function samplingProbability(tracestate: string | undefined): number {
  if (tracestate === undefined) return 1;
  const own = /(?:^|,)fw=p:([0-9.e-]{1,16})(?:;|,|$)/.exec(tracestate)?.[1];
  if (own !== undefined) return believed(Number(own));
  const threshold = /(?:^|,)ot=(?:[^,]*;)?th:([0-9a-f]{1,14})(?:;|,|$)/.exec(tracestate)?.[1];
  if (threshold === undefined) return 1;
  return believed(1 - Number.parseInt(threshold.padEnd(THRESHOLD_DIGITS, '0'), 16) / 16 ** THRESHOLD_DIGITS);
}

// The smallest accepted share: with a millionth, one span counts for a million.
function believed(share: number): number {
  return share >= 1e-6 && share <= 1 ? share : 1;
}

/** A share as OpenTelemetry writes it into `tracestate` (`ot=th:`); undefined for all. */
export function samplingThreshold(share: number): string | undefined {
  if (share >= 1 || believed(share) === 1) return undefined;
  const left = BigInt(Math.round((1 - share) * 2 ** 53)) * 8n;
  return `ot=th:${left.toString(16).padStart(THRESHOLD_DIGITS, '0').replace(/0+$/, '') || '0'}`;
}
