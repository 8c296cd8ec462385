import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Agent, fetch as undiciFetch } from 'undici';
import { WebSocket } from 'ws';
import { HttpServer, plugin, type Router } from '../../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import { until } from '../../../kernel/testing/until.js';
import http, { type HttpOptions } from '../index.js';
import { FIRST, SECOND } from './testing/certificates.js';

const running: BootedTestApp[] = [];
const agents: Agent[] = [];
let folder: string;
let files: { cert: string; key: string };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-tls-'));
});
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.destroy();
  for (const app of running.splice(0)) await app.stop();
});
afterAll(() => rm(folder, { recursive: true }));

async function serve(register: (router: Router) => void, options: Partial<HttpOptions>) {
  const entry = plugin(() => Promise.resolve(http), { port: 0, ...options });
  const app = await bootTestApp({ plugins: [entry, routesUnderTest(register)] });
  running.push(app);
  return app.services.get(HttpServer);
}

/** A client that trusts one certificate. */
function trusting(ca: string, options: object = {}) {
  const agent = new Agent({ ...options, connect: { ca } });
  agents.push(agent);
  return (url: string, init: { readonly headers?: Record<string, string> } = {}) =>
    undiciFetch(url, { ...init, dispatcher: agent });
}

async function writeFiles({ cert, key }: typeof FIRST) {
  files = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
  await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
}

async function handshake(port: number, options: object = {}): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

/** Answers once everything that was sent before has been read. */
const fetchedOnce = (port: number) => trusting(FIRST.cert)(`https://127.0.0.1:${port}/`).then((each) => each.text());

/** The body of the answer to GET / on a connection. */
async function firstAnswer(socket: TLSSocket): Promise<string> {
  if (socket.alpnProtocol !== 'h2') {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return (await text(socket)).split('\r\n\r\n')[1] ?? '';
  }
  const session = connectHttp2('https://127.0.0.1', { createConnection: () => socket });
  const body = await text(session.request({ ':path': '/' }));
  session.close();
  return body;
}

