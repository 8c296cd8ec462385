import { type IncomingMessage, request } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import zlib from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { disableCounters, enableCounters } from '../../../kernel/index.js';
import { servePlain } from '../../../kernel/testing/index.js';
import { compressionMiddleware, type CompressionOptions, negotiateEncoding } from './index.js';
import { EncoderPool } from './encoder-pool.js';
import { brotliEncoder, gzipEncoder } from './encoder.js';

afterEach(() => disableCounters());

const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(100);

function application(body: (ctx: Koa.Context) => unknown = () => TEXT, options: CompressionOptions = {}) {
  const handle = compressionMiddleware(options);
  const app = new Koa().use(handle).use((ctx) => {
    ctx.body = body(ctx);
  });
  return { handle, app };
}

interface Answer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly status: number | undefined;
}

/** Like fetch, without its own decoding. */
function ask(url: string, acceptEncoding?: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding };
    const outgoing = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ headers: response.headers, body: Buffer.concat(chunks), status: response.statusCode }),
      );
    });
    outgoing.on('error', reject).end();
  });
}

const decoders: Record<string, (body: Buffer) => Buffer> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
};

const streamDecoders = {
  br: zlib.createBrotliDecompress,
  gzip: zlib.createGunzip,
  deflate: zlib.createInflate,
};

describe.each(['runtime', 'wasm'] as const)('compression with brotli of the %s', (brotli) => {
  test.each(['br', 'gzip', 'deflate'])('encodes small bodies, large bodies and streams with %s', async (encoding) => {
    const large = TEXT.repeat(40);
    const bodies: Record<string, () => unknown> = {
      '/small': () => TEXT,
      '/large': () => large,
      '/stream': () => Readable.from([TEXT, TEXT]),
    };
    const { app } = application((ctx) => ((ctx.type = 'text/plain'), bodies[ctx.path]?.()), { brotli });
    await using server = await servePlain(app);
    for (const [path, text] of Object.entries({ '/small': TEXT, '/large': large, '/stream': TEXT + TEXT })) {
      const { headers, body } = await ask(server.url + path, `${encoding}, gzip;q=0.5`);
      const used = path === '/stream' && brotli === 'wasm' && encoding === 'br' ? 'gzip' : encoding;
      expect(headers['content-encoding']).toBe(used);
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(body.length).toBeLessThan(text.length);
      expect(decoders[used]?.(body).toString()).toBe(text);
    }
  });
});

