import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { bodyParser } from '@koa/bodyparser';
import { Type } from 'typebox';
import WebSocket from 'ws';
import { type AnyMiddleware, HttpServer, type Middleware, plugin, type Router } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest, sendRaw } from '../../kernel/testing/index.js';
import http, { eventStream, formatEvent, type HttpOptions, lastEventId, UploadedFile } from './index.js';
import { DRAINING } from './server-sent-events.js';
import { holdTimers } from '../../kernel/testing/held-timers.js';
import { until } from '../../kernel/testing/until.js';

const running: BootedTestApp[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-http-'));
});
afterEach(async () => {
  jest.useRealTimers();
  for (const app of running.splice(0)) await app.stop();
});
afterAll(() => rm(folder, { recursive: true }));

async function serve(
  register: (router: Router) => void,
  options: Partial<HttpOptions> = {},
  middlewares: AnyMiddleware[] = [],
) {
  const entry = plugin(() => Promise.resolve(http), { port: 0, ...options });
  const app = await bootTestApp({ plugins: [entry, routesUnderTest(register, middlewares)] });
  running.push(app);
  const { url, port } = app.services.get(HttpServer);
  return { app, url, port };
}

describe('multipart bodies', () => {
  const body = Type.Object({ title: Type.String(), count: Type.Integer(), files: Type.Array(UploadedFile()) });

  test('give fields as values and files on disk, which are gone when the response is over', async () => {
    const seen: { path: string; content: string }[] = [];
    const { url } = await serve((router) => {
      router.post('/upload', { input: { body } }, async ({ input }) => {
        for (const file of input.body.files) seen.push({ path: file.path, content: await readFile(file.path, 'utf8') });
        return {
          ...input.body,
          files: input.body.files.map(({ filename, mimeType, size }) => ({ filename, mimeType, size })),
        };
      });
    });
    const form = new FormData();
    form.set('title', 'héllo');
    form.set('count', '2');
    form.set('__proto__', 'x');
    form.append('files', new File(['one'], '../../evil.txt', { type: 'text/plain' }));
    form.append('files', new File(['two!'], 'b.bin'));
    const response = await fetch(`${url}/upload`, { method: 'POST', body: form });
    expect(await response.json()).toEqual({
      title: 'héllo',
      count: 2,
      files: [
        { filename: 'evil.txt', mimeType: 'text/plain', size: 3 },
        { filename: 'b.bin', mimeType: 'application/octet-stream', size: 4 },
      ],
    });
    expect(seen.map(({ content }) => content)).toEqual(['one', 'two!']);
    await until(() => !existsSync(path.dirname(seen[0]?.path as string)), 'clean-up');
  });

  test('keep the order in which the parts appear, whichever file is on disk first', async () => {
    const { url } = await serve((router) => {
      router.post('/upload', { input: { body } }, ({ input }) => input.body.files.map(({ filename }) => filename));
    });
    const form = new FormData();
    form.set('title', 'many');
    form.set('count', '20');
    const names = Array.from({ length: 20 }, (_, index) => `${index}.bin`);
    // The first is the largest by far, so that all others are written before it.
    for (const [index, name] of names.entries()) {
      form.append('files', new File(['x'.repeat(index === 0 ? 800_000 : 1)], name));
    }
    expect(await (await fetch(`${url}/upload`, { method: 'POST', body: form })).json()).toEqual(names);
  });

  test('are refused with 413 over the limit, and leave nothing behind', async () => {
    const { url } = await serve((router) => router.post('/upload', { input: { body }, bodyLimit: 2000 }, () => 1));
    const form = new FormData();
    form.append('files', new File(['x'.repeat(4000)], 'a'));
    const response = await fetch(`${url}/upload`, { method: 'POST', body: form });
    expect([response.status, (await response.json()) as object]).toEqual([
      413,
      expect.objectContaining({ code: 'FW_HTTP_BODY_TOO_LARGE' }),
    ]);
  });

  test('are refused with 413 when they grow over the limit on the way', async () => {
    const { port } = await serve((router) => router.post('/upload', { input: { body }, bodyLimit: 2000 }, () => 1));
    const head =
      'POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n';
    const part = `--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n${'x'.repeat(4000)}`;
    const answer = await sendRaw(port, `${head}${part.length.toString(16)}\r\n${part}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*FW_HTTP_BODY_TOO_LARGE/);
  });

  test.each([
    ['multipart/form-data', 'x', 'Boundary'],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nno end', 'end'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nno end',
      'end',
    ],
    ['multipart/form-data; boundary=b', 'nonsense', 'end'],
  ])('of the type %j that are malformed are refused with 400', async (type, text, words) => {
    const { url } = await serve((router) => router.post('/upload', { input: { body } }, () => 1));
    const response = await fetch(`${url}/upload`, { method: 'POST', body: text, headers: { 'Content-Type': type } });
    expect([response.status, (await response.text()).includes(words)]).toEqual([400, true]);
  });

  test('with a file that cannot be stored are answered 500, which tells the log why and the client nothing', async () => {
    const uploadFolder = path.join(folder, 'uploads');
    await mkdir(uploadFolder);
    const { app, url, port } = await serve(
      (router) => router.post('/upload', { input: { body } }, ({ input }) => input.body.count),
      { uploadFolder },
    );
    const upload = () => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ title: 'x', count: '2' })) form.set(name, value);
      for (const name of ['a', 'b']) form.append('files', new File(['x'.repeat(500)], name));
      return fetch(`${url}/upload`, { method: 'POST', body: form });
    };
    expect((await upload()).status).toBe(200);
    await until(async () => (await readdir(uploadFolder)).length === 0, 'clean-up');
    await rm(uploadFolder, { recursive: true });
    const refused = await upload();
    expect([refused.status, refused.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
    expect(await refused.json()).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'FW_HTTP_UPLOAD_STORAGE',
      instance: '/upload',
    });
    expect(JSON.stringify(app.log.lines)).toMatch(/FW_HTTP_UPLOAD_STORAGE|could not be stored in .*uploads: ENOENT/);
    const half =
      'POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nx';
    // The rest of the body must not be waited for, nor taken for a request.
    expect(await sendRaw(port, half)).toMatch(/^HTTP\/1\.1 500 [\s\S]*\r\nConnection: close\r\n/i);
    await mkdir(uploadFolder);
    expect((await upload()).status).toBe(200);
  });

  test('whose folder cannot be removed do not end the process', async () => {
    const uploadFolder = path.join(folder, 'replaced');
    await mkdir(uploadFolder);
    const closed: Promise<unknown>[] = [];
    const { url } = await serve(
      (router) =>
        router.post('/upload', { input: { body } }, async (ctx) => {
          closed.push(once(ctx.res, 'close'));
          // Below a file there can be no folder: its removal fails with ENOTDIR.
          await rm(uploadFolder, { recursive: true });
          await writeFile(uploadFolder, '');
          return 'kept';
        }),
      { uploadFolder },
    );
    const form = new FormData();
    for (const [name, value] of Object.entries({ title: 'x', count: '2' })) form.set(name, value);
    for (const name of ['a', 'b']) form.append('files', new File(['x'], name));
    const failed = jest.fn();
    process.on('unhandledRejection', failed);
    try {
      expect(await (await fetch(`${url}/upload`, { method: 'POST', body: form })).text()).toBe('kept');
      await Promise.all(closed);
      await delay(100);
      expect(failed).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', failed);
    }
  });

  test('give a list of one where a field takes several files', async () => {
    const { url } = await serve((router) => {
      router.post('/upload', { input: { body } }, ({ input }) => input.body.files.map(({ filename }) => filename));
    });
    const form = new FormData();
    for (const [name, value] of Object.entries({ title: 'one', count: '1' })) form.set(name, value);
    form.append('files', new File(['x'], 'only.txt'));
    expect(await (await fetch(`${url}/upload`, { method: 'POST', body: form })).json()).toEqual(['only.txt']);
  });

  const forged = { path: '/etc/passwd', filename: 'a', mimeType: 'text/plain', size: 1 };
  test.each([
    ['application/json', JSON.stringify({ photo: forged }), []],
    ['application/json', JSON.stringify({ photo: forged }), [bodyParser()]],
    ['application/x-www-form-urlencoded', 'photo[path]=/etc/passwd&photo[filename]=a', [bodyParser()]],
  ])('are the only way to a file: %s with its path gets 415', async (type, text, middlewares) => {
    const input = { body: Type.Object({ photo: UploadedFile() }) };
    const { url } = await serve((router) => router.post('/upload', { input }, () => 'taken'), {}, middlewares);
    const response = await fetch(`${url}/upload`, { method: 'POST', body: text, headers: { 'Content-Type': type } });
    expect([response.status, await response.json()]).toEqual([
      415,
      expect.objectContaining({ detail: `The request body is ${type}, but this route reads multipart/form-data.` }),
    ]);
  });

  test('are asked for where a form has a field in their place', async () => {
    const photos = Type.Object({
      photo: UploadedFile(),
      more: Type.Array(UploadedFile()),
      cover: Type.Union([UploadedFile(), Type.Null()]),
      size: Type.Object({}),
    });
    const { url } = await serve((router) => router.post('/upload', { input: { body: photos } }, () => 'taken'));
    const send = async (fields: readonly (readonly [string, string])[]) => {
      const form = new FormData();
      for (const [name, value] of fields) form.append(name, value);
      const answer = await fetch(`${url}/upload`, { method: 'POST', body: form });
      const { errors } = (await answer.json()) as { errors: readonly { field: string; message: string }[] };
      return [answer.status, errors.map(({ field, message }) => `${field} ${message}`)];
    };
    const file = 'must be a file: a part of the form that has a filename';
    const text = await send([
      ['photo', 'me.png'],
      ['more', 'a.png'],
      ['cover', 'x'],
      ['size', 'x'],
    ]);
    expect(text).toEqual([
      422,
      expect.arrayContaining([`photo ${file}`, `more.0 ${file}`, `cover ${file}`, 'size must be an object']),
    ]);
  });

  test('are nothing that fields with brackets in their names could give out as one', async () => {
    const photos = Type.Object({
      photo: Type.Optional(UploadedFile()),
      more: Type.Optional(Type.Array(UploadedFile())),
      cover: Type.Optional(Type.Union([UploadedFile(), Type.Null()])),
      album: Type.Optional(Type.Record(Type.String(), Type.Object({ page: UploadedFile() }))),
      part: Type.Optional(Type.Partial(UploadedFile(), { contentMediaType: 'application/octet-stream' })),
    });
    const { url } = await serve((router) => router.post('/upload', { input: { body: photos } }, () => 'taken'));
    const send = async (base: string) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ path: '/etc/passwd', filename: 'a', mimeType: 'b/c', size: '1' }))
        form.append(`${base}[${name}]`, value);
      if (base !== 'photo') form.append('photo', new File(['x'], 'a'));
      const answer = await fetch(`${url}/upload`, { method: 'POST', body: form });
      return [answer.status, answer.status === 422 ? ((await answer.json()) as { errors: object[] }).errors : 'taken'];
    };
    const told = (field: string) => [
      422,
      [expect.objectContaining({ field, message: expect.stringMatching(/a file/) })],
    ];
    expect(await send('none')).toEqual([200, 'taken']);
    expect(await send('photo')).toEqual(told('photo'));
    expect(await send('more[0]')).toEqual(told('more.0'));
    expect(await send('cover')).toEqual(told('cover'));
    expect(await send('album[first][page]')).toEqual(told('album.first.page'));
    expect(await send('part')).toEqual(told('part'));
  });

  test('are read behind a body parser that does not know them', async () => {
    const note = Type.Object({ note: Type.String() });
    const { url } = await serve(
      (router) => {
        router.post('/upload', { input: { body } }, ({ input }) => input.body.files.length);
        router.post('/note', { input: { body: note } }, ({ input }) => input.body.note);
      },
      {},
      [bodyParser()],
    );
    const form = new FormData();
    for (const [name, value] of Object.entries({ title: 'x', count: '1', note: 'read' })) form.set(name, value);
    form.append('files', new File(['x'], 'a'));
    expect(await (await fetch(`${url}/upload`, { method: 'POST', body: form })).text()).toBe('1');
    expect(await (await fetch(`${url}/note`, { method: 'POST', body: form })).text()).toBe('read');
  });

  test('with too many files are refused with 400', async () => {
    const { url } = await serve((router) => router.post('/upload', { input: { body } }, () => 1));
    const form = new FormData();
    for (let each = 0; each < 21; each++) form.append('files', new File(['x'], 'a'));
    const response = await fetch(`${url}/upload`, { method: 'POST', body: form });
    expect([response.status, (await response.text()).includes('more than 20 files')]).toEqual([400, true]);
  });
});

describe('static files', () => {
  let url: string;
  let port: number;

  beforeAll(async () => {
    const root = path.join(folder, 'public');
    await mkdir(path.join(root, 'docs'), { recursive: true });
    await writeFile(path.join(folder, 'secret.txt'), 'secret');
    await writeFile(path.join(root, 'a b.txt'), '0123456789');
    await utimes(path.join(root, 'a b.txt'), 1000, 1000);
    await writeFile(path.join(root, 'index.html'), '<p>root</p>');
    await writeFile(path.join(root, 'docs', 'index.html'), '<p>docs</p>');
    await writeFile(path.join(root, 'empty.css'), '');
    await writeFile(path.join(root, '.env'), 'secret');
    await symlink(path.join(folder, 'secret.txt'), path.join(root, 'link.txt'));
    await symlink('a b.txt', path.join(root, 'inside.txt'));
  });

  const start = async () => {
    ({ url, port } = await serve((router) =>
      router.static('/files', path.join(folder, 'public'), { cacheControl: 'max-age=60' }),
    ));
  };

  test('are served with type, length, validators, and index for folders', async () => {
    await start();
    const file = await fetch(`${url}/files/a%20b.txt`);
    expect(await file.text()).toBe('0123456789');
    expect(
      Object.fromEntries(
        ['content-type', 'content-length', 'last-modified', 'accept-ranges', 'cache-control'].map((name) => [
          name,
          file.headers.get(name),
        ]),
      ),
    ).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'last-modified': 'Thu, 01 Jan 1970 00:16:40 GMT',
      'accept-ranges': 'bytes',
      'cache-control': 'max-age=60',
    });
    expect(file.headers.get('etag')).toMatch(/^W\/"a-[0-9a-f]+"$/);
    expect(await (await fetch(`${url}/files`)).text()).toBe('<p>root</p>');
    expect(await (await fetch(`${url}/files/docs/`)).text()).toBe('<p>docs</p>');
    expect(await (await fetch(`${url}/files/inside.txt`)).text()).toBe('0123456789');
    const empty = await fetch(`${url}/files/empty.css`);
    expect([empty.status, empty.headers.get('content-length'), empty.headers.get('content-type')]).toEqual([
      200,
      '0',
      'text/css; charset=utf-8',
    ]);
    const head = await fetch(`${url}/files/a%20b.txt`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
  });

  test('answer conditional requests', async () => {
    await start();
    const etag = (await fetch(`${url}/files/a%20b.txt`)).headers.get('etag') as string;
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${url}/files/a%20b.txt`, { headers })).status;
    expect(await status({ 'If-None-Match': `"x", ${etag}` })).toBe(304);
    expect(await status({ 'If-None-Match': '*' })).toBe(304);
    expect(await status({ 'If-None-Match': '"stale"' })).toBe(200);
    expect(await status({ 'If-Modified-Since': 'Thu, 01 Jan 1970 00:16:40 GMT' })).toBe(304);
    expect(await status({ 'If-Modified-Since': 'Thu, 01 Jan 1970 00:16:39 GMT' })).toBe(200);
    expect(await status({ 'If-Modified-Since': 'nonsense' })).toBe(200);
    expect(await status({ 'If-None-Match': '"x"', 'If-Modified-Since': 'Thu, 01 Jan 1970 00:16:40 GMT' })).toBe(200);
  });

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['Bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, expect.stringContaining('FW_HTTP_RANGE'), 'bytes */10'],
    ['bytes=-0', 416, expect.stringContaining('FW_HTTP_RANGE'), 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
  ])('answer the range %s with %d', async (range, status, text, contentRange) => {
    await start();
    const response = await fetch(`${url}/files/a%20b.txt`, { headers: { Range: range } });
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ]);
  });

  test('answer HEAD with the head of the whole file, whatever range it asks for (RFC 9110, section 14.2)', async () => {
    await start();
    for (const range of ['bytes=2-4', 'bytes=10-']) {
      const { status, headers } = await fetch(`${url}/files/a%20b.txt`, { method: 'HEAD', headers: { Range: range } });
      expect([status, headers.get('content-length'), headers.get('content-range')]).toEqual([200, '10', null]);
    }
  });

  test.each([
    '/files/../secret.txt',
    '/files/%2e%2e/secret.txt',
    '/files/..%2fsecret.txt',
    '/files/%2e%2e%2fsecret.txt',
    '/files/%252e%252e/secret.txt',
    '/files/..%5csecret.txt',
    '/files/%2fetc%2fpasswd',
    '/files//etc/passwd',
    '/files/secret.txt%00.txt',
    '/files/%zz',
    '/files/link.txt',
    '/files/.env',
    '/files/docs/../.env',
    '/files/none.txt',
  ])('never give away %s', async (target) => {
    await start();
    const answer = await sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toMatch(/secret\r|root:/);
  });

  test('answer visits of pages of a single-page application with its entry, and nothing else', async () => {
    const options = { fallback: 'index.html', cacheControl: 'max-age=60' };
    ({ url } = await serve((router) => {
      router.get('/api/orders', () => []);
      router.static('/', path.join(folder, 'public'), options);
    }));
    const visit = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const got = async (target: string, init: RequestInit = {}, accept = visit) => {
      const response = await fetch(url + target, { ...init, headers: { Accept: accept, ...(init.headers as object) } });
      return [response.status, response.headers.get('cache-control'), (await response.text()).slice(0, 11)];
    };
    const entry = [200, 'no-cache', '<p>root</p>'];
    expect(await got('/orders/7/edit')).toEqual(entry);
    expect(await got('/orders/', { method: 'HEAD' })).toEqual([200, 'no-cache', '']);
    expect((await fetch(`${url}/orders/7`, { headers: { Accept: visit } })).headers.get('vary')).toBe('Accept');
    expect(await got('/docs')).toEqual([200, 'max-age=60', '<p>docs</p>']);
    expect(await got('/api/orders')).toEqual([200, null, '[]']);
    expect((await got('/orders/7', {}, '*/*'))[0]).toBe(404);
    expect((await got('/assets/app.1a2b.js'))[0]).toBe(404);
    expect((await got('/.env'))[0]).toBe(404);
    expect((await got('/.well-known/none'))[0]).toBe(404);
    expect((await got('/orders/7', { method: 'POST' }))[0]).toBe(405);
  });

  test('need their folder at boot', async () => {
    await expect(serve((router) => router.static('/x', '/no/such/folder'))).rejects.toMatchObject({
      code: 'FW_HTTP_STATIC_FOLDER',
    });
  });
});

