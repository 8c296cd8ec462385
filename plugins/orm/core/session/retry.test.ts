import { expect, test } from '@jest/globals';
import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { assertRetryPolicy, backOff, defaultRetryPolicy, isTransient, isWorthIt, retryPolicy } from './retry.js';

const transient = fwError(ORM_ERRORS.FW_ORM_TRANSIENT, { dialect: 'MySQL', reason: 'deadlock' });
const hook = (cause: unknown) => fwError(ORM_ERRORS.FW_ORM_HOOK, { hook: 'BeforeCreate', reason: 'x' }, { cause });
const ring = new Error('ring');
ring.cause = ring;

test.each<[string, unknown, boolean]>([
  ['a transient error', transient, true],
  ['a hook that met one', hook(transient), true],
  ['an error of the application around a hook that met one', new Error('x', { cause: hook(transient) }), true],
  ['the text of a driver', new Error('Deadlock found'), true],
  ['a hook that met another error', hook(new RangeError('x')), false],
  [
    'a refused row whose text only looks like one',
    fwError(ORM_ERRORS.FW_ORM_CONSTRAINT, { kind: 'unique', reason: 'x' }, { cause: new Error('key "deadlock"') }),
    false,
  ],
  [
    'retries that were given up',
    fwError(ORM_ERRORS.FW_ORM_TRANSACTION_GAVE_UP, { attempts: 3, last: 'x' }, { cause: transient }),
    false,
  ],
  ['errors in a ring', ring, false],
])('whether %s is worth another attempt', (_what, error, expected) => {
  expect(isTransient(error)).toBe(expected);
});

test('an abort while waiting for the next attempt is a coded error', async () => {
  const waiting = backOff(retryPolicy({ baseDelay: 60_000, maxDelay: 60_000 }), 1, AbortSignal.timeout(10));
  await expect(waiting).rejects.toMatchObject({ code: 'FW_ORM_ABORTED' });
});

test.each<[string, () => unknown, boolean]>([
  ['true', () => true, true],
  ['a promise of true', async () => true, true],
  ['a promise of false, which is truthy', async () => false, false],
  ['a text', () => 'yes', false],
  ['an error', () => Promise.reject(new RangeError('broken')), false],
])('a policy that answers %s is tried again: nothing but true is a yes', async (_what, isRetryable, expected) => {
  expect(await isWorthIt({ ...defaultRetryPolicy, isRetryable: isRetryable as () => boolean }, new Error('x'))).toBe(
    expected,
  );
});

test.each([{ maxAttempts: NaN }, { maxAttempts: 1.5 }, { baseDelay: -1 }, { maxDelay: '5' }, { isRetryable: true }])(
  'the policy %j is refused',
  (policy) => {
    expect(() => assertRetryPolicy(policy as never)).toThrow(expect.objectContaining({ code: 'FW_ORM_OPTIONS' }));
  },
);
