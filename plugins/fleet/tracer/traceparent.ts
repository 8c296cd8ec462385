import type { TraceContext } from '../../../kernel/contracts/fleet.js';

const LAYOUT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
/** Of a header of version 00, which ends after the flags. */
const LENGTH = 55;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const SAMPLED = 1;
const NINE = '9'.charCodeAt(0);

/**
 * Reads a `traceparent` header (W3C Trace Context, section 3.2).
 * Strict: upper case, a forbidden version, all-zero ids and trailing text after a version 00 header are refused.
 *
 * @returns undefined when the header is malformed
 */
export function parseTraceparent(header: string): TraceContext | undefined {
  // Tested, then cut: a list of matches would be made for every request.
  if (!LAYOUT.test(header)) return undefined;
  const isFirstVersion = header.startsWith('00');
  if (header.startsWith('ff') || (isFirstVersion && header.length > LENGTH)) return undefined;
  const traceId = header.slice(3, 35);
  const spanId = header.slice(36, 52);
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  return { traceId, spanId, sampled: isSampled(header.charCodeAt(54)) };
}

/** @param code - of the last digit of the flags, which is 0 to 9 or a to f: "0" is even as the digit is, "a" is not */
function isSampled(code: number): boolean {
  return ((code <= NINE ? code : code + 1) & SAMPLED) === SAMPLED;
}

/** Writes a `traceparent` header of version 00. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return sampled ? `00-${traceId}-${spanId}-01` : `00-${traceId}-${spanId}-00`;
}
