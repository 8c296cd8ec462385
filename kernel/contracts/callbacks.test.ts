import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { isYes, toldOf, yesOnly } from './callbacks.js';

const warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterEach(() => void warnings.mockClear());

const rejections: unknown[] = [];
process.on('unhandledRejection', (error) => rejections.push(error));
const turn = () => new Promise((resolve) => setImmediate(resolve));

const PLAIN: readonly unknown[] = [true, false, undefined, null];
const given = (give: () => unknown, isPlain: boolean, isYes = false) => ({ give, isPlain, isYes });
// Made when it is asked for: a promise that nobody asked for would be rejected for nobody.
const answers = fc.oneof(
  fc.anything().map((value) => given(() => value, PLAIN.includes(value), value === true)),
  fc.constantFrom(...PLAIN).map((value) => given(() => value, true, value === true)),
  fc.constantFrom(
    given(() => Promise.resolve(true), false),
    given(() => Promise.reject(new Error('late')), false),
    given(() => { throw new TypeError('broken'); }, false),
  ),
); // prettier-ignore

describe('a test among options', () => {
  test('says yes with true alone; anything odd is a no, and a warning once', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async ({ give, isPlain, isYes: expected }) => {
        warnings.mockClear();
        const asked = yesOnly('skip', give);
        expect([asked(), asked()]).toEqual([expected, expected]);
        expect(warnings).toHaveBeenCalledTimes(isPlain ? 0 : 1);
        await turn();
      }),
    );
    expect(rejections).toEqual([]);
  });

  test('is refused by name where somebody has an error to tell', () => {
    expect(() => isYes('filter', Promise.resolve(true))).toThrow(
      expect.objectContaining({ code: 'FW_CALLBACK_ANSWER' }),
    );
    expect(() => isYes('filter', 'yes')).toThrow('`filter` has to answer true or false at once; it gave a string');
  });
});

describe('a listener among options', () => {
  test('is told, and what it throws or rejects with reaches nobody but the log, once', async () => {
    const told: unknown[] = [];
    const failing = toldOf('report', (how: string) => {
      told.push(how);
      if (how === 'throw') throw new Error('thrown');
      return how === 'reject' ? Promise.reject(new Error('rejected')) : undefined;
    });
    for (const how of ['fine', 'throw', 'reject', 'reject']) failing(how);
    await turn();
    expect(told).toEqual(['fine', 'throw', 'reject', 'reject']);
    expect(warnings).toHaveBeenCalledTimes(1);
    expect(warnings).toHaveBeenCalledWith('`report` failed: thrown', expect.objectContaining({ code: 'FW_CALLBACK_FAILED' }));
    expect(rejections).toEqual([]);
  });
}); // prettier-ignore
