/** The latest time that a Date has, in milliseconds (ECMA-262, section 21.4.1.1). */
const LAST_MS = 8_640_000_000_000_000n;

/** A time in nanoseconds, as an aggregator sends it; 0 for what is none, so that one wrong field does not take the page with it. */
export function nanoseconds(value: unknown): bigint {
  const isWhole = typeof value === 'number' ? Number.isSafeInteger(value) : /^-?\d{1,30}$/.test(String(value));
  return isWhole ? BigInt(value as string | number) : 0n;
}

/** Milliseconds between two times, exact although neither fits a number. */
export function sinceMs(ns: unknown, origin: unknown): number {
  return Number(nanoseconds(ns) - nanoseconds(origin)) / 1e6;
}

/** Milliseconds since 1970, within what a Date has. */
export function epochMs(ns: unknown): number {
  const ms = nanoseconds(ns) / 1_000_000n;
  return Number(ms > LAST_MS ? LAST_MS : ms < -LAST_MS ? -LAST_MS : ms);
}

/** A time as ISO 8601. */
export function isoTime(ns: unknown): string {
  return new Date(epochMs(ns)).toISOString();
}
