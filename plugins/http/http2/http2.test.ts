import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Type } from 'typebox';
import { type HttpContext, HttpServer, plugin, type Router } from '../../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest, sendRaw } from '../../../kernel/testing/index.js';
import { holdTimers } from '../../../kernel/testing/held-timers.js';
import { until } from '../../../kernel/testing/until.js';
import http, { eventStream, type HttpOptions, UploadedFile } from '../index.js';

const running: BootedTestApp[] = [];
const sessions: ClientHttp2Session[] = [];

afterEach(async () => {
  jest.useRealTimers();
  for (const session of sessions.splice(0)) session.destroy();
  for (const app of running.splice(0)) await app.stop();
});

async function serve(register: (router: Router) => void, options: Partial<HttpOptions> = {}) {
  const entry = plugin(() => Promise.resolve(http), { port: 0, http2: true, ...options });
  const app = await bootTestApp({ plugins: [entry, routesUnderTest(register)] });
  running.push(app);
  const { url, port } = app.services.get(HttpServer);
  const session = connect(url);
  sessions.push(session);
  return { app, url, port, session, ask: asking(session) };
}

interface Answer {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly trailers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly code: number | undefined;
}

// A request is left open where its body is a list: the client never ends it.
function asking(session: ClientHttp2Session) {
  return async (headers: OutgoingHttpHeaders, body?: string | readonly string[]): Promise<Answer> => {
    const stream = session.request(headers, { endStream: body === undefined });
    let [answer, trailers] = [{}, {}];
    const chunks: Buffer[] = [];
    stream.on('response', (got) => (answer = got)).on('trailers', (got) => (trailers = got));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
    if (typeof body === 'string') stream.end(body);
    else for (const part of body ?? []) stream.write(part);
    // Node's client does not close what it has not ended, and a connection that breaks ends nothing.
    await new Promise((resolve) => {
      stream.once('close', resolve);
      if (Array.isArray(body)) stream.once('end', resolve);
    });
    return {
      headers: Object.fromEntries(Object.entries(answer)),
      trailers,
      text: Buffer.concat(chunks).toString(),
      code: stream.rstCode,
    };
  };
}

const post = { ':method': 'POST', ':path': '/', 'content-type': 'application/json' };

