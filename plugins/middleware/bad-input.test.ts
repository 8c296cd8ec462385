import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { HttpServer, plugin } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest, sendRaw } from '../../kernel/testing/index.js';
import http from '../http/index.js';
import { nineMiddlewares, SECRET, SPEC_ORDER, TWELVE } from './testing/nine-middlewares.js';

let root: string;
let app: BootedTestApp;
let port: number;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fw-bad-input-'));
  await writeFile(path.join(root, 'en.json'), '{}');
  const nine = nineMiddlewares();
  const routes = routesUnderTest((router) => {
    const body = Type.Object({ name: Type.String() });
    router.post('/bind', { input: { body }, bodyLimit: 64 }, (ctx) => ctx.input.body);
    router.get('/echo', (ctx) => (ctx.set('X-Echo', String(ctx.query['x'])), 'ok'));
    router.get('/files/:name', (ctx) => ctx.params['name']);
    router.get('/admin/x', () => 'secret');
    router.get('/text', () => 'x'.repeat(2000));
  });
  app = await bootTestApp({
    root,
    plugins: [plugin(() => Promise.resolve(http), { port: 0 }), ...SPEC_ORDER.map((name) => nine[name]), routes],
  });
  ({ port } = app.services.get(HttpServer));
});
afterAll(async () => {
  await app.stop();
  await rm(root, { recursive: true });
});

/** A whole answer but for its Date, which no two have alike. */
interface Answer {
  readonly status: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function send(bytes: string): Promise<Answer> {
  const [head = '', body = ''] = (await sendRaw(port, bytes)).split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: /, '')] as const);
  return { status, headers: Object.fromEntries(headers.filter(([name]) => name !== 'date')), body };
}

/** What Node's parser answers before there is a request that a middleware could see. */
const unreadable = (status: string): Answer => ({
  status: `HTTP/1.1 ${status}`,
  headers: { connection: 'close' },
  body: '',
});

/** What comes through the nine middlewares. */
const answer = (status: string, type: string, body: string, more: Readonly<Record<string, string>> = {}): Answer => ({
  status: `HTTP/1.1 ${status}`,
  headers: {
    ...TWELVE,
    'content-language': 'en',
    vary: 'Accept-Language, Cookie, Accept-Encoding',
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET',
    'content-type': type,
    'content-length': String(body.length),
    connection: 'close',
    ...more,
  },
  body,
});

const problem = (status: number, title: string, rest: object, more: Readonly<Record<string, string>> = {}): Answer => {
  const reason = title === 'Validation Failed' ? 'Unprocessable Entity' : title;
  const body = JSON.stringify({ type: 'about:blank', title, status, ...rest });
  return answer(`${status} ${reason}`, 'application/problem+json', body, more);
};

// These end before the compression middleware is reached, so nothing varies by Accept-Encoding.
const OUTSIDE_COMPRESSION = { vary: 'Accept-Language, Cookie' };

const malformed = (type: string, why: string): Answer =>
  problem(400, 'Bad Request', {
    detail: `The request body cannot be read as ${type}: ${why}.`,
    instance: '/bind',
    code: 'FW_HTTP_BODY_MALFORMED',
  });

const unreadType = (found: string, more: Readonly<Record<string, string>> = {}): Answer =>
  problem(
    415,
    'Unsupported Media Type',
    {
      detail: `The request body is ${found}, but this route reads application/json, application/x-www-form-urlencoded or multipart/form-data.`,
      instance: '/bind',
      code: 'FW_HTTP_BODY_TYPE',
    },
    more,
  );

const tooLarge = problem(413, 'Payload Too Large', {
  detail: 'The request body is larger than 64 bytes.',
  instance: '/bind',
  code: 'FW_HTTP_BODY_TOO_LARGE',
});

const unauthorized = (instance: string, challenge = 'Bearer'): Answer =>
  problem(401, 'Unauthorized', { instance }, { ...OUTSIDE_COMPRESSION, 'www-authenticate': challenge });

const noRoute = (target: string): Answer =>
  problem(404, 'Not Found', {
    detail: `No route matches GET ${target}.`,
    instance: target,
    code: 'FW_HTTP_NOT_FOUND',
  });

/** What is refused before a middleware that decides by the path gets to see it: no locale, for one. */
const refusedTarget = (members: Readonly<Record<string, unknown>>): Answer => {
  const whole = problem(400, 'Bad Request', members);
  const { 'content-language': _language, vary: _vary, ...headers } = whole.headers;
  return { ...whole, headers };
};

const badPath = (instance: string): Answer =>
  refusedTarget({
    detail: 'The path of the request is not valid percent-encoding.',
    instance,
    code: 'FW_HTTP_PATH_MALFORMED',
  });

const ambiguous = (instance: string, problem: string): Answer =>
  refusedTarget({
    detail: `The path of the request can be read in more than one way: ${problem}.`,
    instance,
    code: 'FW_HTTP_PATH_AMBIGUOUS',
  });

