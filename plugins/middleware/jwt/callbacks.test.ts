import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Koa from 'koa';
import { servePlain } from '../../../kernel/testing/index.js';
import { generateJWT, jwtAuthMiddleware, type JWTOptions, Unauthorized } from './index.js';

const SECRET = 'an access secret of thirty-two bytes or more';

const values = fc.oneof(
  fc.constantFrom<unknown>(true, false, 1, 0, 'true', 'yes', '', {}, [], [true], null, undefined, NaN, 1n, Symbol('yes')),
  fc.constantFrom<unknown>(() => true, new Boolean(true), { then: 'no function' }, { valueOf: () => true }),
); // prettier-ignore
type How = 'value' | 'promise' | 'thenable' | 'throw' | 'reject' | 'later';
const hows = fc.constantFrom<How>('value', 'promise', 'thenable', 'throw', 'reject', 'later');

/** What a function of the application gives when it gives `value` in one of the ways that JavaScript has. */
function given(value: unknown, how: How): unknown {
  if (how === 'promise') return Promise.resolve(value);
  if (how === 'thenable') return { then: (settle: (value: unknown) => void) => settle(value) };
  if (how === 'later') return new Promise((resolve) => setImmediate(resolve, value));
  if (how === 'reject') return Promise.reject(value instanceof Error ? value : new Error('rejected'));
  if (how === 'throw') throw value instanceof Error ? value : new Error('thrown');
  return value;
}

const isGiven = (how: How) => how !== 'throw' && how !== 'reject';

async function asked(options: Partial<JWTOptions>, token = generateJWT(SECRET, { sub: 'ann' }, '5m')) {
  const logged: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void logged.push(line) } as never;
  const app = new Koa().use(jwtAuthMiddleware({ accessSecret: SECRET, log, ...options })).use((ctx) => {
    ctx.body = 'inside';
  });
  app.silent = true;
  await using server = await servePlain(app);
  const headers = { Authorization: `Bearer ${await token}` };
  // The second time the token is remembered, which is another way through the middleware.
  const answers = [await fetch(server.url, { headers }), await fetch(server.url, { headers })];
  return { status: answers.map(({ status }) => status), logged };
}

describe('functions of the application', () => {
  test('claimsValidator lets pass with true, or a promise of it, and with nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(values, hows, async (value, how) => {
        const { status, logged } = await asked({ claimsValidator: () => given(value, how) as boolean });
        const passes = value === true && isGiven(how);
        expect(status).toEqual(passes ? [200, 200] : [401, 401]);
        expect(logged).toHaveLength(isGiven(how) ? 0 : 2);
      }),
      { numRuns: 60, examples: [[true, 'value'], [true, 'later'], [false, 'promise']] },
    ); // prettier-ignore
  });

  test('tokenLookup may wait; what is no pair of texts refuses', async () => {
    const token = await generateJWT(SECRET, {}, '5m');
    const pairs = fc.oneof(
      fc.constant<unknown>([token, '']),
      values,
      fc.constantFrom([token], [token, 1], [[token], '']),
    );
    await fc.assert(
      fc.asyncProperty(pairs, hows, async (pair, how) => {
        const { status } = await asked({ tokenLookup: () => given(pair, how) as never });
        const passes = isGiven(how) && Array.isArray(pair) && pair[0] === token && pair[1] === '';
        expect(status).toEqual(passes ? [200, 200] : [401, 401]);
      }),
      { numRuns: 60, examples: [[[token, ''], 'value'], [[token, ''], 'later']] },
    ); // prettier-ignore
  });

  test('tokenLookup that means to refuse is not logged; a defect in it is', async () => {
    const refused = await asked({ tokenLookup: () => Promise.reject(new Unauthorized('no cookie')) });
    const broken = await asked({ tokenLookup: async () => (undefined as never as string[]).at(0) as never });
    expect([refused.status, refused.logged.length]).toEqual([[401, 401], 0]);
    expect([broken.status, broken.logged.length]).toEqual([[401, 401], 2]);
  });

  test('onUnauthorized may wait, and whatever it gives, the route is not reached', async () => {
    await fc.assert(
      fc.asyncProperty(values, hows, async (value, how) => {
        const onUnauthorized: JWTOptions['onUnauthorized'] = (context) => {
          context.status = 418;
          return given(value, how);
        };
        const { status } = await asked({ onUnauthorized }, Promise.resolve('no.such.token'));
        expect(status).toEqual(isGiven(how) ? [418, 418] : [500, 500]);
      }),
      { numRuns: 40 },
    );
  });

  test.each([['__proto__'], [''], [7], [null], [{}]])('userContextKey %j is refused', (userContextKey) => {
    const options = { accessSecret: SECRET, userContextKey } as never;
    expect(() => jwtAuthMiddleware(options)).toThrow(expect.objectContaining({ code: 'FW_JWT_CONTEXT_KEY' }));
  });

  test.each(['constructor', 'toString', 'a b'])('userContextKey %j is a property of the state', async (userContextKey) => {
    expect((await asked({ userContextKey })).status).toEqual([200, 200]);
  }); // prettier-ignore
});