describe.each(['full', 'public', 'off'] as const)('HTTP/2 with the fast path %s', (fastPath) => {
  test('reads like HTTP/1.1: no pseudo-headers, Host, joined headers', async () => {
    const { ask, port } = await serve(
      (router) => router.get('/', ({ headers, host, url }) => ({ headers, host, url })),
      {
        fastPath,
      },
    );
    const { text } = await ask({ ':path': '/?a=1', cookie: ['a=1', 'b=2'], 'x-list': ['1', '2'] });
    const host = `127.0.0.1:${port}`;
    expect(JSON.parse(text)).toEqual({ headers: { cookie: 'a=1; b=2', 'x-list': '1, 2', host }, host, url: '/?a=1' });
  });

  test('drops what HTTP/2 forbids in an answer, and keeps the rest', async () => {
    const { ask } = await serve(
      (router) =>
        router.get('/', (ctx) => {
          ctx.set({
            Connection: 'close',
            'Keep-Alive': '5',
            'Transfer-Encoding': 'chunked',
            Upgrade: 'x',
            'X-Kept': 'y',
          });
          ctx.message = 'Fine';
          return { fine: true };
        }),
      { fastPath },
    );
    const { headers, text } = await ask({ ':path': '/' });
    expect(headers).toEqual({
      ':status': 200,
      'content-type': 'application/json; charset=utf-8',
      'content-length': '13',
      'x-kept': 'y',
      date: expect.stringMatching(/GMT$/) as unknown,
    });
    expect(text).toBe('{"fine":true}');
  });

  test('sends the trailers that an answer announces', async () => {
    const { ask } = await serve(
      (router) =>
        router.get('/', (ctx) => {
          ctx.set('Trailer', 'X-Sum');
          ctx.res.addTrailers({ 'X-Sum': '7' });
          return Readable.from(['text']);
        }),
      { fastPath },
    );
    const { headers, text, trailers } = await ask({ ':path': '/' });
    expect([headers[':status'], text, trailers]).toEqual([200, 'text', expect.objectContaining({ 'x-sum': '7' })]);
  });

  test.each(['GET', 'HEAD'])('answers errors of %s as problem+json', async (method) => {
    const { ask } = await serve(
      (router) => {
        router.get('/boom', () => Promise.reject(new Error('secret')));
        router.get('/line', (ctx) => ctx.set('X-Line', 'a\nb'));
        router.get('/status', (ctx) => void (ctx.status = 700));
      },
      { fastPath },
    );
    for (const path of ['/boom', '/line', '/status']) {
      const { headers, text } = await ask({ ':path': path, ':method': method });
      expect(headers).toMatchObject({ ':status': 500, 'content-type': 'application/problem+json' });
      if (method === 'HEAD') expect(text).toBe('');
      else expect(Number(headers['content-length'])).toBe(text.length);
    }
    expect((await ask({ ':path': '/none', ':method': method })).headers[':status']).toBe(404);
  });

  test('gives HEAD the length of GET', async () => {
    const { ask } = await serve((router) => router.get('/', () => ({ a: 'é' })), { fastPath });
    const [get, head] = [await ask({ ':path': '/' }), await ask({ ':path': '/', ':method': 'HEAD' })];
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test('streams, and cuts a stream that fails with an error', async () => {
    const { ask } = await serve(
      (router) => {
        router.get('/events', (ctx) => eventStream(ctx, Readable.from([{ data: 1 }, { data: 2 }])));
        router.get('/cut', () => {
          const body = new PassThrough();
          body.write('begun');
          setTimeout(() => body.destroy(new Error('broken')), 20);
          return body;
        });
      },
      { fastPath },
    );
    expect(await ask({ ':path': '/events' })).toMatchObject({ text: 'data: 1\n\ndata: 2\n\n', code: 0 });
    expect(await ask({ ':path': '/cut' })).toMatchObject({ code: constants.NGHTTP2_INTERNAL_ERROR });
    expect((await ask({ ':path': '/events' })).text).toContain('data: 2');
  });

  test('reads bodies without a length, and uploads', async () => {
    const { ask } = await serve(
      (router) => {
        router.post('/', { input: { body: Type.Object({ a: Type.Integer() }) } }, ({ input }) => input.body);
        router.post('/up', { input: { body: Type.Object({ f: UploadedFile() }) } }, ({ input }) => input.body.f.size);
      },
      { fastPath },
    );
    expect((await ask(post, '{"a":1}')).text).toBe('{"a":1}');
    const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nabc\r\n--x--\r\n';
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await ask({ ...post, ...type, ':path': '/up' }, part)).text).toBe('3');
  });
});

describe('an answer that comes before the end of its request', () => {
  let uploaded: IncomingMessage | undefined;
  const refusing = () =>
    serve((router) => {
      const seeing = (ctx: HttpContext, next: () => unknown) => ((uploaded = ctx.req), next());
      router.post('/', { input: { body: Type.Object({}) }, bodyLimit: 10, use: [seeing] }, () => 'never');
    });

  test('is complete at once, and leaves the connection open', async () => {
    const { ask, session } = await refusing();
    expect((await ask(post, ['x'.repeat(100)])).headers[':status']).toBe(413);
    expect((await ask({ ':path': '/' })).headers[':status']).toBe(405);
    expect(session.closed).toBe(false);
  });

  test.each([{}, { 'content-length': 2_000_000 }])(
    'lets a client send the rest, as Java does before it looks at the answer: %j',
    async (length) => {
      const { session } = await refusing();
      const stream = session.request({ ...post, ...length });
      stream.resume().end(Buffer.alloc(2_000_000, 'x'));
      const [[headers]] = await Promise.all([once(stream, 'response'), once(stream, 'end'), once(stream, 'close')]);
      expect((headers as Record<string, unknown>)[':status']).toBe(413);
      await until(() => uploaded?.destroyed || uploaded?.readableEnded, 'the end of the upload');
      expect(uploaded?.readableEnded).toBe(true);
    },
  );

  test('stops an upload that does not end by itself (RFC 9113, section 8.1)', async () => {
    const { session } = await refusing();
    const stream = session.request(post);
    holdTimers();
    const sending = setInterval(() => stream.write('x'), 5);
    const closed = once(stream, 'close');
    stream.resume();
    await once(stream, 'end');
    jest.advanceTimersByTime(4_900);
    await delay(50);
    expect(stream.closed).toBe(false);
    jest.advanceTimersByTime(200);
    await closed;
    clearInterval(sending);
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  });
});