describe('server-sent events', () => {
  const open = (url: string) =>
    new Promise<IncomingMessage>((resolve, reject) =>
      httpGet(url, { headers: { 'Last-Event-ID': '41' } }, resolve).on('error', reject),
    );

  test('reach the client as they come, and the source ends with the client', async () => {
    let ended = () => {};
    const returned = new Promise<void>((resolve) => (ended = resolve));
    const { url } = await serve((router) => {
      router.get('/events', (ctx) => {
        const id = Number(lastEventId(ctx as never) ?? 0) + 1;
        async function* events() {
          try {
            yield { id: String(id), event: 'tick', data: { n: 1 } };
            yield { data: { big: 5n } };
            yield { data: 'two\nlines' };
            await new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(new TypeError('gone'))));
          } finally {
            ended();
          }
        }
        eventStream(ctx as never, events(), { heartbeatMs: 0 });
      });
    });
    const response = await open(`${url}/events`);
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    let text = '';
    response.on('data', (chunk) => (text += String(chunk)));
    await until(() => text.includes('lines'), 'line');
    expect(text).toBe('event: tick\nid: 42\ndata: {"n":1}\n\ndata: {"big":"5"}\n\ndata: two\ndata: lines\n\n');
    response.destroy();
    await returned;
  });

  test('end when the server drains', async () => {
    const { url, app } = await serve((router) => {
      router.get('/events', (ctx) => {
        async function* events() {
          yield { data: 1 };
          await new Promise(() => {});
        }
        eventStream(ctx as never, events());
      });
    });
    const response = await open(`${url}/events`);
    response.resume();
    const end = once(response, 'end');
    await app.stop();
    await end;
  });

  test('that are over come whole to a client that reads them late, whatever the heartbeat', async () => {
    // More than the system holds between the two ends of a connection: the last event waits with the end behind it.
    const much = 'x'.repeat(32 * 1024 * 1024);
    let isOver = false;
    const { url } = await serve((router) => {
      router.get('/events', (ctx) => {
        async function* events() {
          yield { data: much };
          yield { data: 'last' };
          isOver = true;
        }
        eventStream(ctx as never, events(), { heartbeatMs: 5 });
      });
    });
    const response = await open(`${url}/events`);
    await until(() => isOver, 'end of the source');
    await delay(50);
    expect((await textOf(response)).endsWith('data: last\n\n')).toBe(true);
  });

  test('end at once where the server drains already', async () => {
    let isAsked = false;
    async function* endless() {
      yield { data: await new Promise(() => {}) };
    }
    const { url, app } = await serve((router) => {
      router.get('/events', async (ctx) => {
        isAsked = true;
        await until(() => (ctx as unknown as Record<symbol, AbortSignal>)[DRAINING]?.aborted, 'drain');
        eventStream(ctx as never, endless());
      });
    });
    const opened = open(`${url}/events`);
    await until(() => isAsked, 'request');
    const stopped = app.stop();
    expect(await textOf(await opened)).toBe('');
    await stopped;
    expect(app.log.messages('warn')).toEqual([]);
  });

  test('cannot be forged by line breaks in their fields', () => {
    expect(formatEvent({ event: 'a\ndata: x', id: '1\r\n2', data: 'x\r\revent: y', retry: 1.5 })).toBe(
      'event: a data: x\nid: 1  2\nretry: 1\ndata: x\ndata: \ndata: event: y\n\n',
    );
  });
});

