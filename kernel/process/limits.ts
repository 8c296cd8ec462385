import { LONGEST_TIMER_MS } from '../contracts/clock.js';
import { fwError } from '../errors/index.js';
import { PROCESS_ERRORS } from './errors.js';

const MOST_OUTPUT_BYTES = 268_435_456;

/** @throws FwError `FW_PROCESS_LIMIT` unless `value` is a time that a timer can wait */
export function checkTime(option: string, value: number, least: number): void {
  if (value >= least && value <= LONGEST_TIMER_MS) return;
  throw fwError(PROCESS_ERRORS.FW_PROCESS_LIMIT, {
    option,
    value: String(value),
    expected: `milliseconds from ${least} to ${LONGEST_TIMER_MS}`,
  });
}

/** @throws FwError `FW_PROCESS_LIMIT` unless `value` is a number of bytes that can be kept */
export function checkOutputBytes(value: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= MOST_OUTPUT_BYTES) return;
  throw fwError(PROCESS_ERRORS.FW_PROCESS_LIMIT, {
    option: 'maxOutputBytes',
    value: String(value),
    expected: `a whole number of bytes from 0 to ${MOST_OUTPUT_BYTES}`,
  });
}