describe('TLS', () => {
  test.each([
    ['http/1.1', { allowH2: false }, '1.1'],
    ['h2', { allowH2: true }, '2.0'],
  ])('serves https over %s', async (_protocol, agent, version) => {
    const { url } = await serve(
      (router) =>
        router.get('/', ({ req, secure, host, clientIp }) => ({ v: req.httpVersion, secure, host, clientIp })),
      { tls: FIRST },
    );
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const response = await trusting(FIRST.cert, agent)(url);
    expect(await response.json()).toEqual({ v: version, secure: true, host: new URL(url).host, clientIp: '127.0.0.1' });
  });

  test.each([
    ['http/1.1', false],
    ['h2', true],
  ])('knows %s for encrypted beside trusted proxies, unless one says of its client', async (_protocol, allowH2) => {
    const handler: Parameters<Router['get']>[1] = (ctx) => {
      if (ctx.secure) ctx.cookies.set('s', '1', { secure: true });
      return ctx.protocol;
    };
    const askedBy = async (trustedProxies: string[], headers: Record<string, string> = {}) => {
      const { url } = await serve((router) => router.get('/', handler), { tls: FIRST, trustedProxies });
      const response = await trusting(FIRST.cert, { allowH2 })(url, { headers });
      return [await response.text(), response.headers.getSetCookie().length];
    };
    const plain = { 'X-Forwarded-Proto': 'http' };
    expect(await askedBy(['10.0.0.0/8'])).toEqual(['https', 1]);
    expect(await askedBy(['10.0.0.0/8'], plain)).toEqual(['https', 1]);
    expect(await askedBy(['127.0.0.1'])).toEqual(['https', 1]);
    expect(await askedBy(['127.0.0.1'], plain)).toEqual(['http', 0]);
    expect(await askedBy(['127.0.0.1'], { 'X-Forwarded-Proto': 'HTTPS' })).toEqual(['https', 1]);
  });

  test('leaves HTTP/2 out where it is told to', async () => {
    const { port } = await serve(() => {}, { tls: FIRST, http2: false });
    const socket = await handshake(port, { ALPNProtocols: ['h2', 'http/1.1'] });
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
  });

  test('carries WebSockets, which clients open over HTTP/1.1', async () => {
    const { url } = await serve(
      (router) =>
        router.websocket(
          '/ws',
          (socket) => void socket.on('message', (data) => socket.send(`got ${String(data as Buffer)}`)),
        ),
      { tls: FIRST },
    );
    const socket = new WebSocket(`${url.replace('https', 'wss')}/ws`, { ca: FIRST.cert });
    await once(socket, 'open');
    socket.send('hi');
    const [answer] = (await once(socket, 'message')) as [Buffer];
    expect(String(answer)).toBe('got hi');
    socket.terminate();
  });

  test('takes a certificate that was replaced, once its key is there too', async () => {
    await writeFiles(FIRST);
    const { port } = await serve(() => {}, { tls: { ...files, reload: 20 } });
    const names = async () => {
      const socket = await handshake(port);
      const name = socket.getPeerCertificate().subject.CN;
      socket.destroy();
      return name;
    };
    expect(await names()).toBe('first');
    await writeFile(files.cert, SECOND.cert);
    const [app] = running;
    await until(() => app?.log.messages('error').includes('the certificate was not reloaded'), 'refusal');
    expect(await names()).toBe('first');
    await writeFile(files.key, SECOND.key);
    await until(async () => (await names()) === 'second', 'second certificate');
  });

  test('asks clients for a certificate where it is told to', async () => {
    const { url, port } = await serve((router) => router.get('/', () => 'in'), {
      tls: { ...FIRST, clientCa: SECOND.cert },
    });
    const socket = await handshake(port, { minVersion: 'TLSv1.3' });
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await once(socket, 'error')).toMatchObject([
      { code: expect.stringContaining('CERTIFICATE_REQUIRED') as unknown },
    ]);
    const known = new Agent({ connect: { ca: FIRST.cert, cert: SECOND.cert, key: SECOND.key } });
    agents.push(known);
    expect(await (await undiciFetch(url, { dispatcher: known })).text()).toBe('in');
  });

  test('says what is wrong with a certificate', async () => {
    const file = path.join(folder, 'nothing.pem');
    const boot = (tls: HttpOptions['tls']) => serve(() => {}, { tls });
    await expect(boot({ ...FIRST, cert: file })).rejects.toMatchObject({ code: 'FW_HTTP_TLS_FILE', details: { file } });
    await expect(boot({ ...FIRST, key: SECOND.key })).rejects.toMatchObject({ code: 'FW_HTTP_TLS_INVALID' });
  });

  test.each(['http/1.1', 'h2'])(
    'lets a handshake in progress end, and answers its first request over %s, when it stops',
    async (protocol) => {
      const { port } = await serve((router) => router.get('/', () => 'answered'), {
        tls: FIRST,
        shutdownTimeout: '1h',
      });
      const raw = connectTcp(port, '127.0.0.1');
      await once(raw, 'connect');
      // Node tells the server of a connection a moment after the client.
      await fetchedOnce(port);
      const stopped = running.pop()?.stop();
      await delay(200);
      const socket = await handshake(port, { socket: raw, ALPNProtocols: [protocol] });
      await delay(100);
      expect(await firstAnswer(socket)).toBe('answered');
      await stopped;
    },
  );

  test('waits for no handshake that does not end when it stops', async () => {
    const { port } = await serve(() => {}, { tls: FIRST, shutdownTimeout: '1h', headersTimeout: '1h' });
    const raw = connectTcp(port, '127.0.0.1');
    await once(raw, 'connect');
    // The first bytes of a record that goes on (RFC 8446, section 5.1).
    raw.write(Buffer.from([22, 3, 1, 1, 0, 1]));
    await fetchedOnce(port);
    const closed = once(raw, 'close');
    raw.resume();
    await running.pop()?.stop();
    await closed;
  });

  test('ends connections that have sent nothing, and those that wait for more, when it stops', async () => {
    const { port } = await serve((router) => router.get('/', () => 'ok'), { tls: FIRST, shutdownTimeout: '1h' });
    const silent = await handshake(port);
    const closed = once(silent, 'close');
    silent.resume();
    await running.pop()?.stop();
    await closed;
  });
});