describe('WebSocket routes', () => {
  const guard: Middleware = function guard(ctx, next) {
    return ctx.get('Authorization') === 'yes' ? next() : ctx.throw(401);
  };
  const chat = (router: Router) => {
    router.group('/rooms', guard, (rooms) => {
      rooms.websocket('/:room', { maxPayload: 1000 }, (socket, ctx) => {
        socket.on('message', (data) => socket.send(`${ctx.params.room}: ${String(data)}`));
      });
    });
    router.websocket('/broken', () => {
      throw new Error('broken');
    });
    router.get('/plain', () => 'plain');
  };
  const address = (url: string, target: string) => url.replace('http', 'ws') + target;
  const refusal = async (socket: WebSocket) => {
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    socket.on('error', () => {}).terminate();
    return response.statusCode;
  };
  const authorized = { headers: { Authorization: 'yes' } };

  test('carry messages after the middlewares have let the request in', async () => {
    const { url, app } = await serve(chat);
    const socket = new WebSocket(address(url, '/rooms/a%20b'), authorized);
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).toBe('a b: hello');
    const closed = once(socket, 'close');
    await app.stop();
    expect((await closed)[0]).toBe(1001);
  });

  test('refuse who is not let in, unknown paths, foreign origins and malformed handshakes, as problem+json', async () => {
    const { url, port } = await serve(chat);
    expect(await refusal(new WebSocket(address(url, '/rooms/a')))).toBe(401);
    expect(await refusal(new WebSocket(address(url, '/none'), authorized))).toBe(404);
    expect(
      await refusal(new WebSocket(address(url, '/rooms/a'), { ...authorized, origin: 'https://evil.example' })),
    ).toBe(403);
    const same = new WebSocket(address(url, '/rooms/a'), { ...authorized, origin: url });
    await once(same, 'open');
    same.terminate();
    const handshake =
      'GET /broken HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n\r\n';
    expect(await sendRaw(port, handshake)).toMatch(/^HTTP\/1\.1 400 [\s\S]*Sec-WebSocket-Version must be 13/);
  });

  const opening = (more = '') =>
    [
      'GET /rooms/a HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ...(more === '' ? [] : [more]),
      '\r\n',
    ].join('\r\n');

  test.each([
    ['a,,b', 'is malformed'],
    ['a b', 'is malformed'],
    ['a, b,a', 'names a protocol twice'],
  ])('refuse the protocols %j as problem+json, and their middlewares end', async (protocols, problem) => {
    let isOver = false;
    const around: Middleware = (_ctx, next) => next().finally(() => (isOver = true));
    const { port } = await serve((router) => router.websocket('/rooms/a', () => {}), {}, [around]);
    const answer = await sendRaw(port, opening(`Sec-WebSocket-Protocol: ${protocols}`));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 400 [^]*problem\\+json[^]*Sec-WebSocket-Protocol ${problem}`));
    expect(isOver).toBe(true);
  });

  test('end their middlewares where the client goes away before the handshake', async () => {
    let [isBegun, isOver] = [false, false];
    const around: Middleware = async (ctx, next) => {
      isBegun = true;
      await new Promise((closed) => ctx.req.socket.once('close', closed));
      await next().finally(() => (isOver = true));
    };
    const { app, port } = await serve((router) => router.websocket('/rooms/a', () => {}), {}, [around]);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).write(opening());
    await until(() => isBegun, 'request');
    socket.resetAndDestroy();
    await until(() => isOver, 'end of the middleware');
    await until(() => app.log.messages('debug').includes('the client went away'), 'line of the log');
    expect(app.log.messages('error')).toEqual([]);
  });

  test('answer an ordinary request with 426, and leave upgrades to other protocols alone', async () => {
    const { url, port } = await serve(chat);
    const response = await fetch(`${url}/broken`);
    expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
    const h2c = 'GET /plain HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n';
    expect(await sendRaw(port, h2c)).toMatch(/^HTTP\/1\.1 200 [\s\S]*plain$/);
  });

  test('close with 1011 when the handler throws, and with 1009 when a message is too large', async () => {
    const { url } = await serve(chat);
    const broken = new WebSocket(address(url, '/broken'));
    expect((await once(broken, 'close'))[0]).toBe(1011);
    const large = new WebSocket(address(url, '/rooms/a'), authorized);
    await once(large, 'open');
    large.send('x'.repeat(1001));
    expect((await once(large, 'close'))[0]).toBe(1009);
  });

  test('cut a client that does not answer pings', async () => {
    const { url } = await serve((router) => router.websocket('/quiet', { heartbeatMs: 20 }, () => {}));
    const socket = new WebSocket(address(url, '/quiet'), { autoPong: false });
    expect((await once(socket, 'close'))[0]).toBe(1006);
  });
});

describe('blocking handlers', () => {
  const work = async (register: (router: Router, module: URL) => void, workers: HttpOptions['workers']) => {
    for (const name of ['released', 'spinning']) await rm(path.join(folder, name), { force: true });
    const file = path.join(folder, 'work.mjs');
    await writeFile(
      file,
      `import { existsSync, writeFileSync } from 'node:fs';
       import { setTimeout as delay } from 'node:timers/promises';
       import { threadId } from 'node:worker_threads';
       export const report = ({ params, query, input }) => ({ params, query, input, inThread: threadId > 0 });
       export const spin = () => { writeFileSync(new URL('spinning', import.meta.url), ''); for (;;); };
       export const fail = () => { throw new Error('hunter2'); };
       export const refuse = ({ query: { ours } }) => {
         const error = Object.assign(new Error('There is no report 7.'), { status: 404, expose: true, code: 'FW_APP_X' });
         throw ours ? Object.defineProperty(error, Symbol.for('fw.error'), { value: true }) : error;
       };
       export const pdf = () => Buffer.from('%PDF-1.7');
       export const big = () => ({ id: 9007199254740993n });
       export const leave = () => process.exit(3);
       export const wait = async () => {
         while (!existsSync(new URL('released', import.meta.url))) await delay(5);
         return 'waited';
       };`,
    );
    return serve((router) => register(router, new URL(`file://${file}`)), { workers });
  };

  test('run in a thread, with the validated input, and are marked in the route list', async () => {
    const { url, app } = await work(
      (router, module) => {
        const query = Type.Object({ n: Type.Integer() });
        router.handleBlocking(
          'GET',
          '/report/:id',
          { module, export: 'report' },
          { input: { query }, title: 'Report' },
        );
      },
      { size: 1 },
    );
    expect(await (await fetch(`${url}/report/7?n=5`)).json()).toEqual({
      params: { id: '7' },
      query: { n: '5' },
      input: { query: { n: 5 } },
      inThread: true,
    });
    expect(app.services.get(HttpServer).routes()).toMatchObject([
      { path: '/report/:id', blocking: true, title: 'Report' },
    ]);
    expect(app.diagnostics.get('workerpool')).toMatchObject({ status: 'ok', detail: { submitted: 1, workers: 1 } });
  });

  test('answer as a handler in the application does: refusals with their status, bytes as bytes, bigints as text', async () => {
    const { url, app } = await work(
      (router, module) => {
        for (const name of ['refuse', 'pdf', 'big']) router.handleBlocking('GET', `/${name}`, { module, export: name });
      },
      { size: 1 },
    );
    const problem = {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'There is no report 7.',
      instance: '/refuse',
    };
    const refused = await fetch(`${url}/refuse`);
    expect([refused.status, await refused.json()]).toEqual([404, problem]);
    expect(await (await fetch(`${url}/refuse?ours=1`)).json()).toEqual({ ...problem, code: 'FW_APP_X' });
    const pdf = await fetch(`${url}/pdf`);
    expect([pdf.headers.get('content-type'), await pdf.text()]).toEqual(['application/octet-stream', '%PDF-1.7']);
    expect(await (await fetch(`${url}/big`)).json()).toEqual({ id: '9007199254740993' });
    expect(app.diagnostics.get('workerpool')).toMatchObject({ status: 'ok', detail: { submitted: 4, failed: 0 } });
  });

  test('are refused with 503 when the pool and its queue are full', async () => {
    const { url, app } = await work(
      (router, module) => router.handleBlocking('GET', '/wait', { module, export: 'wait' }),
      { size: 1, queue: 1 },
    );
    const asked = [1, 2, 3].map(() => fetch(`${url}/wait`));
    await until(() => (app.diagnostics.get('workerpool')?.detail as { rejected: number }).rejected === 1, 'refusal');
    await writeFile(path.join(folder, 'released'), '');
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
    const refused = answers.find(({ status }) => status === 503) as Response;
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'FW_HTTP_POOL_FULL' });
    expect(app.diagnostics.get('workerpool')).toMatchObject({ status: 'degraded', detail: { rejected: 1 } });
  });

  test('that run too long are ended with 504, that fail or end their thread with 500, and the next one works', async () => {
    const { url, app } = await work(
      (router, module) => {
        for (const name of ['spin', 'fail', 'leave', 'missing', 'wait'])
          router.handleBlocking('GET', `/${name}`, { module, export: name });
      },
      { size: 1, timeout: 2000 },
    );
    // Only the time of the one that spins runs out, however slow the machine is.
    holdTimers();
    await writeFile(path.join(folder, 'released'), '');
    const status = async (name: string) => {
      const response = await fetch(`${url}/${name}`);
      expect(await response.text()).not.toContain('hunter2');
      return response.status;
    };
    const spun = status('spin');
    await until(() => existsSync(path.join(folder, 'spinning')), 'handler that spins');
    jest.advanceTimersByTime(2000);
    expect([
      await spun,
      await status('fail'),
      await status('leave'),
      await status('missing'),
      await status('wait'),
    ]).toEqual([504, 500, 500, 500, 200]);
    expect(app.diagnostics.get('workerpool')).toMatchObject({ detail: { timed_out: 1, failed: 3, in_flight: 0 } });
  });
});

