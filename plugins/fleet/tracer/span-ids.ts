import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8192;
const ZEROS = /^0+$/;

const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

// One call to the random source per kilobyte: asking it for eight bytes at a time costs thirty times as much per id.
function randomHex(bytes: number): string {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const hex = pool.toString('hex', used, used + bytes);
  used += bytes;
  return ZEROS.test(hex) ? randomHex(bytes) : hex;
}

/** A fresh trace id: 32 lower-case hex digits, not all zero (W3C Trace Context, section 3.2.2.3). */
export function newTraceId(): string {
  return randomHex(16);
}

/** A fresh span id: 16 lower-case hex digits, not all zero (section 3.2.2.4). */
export function newSpanId(): string {
  return randomHex(8);
}
