import { defineErrors, fwError, isFwError } from '../errors/index.js';
import { isThenable } from './thenable.js';

export const CALLBACK_ERRORS = defineErrors('kernel/contracts (callbacks)', {
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
 * Whether the answer of a test is yes: `true` is, `false` and nothing are not.
 *
 * @param name - of the option, for the sentence
 * @throws FwError `FW_CALLBACK_ANSWER` for any other, such as a promise, which is always truthy
 */
export function isYes(name: string, answer: unknown): boolean {
  if (typeof answer === 'boolean' || answer === undefined || answer === null) return answer === true;
  // Nobody waits for it, so nobody would see it fail.
  if (isThenable(answer)) answer.then(undefined, () => undefined);
  const got = isThenable(answer) ? 'a promise' : `a ${typeof answer}`;
  throw fwError(CALLBACK_ERRORS.FW_CALLBACK_ANSWER, { name, got });
}

/**
 * A test that somebody gives among options and that has to answer at once, such as which requests are left out. Nothing but `true`
 * is a yes: not a promise, which is always truthy, and not a text. Whatever else it gives, or throws, is a no, and the first time a
 * warning of the process.
 *
 * @param name - of the option, for the sentence
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
 * A function that somebody gives among options to be told of something. What it throws or rejects with is a warning of the process
 * the first time, and never the outcome of what it was told of.
 *
 * @param name - of the option, for the sentence
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
 * Takes what a function among options has thrown, and makes a warning of the process of the first: a request each second would fill
 * the log with one line.
 *
 * @param name - of the option, for the sentence
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