describe('a blocking handler', () => {
  const serveThread = async (code: string, workers: HttpOptions['workers']) => {
    const file = path.join(folder, `thread-${Math.random()}.mjs`);
    await writeFile(file, code);
    return serve(
      (router) => router.handleBlocking('GET', '/', { module: new URL(`file://${file}`), export: 'handle' }),
      { workers },
    );
  };

  test('whose rest fails after its answer costs a thread, and not the application', async () => {
    const { url, app } = await serveThread(
      "export const handle = () => { setTimeout(() => { throw new Error('left running'); }, 20); return 'answered'; };",
      { size: 1 },
    );
    for (const count of [1, 2]) {
      expect(await (await fetch(url)).text()).toBe('answered');
      await until(() => app.diagnostics.get('workerpool')?.detail?.['failed'] === count, 'error of the thread');
    }
    expect(app.log.lines.filter(({ level }) => level === 'error')).toMatchObject(
      [1, 2].map(() => ({ fields: { err: { message: 'left running' } } })),
    );
  });

  test('has no end to its time where that is 0', async () => {
    const { url } = await serveThread(
      "export const handle = () => new Promise((done) => setTimeout(done, 100, 'later'));",
      { size: 1, timeout: 0 },
    );
    expect(await (await fetch(url)).text()).toBe('later');
  });
});

