import type { TraceContext } from '../../../kernel/contracts/fleet.js';

/** Characters of a header of version 00, which ends after the flags. Headers of later versions may continue after a dash. */
export const TRACEPARENT_LENGTH = 55;
const SAMPLED = 1;
const DASH = '-'.charCodeAt(0);
const NONE = 16;
/** Value of a character as a hex digit; 16 for any other character. */
const DIGITS = digits();

/**
 * Whether a `traceparent` header is well-formed (W3C Trace Context, section 3.2).
 * Strict: upper case, a forbidden version, all-zero ids and trailing text after a version 00 header are refused.
 */
export function isTraceparent(header: string): boolean {
  if (header.length < TRACEPARENT_LENGTH || header.charCodeAt(2) !== DASH) return false;
  if (header.charCodeAt(35) !== DASH || header.charCodeAt(52) !== DASH) return false;
  const version = digitAt(header, 0) * NONE + digitAt(header, 1);
  if (
    version >= 0xff ||
    (header.length > TRACEPARENT_LENGTH && (version === 0 || header.charCodeAt(TRACEPARENT_LENGTH) !== DASH))
  )
    return false;
  return isId(header, 3, 35) && isId(header, 36, 52) && (digitAt(header, 53) | digitAt(header, 54)) < NONE;
}

// Character by character, because a regular expression is slower on a text that is new each time.
function isId(header: string, from: number, to: number): boolean {
  let all = 0;
  for (let at = from; at < to; at++) all |= digitAt(header, at);
  return all > 0 && all < NONE;
}

function digitAt(header: string, at: number): number {
  return DIGITS[header.charCodeAt(at)] ?? NONE;
}

function digits(): Uint8Array {
  const values = new Uint8Array(256).fill(NONE);
  for (let value = 0; value < NONE; value++) values[value.toString(16).charCodeAt(0)] = value;
  return values;
}

/** The trace of a well-formed header. */
export function traceIdOf(header: string): string {
  return header.slice(3, 35);
}

/** The calling span of a well-formed header. */
export function callingSpanOf(header: string): string {
  return header.slice(36, 52);
}

/** Whether the caller of a well-formed header samples the trace. */
export function isSampledBy(header: string): boolean {
  return (digitAt(header, 54) & SAMPLED) === SAMPLED;
}

/**
 * Reads a `traceparent` header.
 *
 * @returns undefined when the header is malformed
 */
export function parseTraceparent(header: string): TraceContext | undefined {
  if (!isTraceparent(header)) return undefined;
  return { traceId: traceIdOf(header), spanId: callingSpanOf(header), sampled: isSampledBy(header) };
}

/** Writes a `traceparent` header of version 00. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return sampled ? `00-${traceId}-${spanId}-01` : `00-${traceId}-${spanId}-00`;
}
