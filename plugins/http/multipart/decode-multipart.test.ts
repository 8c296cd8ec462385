import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PATIENCE_MS } from '../../../kernel/testing/patience.js';
import { until } from '../../../kernel/testing/until.js';
import { BindingError } from '../binding-error.js';
import { decodeMultipart } from './decode-multipart.js';

let uploadFolder: string;
beforeAll(async () => {
  uploadFolder = await mkdtemp(path.join(tmpdir(), 'fw-multipart-'));
});
afterAll(() => rm(uploadFolder, { recursive: true }));

/** A request as Node hands it over, in pieces of some size. */
function requestOf(type: string, bytes: Uint8Array, piece: number): IncomingMessage {
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) =>
    Buffer.from(bytes.subarray(at * piece, (at + 1) * piece)),
  );
  return Object.assign(Readable.from(pieces), { headers: { 'content-type': type } }) as unknown as IncomingMessage;
}

async function decoded(type: string, bytes: Uint8Array, piece: number) {
  const closed = new EventEmitter();
  try {
    return (await decodeMultipart(requestOf(type, bytes, piece), { limit: 1_000_000, uploadFolder }, closed)).value;
  } finally {
    closed.emit('close');
  }
}

/** Files are deleted behind the answer, which does not wait for it. */
const untilEmpty = (folder: string) => until(async () => (await readdir(folder)).length === 0, 'empty folder');

const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 20 }));
// Control characters in a header, where names stand, are refused (RFC 9110, section 5.5); browsers write line breaks in another way.
const name = text.filter(
  (value) =>
    !['__proto__', 'constructor', 'prototype'].includes(value) && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(value),
);
const field = fc.record({ name, value: text });
const file = fc.record({
  name,
  filename: fc.constantFrom('a.txt', '../../etc/passwd', 'é "quoted".png', 'C:\\x\\y.txt', 'a;b=c', '日本.txt'),
  type: fc.constantFrom('text/plain', 'image/png', 'application/x-www-form-urlencoded', 'multipart/mixed; boundary=b'),
  bytes: fc.uint8Array({ maxLength: 300 }),
});
const piece = fc.constantFrom(1, 2, 7, 64, 100_000);

