/** A step of the wall clock (a sleeping laptop, a corrected clock) larger than this moves the anchor, in milliseconds. */
const TOLERANCE_MS = 20;

let anchor = performance.timeOrigin;

/**
 * Milliseconds since the Unix epoch with fractions, from a clock that does not step while a request runs: wall-clock steps
 * would make spans end before they start.
 */
export function epochMs(): number {
  return anchor + performance.now();
}

/** Follows the wall clock when it has moved away. Called now and then, not per span. */
export function followWallClock(wallMs: number = Date.now()): void {
  if (Math.abs(wallMs - epochMs()) > TOLERANCE_MS) anchor = wallMs - performance.now();
}

let lastWhole = 0;
let lastText = '0';

/** Unix nanoseconds as decimal text. The clock resolves about a quarter of a microsecond; the digits below are zeros. */
export function nanosecondsText(epoch: number): string {
  const floor = Math.floor(epoch);
  const tenths = Math.round((epoch - floor) * 1e4);
  const whole = tenths === 1e4 ? floor + 1 : floor;
  // Spans of a batch often begin in the same millisecond, and writing thirteen digits is the dear part.
  if (whole !== lastWhole) {
    lastWhole = whole;
    lastText = String(whole);
  }
  return lastText + String((tenths % 1e4) * 100).padStart(6, '0');
}
