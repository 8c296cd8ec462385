import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Type } from 'typebox';
import { token } from '../container/index.js';
import { isFwError } from '../errors/index.js';
import { definePlugin, isPlugin } from './define-plugin.js';

const RIGHT = { id: 'greeter', category: 'middleware', description: 'Greets.' };
const Greeting = token<string>('test.Greeting');

const WRONG: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  ['an unknown key', { strat: () => undefined }, 'it has the unknown key "strat"'],
  ['no id', { id: undefined }, 'its id is undefined'],
  ['an id with capitals', { id: 'Greeter' }, 'its id is "Greeter"'],
  ['an unknown category', { category: 'middelware' }, 'its category is "middelware"; expected one of:'],
  ['a blank description', { description: ' ' }, 'it has no description'],
  ['options that are no schema', { options: { greeting: 'hi' } }, 'expected Type.Object({ ... })'],
  ['options of another kind', { options: Type.String() }, 'expected Type.Object({ ... })'],
  ['needs that are one id', { needs: 'http' }, 'its needs is "http"; expected a list of ids'],
  ['a need of itself', { needs: ['greeter'] }, 'its needs names itself'],
  ['an optional need that is no id', { optionalNeeds: ['http', 4] }, 'its optionalNeeds names 4'],
  ['uses that are no tokens', { uses: ['fw.Clock'] }, 'its uses names "fw.Clock"; expected a token'],
  ['a misspelt import in uses', { uses: [undefined] }, 'its uses names undefined; expected a token'],
  ['a token twice', { provides: [Greeting, Greeting] }, 'its provides names Symbol(test.Greeting) twice'],
  ['a failure of no known kind', { failure: 'ignore' }, 'its failure is "ignore"; expected one of: fatal, degrade'],
  ['an order of no reason', { order: { after: ['http'] } }, 'its order gives no reason'],
  ['an order of unknown words', { order: { afer: ['http'], because: 'so' } }, 'its order has the unknown key "afer"'],
  ['an order both ways', { order: { after: ['http'], before: ['http'], because: 'so' } }, 'after and before "http"'],
  ['an order towards no id', { order: { before: ['HTTP'], because: 'so' } }, 'its order.before names "HTTP"'],
  ['an order towards itself', { order: { before: ['greeter'], because: 'so' } }, 'its order.before names itself'],
  ['a negative deadline', { startDeadlineMs: -1 }, 'its startDeadlineMs is -1; expected milliseconds'],
  ['a deadline that no timer takes', { stopDeadlineMs: Infinity }, 'its stopDeadlineMs is Infinity'],
  ['a hook that is a text', { start: 'open' }, 'its start is "open"; expected a function'],
  ['a context that is a word', { requestContext: 'yes' }, 'its requestContext is "yes"'],
];

describe('the manifest of a plugin', () => {
  test.each(WRONG)('is refused with %s', (_name, wrong, sentence) => {
    expect(() => definePlugin({ ...RIGHT, ...wrong } as never)).toThrow(sentence);
  });

  test('is refused with everything that is wrong, at once', () => {
    expect(() => definePlugin({ id: 'greeter', start: 1, stop: 2 } as never)).toThrow(
      /category is undefined.*no description.*start is 1.*stop is 2/,
    );
  });

  test('may name npm packages and tokens', () => {
    const packaged = { ...RIGHT, id: '@acme/fw_greeter.js', needs: ['http'], uses: [Greeting], startDeadlineMs: 1 };
    expect(isPlugin(definePlugin(packaged as never))).toBe(true);
  });

  test('is a plugin or a coded error, whatever stands in it', () => {
    const keys = [
      'id', 'category', 'description', 'fw', 'options', 'needs', 'optionalNeeds', 'uses', 'provides', 'oneWorker', 'order', 'failure',
      'requestContext', 'startDeadlineMs', 'stopDeadlineMs', 'register', 'start', 'ready', 'drain', 'stop', '__proto__', 'toString',
    ]; // prettier-ignore
    const odd = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }),
      fc.constantFrom(Symbol('s'), () => undefined, new Proxy({}, {}), [Symbol('t')], [null], { type: 'object' }),
    );
    const manifests = fc.oneof(
      odd,
      fc.array(fc.tuple(fc.constantFrom(...keys), odd)).map((pairs) => ({ ...RIGHT, ...Object.fromEntries(pairs) })),
    );
    fc.assert(
      fc.property(manifests, (manifest) => {
        try {
          expect(isPlugin(definePlugin(manifest as never))).toBe(true);
        } catch (error) {
          expect(isFwError(error) ? error.code : error).toMatch(/^FW_PLUGIN_(MANIFEST|FRAMEWORK)$/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