const ENCODED_SLASH = 'it has an encoded slash (%2F), which this path does not take';
const DOTS = 'it has a dot segment';

const TEXT = 'x'.repeat(2000);
const whole = answer('200 OK', 'text/plain; charset=utf-8', TEXT, { etag: '"6284398f25b31fbdd31e5c6cc04af9ad"' });

const request = (line: string, headers: readonly string[] = [], body = '') =>
  [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', body].join('\r\n');
const post = (type: string | undefined, body: string, more: readonly string[] = []) =>
  request(
    'POST /bind',
    [...(type === undefined ? [] : [`Content-Type: ${type}`]), `Content-Length: ${body.length}`, ...more],
    body,
  );
const chunked = (body: string, more: readonly string[] = []) =>
  request(
    'POST /bind',
    ['Content-Type: application/json', 'Transfer-Encoding: chunked', ...more],
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  );
const json = (body: string) => post('application/json', body);

describe('a body', () => {
  const MULTIPART = 'multipart/form-data';
  const FORM = 'application/x-www-form-urlencoded';

  test.each<[string, string, Answer]>([
    ['of malformed JSON', json('{"name": "a"'), malformed('application/json', 'it is malformed at position 12')],
    ['of bytes that are not UTF-8', json('{"name": "\xff"}'), malformed('application/json', 'it is not valid UTF-8')],
    ['of white space', json('  '), malformed('application/json', 'it is empty')],
    ['of a malformed form', post(FORM, 'a=%zz'), malformed(FORM, 'a "%" is not followed by two hexadecimal digits')],
    ['of parts without a boundary', post(MULTIPART, 'a'), malformed(MULTIPART, 'multipart: Boundary not found')],
    [
      'of parts that break off',
      post(`${MULTIPART}; boundary=b`, '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx'),
      malformed(MULTIPART, 'unexpected end of form'),
    ],
    ['of another type', post('text/plain', 'a'), unreadType('text/plain')],
    ['of a type with markup', post('text/<b>\x01', 'a'), unreadable('400 Bad Request')],
    ['without a type', post(undefined, 'a'), unreadType('without a Content-Type')],
    [
      'in another charset',
      post('application/json; charset=utf-16', '{}'),
      unreadType('application/json in the charset utf-16'),
    ],
    [
      'that is compressed',
      post('application/json', '{}', ['Content-Encoding: gzip']),
      unreadType('encoded (Content-Encoding)', { 'accept-encoding': 'identity' }),
    ],
    ['of a declared length over the limit', json(`{"name":"${'x'.repeat(100)}"}`), tooLarge],
    ['that grows over the limit', chunked('x'.repeat(101)), tooLarge],
    ['with a length and chunks', chunked('{}', ['Content-Length: 2']), unreadable('400 Bad Request')],
    ['with two lengths', post('application/json', '{}', ['Content-Length: 3']), unreadable('400 Bad Request')],
    [
      'with an invalid field',
      json('{"name":1}'),
      problem(422, 'Validation Failed', {
        detail: 'One of the inputs is not valid; see errors.',
        instance: '/bind',
        code: 'FW_HTTP_INPUT_INVALID',
        errors: [{ in: 'body', field: 'name', rule: 'type', message: 'must be a string' }],
      }),
    ],
  ])('%s', async (_name, bytes, expected) => {
    expect(await send(bytes)).toEqual(expected);
  });
});

describe('a header', () => {
  const get = (...headers: string[]) => request('GET /text', headers);

  test.each<[string, string, Answer]>([
    [
      'that a value of the query would inject',
      request('GET /echo?x=a%0d%0aX-Evil:%201'),
      problem(500, 'Internal Server Error', { instance: '/echo', code: 'FW_HTTP_HEAD_INVALID' }, OUTSIDE_COMPRESSION),
    ],
    ['with a NUL', get('X-A: a\0b'), unreadable('400 Bad Request')],
    ['with a space before the colon', get('X-A : b'), unreadable('400 Bad Request')],
    ['folded over two lines', get('X-A: b', ' c: d'), unreadable('400 Bad Request')],
    ['that ends in a bare line feed', get('X-A: b\nX-B: c'), unreadable('400 Bad Request')],
    [
      'with cookies over the limit',
      get(`Cookie: a=${'b'.repeat(70_000)}`),
      unreadable('431 Request Header Fields Too Large'),
    ],
    ['Accept-Encoding that is nonsense', get('Accept-Encoding: ;;;q=, br;q=2, gzip;q=nonsense'), whole],
    ['Accept-Encoding that refuses everything', get('Accept-Encoding: *;q=0, identity;q=0'), whole],
    ['If-None-Match without quotes', get('If-None-Match: 6284398f25b31fbdd31e5c6cc04af9ad'), whole],
    ['If-None-Match with an open quote', get('If-None-Match: "6284398f25b31fbdd31e5c6cc04af9ad'), whole],
    ['If-None-Match of commas', get('If-None-Match: ,,W/"",,'), whole],
  ])('%s', async (_name, bytes, expected) => {
    expect(await send(bytes)).toEqual(expected);
  });
});

describe('a token', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forge = (head: object, claims: object, hash = 'sha256') => {
    const text = `${part(head)}.${part(claims)}`;
    return `${text}.${createHmac(hash, SECRET).update(text).digest('base64url')}`;
  };
  const soon = () => Math.floor(Date.now() / 1000) + 60;
  const hs256 = { alg: 'HS256' };

  test.each<[string, () => string[]]>([
    ['that is missing', () => []],
    ['that is there twice', () => [forge(hs256, { exp: soon() }), forge(hs256, { exp: soon() })]],
    ['with alg none', () => [`${part({ alg: 'none' })}.${part({ exp: soon() })}.`]],
    ['that claims RS256 and is signed with the secret', () => [forge({ alg: 'RS256' }, { exp: soon() })]],
    ['that claims HS256 and is signed with SHA-512', () => [forge(hs256, { exp: soon() }, 'sha512')]],
    ['that is expired', () => [forge(hs256, { exp: 1000 })]],
    ['that is not valid yet', () => [forge(hs256, { exp: soon(), nbf: soon() })]],
    ['without exp', () => [forge(hs256, { user_id: 1 })]],
  ])('%s', async (_name, tokens) => {
    const headers = tokens().map((token) => `Authorization: Bearer ${token}`);
    expect(await send(request('GET /admin/x', headers))).toEqual(
      unauthorized('/admin/x', headers.length > 0 ? 'Bearer error="invalid_token"' : 'Bearer'),
    );
  });

  test('that is valid is let in, so that the refusals above are for their one reason', async () => {
    const headers = [`Authorization: Bearer ${forge(hs256, { exp: soon() })}`];
    expect((await send(request('GET /admin/x', headers))).body).toBe('secret');
  });
});

