import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib, { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { fetch as undiciFetch, Response as UndiciResponse } from 'undici';
import { HttpServer, plugin, type PluginEntry, type RouteHandler } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import { until } from '../../kernel/testing/until.js';
import cors from '../middleware/cors/index.js';
import http, { type HttpOptions } from './index.js';
import { codingsOfFetch } from './web-body.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const PACKED = gzipSync('{"packed":true}');
const { zstdCompressSync } = zlib as Partial<Record<'zstdCompressSync', (text: string) => Buffer>>;

let upstream: Server;
let origin: string;
let app: BootedTestApp | undefined;
/** Paths whose answer ended before it was written whole. */
let cut: string[] = [];

beforeAll(async () => {
  upstream = createServer((req, res) => {
    res.on('close', () => res.writableFinished || cut.push(req.url as string));
    const answers: Record<string, () => unknown> = {
      '/packed': () => res.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }).end(PACKED),
      '/described': () =>
        res
          .writeHead(200, {
            ...JSON_TYPE,
            'Content-Encoding': 'gzip',
            'Content-Length': PACKED.length,
            'Accept-Ranges': 'bytes',
            'Content-Digest': 'sha-256=:AAAA:',
            'Repr-Digest': 'sha-256=:AAAA:',
            ETag: '"7"',
          })
          .end(req.method === 'HEAD' ? undefined : PACKED),
      '/zstd': () =>
        res.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'zstd' }).end(zstdCompressSync?.('{"packed":true}')),
      '/foreign': () => res.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'own' }).end('as it is'),
      '/cookies': () =>
        res.writeHead(200, { 'Set-Cookie': ['a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT', 'b=2'] }).end(),
      '/cors': () =>
        res
          .writeHead(200, {
            'Access-Control-Allow-Origin': '*',
            'Access-Control-Allow-Credentials': 'true',
            Vary: 'Accept-Encoding, X-Own',
          })
          .end('x'),
      '/hop': () =>
        res
          .writeHead(200, { Connection: 'close, X-Hop', 'X-Hop': '1', 'Keep-Alive': 'timeout=3', 'X-End': '1' })
          .end('x'),
      '/fails': () => (res.writeHead(200).flushHeaders(), setImmediate(() => res.destroy())),
      '/endless': () => res.writeHead(200).write('x'),
    };
    answers[req.url as string]?.();
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  origin = `http://127.0.0.1:${String((upstream.address() as AddressInfo).port)}`;
});
afterEach(async () => {
  cut = [];
  await app?.stop();
});
afterAll(() => void upstream.close());

async function serve(
  handler: RouteHandler,
  fastPath: HttpOptions['fastPath'],
  more: readonly PluginEntry[] = [],
): Promise<string> {
  const entry = plugin(() => Promise.resolve(http), { port: 0, fastPath });
  app = await bootTestApp({ plugins: [entry, ...more, routesUnderTest((router) => router.get('/', handler))] });
  return app.services.get(HttpServer).url;
}

/** Headers as they came, since `fetch` joins some. */
async function headersOf(url: string, method = 'GET') {
  const sent = request(url, { method });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}