describe('options that nothing reads', () => {
  const strange = (options: object) => options as never;
  test.each<[string, (router: Router) => void, string]>([
    [
      'a route',
      (r) => void r.get('/a', strange({ role: ['admin'] }), () => 'x'),
      'no option "role". Did you mean "roles"?',
    ],
    [
      'a route of any method',
      (r) => void r.on('GET', '/a', strange({ Public: true }), () => 'x'),
      'no option "Public"',
    ],
    [
      'a route in a group',
      (r) => void r.group('/a', (g) => void g.post('/b', strange({ body: {} }), () => 'x')),
      '"body"',
    ],
    [
      'the input of a route',
      (r) => void r.get('/a/:b', strange({ input: { path: Type.Object({}) } }), () => 'x'),
      'it has no option "path". Options are body, query, params, header',
    ],
    [
      'the headers of a route',
      (r) => void r.get('/a', strange({ input: { headers: Type.Object({}) } }), () => 'x'),
      'Did you mean "header"?',
    ],
    [
      'a schema for the input of a route',
      (r) => void r.post('/a', strange({ input: Type.Object({ b: Type.String() }) }), () => 'x'),
      'it has no option "type"',
    ],
    ['a group', (r) => void r.group('/a', strange({ rolse: ['admin'] }), () => undefined), 'Did you mean "roles"?'],
    ['files', (r) => void r.static('/a', folder, strange({ roels: ['admin'] })), 'Did you mean "roles"?'],
    ['a WebSocket', (r) => void r.websocket('/a', strange({ origin: [] }), () => undefined), 'Did you mean "origins"?'],
    ['a list for options', (r) => void r.static('/a', folder, strange(['index.html'])), 'its options are a list'],
  ])('of %s end the boot', async (_name, register, sentence) => {
    await expect(serve(register)).rejects.toMatchObject({
      code: 'FW_HTTP_ROUTE_OPTION',
      message: expect.stringContaining(sentence),
    });
  });
});
