import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Clock, Logger } from '../../../kernel/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import type { ControlEvent } from '../protocol/events.js';
import { newScope } from '../scope/scope.js';
import { bearer, connected, legacySse, streamable, textOf } from '../testing/clients.js';
import { echoTool, ECHOES, testPlane } from '../testing/fixture-plane.js';
import { ControlServer, type ControlServerOptions } from './control-server.js';
import { until } from '../../../kernel/testing/until.js';

const TOKEN = 'the-token';
const open: ControlServer[] = [];

async function serve(rest: Partial<ControlServerOptions> = {}): Promise<ControlServer> {
  const server = new ControlServer({
    plane: testPlane(),
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
    allowedOrigins: [],
    log: new RecordingLogger() as Logger,
    ...rest,
  });
  await server.bind();
  server.serve();
  open.push(server);
  return server;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Record<string, { code?: number; message: string }> & { id?: unknown };
}

/** A request with exactly these headers: fetch would not let a test forge Host and Origin. */
function ask(server: ControlServer, path: string, init: { method?: string; headers?: object; body?: string } = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const headers = { ...init.headers } as Record<string, string>;
    const sent = request(
      `${server.url}${path}`,
      { method: init.method ?? 'GET', headers, agent: false },
      (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => {
          const json = text.startsWith('event:') ? text.split('data: ')[1] : text;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: json ? JSON.parse(json) : {} });
        });
      },
    );
    sent.on('error', reject);
    sent.end(init.body);
  });
}

