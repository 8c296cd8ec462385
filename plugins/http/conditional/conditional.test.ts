import { afterEach, describe, expect, test } from '@jest/globals';
import { HttpServer, plugin, type Router } from '../../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import compression from '../../middleware/compression/index.js';
import etag from '../../middleware/etag/index.js';
import http from '../index.js';
import { matchesETag, matchesStrongly } from './entity-tags.js';
import { outcomeOf } from './preconditions.js';
import { changedMeanwhile, setValidators } from './route-validator.js';

const running: BootedTestApp[] = [];

afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

const TEXT = 'An order of many words. '.repeat(100);
const DAY = 'Mon, 01 Jan 2024 00:00:00 GMT';
const LATER = 'Tue, 02 Jan 2024 00:00:00 GMT';

describe('matchesETag and matchesStrongly', () => {
  test.each<[header: string, tag: string, weak: boolean, strong: boolean]>([
    ['"a"', '"a"', true, true],
    ['"a"', '"b"', false, false],
    [', ,"a"', '"a"', true, true],
    ['"b",, ,\t"a" ,', '"a"', true, true],
    ['W/"a"', '"a"', true, false],
    ['"a"', 'W/"a"', true, false],
    ['*', '"a"', true, true],
    ['"b", *', '"a"', false, false],
    ['"a" "b"', '"a"', false, false],
    ['a', '"a"', false, false],
    ['', '"a"', false, false],
    ['"a,b"', '"a,b"', true, true],
  ])('%j names %s: weakly %p, strongly %p', (header, tag, weak, strong) => {
    expect([matchesETag(header, tag), matchesStrongly(header, tag)]).toEqual([weak, strong]);
  });
});

describe('outcomeOf (RFC 9110, section 13.2.2)', () => {
  const current = { etag: '"7"', lastModified: Date.parse(DAY) + 400 };
  test.each([
    ['GET', {}, 'proceed'],
    ['PUT', { 'if-match': '"7"' }, 'proceed'],
    ['PUT', { 'if-match': '"6", "8"' }, 'failed'],
    ['GET', { 'if-match': '"6"' }, 'failed'],
    ['PUT', { 'if-match': '"7"', 'if-unmodified-since': 'Sun, 01 Jan 2023 00:00:00 GMT' }, 'proceed'],
    ['PUT', { 'if-unmodified-since': DAY }, 'proceed'],
    ['PUT', { 'if-unmodified-since': 'Sun, 01 Jan 2023 00:00:00 GMT' }, 'failed'],
    ['PUT', { 'if-unmodified-since': '7' }, 'proceed'],
    ['GET', { 'if-none-match': '"7"' }, 'unchanged'],
    ['PUT', { 'if-none-match': '"7"' }, 'failed'],
    ['PUT', { 'if-none-match': '*' }, 'failed'],
    ['GET', { 'if-none-match': '"6"', 'if-modified-since': LATER }, 'proceed'],
    ['HEAD', { 'if-modified-since': DAY }, 'unchanged'],
    ['PUT', { 'if-modified-since': DAY }, 'proceed'],
    ['GET', { 'if-match': '"6"', 'if-none-match': '"7"' }, 'failed'],
  ])('%s with %j: %s', (method, headers, outcome) => {
    expect(outcomeOf(method, headers, current)).toBe(outcome);
  });

  test('of what is not there only If-None-Match is true', () => {
    expect(outcomeOf('PUT', { 'if-match': '*' }, undefined)).toBe('failed');
    expect(outcomeOf('PUT', { 'if-none-match': '*' }, undefined)).toBe('proceed');
  });
});

interface Order {
  version: number;
  text: string;
}

function orders(kept: Map<string, Order>) {
  return (router: Router) => {
    const validator = ({ params }: { params: Readonly<Record<string, string>> }) =>
      Promise.resolve(kept.get(params['id'] as string));
    router.get('/orders/:id', { validator }, (ctx) => ({ text: ctx.current?.text }));
    router.put('/orders/:id', { validator, precondition: 'required' }, async (ctx) => {
      const seen = ctx.current?.version ?? 0;
      // Room for somebody who is quicker.
      await new Promise(setImmediate);
      if ((kept.get(ctx.params.id)?.version ?? 0) !== seen) throw changedMeanwhile(ctx);
      kept.set(ctx.params.id, { version: seen + 1, text: TEXT });
      setValidators(ctx as never, seen + 1);
      return { version: seen + 1 };
    });
  };
}

async function serve(register: (router: Router) => void) {
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(etag)),
      plugin(() => Promise.resolve(compression)),
      routesUnderTest(register),
    ],
  });
  running.push(app);
  const { url } = app.services.get(HttpServer);
  return async (method: string, path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, { method, headers: { 'Accept-Encoding': 'identity', ...headers } });
    return { status: response.status, tag: response.headers.get('etag'), text: await response.text() };
  };
}