test('a body that takes too long is answered 408, whoever reads it', async () => {
  const { ask } = await serve(
    (router) => {
      router.post('/', { input: { body: Type.Object({}) } }, () => 'never');
      router.post('/own', async ({ req }) => {
        for await (const chunk of req) void chunk;
      });
    },
    // A busy machine may take long from a connection to its first request.
    { requestTimeout: 50, headersTimeout: '2m' },
  );
  await ask({ ':path': '/none' });
  holdTimers();
  for (const path of ['/', '/own']) {
    const asked = ask({ ...post, ':path': path }, ['{']);
    let isAnswered = false;
    void asked.then(() => (isAnswered = true));
    for (; !isAnswered; await delay(5)) jest.advanceTimersByTime(1_000);
    const { headers, text } = await asked;
    expect(headers[':status']).toBe(408);
    expect(JSON.parse(text)).toMatchObject({ code: 'FW_HTTP_REQUEST_TIMEOUT' });
  }
});

test('a body that is cut fails, and its signal is aborted', async () => {
  let seen: (what: unknown) => void;
  const failed = new Promise((resolve) => (seen = resolve));
  let begun: () => void;
  const reading = new Promise<void>((resolve) => (begun = resolve));
  const { session } = await serve((router) =>
    router.post('/', async ({ req, signal }) => {
      const aborted = once(signal, 'abort');
      try {
        for await (const chunk of req) if (chunk) begun();
        seen('ended');
      } catch (error) {
        await aborted;
        seen(error);
      }
    }),
  );
  session.on('error', () => {});
  const stream = session.request(post);
  stream.on('error', () => {}).write('half');
  await reading;
  session.destroy();
  expect(await failed).toMatchObject({
    code: expect.stringMatching(/^(ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/) as unknown,
  });
});

test.each(['GET', 'HEAD'])(
  'a client that resets a %s aborts its signal, and makes room for another',
  async (method) => {
    let begun: () => void = () => {};
    const working = new Promise<void>((resolve) => (begun = resolve));
    let aborted: Promise<unknown> | undefined;
    const { session, ask } = await serve(
      (router) => {
        router.get('/', ({ signal }) => {
          aborted = once(signal, 'abort');
          begun();
          return new Promise<string>(() => {});
        });
        router.get('/quick', () => 'quick');
      },
      { inFlight: { requests: 1 } },
    );
    const stream = session.request({ ':path': '/', ':method': method });
    stream.on('error', () => {});
    await working;
    expect((await ask({ ':path': '/quick' })).headers).toMatchObject({ ':status': 503, 'retry-after': '1' });
    stream.close(constants.NGHTTP2_CANCEL);
    await aborted;
    await until(async () => (await ask({ ':path': '/quick' })).headers[':status'] === 200, 'place');
  },
);

test('a body that is reset at once ends no more than its request', async () => {
  const { session, ask } = await serve((router) => {
    router.post('/', { input: { body: Type.Object({}) } }, () => 'read');
    router.get('/', () => 'alive');
  });
  const stream = session.request(post);
  const closed = new Promise((resolve) => stream.on('error', () => {}).once('close', resolve));
  stream.write('{"a"');
  stream.close(constants.NGHTTP2_CANCEL);
  await closed;
  expect((await ask({ ':path': '/' })).text).toBe('alive');
});

test('two hosts are refused', async () => {
  const { ask } = await serve((router) => router.get('/', () => 'ok'));
  const { text } = await ask({ ':path': '/', ':authority': 'a.test', host: 'b.test' });
  expect(JSON.parse(text)).toMatchObject({ status: 400, code: 'FW_HTTP_TWO_HOSTS' });
});

test('HTTP/1.1 is spoken beside it, also in pieces and pipelined', async () => {
  const { url, port } = await serve((router) => {
    router.get('/', ({ req }) => req.httpVersion);
    router.post('/', { input: { body: Type.Object({}) } }, () => 'posted');
  });
  expect(await (await fetch(url)).text()).toBe('1.1');
  const posted = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  expect(await posted.text()).toBe('posted');
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n';
  expect(await sendRaw(port, `${get}\r\n${get}Connection: close\r\n\r\n`)).toMatch(/1\.1\n?HTTP[\s\S]*1\.1$/);
  const slow = connectTcp(port, '127.0.0.1');
  slow.setNoDelay(true);
  slow.write('P');
  await new Promise((resolve) => setTimeout(resolve, 20));
  slow.write(
    'OST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
  );
  expect(String(Buffer.concat((await slow.toArray()) as Buffer[]))).toMatch(/posted$/);
});

test.each([
  ['100-continue', 200, true],
  // Java's HttpClient writes it like this; the case does not count (RFC 9110, section 10.1.1).
  ['100-Continue', 200, true],
  ['200-ok', 417, false],
])('an upload that waits with Expect: %s is answered %d', async (expect_, status, goesOn) => {
  const { session } = await serve((router) =>
    router.post('/', { input: { body: Type.Object({ a: Type.Integer() }) } }, (ctx) => ctx.input.body),
  );
  const stream = session.request({ ...post, expect: expect_ });
  let asked = false;
  stream.on('continue', () => ((asked = true), stream.end('{"a":1}')));
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  expect([headers[':status'], asked]).toEqual([status, goesOn]);
  stream.close();
});

test('stopping lets answers end, and then ends the connections', async () => {
  let release: (text: string) => void = () => {};
  const { session, ask } = await serve((router) => {
    router.get('/slow', () => new Promise<string>((resolve) => (release = resolve)));
    router.get('/', () => 'ok');
  });
  await ask({ ':path': '/' });
  const slow = ask({ ':path': '/slow' });
  await ask({ ':path': '/' });
  const [goaway, closed] = [once(session, 'goaway'), once(session, 'close')];
  const stopped = running.pop()?.stop();
  await goaway;
  release('done');
  expect((await slow).text).toBe('done');
  await Promise.all([stopped, closed]);
});

test('an idle connection is closed, also where a request outlasted the time for that', async () => {
  const slow = async () => {
    await delay(300);
    return 'slow';
  };
  const { session, ask } = await serve((router) => router.get('/', slow), { keepAliveTimeout: 50 });
  const closed = once(session, 'close');
  expect((await ask({ ':path': '/' })).text).toBe('slow');
  await closed;
});

test('a connection that was opened a moment before has the rest of its first second when it stops', async () => {
  const { session, ask } = await serve((router) => router.get('/', () => 'answered'));
  await once(session, 'remoteSettings');
  const closed = once(session, 'close');
  holdTimers();
  const stopped = running.pop()?.stop();
  await delay(200);
  expect((await ask({ ':path': '/' })).text).toBe('answered');
  await Promise.all([stopped, closed]);
});

test('a first request that came in time is answered when it stops, however long it was too busy to read it', async () => {
  const { session, ask } = await serve((router) => router.get('/', () => 'answered'));
  await once(session, 'remoteSettings');
  holdTimers();
  const stopped = running.pop()?.stop();
  await delay(200);
  const asked = ask({ ':path': '/' });
  // As the event loop does behind a pause: what the client wrote is there, and so is the end of the time.
  setImmediate(() => jest.advanceTimersByTime(1_500));
  expect((await asked).text).toBe('answered');
  await stopped;
});