describe('compressionMiddleware', () => {
  test('prefers brotli, then gzip, then deflate [MW-COMPRESSION-02]', async () => {
    const { app } = application();
    await using server = await servePlain(app);
    const chosen = async (header: string) => (await ask(server.url, header)).headers['content-encoding'];
    expect(await chosen('deflate, gzip, br')).toBe('br');
    expect(await chosen('deflate, gzip')).toBe('gzip');
    expect(await chosen('deflate')).toBe('deflate');
  });

  test.each<[string, string | undefined]>([
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity;q=1, br;q=0.8', undefined],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['BR', 'br'],
    ['x-gzip', 'gzip'],
    ['br;q=2', undefined],
    ['br;q=nonsense, gzip', 'gzip'],
    ['brr, gzipp', undefined],
    [';;;,,,q=1', undefined],
    ['', undefined],
  ])('negotiates %j to %p [MW-COMPRESSION-01]', (header, expected) => {
    expect(negotiateEncoding(header)).toBe(expected);
  });

  test('answers an invalid or missing Accept-Encoding with the plain body, and varies all the same', async () => {
    const { app } = application();
    await using server = await servePlain(app);
    for (const header of [undefined, 'br;q=nonsense', ';;;']) {
      const { headers, body } = await ask(server.url, header);
      expect([headers['content-encoding'], body.toString(), headers['vary']]).toEqual([
        undefined,
        TEXT,
        'Accept-Encoding',
      ]);
    }
  });

  test('leaves alone what must not or need not be compressed', async () => {
    const bodies: Record<string, (ctx: Koa.Context) => unknown> = {
      '/tiny': () => 'x'.repeat(1023),
      '/encoded': (ctx) => (ctx.set('Content-Encoding', 'zstd'), TEXT),
      '/no-transform': (ctx) => (ctx.set('Cache-Control', 'public, no-transform'), TEXT),
      '/image': (ctx) => ((ctx.type = 'image/png'), Buffer.alloc(4096)),
      '/range': (ctx) => (ctx.set('Content-Range', 'bytes 0-4499/9000'), (ctx.status = 206), TEXT),
      '/content-digest': (ctx) => (ctx.set('Content-Digest', 'sha-256=:AAAA:'), TEXT),
      '/repr-digest': (ctx) => (ctx.set('Repr-Digest', 'sha-256=:AAAA:'), TEXT),
      '/digest': (ctx) => (ctx.set('Digest', 'sha-256=AAAA'), TEXT),
      '/md5': (ctx) => (ctx.set('Content-MD5', 'AAAA'), TEXT),
      '/events': (ctx) => ((ctx.type = 'text/event-stream'), TEXT),
      '/none': () => null,
    };
    const { app } = application((ctx) => bodies[ctx.path]?.(ctx));
    await using server = await servePlain(app);
    for (const path of Object.keys(bodies)) {
      const { headers } = await ask(server.url + path, 'br');
      expect([path, headers['content-encoding'], headers['vary']]).toEqual([
        path,
        path === '/encoded' ? 'zstd' : undefined,
        'Accept-Encoding',
      ]);
    }
  });

  test.each([
    ['application/problem+json; charset=utf-8', true],
    ['model/gltf+json', true],
    ['image/svg+xml', true],
    ['application/yaml', true],
    ['application/x-javascript', true],
    ['message/rfc822', true],
    ['application/X-Protobuf; proto=a.B', true],
    ['application/octet-stream', false],
    ['application/jsonlike', false],
    ['image/webp', false],
    ['font/woff2', false],
    ['application/zip', false],
  ])('compresses by the media type, those of the application included: %s %p', async (type, isCompressed) => {
    const { app } = application((ctx) => (ctx.set('Content-Type', type), Buffer.alloc(4096)), {
      types: ['application/x-protobuf'],
    });
    await using server = await servePlain(app);
    expect((await ask(server.url, 'br')).headers['content-encoding']).toBe(isCompressed ? 'br' : undefined);
  });

  test.each(['text', 'stream'])(
    'answers HEAD with the header fields of GET for a %s (RFC 9110, section 9.3.2)',
    async (kind) => {
      const { app } = application((ctx) => {
        ctx.type = 'text/plain';
        ctx.set('ETag', '"7"');
        return kind === 'text' ? TEXT : Readable.from([TEXT]);
      });
      await using server = await servePlain(app);
      const shown = async (method: string) => {
        const { headers } = await ask(server.url, 'gzip', method);
        return ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'].map((name) => headers[name]);
      };
      expect(await shown('HEAD')).toEqual(await shown('GET'));
    },
  );

  test.each([
    ['gzip', 'runtime', 'gzip', 'a stream'],
    ['deflate', 'runtime', 'deflate', 'a stream'],
    ['br', 'runtime', 'br', 'a stream'],
    ['br, gzip', 'wasm', 'gzip', 'a stream'],
    ['br', 'wasm', undefined, 'a stream'],
    ['gzip', 'runtime', 'gzip', 'a web stream'],
    ['br', 'runtime', 'br', 'a Response'],
  ] as const)(
    'sends what comes in pieces on as it comes: for %s, with brotli of the %s, as %s, %s',
    async (accepted, brotli, used, kind) => {
      const source = new PassThrough();
      const web = () => Readable.toWeb(source) as ReadableStream;
      const bodies = { 'a stream': () => source, 'a web stream': web, 'a Response': () => new Response(web()) };
      const { app } = application((ctx) => ((ctx.type = 'application/x-ndjson'), bodies[kind]()), { brotli });
      await using server = await servePlain(app);
      source.write('{"token":"first"}\n');
      const response = await new Promise<IncomingMessage>((resolve) => {
        request(server.url, { headers: { 'Accept-Encoding': accepted } }, resolve).end();
      });
      expect(response.headers['content-encoding']).toBe(used);
      const text = response.pipe(used === undefined ? new PassThrough() : streamDecoders[used]()).setEncoding('utf8');
      const lines = text[Symbol.asyncIterator]() as AsyncIterator<string>;
      expect((await lines.next()).value).toBe('{"token":"first"}\n');
      // Written only once the first has arrived: a stream that is held back would never get here.
      source.write('{"token":"second"}\n');
      expect((await lines.next()).value).toBe('{"token":"second"}\n');
      source.end();
      expect(await lines.next()).toMatchObject({ done: true });
    },
  );

  test.each(['blob', 'stream'])('sends a %s as it is that is known to be small', async (kind) => {
    const { app } = application((ctx) => {
      const text = TEXT.slice(0, ctx.path === '/small' ? 10 : undefined);
      ctx.type = 'text/plain';
      if (kind === 'blob') return new Blob([text]);
      ctx.length = text.length;
      return Readable.from([text]);
    });
    await using server = await servePlain(app);
    const small = (await ask(`${server.url}/small`, 'gzip')).headers;
    expect([small['content-encoding'], small['content-length']]).toEqual([undefined, '10']);
    expect((await ask(`${server.url}/small`, 'gzip', 'HEAD')).headers['content-length']).toBe('10');
    const { headers, body } = await ask(`${server.url}/large`, 'gzip');
    expect(headers).not.toHaveProperty('content-length');
    expect(zlib.gunzipSync(body).toString()).toBe(TEXT);
  });

  test('compresses a body while streams are open, which have places of their own', async () => {
    const open = new PassThrough();
    const { app } = application((ctx) => ((ctx.type = 'text/plain'), ctx.path === '/open' ? open : TEXT.repeat(40)), {
      poolSize: 1,
      maxStreams: 1,
    });
    await using server = await servePlain(app);
    open.write('x');
    const first = await new Promise<IncomingMessage>((resolve) => {
      request(`${server.url}/open`, { headers: { 'Accept-Encoding': 'gzip' } }, resolve).end();
    });
    expect(first.headers['content-encoding']).toBe('gzip');
    expect((await ask(server.url, 'gzip')).headers['content-encoding']).toBe('gzip');
    open.end();
    first.resume();
  });

  test('cuts the connection when the source of a stream goes away before its end', async () => {
    const source = new PassThrough();
    const { app } = application((ctx) => ((ctx.type = 'text/plain'), source));
    app.silent = true;
    await using server = await servePlain(app);
    source.write('x');
    const broken = new Promise((resolve) => {
      request(server.url, { headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
        response.on('error', resolve).once('data', () => source.destroy());
      }).end();
    });
    expect(await broken).toMatchObject({ code: 'ECONNRESET' });
  });

  test('compresses errors as JSON, keeps Vary of others and weakens a strong ETag', async () => {
    const { app } = application((ctx) => {
      ctx.status = 422;
      ctx.vary('Origin');
      ctx.set('ETag', '"strong"');
      ctx.type = 'application/problem+json';
      return { detail: TEXT };
    });
    await using server = await servePlain(app);
    const { headers, body, status } = await ask(server.url, 'gzip');
    expect([status, headers['vary'], headers['etag']]).toEqual([422, 'Origin, Accept-Encoding', 'W/"strong"']);
    expect(headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(zlib.gunzipSync(body).toString())).toEqual({ detail: TEXT });
  });

  test('offers no ranges of what it compresses, a stream and a HEAD included', async () => {
    const { app } = application((ctx) => {
      ctx.type = 'text/plain';
      ctx.set('Accept-Ranges', 'bytes');
      return ctx.path === '/stream' ? Readable.from([TEXT]) : TEXT;
    });
    await using server = await servePlain(app);
    for (const path of ['/text', '/stream'])
      for (const method of ['GET', 'HEAD']) {
        const ranges = async (coding: string) =>
          (await ask(server.url + path, coding, method)).headers['accept-ranges'];
        expect([path, method, await ranges('br'), await ranges('identity')]).toEqual([
          path,
          method,
          undefined,
          'bytes',
        ]);
      }
  });

  test('counts only after enableCounters(), with what it saves [MW-PROBE-02]', async () => {
    const { app, handle } = application();
    await using server = await servePlain(app);
    await ask(server.url, 'br');
    expect(handle.probe().detail).toMatchObject({ compressed: 0, passed_through: 0, encodings: { br: 0 } });
    enableCounters();
    await ask(server.url, 'gzip');
    await ask(server.url);
    const { bytes, bytes_saved: saved } = handle.probe().detail as { bytes: number; bytes_saved: number };
    expect(handle.probe().detail).toMatchObject({
      compressed: 1,
      passed_through: 1,
      encodings: { br: 0, gzip: 1, deflate: 0 },
    });
    expect(bytes + saved).toBe(TEXT.length);
  });

  test('gives the encoder of a stream back when the client goes away', async () => {
    const endless = new Readable({ read() { this.push(TEXT); } }); // prettier-ignore
    const { app, handle } = application((ctx) => ((ctx.type = 'text/plain'), endless), { maxStreams: 1 });
    app.silent = true;
    await using server = await servePlain(app);
    const closed = new Promise((resolve) => endless.once('close', resolve));
    const outgoing = request(server.url, { headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
      response.once('data', () => outgoing.destroy());
    });
    outgoing.on('error', () => {}).end();
    await closed;
    expect(handle.probe().detail).toMatchObject({ encoders: { gzip: { streams: 0, overflowed: 0 } } });
  });
});

describe('EncoderPool', () => {
  test('compresses as many bodies at once as it has places, lets some wait and refuses the rest [MW-COMPRESSION-03]', async () => {
    const pool = new EncoderPool(gzipEncoder(6), 2, 1, 0);
    const body = TEXT.repeat(50);
    const pending = Array.from({ length: 4 }, () => pool.encode(body));
    expect(pool.facts).toMatchObject({ size: 2, busy: 2, waiting: 1 });
    expect(pool.stream()).toBeUndefined();
    const encoded = await Promise.all(pending);
    expect(encoded.map((each) => each !== undefined)).toEqual([true, true, true, false]);
    expect(zlib.gunzipSync(encoded[2] as Buffer).toString()).toBe(body);
    expect(pool.facts).toEqual({ size: 2, busy: 0, waiting: 0, waits: 1, streams: 0, overflowed: 2 });
  });

  test('gives a place back when an encoder fails', async () => {
    const failing = { ...brotliEncoder(1), encode: () => Promise.reject(new TypeError('no')) };
    const pool = new EncoderPool(failing, 1, 0, 0);
    await expect(pool.encode('x')).rejects.toThrow('no');
    expect(pool.facts.busy).toBe(0);
  });
});
