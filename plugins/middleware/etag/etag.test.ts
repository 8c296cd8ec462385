import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Koa from 'koa';
import { disableCounters, enableCounters } from '../../../kernel/index.js';
import { servePlain } from '../../../kernel/testing/index.js';
import { matchesETag } from '../../http/index.js';
import { type ETagCache, newETagCache } from './index.js';
import { keyOfTarget } from './key-of-target.js';

afterEach(() => disableCounters());

const md5 = (text: string) => `"${createHash('md5').update(text).digest('hex')}"`;

function application(body: (ctx: Koa.Context) => unknown, cache: ETagCache = newETagCache()) {
  return new Koa().use(cache.etagMiddleware()).use((ctx) => {
    ctx.body = body(ctx);
  });
}

describe('etagMiddleware', () => {
  test('sends the quoted MD5 of the body, for text, bytes and JSON [MW-ETAG-01]', async () => {
    class Row {
      id = 1;
    }
    const bodies: Record<string, unknown> = {
      '/text': 'héllo',
      '/bytes': Buffer.from('x'),
      '/json': { a: 1 },
      '/row': new Row(),
    };
    await using server = await servePlain(application((ctx) => bodies[ctx.path]));
    for (const path of Object.keys(bodies)) {
      const response = await fetch(server.url + path);
      expect(response.headers.get('etag')).toBe(md5(await response.text()));
    }
    expect((await fetch(`${server.url}/json`)).headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('answers 304 without body headers when If-None-Match names the tag, and runs the handler all the same [MW-ETAG-02, ERR-MW-ETAG]', async () => {
    let runs = 0;
    await using server = await servePlain(
      application((ctx) => (runs++, ctx.set('Cache-Control', 'no-cache'), { a: 1 })),
    );
    const tag = md5('{"a":1}');
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*', `W/"x" , ${tag}`]) {
      const response = await fetch(server.url, { headers: { 'If-None-Match': header } });
      expect([response.status, await response.text()]).toEqual([304, '']);
      expect(response.headers.get('etag')).toBe(tag);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('content-type')).toBeNull();
    }
    expect(runs).toBe(5);
  });

  test.each(['"other"', 'nonsense', '', `"${'a'.repeat(9000)}"`, '"open', ',,,'])(
    'answers 200 to the If-None-Match %j',
    async (header) => {
      await using server = await servePlain(application(() => ({ a: 1 })));
      expect((await fetch(server.url, { headers: { 'If-None-Match': header } })).status).toBe(200);
    },
  );

  test('answers HEAD like GET, and leaves other methods, statuses and streams alone', async () => {
    const app = application((ctx) => {
      if (ctx.path === '/stream') return Readable.from(['x']);
      if (ctx.path === '/gone') ctx.status = 410;
      return 'x';
    });
    await using server = await servePlain(app);
    const tagOf = async (path: string, method: string) =>
      (await fetch(server.url + path, { method })).headers.get('etag');
    expect(await tagOf('/', 'HEAD')).toBe(md5('x'));
    expect([await tagOf('/', 'POST'), await tagOf('/gone', 'GET'), await tagOf('/stream', 'GET')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('writes the store on every response, by URL with its query string, without bound [MW-ETAG-03, MW-ETAG-04, MW-ETAG-05, LIMIT-MW-ETAG-01]', async () => {
    const cache = newETagCache();
    let body = 'first';
    await using server = await servePlain(application(() => body, cache));
    await fetch(`${server.url}/a?x=1&y=2`);
    await fetch(`${server.url}/a?y=2&x=1`);
    expect(cache.size).toBe(1);
    body = 'second';
    await fetch(`${server.url}/a?x=1&y=2`);
    await fetch(`${server.url}/a?x=2`);
    expect([cache.size, cache.get('/a?x=1&y=2#'), cache.get('/a?x=2#')]).toEqual([2, md5('second'), md5('second')]);
    for (let each = 0; each < 5000; each++) cache.set(`/p/${each}`, '"t"');
    expect(cache.size).toBe(5002);
    expect(cache.report().notes?.join()).toContain('unbounded');
  });

  test('keeps as much of a short target as of a long one', async () => {
    const cache = newETagCache();
    const kept: string[] = [];
    const set = cache.set.bind(cache);
    cache.set = (key, etag) => (kept.push(key, etag), set(key, etag));
    await using server = await servePlain(application((ctx) => (ctx.set('ETag', `"${'t'.repeat(2000)}"`), 'x'), cache));
    for (const long of ['x'.repeat(4000), 'y'.repeat(4000), 'x'.repeat(4000)]) await fetch(`${server.url}/?q=${long}`);
    expect(cache.size).toBe(2);
    const keys = kept.filter((_, index) => index % 2 === 0);
    for (const key of keys) {
      expect(key.length).toBeLessThanOrEqual(64);
      expect(cache.get(key)?.length).toBeLessThanOrEqual(64);
    }
  });

  test('keys are the same for the same names in any order, and different for others, however long they are', () => {
    const pair = fc
      .tuple(fc.webQueryParameters({ size: 'small' }), fc.nat(3))
      .map(([text, times]) => text.repeat(times + 1));
    fc.assert(
      fc.property(
        fc.array(pair, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('', 'br', 'gzip'),
        (pairs, encoding) => {
          const key = keyOfTarget(`/p?${pairs.join('&')}`, encoding);
          expect(key.length).toBeLessThanOrEqual(64);
          expect(keyOfTarget(`/p?${[...pairs].reverse().join('&')}`, encoding)).toBe(key);
          expect(keyOfTarget(`/p?${pairs.join('&')}&more=1`, encoding)).not.toBe(key);
          expect(keyOfTarget(`/p?${pairs.join('&')}`, `${encoding}x`)).not.toBe(key);
        },
      ),
    );
  });

  test('forgets the oldest entry where a bound is set', () => {
    const cache = newETagCache({ maxEntries: 2 });
    for (const key of ['a', 'b', 'c']) cache.set(key, '"t"');
    expect([cache.get('a'), cache.size]).toEqual([undefined, 2]);
    expect(cache.report()).toMatchObject({
      notes: [expect.any(String)],
      detail: { max_entries: 2, evicted_entries: 1 },
    });
  });

  test('counts only after enableCounters() [MW-PROBE-03]', async () => {
    const cache = newETagCache();
    await using server = await servePlain(application(() => 'x', cache));
    await fetch(server.url);
    expect(cache.report().detail).toMatchObject({ full_body: 0, not_modified_304: 0, counting: false });
    enableCounters();
    await fetch(server.url);
    await fetch(server.url, { headers: { 'If-None-Match': '*' } });
    expect(cache.report().detail).toMatchObject({ full_body: 1, not_modified_304: 1, stored_entries: 1 });
  });
});

describe('the documentation', () => {
  test('warns of endpoints with unboundedly many URLs [LIMIT-MW-ETAG-02]', async () => {
    const guide = await readFile(new URL('../../../docs/guides/http.md', import.meta.url), 'utf8');
    expect(guide).toMatch(/ETag store is unbounded[^.]*\. Do not use it on endpoints with unboundedly many URLs/);
  });
});

describe('matchesETag', () => {
  // What takes time by the square of a header's length does not end within the test's time.
  test('takes time in proportion to the header, however it is built', () => {
    expect(matchesETag(`${' '.repeat(2_000_000)}x`, '"a"')).toBe(false);
    expect(matchesETag('"a",'.repeat(500_000), '"b"')).toBe(false);
  });
});