describe('a route with a validator', () => {
  test('answers with the ETag of the state, and 304 to whoever has it', async () => {
    const ask = await serve(orders(new Map([['1', { version: 7, text: TEXT }]])));
    expect(await ask('GET', '/orders/1')).toMatchObject({ status: 200, tag: '"7"' });
    expect(await ask('GET', '/orders/1', { 'If-None-Match': '"7"' })).toEqual({ status: 304, tag: '"7"', text: '' });
    expect(await ask('GET', '/orders/1', { 'If-None-Match': '"6"' })).toMatchObject({ status: 200 });
    expect(await ask('GET', '/orders/1', { 'If-Match': '"6"' })).toMatchObject({ status: 412 });
  });

  test('refuses a write that has seen another state before anything is written, and one that has seen none', async () => {
    const kept = new Map([['1', { version: 7, text: TEXT }]]);
    const ask = await serve(orders(kept));
    for (const unsaid of [
      {},
      { 'If-Unmodified-Since': LATER },
      { 'If-None-Match': '"6"' },
      { 'If-Modified-Since': DAY },
    ])
      expect(await ask('PUT', '/orders/1', unsaid as Record<string, string>)).toMatchObject({ status: 428 });
    expect(await ask('PUT', '/orders/1', { 'If-Match': '"6"' })).toMatchObject({ status: 412, tag: null });
    expect(await ask('PUT', '/orders/1', { 'If-Match': 'W/"7"' })).toMatchObject({ status: 412 });
    expect(await ask('PUT', '/orders/1', { 'If-None-Match': '*' })).toMatchObject({ status: 412 });
    expect(kept.get('1')?.version).toBe(7);
    expect(await ask('PUT', '/orders/1', { 'If-Match': ', "x","7"' })).toMatchObject({ status: 200, tag: '"8"' });
    expect(await ask('PUT', '/orders/2', { 'If-None-Match': '*' })).toMatchObject({ status: 200, tag: '"1"' });
  });

  test('gives the write what it needs to lose a race: of two with the same ETag one gets 412', async () => {
    const ask = await serve(orders(new Map([['1', { version: 7, text: TEXT }]])));
    const both = await Promise.all([1, 2].map(() => ask('PUT', '/orders/1', { 'If-Match': '"7"' })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('takes the ETag of a compressed answer for If-Match', async () => {
    const ask = await serve(orders(new Map([['1', { version: 7, text: TEXT }]])));
    const { tag } = await ask('GET', '/orders/1', { 'Accept-Encoding': 'gzip' });
    expect(tag).toBe('"7;gzip"');
    expect(await ask('GET', '/orders/1', { 'Accept-Encoding': 'gzip', 'If-None-Match': tag as string })).toMatchObject({
      status: 304,
      tag,
    });
    expect(await ask('PUT', '/orders/1', { 'If-Match': tag as string })).toMatchObject({ status: 200 });
  });

  test('takes dates as states', async () => {
    const at = new Date(DAY);
    const ask = await serve((router) => {
      router.on('DELETE', '/x', { validator: () => at }, () => ({ deleted: true }));
      router.on('GET', '/x', { validator: () => at }, () => ({}));
      router.put('/x', { validator: () => at, precondition: 'required' }, () => ({}));
    });
    expect(await ask('PUT', '/x', { 'If-Unmodified-Since': 'once' })).toMatchObject({ status: 428 });
    expect(await ask('PUT', '/x', { 'If-Unmodified-Since': DAY })).toMatchObject({ status: 200 });
    expect(await ask('GET', '/x', { 'If-Modified-Since': LATER })).toMatchObject({ status: 304 });
    expect(await ask('DELETE', '/x', { 'If-Unmodified-Since': 'Sun, 31 Dec 2023 23:59:59 GMT' })).toMatchObject({
      status: 412,
    });
    expect(await ask('DELETE', '/x', { 'If-Unmodified-Since': DAY })).toMatchObject({ status: 200 });
  });

  test('is refused at boot when it demands what it cannot evaluate', async () => {
    const blind = (router: Router) => router.put('/x', { precondition: 'required' }, () => 1);
    await expect(serve(blind)).rejects.toMatchObject({ code: 'FW_HTTP_ROUTE_OPTION' });
  });
});

describe('the ETag middleware', () => {
  test('answers 412 where If-Match or If-Unmodified-Since fails, and 304 by date', async () => {
    const ask = await serve((router) => {
      router.get('/text', (ctx) => {
        ctx.set('Last-Modified', DAY);
        return TEXT;
      });
    });
    const { tag } = await ask('GET', '/text');
    expect(await ask('GET', '/text', { 'If-Match': tag as string })).toMatchObject({ status: 200, text: TEXT });
    expect(await ask('HEAD', '/text', { 'If-Match': '"other"' })).toMatchObject({ status: 412 });
    const refused = await ask('GET', '/text', { 'If-Match': '"other"' });
    expect(refused).toMatchObject({ status: 412, tag: null });
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'FW_HTTP_PRECONDITION_FAILED' });
    expect(await ask('GET', '/text', { 'If-Unmodified-Since': 'Sun, 31 Dec 2023 00:00:00 GMT' })).toMatchObject({
      status: 412,
    });
    expect(await ask('GET', '/text', { 'If-Modified-Since': LATER })).toMatchObject({ status: 304 });
  });
});
