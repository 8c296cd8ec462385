/** Key of the member of `tracestate` in which a root says what share of its traces it records. */
const KEY = 'fw';
/** A threshold of OpenTelemetry has up to 14 hex digits, and stands for the share of traces that are left out. */
const THRESHOLD_DIGITS = 14;

/** The member that a root adds to `tracestate`; undefined when all of its traces are recorded. */
export function samplingMember(rate: number): string | undefined {
  return rate > 0 && rate < 1 ? `${KEY}=p:${Number(rate.toPrecision(6))}` : undefined;
}

/**
 * The share of traces that the root of this one records, above 0 and up to 1: its own member of `tracestate`, else the threshold that
 * OpenTelemetry's samplers write (`ot=th:c`). 1 when nobody says.
 */
export function samplingProbability(tracestate: string | undefined): number {
  if (tracestate === undefined) return 1;
  const own = /(?:^|,)fw=p:([0-9.e-]{1,16})(?:;|,|$)/.exec(tracestate)?.[1];
  if (own !== undefined) return believed(Number(own));
  const threshold = /(?:^|,)ot=(?:[^,]*;)?th:([0-9a-f]{1,14})(?:;|,|$)/.exec(tracestate)?.[1];
  if (threshold === undefined) return 1;
  return believed(1 - Number.parseInt(threshold.padEnd(THRESHOLD_DIGITS, '0'), 16) / 16 ** THRESHOLD_DIGITS);
}

// A share of a millionth would make one span count for a million: what claims less is not believed.
function believed(share: number): number {
  return share >= 1e-6 && share <= 1 ? share : 1;
}