describe('a path', () => {
  test.each<[string, Answer]>([
    ['/files/%zz', badPath('/files/%zz')],
    ['/files/%', badPath('/files/%')],
    ['/files/%ff', badPath('/files/%ff')],
    ['/files/%c0%ae', badPath('/files/%c0%ae')],
    ['/%61dmin/x', unauthorized('/admin/x')],
    ['/admin/%78', unauthorized('/admin/x')],
    ['/admin/x/', unauthorized('/admin/x')],
    ['/%2561dmin/x', noRoute('/%2561dmin/x')],
    ['/./admin/x', ambiguous('/./admin/x', DOTS)],
    ['/files/../admin/x', ambiguous('/files/../admin/x', DOTS)],
    ['/files/%2e%2e/admin/x', ambiguous('/files/%2e%2e/admin/x', DOTS)],
    ['//admin/x', ambiguous('//admin/x', 'it has an empty segment ("//")')],
    ['/admin%2fx', ambiguous('/admin%2fx', ENCODED_SLASH)],
    ['/files/a%2fb', ambiguous('/files/a%2fb', ENCODED_SLASH)],
    ['/files/..%2f..%2fetc', ambiguous('/files/..%2f..%2fetc', DOTS)],
    ['/files/a%5cb', ambiguous('/files/a%5cb', 'it has a backslash')],
    ['/files/a%00b', ambiguous('/files/a%00b', 'it has a NUL')],
    ['/ADMIN/x', unauthorized('/ADMIN/x')],
  ])('%s', async (target, expected) => {
    expect(await send(request(`GET ${target}`))).toEqual(expected);
  });

  test.each([
    ['/files/a%252fb', 'a%2fb'],
    ['/files/a%20b;c', 'a b;c'],
  ])('%s is one segment, decoded once', async (target, name) => {
    const { status, body } = await send(request(`GET ${target}`));
    expect([status, body]).toEqual(['HTTP/1.1 200 OK', name]);
  });
});

describe('a request line', () => {
  const allowed = { allow: 'GET, HEAD, OPTIONS' };

  test.each<[string, string, Answer]>([
    ['of an unknown method', request('PATCHY /text'), unreadable('400 Bad Request')],
    [
      'of a method that the route does not have',
      request('TRACE /text'),
      problem(
        405,
        'Method Not Allowed',
        {
          detail: '/text does not answer TRACE. It answers GET, HEAD, OPTIONS.',
          instance: '/text',
          code: 'FW_HTTP_METHOD_NOT_ALLOWED',
        },
        allowed,
      ),
    ],
    ['with bare line feeds', 'GET /text HTTP/1.1\nHost: x\n\n', unreadable('400 Bad Request')],
  ])('%s', async (_name, bytes, expected) => {
    expect(await send(bytes)).toEqual(expected);
  });
});
