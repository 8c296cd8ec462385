import { monotonicMs, systemClock } from '../../../kernel/index.js';

/** A step of the wall clock (a sleeping laptop, a corrected clock) larger than this moves the anchor, in milliseconds. */
const TOLERANCE_MS = 20;

// Not from `Date.now()`, which has only whole milliseconds.
let anchor = performance.timeOrigin + performance.now() - monotonicMs();

/**
 * Milliseconds since the Unix epoch with fractions, from a monotonic clock: a step of the wall clock could make a span end before it
 * starts.
 */
export function epochMs(): number {
  return anchor + monotonicMs();
}

/** Moves the anchor if the wall clock has stepped. Called now and then, not per span. */
export function followWallClock(): void {
  const wallMs = systemClock.now();
  if (Math.abs(wallMs - epochMs()) > TOLERANCE_MS) anchor = wallMs - monotonicMs();
}

let lastWhole = 0;
let lastText = '0';

/** Unix nanoseconds as decimal text. The clock resolves about a quarter of a microsecond; the digits below are zeros. */
export function nanosecondsText(epoch: number): string {
  const floor = Math.floor(epoch);
  const tenths = Math.round((epoch - floor) * 1e4);
  const whole = tenths === 1e4 ? floor + 1 : floor;
  // Cached, because spans of a batch often begin in the same millisecond, and formatting thirteen digits is slow.
  if (whole !== lastWhole) {
    lastWhole = whole;
    lastText = String(whole);
  }
  return `${lastText}${fourDigits(tenths % 1e4)}00`;
}

/** Milliseconds with up to three digits behind the point, as JSON. */
export function millisecondsText(duration: number): string {
  const micros = Math.round(duration * 1000);
  const whole = Math.floor(micros / 1000);
  const rest = micros - whole * 1000;
  return rest === 0 ? String(whole) : `${whole}.${THOUSANDTHS[rest] as string}`;
}

/** RFC 3339 with microseconds, of milliseconds since the epoch with fractions. */
export function microsecondsText(epoch: number): string {
  const micros = Math.round(epoch * 1000);
  const whole = Math.floor(micros / 1000);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(micros - whole * 1000).padStart(3, '0')}Z`;
}

// A table, because formatting and padding digits takes as long as the rest of a span.
const HUNDREDTHS = digitsBelow(100, 2);
const THOUSANDTHS = digitsBelow(1000, 3);

function fourDigits(value: number): string {
  const high = Math.floor(value / 100);
  return `${HUNDREDTHS[high]}${HUNDREDTHS[value - high * 100]}`;
}

function digitsBelow(end: number, length: number): readonly string[] {
  return Array.from({ length: end }, (_, value) => String(value).padStart(length, '0'));
}
