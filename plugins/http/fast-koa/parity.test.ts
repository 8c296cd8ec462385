import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { finished, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { RecordingLogger, sendRaw } from '../../../kernel/testing/index.js';
import { KoaApplication } from '../koa-application.js';
import { FastApplication } from './fast-application.js';
import { FastResponse } from './fast-response.js';
import { HeaderBlock, setHeaderBlock } from './header-block.js';
import { LineResponse } from './line-response.js';
import { selfTest } from './self-test.js';

const BIG = 'x'.repeat(300_000);
const BLOCK = new HeaderBlock([
  ['X-One', '1'],
  ['Cache-Control', 'no-store'],
]);
const OTHER_BLOCK = new HeaderBlock([['x-one', 'other']]);

/** Ways to answer; each must reach the client alike, whatever serves it. */
const ANSWERS: Readonly<Record<string, (ctx: Koa.Context) => unknown>> = {
  nothing: () => {},
  text: (ctx) => (ctx.body = 'plain text'),
  unicode: (ctx) => (ctx.body = 'héllo €'),
  html: (ctx) => (ctx.body = '<p>x</p>'),
  empty: (ctx) => (ctx.body = ''),
  object: (ctx) => (ctx.body = { a: 1, b: 'é' }),
  list: (ctx) => (ctx.body = [1, 2]),
  instance: (ctx) => (ctx.body = new (class Row { id = 1; })()), // prettier-ignore
  number: (ctx) => (ctx.body = 5),
  bytes: (ctx) => (ctx.body = Buffer.from([0, 255, 10])),
  bigText: (ctx) => (ctx.body = BIG),
  bigBytes: (ctx) => (ctx.body = Buffer.from(BIG)),
  bigObject: (ctx) => (ctx.body = { BIG }),
  null: (ctx) => (ctx.body = null),
  nullJson: (ctx) => ((ctx.type = 'json'), (ctx.body = null)),
  stream: (ctx) => (ctx.body = Readable.from(['a', 'b'])),
  webStream: (ctx) => (ctx.body = new Blob(['ab']).stream()),
  blob: (ctx) => (ctx.body = new Blob(['ab'], { type: 'text/css' })),
  response: (ctx) => (ctx.body = new Response('ab', { status: 201, headers: { 'X-R': '1' } })),
  created: (ctx) => ((ctx.status = 201), (ctx.body = { a: 1 })),
  noContent: (ctx) => (ctx.status = 204),
  resetContent: (ctx) => ((ctx.status = 205), (ctx.body = 'x')),
  notModified: (ctx) => ((ctx.body = 'x'), (ctx.status = 304)),
  statusOnly: (ctx) => (ctx.status = 418),
  message: (ctx) => ((ctx.status = 200), (ctx.message = 'Fine'), (ctx.body = 'x')),
  redirect: (ctx) => ctx.redirect('/elsewhere'),
  attachment: (ctx) => (ctx.attachment('a.txt'), (ctx.body = 'x')),
  typed: (ctx) => ((ctx.type = 'application/problem+json'), (ctx.body = { a: 1 })),
  textTyped: (ctx) => ((ctx.type = 'text/plain'), (ctx.body = { a: 1 })),
  twice: (ctx) => ((ctx.body = { a: 1 }), (ctx.body = 'second')),
  thenObject: (ctx) => ((ctx.body = 'first'), (ctx.body = { a: 1 })),
  length: (ctx) => ((ctx.body = { a: 1 }), (ctx.length = 7)),
  removedLength: (ctx) => ((ctx.body = 'abc'), ctx.remove('Content-Length')),
  cookies: (ctx) => (ctx.cookies.set('a', '1'), ctx.cookies.set('b', '2', { httpOnly: false }), (ctx.body = 'x')),
  appendNothing: (ctx) => (
    ctx.set('Set-Cookie', 'a=1'),
    ctx.append('Set-Cookie', undefined as never),
    ctx.append('X-A', ['1', null] as never),
    (ctx.body = 'x')
  ),
  append: (ctx) => (ctx.append('X-A', '1'), ctx.append('X-A', '2'), ctx.append('Set-Cookie', 'a=1'), (ctx.body = 'x')),
  vary: (ctx) => (ctx.vary('A'), ctx.vary(['B', 'A']), (ctx.body = 'x')),
  headers: (ctx) => (
    ctx.set({ 'X-A': '1', 'x-b': '2' }),
    ctx.set('X-List', ['1', '2']),
    ctx.remove('x-a'),
    (ctx.body = ctx.response.headers)
  ),
  reading: (ctx) =>
    (ctx.body = {
      method: ctx.method,
      path: ctx.path,
      query: ctx.query,
      ip: ctx.ip,
      host: ctx.host,
      type: ctx.response.type,
      json: ctx.request.toJSON(),
    }),
  closing: (ctx) => (ctx.set('Connection', 'close'), (ctx.body = 'x')),
  block: (ctx) => (setHeaderBlock(ctx.res, BLOCK), (ctx.body = 'x')),
  blockOverSet: (ctx) => (ctx.set('X-One', '0'), setHeaderBlock(ctx.res, BLOCK), (ctx.body = { a: 1 })),
  blockOverridden: (ctx) => (setHeaderBlock(ctx.res, BLOCK), ctx.set('cache-control', 'private'), (ctx.body = 'x')),
  blockAppended: (ctx) => (setHeaderBlock(ctx.res, BLOCK), ctx.append('X-One', '2'), (ctx.body = 'x')),
  blockRemoved: (ctx) => (setHeaderBlock(ctx.res, BLOCK), ctx.remove('X-One'), (ctx.body = 'x')),
  blockTwice: (ctx) => (setHeaderBlock(ctx.res, BLOCK), setHeaderBlock(ctx.res, OTHER_BLOCK), (ctx.body = 'x')),
  blockRead: (ctx) => (
    setHeaderBlock(ctx.res, BLOCK),
    (ctx.body = [ctx.response.get('x-one'), ctx.res.hasHeader('X-ONE'), ctx.res.getHeaderNames(), ctx.response.headers])
  ),
  blockThrown: (ctx) => (setHeaderBlock(ctx.res, BLOCK), ctx.throw(400, 'bad')),
  blockWriteHead: (ctx) => (
    (ctx.respond = false),
    setHeaderBlock(ctx.res, BLOCK),
    ctx.res.writeHead(200, { 'X-One': '3' }),
    ctx.res.end('own')
  ),
  etag: (ctx) => ((ctx.etag = 'v1'), (ctx.lastModified = new Date(0)), (ctx.body = 'x')),
  fresh: (ctx) => ((ctx.status = 200), (ctx.etag = 'v1'), (ctx.body = `${ctx.fresh}`)),
  thrown: (ctx) => ctx.throw(400, 'bad', { headers: { 'X-E': '1' } }),
  broken: () => { throw new TypeError('x'); }, // prettier-ignore
  unserializable: (ctx) => (ctx.body = { big: 1n }),
  bypass: (ctx) => ((ctx.respond = false), ctx.res.writeHead(200, { 'X-Own': '1' }), ctx.res.end('own')),
  writeHeadList: (ctx) => (
    (ctx.respond = false),
    ctx.res.writeHead(202, 'Sure', ['X-A', '1', 'X-A', '2']),
    ctx.res.end('own')
  ),
  flushed: (ctx) => (ctx.flushHeaders(), (ctx.body = 'x')),
  injected: (ctx) => ctx.set('X-A', 'a\r\nX-Evil: 1'),
  withoutValue: (ctx) => ctx.res.setHeader('X-A', undefined as unknown as string),
  nullValue: (ctx) => (ctx.res.setHeader('X-A', null as unknown as string), (ctx.body = 'x')),
  listChanged: (ctx) => {
    const list = ['1'];
    ctx.res.setHeader('X-List', list);
    list.push('2');
    ctx.res.setHeader('X-List', list);
    ctx.body = { a: 1 };
  },
  takenOver: (ctx) => {
    setHeaderBlock(ctx.res, BLOCK);
    ctx.set('X-A', '1');
    ctx.cookies.set('a', '1');
    takenOver(ctx).setHeader('Cache-Control', 'private').end('own');
  },
  takenOverInParts: (ctx) => {
    ctx.set({ 'X-A': ['1', '2'] as never, Connection: 'close' });
    const res = takenOver(ctx);
    res.write('in ');
    res.end('parts');
  },
  takenOverWithHead: (ctx) => (ctx.set('X-A', '1'), takenOver(ctx).writeHead(201, 'Sure', { 'X-B': '2' }).end('own')),
  // What on-headers does, which compression and session packages stand on.
  lateHeaders: (ctx) => {
    const writeHead = ctx.res.writeHead.bind(ctx.res) as (...args: unknown[]) => typeof ctx.res;
    ctx.res.writeHead = (...args: unknown[]) => (ctx.res.setHeader('X-Late', '1'), writeHead(...args));
    ctx.body = { a: 1 };
  },
};

/** Takes a response over as an application of Express does, which gives it a prototype of its own. */
function takenOver(ctx: Koa.Context): ServerResponse {
  ctx.respond = false;
  return Object.setPrototypeOf(ctx.res, Object.create(ServerResponse.prototype) as object) as ServerResponse;
}

/** One of each way in which the fast path ends a response. */
const PLAIN_ANSWERS: typeof ANSWERS = Object.fromEntries(
  ['text', 'unicode', 'empty', 'object', 'bytes', 'bigBytes', 'bigText', 'stream', 'noContent', 'notModified', 'thrown', 'length'].map((name) => [name, ANSWERS[name] as (ctx: Koa.Context) => unknown]), // prettier-ignore
);

/** What packages read to tell a finished response from an aborted one. */
const stateOf = (res: ServerResponse) => ({
  finished: res.finished,
  headersSent: res.headersSent,
  writableEnded: res.writableEnded,
  writableFinished: res.writableFinished,
  destroyed: res.destroyed,
  errored: res.errored,
  closed: res.closed,
  hasSocket: res.socket !== null,
  length: [res.getHeader('content-length'), res.hasHeader('Content-Length'), res.getHeaders()['content-length']],
  names: res.getHeaderNames().sort(),
});

type Way = 'stock' | 'public' | 'full';
const RESPONSES = { stock: ServerResponse, public: LineResponse, full: FastResponse };
const servers = {} as Record<Way, Server>;
const port = (way: Way) => (servers[way].address() as AddressInfo).port;

async function start(way: Way): Promise<void> {
  const app = way === 'stock' ? new KoaApplication(new RecordingLogger()) : new FastApplication(new RecordingLogger());
  app.use(async (ctx, next) => {
    await next();
    if (ctx.path.startsWith('/after')) ctx.set('X-After', String(ctx.status));
  });
  app.use((ctx) => void ANSWERS[ctx.path.slice(1).replace('after-', '')]?.(ctx as Koa.Context));
  servers[way] = createServer({ ServerResponse: RESPONSES[way] }, app.callback());
  servers[way].listen(0, '127.0.0.1');
  await once(servers[way], 'listening');
}

beforeAll(() => Promise.all((['stock', 'public', 'full'] as const).map(start)));
afterAll(() => Object.values(servers).forEach((server) => (server.close(), server.closeAllConnections())));

/** An answer as far as it may not differ: the order of headers may. */
function comparable(raw: string): unknown {
  const [head = '', ...body] = raw.split('\r\n\r\n');
  const [status, ...headers] = head.split('\r\n');
  const known = headers.filter((line) => !line.startsWith('Date: '));
  return {
    status,
    headers: known.sort(),
    body: body
      .join('\r\n\r\n')
      .replace(/"host":"[^"]*"/g, '"host":"x"')
      .slice(0, 2000),
    length: raw.length,
  };
}

const ask = async (way: Way, method: string, path: string, version = '1.1', headers = '') =>
  comparable(
    await sendRaw(port(way), `${method} ${path} HTTP/${version}\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`),
  );

test.each(['public', 'full'] as const)('what lists fields keeps those of both sides of a takeover, %s', async (way) => {
  const app = new FastApplication(new RecordingLogger());
  app.use((ctx) => {
    ctx.vary('Origin');
    ctx.cookies.set('a', '1');
    takenOver(ctx).setHeader('Vary', 'Accept').appendHeader('Set-Cookie', 'b=2').end('own');
  });
  const server = createServer({ ServerResponse: RESPONSES[way] }, app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  server.closeAllConnections();
  expect([headers.get('vary'), headers.getSetCookie()]).toEqual(['Origin, Accept', ['a=1; path=/; httponly', 'b=2']]);
});

describe.each(['public', 'full'] as const)('the fast path (%s) answers like stock Koa', (way) => {
  test.each(Object.keys(ANSWERS))('%s', async (name) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      for (const version of ['1.1', '1.0']) {
        for (const path of [`/${name}`, `/after-${name}`]) {
          const [expected, actual] = await Promise.all([
            ask('stock', method, path, version, 'If-None-Match: "v1"\r\n'),
            ask(way, method, path, version, 'If-None-Match: "v1"\r\n'),
          ]);
          expect({ method, version, path, ...(actual as object) }).toEqual({
            method,
            version,
            path,
            ...(expected as object),
          });
        }
      }
    }
  });

  test('keep-alive on HTTP/1.0 and 1.1, and pipelined requests', async () => {
    const pipeline = ['/object', '/text', '/stream', '/bytes', '/noContent', '/bigObject', '/thrown']
      .map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      .join('');
    const old = 'GET /object HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /text HTTP/1.0\r\n\r\n';
    for (const requests of [`${pipeline}GET /list HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, old]) {
      const answer = async (one: Way) => {
        const raw = await sendRaw(port(one), requests);
        return raw.split(/(?=HTTP\/1\.1 \d{3} )/).map(comparable);
      };
      expect(await answer(way)).toEqual(await answer('stock'));
    }
  });

  test('bodies larger than what the client reads at once arrive whole', async () => {
    const socket = connect(port(way), '127.0.0.1');
    socket.write(
      `GET /bigText HTTP/1.1\r\nHost: x\r\n\r\nGET /bigObject HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    socket.pause();
    await new Promise((resolve) => setImmediate(resolve));
    let length = 0;
    for await (const chunk of socket) length += (chunk as Buffer).length;
    expect(length).toBeGreaterThan(2 * BIG.length);
  });

  test('Expect: 100-continue gets its 100', async () => {
    const request =
      'POST /text HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(port(way), request)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  test('a client that goes away in the middle of a response harms nobody', async () => {
    for (const path of ['/bigText', '/bigObject', '/stream']) {
      const outgoing = httpRequest({ port: port(way), path, host: '127.0.0.1' }, (response) =>
        response.once('data', () => outgoing.destroy()),
      );
      outgoing.on('error', () => {}).end();
      await once(outgoing, 'close');
    }
    expect(await ask(way, 'GET', '/text')).toEqual(await ask('stock', 'GET', '/text'));
  });

  test('a request ends and closes, whether somebody reads it, listens to it or looks at it later', async () => {
    const seen = async (which: Way) => {
      const events: string[] = [];
      const requests: IncomingMessage[] = [];
      const app =
        which === 'stock' ? new KoaApplication(new RecordingLogger()) : new FastApplication(new RecordingLogger());
      app.use(async ({ req, path, response }) => {
        requests.push(req);
        if (path === '/heard') for (const name of ['end', 'close']) req.on(name, () => events.push(name));
        if (path === '/read') for await (const part of req) events.push(String(part));
        response.body = { a: 1 };
      });
      const server = createServer({ ServerResponse: RESPONSES[which] }, app.callback()).listen(0);
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await (await fetch(`${url}/silent`)).text();
      await (await fetch(`${url}/heard`)).text();
      await (await fetch(`${url}/read`, { method: 'POST', body: 'sent' })).text();
      await (await fetch(`${url}/unread`, { method: 'POST', body: 'sent' })).text();
      await Promise.all(requests.map((request) => new Promise((resolve) => finished(request, resolve))));
      await new Promise((resolve) => setTimeout(resolve, 10));
      server.close();
      server.closeAllConnections();
      const states = requests.map(({ readableEnded, destroyed, closed, errored }) => [readableEnded, destroyed, closed, errored]); // prettier-ignore
      return { events, states };
    };
    const { states, events } = await seen(way);
    expect({ states, events }).toEqual(await seen('stock'));
    expect(states).toEqual(Array(4).fill([true, true, true, null]));
    expect(events).toEqual(['end', 'close', 'sent']);
  });

  test('a response closes with its connection, also when it never wrote', async () => {
    const app = new FastApplication(new RecordingLogger());
    const closed = new Promise<boolean[]>((resolve) => {
      app.use((ctx) => {
        ctx.respond = false;
        ctx.res.on('close', () => resolve([ctx.res.destroyed, ctx.res.writableFinished]));
        socket.destroy();
      });
    });
    const server = createServer({ ServerResponse: RESPONSES[way] }, app.callback()).listen(0);
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await closed).toEqual([true, false]);
    server.close();
  });

  test('who puts another method into the place of end or write gets what Koa would have given it', async () => {
    const told = async (which: Way, replaced: 'end' | 'write') => {
      const bodies: readonly unknown[] = [{ a: 1 }, 'text', 'é€', Buffer.from([0xff, 0x00, 0x80])];
      const seen: unknown[] = [];
      const app =
        which === 'stock' ? new KoaApplication(new RecordingLogger()) : new FastApplication(new RecordingLogger());
      app.use((ctx) => {
        const { res } = ctx;
        const own = res[replaced].bind(res) as (...args: unknown[]) => never;
        res[replaced] = (...args: unknown[]) => (seen.push([args, res.getHeader('Content-Length')]), own(...args));
        ctx.body = bodies[Number(ctx.path.slice(1))];
      });
      const server = createServer({ ServerResponse: RESPONSES[which] }, app.callback()).listen(0);
      const got: unknown[] = [];
      for (const at of bodies.keys()) {
        const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${at}`);
        got.push([answer.headers.get('Content-Length'), Buffer.from(await answer.arrayBuffer())]);
      }
      server.close();
      server.closeAllConnections();
      return { seen, got };
    };
    for (const replaced of ['end', 'write'] as const)
      expect(await told(way, replaced)).toEqual(await told('stock', replaced));
    expect((await told(way, 'end')).seen[0]).toEqual([['{"a":1}'], 7]);
  });

  test('a response says the same of itself as one of Node, at each of its events', async () => {
    const told = async (which: Way) => {
      const seen: unknown[] = [];
      const app =
        which === 'stock' ? new KoaApplication(new RecordingLogger()) : new FastApplication(new RecordingLogger());
      let left = Object.keys(PLAIN_ANSWERS).length;
      const closed = new Promise<void>((resolve) => {
        app.use((ctx) => {
          const name = ctx.path.slice(1);
          const tell = (event: string) => seen.push([name, event, stateOf(ctx.res)]);
          for (const event of ['prefinish', 'finish', 'close']) ctx.res.on(event, () => tell(event));
          ctx.res.on('close', () => --left === 0 && resolve());
          tell('called');
          PLAIN_ANSWERS[name]?.(ctx as Koa.Context);
        });
      });
      const server = createServer({ ServerResponse: RESPONSES[which] }, app.callback()).listen(0);
      for (const name of Object.keys(PLAIN_ANSWERS))
        await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`)).text();
      await closed;
      server.close();
      server.closeAllConnections();
      return seen;
    };
    expect(await told(way)).toEqual(await told('stock'));
  });

  test('responses emit finish and close once', async () => {
    const events: string[] = [];
    const app = new FastApplication(new RecordingLogger());
    let done = () => {};
    const closed = new Promise<void>((resolve) => (done = resolve));
    app.use((ctx) => {
      for (const event of ['finish', 'close']) ctx.res.on(event, () => events.push(event));
      ctx.res.on('close', () => done());
      ctx.body = { a: 1 };
    });
    const server = createServer({ ServerResponse: RESPONSES[way] }, app.callback()).listen(0);
    await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
    await closed;
    expect(events).toEqual(['finish', 'close']);
    server.close();
    server.closeAllConnections();
  });
});