// Browsers write three characters of a name in another way, and nobody undoes it: a name may have "%22" in it by itself.
const nameAsSent = (value: string) =>
  asSent(value).replace(/["\r\n]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

// Line breaks are normalised, and text is what UTF-8 can hold (https://html.spec.whatwg.org/#multipart-form-data).
const asSent = (value: string) => value.replace(/\r\n|\r|\n/g, '\r\n').toWellFormed();

describe('a multipart body', () => {
  test('written by fetch is read as it was, in whatever pieces it comes', async () => {
    const parts = fc.array(fc.oneof(field, file), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(parts, piece, async (sent, size) => {
        const form = new FormData();
        const expected = new Map<string, unknown[]>();
        for (const part of sent) {
          if ('bytes' in part && part.bytes.length === 0 && path.basename(part.filename) === '') {
            form.append(part.name, new Blob([]), part.filename);
            continue;
          }
          const values = expected.get(nameAsSent(part.name)) ?? [];
          expected.set(nameAsSent(part.name), values);
          if ('value' in part) {
            form.append(part.name, part.value);
            values.push(asSent(part.value));
          } else {
            form.append(part.name, new Blob([Buffer.from(part.bytes)], { type: part.type }), part.filename);
            values.push(Buffer.from(part.bytes));
          }
        }
        const request = new Request('http://x/', { method: 'POST', body: form });
        const bytes = new Uint8Array(await request.arrayBuffer());
        const closed = new EventEmitter();
        const type = request.headers.get('content-type') ?? '';
        const { value: got } = await decodeMultipart(
          requestOf(type, bytes, size),
          { limit: 1e6, uploadFolder },
          closed,
        );
        const content = async (value: unknown) =>
          typeof value === 'string' ? value : readFile((value as { readonly path: string }).path);
        const read = await Promise.all(
          Object.entries(got).map(async ([key, value]) => [key, await Promise.all([value].flat().map(content))]),
        );
        expect(Object.fromEntries(read)).toEqual(Object.fromEntries(expected));
        for (const value of Object.values(got).flat())
          if (typeof value !== 'string') expect((value as { readonly filename: string }).filename).not.toMatch(/\//);
        closed.emit('close');
      }),
      { numRuns: 60 },
    );
    await untilEmpty(uploadFolder);
  });

  test('has no file where nothing was chosen, and an empty one where that was', async () => {
    const form = new FormData();
    form.append('none', new Blob([], { type: 'application/octet-stream' }), '');
    form.append('some', new Blob([], { type: 'application/octet-stream' }), '');
    form.append('some', new Blob(['a']), 'a.txt');
    form.append('empty', new Blob([]), 'empty.txt');
    const request = new Request('http://x/', { method: 'POST', body: form });
    const bytes = new Uint8Array(await request.arrayBuffer());
    expect(await decoded(request.headers.get('content-type') ?? '', bytes, bytes.length)).toEqual({
      some: expect.objectContaining({ filename: 'a.txt', size: 1 }),
      empty: expect.objectContaining({ filename: 'empty.txt', size: 0 }),
    });
  });

  test('that is broken is refused or read, and leaves no file', async () => {
    const whole: Buffer = Buffer.from(
      [
        ...['--b', 'Content-Disposition: form-data; name="a"', '', 'one'],
        ...['--b', 'Content-Disposition: form-data; name="f"; filename="x.txt"', 'Content-Type: text/plain', '', 'two'],
        ...[
          '--b',
          'Content-Disposition: form-data; name="g"; filename*=UTF-8\'\'%e2%82%ac.txt',
          '',
          'three',
          '--b--',
          '',
        ],
      ].join('\r\n'),
    );
    const at = fc.nat(whole.length - 1);
    const bytes = fc.uint8Array({ maxLength: 5 });
    const piecesOfForm = fc.constantFrom(
      '--b',
      '--b--',
      '\r\n',
      '\r\n\r\n',
      'name="',
      'filename*=',
      '%',
      ';',
      '\0',
      ':',
    );
    type Change = (body: Buffer) => Buffer;
    const put = fc.oneof(bytes, piecesOfForm.map((text) => Buffer.from(text))); // prettier-ignore
    const change: fc.Arbitrary<Change> = fc.oneof(
      fc.tuple(at, put).map(([from, more]): Change => (body) => Buffer.concat([body.subarray(0, from), more, body.subarray(from)])),
      fc.tuple(at, fc.nat(40)).map(([from, count]): Change => (body) => Buffer.concat([body.subarray(0, from), body.subarray(from + count)])),
      at.map((end): Change => (body) => body.subarray(0, end)),
      at.map((from): Change => (body) => Buffer.concat([body, body.subarray(from)])),
    ); // prettier-ignore
    const type = fc.constantFrom('multipart/form-data; boundary=b', 'multipart/form-data; boundary="b"', 'multipart/form-data; boundary=', 'multipart/form-data', 'multipart/form-data; boundary=b; charset=x', 'multipart/form-data;boundary=b\\"'); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 3 }),
        type,
        piece,
        async (changes, sentType, size) => {
          const body = changes.reduce((before, each) => each(before), whole);
          const late = AbortSignal.timeout(PATIENCE_MS);
          const outcome: unknown = await Promise.race([
            decoded(sentType, body, size).catch((error: unknown) => error),
            once(late, 'abort').then(() => new Error(`No end of ${JSON.stringify(body.toString('latin1'))}`)),
          ]);
          if (outcome instanceof BindingError) {
            expect(outcome.code).toMatch(/^FW_HTTP_(BODY_MALFORMED|BODY_TOO_LARGE|TOO_MANY_FIELDS)$/);
          } else if (outcome instanceof Error) throw outcome;
          else expect(Object.getPrototypeOf(outcome)).toBe(Object.prototype);
        },
      ),
      { numRuns: 300 },
    );
    await untilEmpty(uploadFolder);
  });

  test('leaves no file where its response closes before the folder is there', async () => {
    const form = new FormData();
    form.append('a', new Blob(['x']), 'a.txt');
    const sent = new Request('http://x/', { method: 'POST', body: form });
    const closed = new EventEmitter();
    const bytes = new Uint8Array(await sent.arrayBuffer());
    const request = requestOf(sent.headers.get('content-type') ?? '', bytes, 100_000);
    const decoding = decodeMultipart(request, { limit: 1e6, uploadFolder }, closed);
    request.once('end', () => closed.emit('close'));
    await decoding;
    await untilEmpty(uploadFolder);
  });

  test('without parts is an empty object, and what stands behind its end is ignored', async () => {
    for (const body of ['--b--', '--b--\r\n', '--b--b\r\nmore', `--b--\r\n${'epilogue '.repeat(20_000)}`])
      for (const size of [1, 64, 100_000])
        expect(await decoded('multipart/form-data; boundary=b', Buffer.from(body), size)).toEqual({});
  });
});
