import { randomFillSync } from 'node:crypto';

/** Random bytes fetched at once: fetching them for each id costs thirty times as much. */
const POOL_BYTES = 8192;
/** Bytes converted to hex at once. Ids are slices of that text, so a kept id keeps a kilobyte alive. */
const WRITTEN_BYTES = 512;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

const pool = Buffer.allocUnsafe(POOL_BYTES);
let written = POOL_BYTES;
let digits = '';
let used = 0;

function randomDigits(count: number, forbidden: string): string {
  if (used + count > digits.length) writeDigits();
  const id = digits.slice(used, used + count);
  used += count;
  return id === forbidden ? randomDigits(count, forbidden) : id;
}

function writeDigits(): void {
  if (written === POOL_BYTES) {
    randomFillSync(pool);
    written = 0;
  }
  digits = pool.toString('hex', written, written + WRITTEN_BYTES);
  written += WRITTEN_BYTES;
  used = 0;
}

/** A fresh trace id: 32 lower-case hex digits, not all zero (W3C Trace Context, section 3.2.2.3). */
export function newTraceId(): string {
  return randomDigits(32, NO_TRACE);
}

/** A fresh span id: 16 lower-case hex digits, not all zero (section 3.2.2.4). */
export function newSpanId(): string {
  return randomDigits(16, NO_SPAN);
}
