import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import { definePlugin, HttpRoutes, HttpServer, plugin } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp } from '../../kernel/testing/index.js';
import http, { foreignPageRefusal } from './index.js';
import { mayConnect } from './own-page.js';

const asked = (headers: IncomingHttpHeaders, host = headers.host ?? '') => ({ req: { headers } as never, host });

describe('a page that sends a password', () => {
  test.each<[IncomingHttpHeaders, string, boolean]>([
    [{ host: 'a' }, 'a', true],
    [{ host: 'a', origin: 'http://a' }, 'a', true],
    [{ host: 'a:443', origin: 'https://a' }, 'a:443', true],
    [{ host: 'a:443', origin: 'http://a' }, 'a:443', false],
    [{ host: 'a', origin: 'null', 'sec-fetch-site': 'same-origin' }, 'a', true],
    // A proxy has put its own Host in.
    [
      { host: '127.0.0.1:3000', origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' },
      '127.0.0.1:3000',
      true,
    ],
    [{ host: '127.0.0.1:3000', origin: 'https://shop.example' }, '127.0.0.1:3000', false],
    [{ host: '127.0.0.1:3000', origin: 'https://shop.example' }, 'shop.example', true],
    [{ host: 'a', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'a', false],
    [{ host: 'a', 'sec-fetch-site': 'same-site' }, 'a', false],
    [{ host: 'a', origin: 'null' }, 'a', false],
  ])('%j, of the server %s, is our own: %p', (headers, host, isOwn) => {
    expect(foreignPageRefusal(asked(headers, host)) === undefined).toBe(isOwn);
  });
});

describe('a page that opens a WebSocket', () => {
  // `xn--` begins the ASCII form of an international name (RFC 5890, section 2.3.2.1), and alone it is none.
  const name = fc
    .stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,5}(\.[a-zA-Z]{1,3}){0,2}$/)
    .filter((host) => URL.canParse(`http://${host}`));
  const port = fc.constantFrom('', ':80', ':443', ':3000', ':8080');
  const scheme = fc.constantFrom('http', 'https');
  const origin = fc.tuple(scheme, name, port);
  const asUrl = ([protocol, host, at]: readonly string[]) => `${protocol}://${host}${at}`;

  test('is our own when a browser would write its origin so for this host, however both are spelled', () => {
    fc.assert(
      fc.property(origin, fc.oneof(name, fc.constant('')), port, ([protocol, host, at], other, otherPort) => {
        const server = `${other === '' ? host : other}${otherPort}`;
        const headers = { origin: asUrl([protocol, host, at]) };
        const { origin: canonical } = new URL(headers.origin);
        const isOwn = ['http', 'https'].some((each) => new URL(`${each}://${server}`).origin === canonical);
        expect(mayConnect(asked(headers, server), undefined)).toBe(isOwn);
      }),
    );
  });

  test('is one that the route lists, however it is spelled; no list lets a page in because its text begins alike', () => {
    fc.assert(
      fc.property(origin, fc.array(origin, { maxLength: 3 }), (page, listed) => {
        const canonical = new URL(asUrl(page)).origin;
        const isListed = listed.some((each) => new URL(asUrl(each)).origin === canonical);
        const allowed = listed.map((each, index) => `${asUrl(each)}${index % 2 === 0 ? '' : '/'}`);
        expect(mayConnect(asked({ origin: canonical }, 'server.example'), allowed)).toBe(isListed);
      }),
    );
    const trap = (page: string) => mayConnect(asked({ origin: page }, 'a'), ['https://shop.example', 'null']);
    const pages = ['https://shop.example.evil.example', 'https://shop.example@evil.example', 'http://shop.example', ''];
    expect(pages.map(trap)).toEqual(pages.map(() => false));
    expect(trap('null')).toBe(true);
  });

  test('is let in where the browser says so, and no program has to say anything', () => {
    const foreign = { origin: 'https://shop.example' };
    const says = (site: string) =>
      mayConnect(asked({ ...foreign, 'sec-fetch-site': site }, '127.0.0.1:3000'), undefined);
    expect(['same-origin', 'same-site', 'cross-site', 'none'].map(says)).toEqual([true, false, false, false]);
    expect(mayConnect(asked({}, 'a'), undefined)).toBe(true);
    expect(mayConnect(asked({ ...foreign, 'sec-fetch-site': 'same-origin' }, 'a'), ['https://b.example'])).toBe(false);
  });
});

describe('behind a proxy that replaces Host', () => {
  let proxy: Server;
  let forwards: boolean;
  const apps: BootedTestApp[] = [];
  let target = 0;

  async function boot(trustedProxies: string[]): Promise<number> {
    const app = definePlugin({
      id: 'app',
      category: 'app',
      description: 'Greets',
      register: ({ contribute }) =>
        contribute(HttpRoutes, () => ({
          name: 'app',
          register: (router) => router.websocket('/live', (socket) => socket.send('hello')),
        })),
    });
    const booted = await bootTestApp({
      plugins: [plugin(() => Promise.resolve(http), { port: 0, trustedProxies }), app],
    });
    apps.push(booted);
    return booted.services.get(HttpServer).port;
  }

  beforeAll(async () => {
    proxy = createServer((_request, response) => response.writeHead(404).end());
    proxy.on('upgrade', ({ url, headers }, client) => {
      const { host, ...rest } = headers;
      const more = { host: `127.0.0.1:${target}`, ...(forwards && { 'x-forwarded-host': host }) };
      const onward = httpRequest({ port: target, host: '127.0.0.1', path: url, headers: { ...rest, ...more } });
      onward.on('upgrade', ({ rawHeaders }, upstream, head) => {
        const lines = rawHeaders.map((text, index) => text + (index % 2 === 0 ? ': ' : '\r\n')).join('');
        client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`);
        client.write(head);
        upstream.pipe(client).pipe(upstream);
      });
      onward.on('response', ({ statusCode }) =>
        client.end(`HTTP/1.1 ${statusCode} Refused\r\nContent-Length: 0\r\n\r\n`),
      );
      onward.end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    for (const app of apps) await app.stop();
    await new Promise((resolve) => proxy.close(resolve));
  });

  /** What a browser at https://shop.example gets: the first message, or the status. */
  function opened(origin: string): Promise<string> {
    const { port } = proxy.address() as { port: number };
    const socket = new WebSocket('ws://shop.example/live', {
      origin,
      createConnection: () => connect(port, '127.0.0.1'),
    } as never);
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, { statusCode }) => resolve(String(statusCode)));
      socket.once('message', (data: Buffer) => {
        resolve(data.toString());
        socket.close();
      });
    });
  }

  test.each([
    [['127.0.0.1'], true, 'hello'],
    [['127.0.0.1'], false, '403'],
    [['10.0.0.1'], true, '403'],
    [[], true, '403'],
  ])(
    'a page of ours opens a WebSocket when %j are trusted and X-Forwarded-Host is sent: %p',
    async (trusted, says, got) => {
      target = await boot(trusted);
      forwards = says;
      expect(await opened('https://shop.example')).toBe(got);
      expect(await opened('https://evil.example')).toBe('403');
    },
  );
});
