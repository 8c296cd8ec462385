import { afterAll, describe, expect, jest, test } from '@jest/globals';
import Koa from 'koa';
import { servePlain } from '../../kernel/testing/index.js';
import { middleware, newTracer } from '../fleet/tracer/index.js';
import { loggingMiddleware } from './logging/index.js';
import { newRateLimiter, type RateLimiterOptions } from './rate-limit/index.js';
import { recoveryMiddleware } from './recovery/index.js';

const warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterAll(() => void warnings.mockRestore());

const ODD: readonly [string, () => unknown][] = [
  ['a promise of true', () => Promise.resolve(true)],
  ['a promise that is rejected', () => Promise.reject(new Error('late'))],
  ['a text', () => 'yes'],
  ['a match', () => /x/.exec('x')],
  ['an error', () => { throw new Error('broken'); }],
]; // prettier-ignore

async function statusOf(...chain: Koa.Middleware[]): Promise<number> {
  const app = new Koa();
  app.silent = true;
  for (const each of chain) app.use(each);
  await using server = await servePlain(app);
  return (await fetch(server.url)).status;
}
const answer: Koa.Middleware = (ctx) => {
  ctx.body = 'inside';
};

describe('functions of the application that give', () => {
  test.each(ODD)('%s leave no request out of the log', async (_name, odd) => {
    const lines: unknown[] = [];
    const logging = loggingMiddleware({ skip: odd as never, write: (line) => void lines.push(line) });
    expect(await statusOf(logging, answer)).toBe(200);
    expect(lines).toHaveLength(1);
  });

  test.each(ODD)('%s leave no request out of the traces', async (_name, odd) => {
    const tracer = newTracer({ serviceName: 'shop', enabled: true, aggregatorURL: 'http://127.0.0.1:1' });
    expect(await statusOf(middleware(tracer, { skip: odd as never }) as Koa.Middleware, answer)).toBe(200);
    expect(tracer.counters().spansRecorded).toBe(1);
    await tracer.close();
  });

  test.each(ODD)('%s in place of being told change no answer', async (_name, odd) => {
    expect(await statusOf(loggingMiddleware({ write: odd as never }), answer)).toBe(200);
    const panics: Koa.Middleware = () => {
      throw new Error('panic');
    };
    expect(await statusOf(recoveryMiddleware({ report: odd as never }), panics)).toBe(500);
  });
});

describe('the key of the rate limiter', () => {
  const admitted = async (key: unknown, clients = 3) => {
    const limiter = newRateLimiter({ requests: 1, per: '1h', key: key as RateLimiterOptions['key'] & {} });
    const app = new Koa().use(limiter).use(answer);
    await using server = await servePlain(app);
    const statuses: number[] = [];
    for (let client = 0; client < clients; client++)
      statuses.push((await fetch(server.url, { headers: { 'X-Client': String(client) } })).status);
    return statuses;
  };

  test('may wait', async () => {
    expect(await admitted(async (ctx: Koa.Context) => ctx.get('X-Client'))).toEqual([200, 200, 200]);
  });

  test.each([undefined, null, '', 7, {}, []])('%j is none: the address counts', async (key) => {
    expect(await admitted(() => key)).toEqual([200, 429, 429]);
    expect(await admitted(async () => key)).toEqual([200, 429, 429]);
  });

  test('that throws or is rejected is none either', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    expect([await admitted(broken), await admitted(async () => broken())]).toEqual([[200, 429, 429], [200, 429, 429]]);
  }); // prettier-ignore

  test('a store that throws at once is a store that fails', async () => {
    const store = { hit: () => { throw new Error('no store'); } }; // prettier-ignore
    expect(await statusOf(newRateLimiter({ requests: 1, per: '1h', store }), answer)).toBe(200);
    expect(await statusOf(newRateLimiter({ requests: 1, per: '1h', store, onStoreError: 'block' }), answer)).toBe(429);
  });
});