describe.each(['full', 'public', 'off'] as const)('what `fetch` gives, sent on with fastPath %s', (fastPath) => {
  const proxy = (path: string) => serve(() => fetch(origin + path) as never, fastPath);

  test('is not said to have the coding that `fetch` has taken off', async () => {
    const response = await fetch(await proxy('/packed'));
    expect(await response.json()).toEqual({ packed: true });
    expect(response.headers.get('content-encoding')).toBeNull();
  });

  test.each(['GET', 'HEAD'])('is not said to have bytes that are gone, in answer to %s', async (method) => {
    const url = await serve((ctx) => fetch(`${origin}/described`, { method: ctx.method }) as never, fastPath);
    const { headers } = await headersOf(url, method);
    expect(headers).toMatchObject({ 'content-type': 'application/json', etag: '"7"' });
    const about = ['content-encoding', 'content-length', 'accept-ranges', 'content-digest', 'repr-digest'];
    expect(about.filter((name) => name in headers)).toEqual([]);
  });

  test.each<[string, RouteHandler]>([
    ['a Response of `fetch`', () => fetch(`${origin}/packed`) as never],
    ['a Response', () => new Response('some text') as never],
    ['a web stream', () => new Blob(['some text']).stream() as never],
  ])('has no length in answer to HEAD where GET has none: %s', async (_what, handler) => {
    const url = await serve(handler, fastPath);
    for (const method of ['GET', 'HEAD'])
      expect((await headersOf(url, method)).headers).not.toHaveProperty('content-length');
  });

  // Not every Node has it.
  (codingsOfFetch().has('zstd') ? test : test.skip)('is readable where its coding is zstd', async () => {
    const response = await fetch(await proxy('/zstd'));
    expect(await response.json()).toEqual({ packed: true });
    expect(response.headers.get('content-encoding')).toBeNull();
  });

  test('may be of the package undici', async () => {
    const response = await fetch(await serve(() => undiciFetch(`${origin}/packed`) as never, fastPath));
    expect([response.headers.get('content-type'), await response.json()]).toEqual([
      'application/json',
      { packed: true },
    ]);
    await app?.stop();
    const empty = await fetch(
      await serve(() => new UndiciResponse(null, { headers: { 'X-A': '1' } }) as never, fastPath),
    );
    expect([empty.status, empty.headers.get('x-a'), await empty.text()]).toEqual([200, '1', '']);
  });

  test('keeps a coding that `fetch` does not know', async () => {
    const { headers } = await headersOf(await proxy('/foreign'));
    expect(headers).toMatchObject({ 'content-encoding': 'own', 'content-type': 'application/json' });
  });

  test('keeps cookies apart, and those that were set before', async () => {
    const url = await serve((ctx) => {
      ctx.append('Set-Cookie', 'own=0');
      return fetch(`${origin}/cookies`) as never;
    }, fastPath);
    const { headers } = await headersOf(url);
    expect(headers['set-cookie']).toEqual(['own=0', 'a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT', 'b=2']);
  });

  describe('of a server with CORS of its own', () => {
    const askedBy = async (page: string, handler: RouteHandler, more?: readonly PluginEntry[]) => {
      const { headers } = await fetch(await serve(handler, fastPath, more), { headers: { Origin: page } });
      return ['access-control-allow-origin', 'access-control-allow-credentials', 'vary'].map((name) =>
        headers.get(name),
      );
    };
    const sentOn: RouteHandler = () => fetch(`${origin}/cors`) as never;
    const own = [plugin(() => Promise.resolve(cors), { allowOrigins: 'http://a.test, http://b.test' })];
    const varied = 'Origin, Accept-Encoding, X-Own';

    test('is held to what this application says', async () => {
      expect(await askedBy('http://evil.test', sentOn, own)).toEqual([null, null, varied]);
      await app?.stop();
      expect(await askedBy('http://a.test', sentOn, own)).toEqual(['http://a.test', null, varied]);
    });

    test('keeps what it said where this application says nothing', async () => {
      expect(await askedBy('http://evil.test', sentOn)).toEqual(['*', 'true', 'Accept-Encoding, X-Own']);
    });

    test('may be said by the handler, too', async () => {
      const made: RouteHandler = () => new Response('x', { headers: { 'Access-Control-Allow-Origin': '*' } }) as never;
      expect(await askedBy('http://evil.test', made, own)).toEqual(['*', null, 'Origin']);
    });
  });

  test('takes nothing over that was about the other connection (RFC 9110, section 7.6.1)', async () => {
    const { headers } = await headersOf(await proxy('/hop'));
    expect(headers).toMatchObject({ connection: 'keep-alive', 'transfer-encoding': 'chunked', 'x-end': '1' });
    expect(headers).not.toHaveProperty('x-hop');
    expect(headers['keep-alive']).not.toBe('timeout=3');
  });

  test.each(['Response', 'stream'])('is a 500 when its %s fails before the first byte', async (kind) => {
    const url = await serve(async (ctx) => {
      const response = await fetch(`${origin}/fails`);
      ctx.body = (kind === 'Response' ? response : response.body) as never;
    }, fastPath);
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ status: 500 });
  });

  test.each([
    ['HEAD', 200],
    ['GET', 304],
    ['GET', 500],
  ])('ends where nobody reads it: %s, %d', async (method, status) => {
    const url = await serve(async (ctx) => {
      ctx.body = (await fetch(`${origin}/endless`)) as never;
      if (status === 500) throw new Error('after all');
      ctx.status = status;
    }, fastPath);
    expect((await headersOf(url, method)).statusCode).toBe(status);
    while (cut.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(cut).toEqual(['/endless']);
  });

  test('ends where the client has left before it is there', async () => {
    const url = await serve(async (ctx) => {
      left.destroy();
      await once(ctx.res, 'close');
      return fetch(`${origin}/endless`) as never;
    }, fastPath);
    const left = request(url).on('error', () => {});
    left.end();
    await until(() => cut.length > 0, 'end of the other answer');
    expect(cut).toEqual(['/endless']);
  });
});

test('a Response that the handler has made says what it means', async () => {
  const made = () => new Response(PACKED, { status: 203, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' } });
  const url = await serve(() => made() as never, 'full');
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-encoding')]).toEqual([203, 'gzip']);
  expect(await response.json()).toEqual({ packed: true });
});

test('a blob keeps its length', async () => {
  const url = await serve(() => new Blob(['four']) as never, 'full');
  expect((await headersOf(url)).headers['content-length']).toBe('4');
});

test.each([
  ['6.29.1', true, false],
  ['7.10.0', true, false],
  ['7.11.0', true, true],
  ['8.12.2', true, true],
  ['8.12.2', false, false],
  ['', true, false],
])('undici %s, where Node can decode zstd: %p, takes it off: %p', (undici, hasZstd, isKnown) => {
  expect(codingsOfFetch(undici, hasZstd).has('zstd')).toBe(isKnown);
});
