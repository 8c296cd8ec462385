import { fwError } from '../../../../kernel/index.js';
import { isObject } from '../../../../kernel/values/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import { ISOLATION_LEVELS } from '../plan/words.js';
import type { CallOptions } from './session.js';
import type { TransactionOptions } from './sql-handle.js';

/** The longest that a timer of Node waits (https://nodejs.org/api/timers.html); the kernel's own would bring the kernel into bundles of the ORM alone. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Refuses what is no time span in milliseconds.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function assertMilliseconds(option: string, given: unknown): void {
  if (given === undefined || (typeof given === 'number' && given >= 0 && given <= LONGEST_TIMER_MS)) return;
  throw wrong(option, `milliseconds from 0 to ${LONGEST_TIMER_MS}`, given);
}

/**
 * Refuses what is no whole number of at least `least`.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function assertWhole(option: string, given: unknown, least: number): void {
  if (given === undefined || (Number.isSafeInteger(given) && (given as number) >= least)) return;
  throw wrong(option, `a whole number of at least ${least}`, given);
}

/**
 * Refuses what is no boolean.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function assertBoolean(option: string, given: unknown): void {
  if (given !== undefined && typeof given !== 'boolean') throw wrong(option, 'true or false', given);
}

/**
 * Refuses invalid options of a call, which would otherwise be ignored: a timeout that is no number, a signal of another type.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function assertCallOptions(call: CallOptions | null | undefined): void {
  if (call === undefined || call === null) return;
  assertObject('of the call', call);
  assertMilliseconds('timeout', call.timeout);
  const { signal } = call;
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw wrong('signal', 'an AbortSignal', signal);
}

const TRANSACTION_OPTIONS: readonly (keyof TransactionOptions)[] = ['isolation', 'readOnly', 'timeout', 'signal'];

/**
 * As {@link assertCallOptions}, for those of a transaction. One that nobody would read is refused: `accessMode: 'read only'` would write.
 *
 * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_WORD`
 */
export function assertTransactionOptions(options: TransactionOptions | null | undefined): void {
  if (options === undefined || options === null) return;
  assertKnown('of the transaction', options, TRANSACTION_OPTIONS);
  assertCallOptions(options);
  if (options.isolation !== undefined) ISOLATION_LEVELS.checked(options.isolation);
  assertBoolean('readOnly', options.readOnly);
}

/**
 * Refuses options that are not an object.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function assertObject(option: string, given: unknown): void {
  if (!isObject(given)) throw wrong(option, 'an object', given);
}

/**
 * Refuses options that are not an object, or have a name that is not known.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function assertKnown(option: string, given: object, known: readonly string[]): void {
  assertObject(option, given);
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw fwError(ORM_ERRORS.FW_ORM_OPTIONS, {
    option,
    expected: `nothing but ${known.join(', ')}`,
    got: `"${unknown}"`,
  });
}

/**
 * Refuses what is no list.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function assertList(option: string, given: unknown): void {
  if (!Array.isArray(given)) throw wrong(option, 'a list', given);
}

/**
 * Refuses what is no function.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function assertFunction(option: string, given: unknown): void {
  if (given !== undefined && typeof given !== 'function') throw wrong(option, 'a function', given);
}

function wrong(option: string, expected: string, given: unknown) {
  return fwError(ORM_ERRORS.FW_ORM_OPTIONS, { option, expected, got: typeInWords(given) });
}
