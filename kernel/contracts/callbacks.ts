import { defineErrors, fwError, isFwError } from '../errors/index.js';
import { isThenable } from './thenable.js';

const CALLBACK_ERRORS = defineErrors('kernel/contracts (callbacks)', {
  FW_CALLBACK_ANSWER: {
    message: '`{name}` has to answer true or false at once; it gave {got}, which counts as false.',
    cause: 'A function among the options is async, or gives something that is only truthy.',
    remedy: 'Compare or test inside the function, such as `=== true` or `Boolean(...)`, and let nothing in it wait.',
  },
  FW_CALLBACK_FAILED: {
    message: '`{name}` failed: {reason}',
    cause: 'A function among the options threw, or its promise was rejected. The request went on.',
    remedy: 'Catch in the function what may fail there.',
  },
});

/**
 * Whether a callback that decides something answered yes: `true` is yes, `false` and undefined are no.
 *
 * @param name - of the option, for the message
 * @throws FwError `FW_CALLBACK_ANSWER` for any other, such as a promise, which is always truthy
 */
export function isYes(name: string, answer: unknown): boolean {
  if (typeof answer === 'boolean' || answer === undefined || answer === null) return answer === true;
  // Nothing awaits this promise: without a handler its rejection would be an uncaught error.
  if (isThenable(answer)) answer.then(undefined, () => undefined);
  const got = isThenable(answer) ? 'a promise' : `a ${typeof answer}`;
  throw fwError(CALLBACK_ERRORS.FW_CALLBACK_ANSWER, { name, got });
}

/**
 * Wraps a synchronous callback of the options that decides something, such as which requests are left out. Only `true` counts as yes. A
 * promise (which is always truthy), any other value, and an exception count as no; the first of them emits a process warning.
 *
 * @param name - of the option, for the message
 */
export function yesOnly<Arguments extends readonly unknown[]>(
  name: string,
  test: (...args: Arguments) => unknown,
): (...args: Arguments) => boolean {
  const failed = failureOf(name);
  return (...args) => {
    try {
      return isYes(name, test(...args));
    } catch (error) {
      failed(error);
      return false;
    }
  };
}

/**
 * Wraps a callback among the options that is only notified. Its first exception or rejection emits a process warning; none of them affects
 * what it is notified of.
 *
 * @param name - of the option, for the message
 */
export function toldOf<Arguments extends readonly unknown[]>(
  name: string,
  listener: (...args: Arguments) => unknown,
): (...args: Arguments) => void {
  const failed = failureOf(name);
  return (...args) => {
    try {
      const pending = listener(...args);
      if (isThenable(pending)) pending.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  };
}

/**
 * Gives a function that takes the exceptions of a callback and emits a process warning for the first: a warning for each request would fill
 * the log.
 *
 * @param name - of the option, for the message
 */
export function failureOf(name: string): (error: unknown) => void {
  let hasWarned = false;
  return (error) => {
    if (hasWarned) return;
    hasWarned = true;
    const { message, code } = isFwError(error) ? error : failed(name, error);
    const detail = error instanceof Error ? error.stack : undefined;
    process.emitWarning(message, { code, ...(detail !== undefined && { detail }) });
  };
}

function failed(name: string, cause: unknown) {
  const reason = cause instanceof Error ? cause.message : typeof cause;
  return fwError(CALLBACK_ERRORS.FW_CALLBACK_FAILED, { name, reason }, { cause });
}