describe('the application of the fast path', () => {
  test('is a Koa application, with what is added to its prototypes', async () => {
    const app = new FastApplication(new RecordingLogger());
    Object.assign(app.context, { shout: (text: string) => text.toUpperCase() });
    Object.defineProperty(app.request, 'tenant', { get: () => 'acme' });
    app.use((ctx) => {
      const { shout } = ctx as unknown as { shout(text: string): string };
      ctx.body = [
        shout('a'),
        (ctx.request as unknown as { tenant: string }).tenant,
        ctx.request.ctx === ctx,
        ctx.response.request === ctx.request,
        ctx.app === (app as unknown),
      ];
    });
    const server = createServer(app.callback()).listen(0);
    const answer = await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).json();
    expect(answer).toEqual(['A', 'acme', true, true, true]);
    expect(app).toBeInstanceOf(Koa);
    server.close();
    server.closeAllConnections();
  });
});

describe('selfTest', () => {
  test('passes on this Node', async () => {
    expect(await selfTest()).toBe(true);
  });

  test.each(['_send', '_implicitHeader', '_finish'])('fails when %s is gone', async (member) => {
    Object.defineProperty(FastResponse.prototype, member, { configurable: true, value: undefined });
    try {
      expect(await selfTest()).toBe(false);
    } finally {
      Reflect.deleteProperty(FastResponse.prototype, member);
    }
  });
});