const POST = {
  ...bearer(TOKEN),
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

describe.each([
  ['Streamable HTTP', streamable],
  ['HTTP+SSE', legacySse],
])('the official client over %s', (_, transportOf) => {
  test('shakes hands, lists, calls and pings [MCP-OP-HANDSHAKE-01]', async () => {
    const server = await serve();
    const client = await connected(transportOf(server.url, TOKEN));
    expect(client.getServerVersion()).toMatchObject({ name: 'fw' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(ECHOES.map(({ name }) => name));
    expect(textOf(await client.callTool({ name: 'echo_fleet', arguments: { text: 'hello' } }))).toContain('hello');
    await client.ping();
    await client.close();
  });

  test('gets a refusal as a result, and an unknown tool as error -32602 [ERR-MCP-SCOPE-02]', async () => {
    const server = await serve({ plane: testPlane(ECHOES, { scope: newScope('fleet') }) });
    const client = await connected(transportOf(server.url, TOKEN));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo_fleet']);
    expect(await client.callTool({ name: 'echo_runtime' })).toMatchObject({
      isError: true,
      structuredContent: { refused: true, requires: 'runtime', granted: ['fleet'] },
    });
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('hears of progress, and can cancel a call', async () => {
    const cancelled = deferred();
    const slow = echoTool('slow', 'fleet', {
      run: async (_input, { signal, progress }) => {
        progress(1, 2, 'half way');
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        cancelled.resolve(undefined);
        return { summary: '', structured: {} };
      },
    });
    const server = await serve({ plane: testPlane([slow]) });
    const client = await connected(transportOf(server.url, TOKEN));
    const heard: unknown[] = [];
    const stop = new AbortController();
    const call = client.callTool({ name: 'slow' }, undefined, {
      signal: stop.signal,
      onprogress: (progress) => {
        heard.push(progress);
        stop.abort();
      },
    });
    await expect(call).rejects.toThrow();
    await cancelled.promise;
    expect(heard).toEqual([{ progress: 1, total: 2, message: 'half way' }]);
    await client.close();
  });
});

function deferred() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

describe('ControlServer', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/dashboard/api/routes'],
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['GET', '/mcp/features'],
    ['GET', '/sse'],
    ['POST', '/messages'],
  ])(
    'answers %s %s without the token with 401 and says what this address is [MCP-OP-HANDSHAKE-02] [MCP-AUTH-NETWORK-01] [MCP-AUTH-NETWORK-02] [MCP-FEATURES-01]',
    async (method, path) => {
      const server = await serve();
      const wrong = [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer the-toke' }, { authorization: TOKEN }];
      for (const headers of wrong) {
        const { status, body, headers: sent } = await ask(server, path, { method, headers: { ...headers } });
        expect(status).toBe(401);
        expect(sent['www-authenticate']).toBe('Bearer realm="fw-mcp"');
        expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
        expect(body['error']?.message).toMatch(/control address of an MCP server/);
      }
    },
  );

  test('takes the scheme of the token in any case', async () => {
    const server = await serve();
    const { status } = await ask(server, '/mcp/features', { headers: { authorization: `bEaReR   ${TOKEN} ` } });
    expect(status).toBe(200);
  });

  test('answers a request that was meant for the application with a well-formed rejection [MCP-ADDR-11] [ERR-MCP-ADDRESS]', async () => {
    const server = await serve();
    for (const path of ['/', '/openapi.json', '/dashboard/api/routes', '/mcp/', '/..%2fmcp']) {
      const { status, body } = await ask(server, path, { headers: bearer(TOKEN) });
      expect(status).toBe(404);
      expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
      expect(body['error']?.message).toMatch(/not the address of an application: MCP is at \/mcp/);
    }
    const put = await ask(server, '/mcp', { method: 'PUT', headers: bearer(TOKEN) });
    expect(put).toMatchObject({ status: 405, headers: { allow: 'POST, GET, DELETE' } });
  });

  test.each([
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost:9999', 404],
    ['[::1]:1', 404],
  ])('answers Host %s with %d on loopback', async (host, expected) => {
    const { status } = await ask(await serve(), '/', { headers: { ...bearer(TOKEN), host } });
    expect(status).toBe(expected);
  });

  test('validates the Origin [MCP-AUTH-NETWORK-03]', async () => {
    const server = await serve({ allowedOrigins: ['https://Tools.example/'] });
    const statusOf = async (origin: string) =>
      (await ask(server, '/mcp/features', { headers: { ...bearer(TOKEN), origin } })).status;
    for (const origin of ['http://evil.example', 'null', 'http://localhost.evil.example', 'http://localhost:1']) {
      expect([origin, await statusOf(origin)]).toEqual([origin, 403]);
    }
    const own = [`http://localhost:${server.port}`, 'http://127.0.0.1', `http://[::1]:${server.port}`];
    for (const origin of [...own, 'https://tools.example'])
      expect([origin, await statusOf(origin)]).toEqual([origin, 200]);
  });

  describe('to pages of other origins', () => {
    const PAGE = 'https://Tools.example';
    const preflight = (server: ControlServer, origin: string, more: object = {}) =>
      ask(server, '/mcp', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', ...more },
      });
    const cors = ({ headers }: Answer) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));

    test('answers the preflight of a listed one before the token, and lets it read the id of the session', async () => {
      const server = await serve({ allowedOrigins: ['https://tools.example'] });
      const answer = await preflight(server, PAGE);
      expect(answer).toMatchObject({
        status: 204,
        headers: {
          'access-control-allow-origin': PAGE,
          'access-control-allow-methods': 'GET, POST, DELETE',
          'access-control-allow-headers': expect.stringMatching(/Authorization, Content-Type.*Mcp-Session-Id/),
          vary: 'Origin',
        },
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(answer.headers).not.toHaveProperty('access-control-allow-private-network');
      const local = await preflight(server, PAGE, { 'access-control-request-private-network': 'true' });
      expect(local.headers).toMatchObject({ 'access-control-allow-private-network': 'true' });
      const headers = { ...POST, origin: PAGE };
      const opened = await ask(server, '/mcp', { method: 'POST', headers, body: JSON.stringify(INITIALIZE) });
      expect(opened).toMatchObject({
        status: 200,
        headers: {
          'access-control-allow-origin': PAGE,
          'access-control-expose-headers': expect.stringContaining('Mcp-Session-Id'),
          'mcp-session-id': expect.any(String),
        },
      });
      const refused = await ask(server, '/mcp', { method: 'POST', headers: { origin: PAGE } });
      expect(refused).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': PAGE } });
    });

    test.each([
      [['https://tools.example'], 'https://tools.example.evil.example'],
      [['https://tools.example'], 'http://tools.example'],
      [['https://tools.example'], 'https://tools.example:8443'],
      [['https://tools.example'], '*'],
      [['https://tools.example'], 'null'],
      [[], 'http://127.0.0.1'],
    ])('with %p allowed answers %s like anybody without a token', async (allowedOrigins, origin) => {
      const server = await serve({ allowedOrigins });
      const asked = await preflight(server, origin);
      expect([asked.status, cors(asked)]).toEqual([401, []]);
      const read = await ask(server, '/mcp/features', { headers: { ...bearer(TOKEN), origin } });
      expect(cors(read)).toEqual([]);
    });

    test('answers no preflight under a name that is not its own', async () => {
      const server = await serve({ allowedOrigins: [PAGE] });
      expect((await preflight(server, PAGE, { host: 'rebound.example' })).status).toBe(401);
      const bare = await ask(server, '/mcp', { method: 'OPTIONS', headers: { origin: PAGE } });
      expect(bare.status).toBe(401);
    });
  });

  test.each(['*', 'null', 'tools.example', 'https://*.example', 'https://tools.example/page', ''])(
    'does not start with the allowed origin %p',
    async (origin) => {
      await expect(serve({ allowedOrigins: [origin] })).rejects.toMatchObject({ code: 'FW_MCP_ORIGIN' });
    },
  );

  test('refuses bodies that are too large, not JSON or of another type', async () => {
    const server = await serve();
    const post = (headers: object, body: string) => ask(server, '/mcp', { method: 'POST', headers, body });
    expect(await post({ ...POST, 'content-type': 'text/plain' }, '{}')).toMatchObject({ status: 415 });
    expect(await post(POST, 'x')).toMatchObject({ status: 400, body: { error: { code: -32700 } } });
    expect(await post(POST, `"${'x'.repeat(8 * 1024 * 1024)}"`)).toMatchObject({ status: 413 });
    expect(await post({ ...POST, accept: 'text/html' }, JSON.stringify(INITIALIZE))).toMatchObject({ status: 406 });
  });

  test('wants the session that initialize gave, and forgets it when the client ends it', async () => {
    const server = await serve();
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
    const post = (headers: object, body: string) =>
      ask(server, '/mcp', { method: 'POST', headers: { ...POST, ...headers }, body });
    expect(await post({}, ping)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/Mcp-Session-Id/) } },
    });
    expect(await post({ 'mcp-session-id': 'x' }, ping)).toMatchObject({
      status: 404,
      body: { error: { code: -32001 } },
    });
    const opened = await post({}, JSON.stringify(INITIALIZE));
    expect(opened.body).toMatchObject({ id: 1, result: { protocolVersion: '2024-11-05', fwServerKind: 'generator' } });
    const id = String(opened.headers['mcp-session-id']);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect((await post({ 'mcp-session-id': id }, ping)).body).toMatchObject({ id: 2, result: {} });
    expect(await post({ 'mcp-session-id': id, 'mcp-protocol-version': '1999-01-01' }, ping)).toMatchObject({
      status: 400,
    });
    const ended = await ask(server, '/mcp', { method: 'DELETE', headers: { ...POST, 'mcp-session-id': id } });
    expect(ended.status).toBe(200);
    expect(await post({ 'mcp-session-id': id }, ping)).toMatchObject({ status: 404 });
    expect(server.sessions.size).toBe(0);
  });

  test('closes sessions that nobody uses', async () => {
    let now = 0;
    const clock: Clock = { now: () => now, monotonic: () => now };
    const server = await serve({ clock });
    const client = await connected(streamable(server.url, TOKEN));
    now += 30 * 60_000;
    await client.ping();
    const stream = server.sessions.size;
    expect(stream).toBe(1);
    await client.close();
    await until(() => {
      now += 2 * 60 * 60_000;
      server.sessions.sweep();
      return server.sessions.size === 0;
    }, 'end of the session');
    expect(server.sessions.expired).toBe(1);
  });

  test('keeps a session of HTTP+SSE as long as its client is connected', async () => {
    let now = 0;
    const server = await serve({ clock: { now: () => now, monotonic: () => now } });
    const client = await connected(legacySse(server.url, TOKEN));
    now += 2 * 60 * 60_000;
    server.sessions.sweep();
    await client.ping();
    expect([server.sessions.size, server.sessions.expired]).toEqual([1, 0]);
    await client.close();
  });

  test('answers 503 before the application is ready', async () => {
    const server = new ControlServer({
      plane: testPlane(),
      host: '127.0.0.1',
      port: 0,
      token: TOKEN,
      allowedOrigins: [],
      log: new RecordingLogger() as Logger,
    });
    await server.bind();
    open.push(server);
    expect(await ask(server, '/mcp/features', { headers: bearer(TOKEN) })).toMatchObject({ status: 503 });
    server.serve();
    expect(await ask(server, '/mcp/features', { headers: bearer(TOKEN) })).toMatchObject({ status: 200 });
  });

  test('names the address that is taken', async () => {
    const { port } = await serve();
    await expect(serve({ port })).rejects.toMatchObject({
      code: 'FW_MCP_PORT_IN_USE',
      message: expect.stringMatching(new RegExp(`127.0.0.1:${port} is already in use`)),
    });
  });

  test('tells its operator of each rejection, without what was sent', async () => {
    const events: ControlEvent[] = [];
    const server = await serve({ plane: testPlane(ECHOES, { observe: (event) => events.push(event) }) });
    await ask(server, '/secret-path', { headers: { authorization: 'Bearer hunter2' } });
    await ask(server, '/secret-path', { headers: bearer(TOKEN) });
    expect(events).toEqual([
      { kind: 'rejected', status: 401, reason: 'token', peer: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
      { kind: 'rejected', status: 404, reason: 'path', peer: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
    ]);
  });
});

test('a client that asks and never reads is cut, and others go on', async () => {
  const server = await serve({ sendTimeout: 200 });
  const mute = connect(server.port, '127.0.0.1').on('error', () => {});
  mute.pause();
  const closed = new Promise((resolve) => mute.once('close', resolve));
  const requests = `GET /mcp/features HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`.repeat(
    1000,
  );
  const askOn = () => {
    while (!mute.destroyed && mute.write(requests));
  };
  mute.on('drain', askOn);
  askOn();
  await until(() => server.stalledClients === 1, 'cut connection');
  mute.destroy();
  await closed;
  expect(await ask(server, '/mcp/features', { headers: bearer(TOKEN) })).toMatchObject({ status: 200 });
});
