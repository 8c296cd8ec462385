import { once } from 'node:events';
import { type IncomingMessage, request as requestOver, type ServerResponse } from 'node:http';
import { connect, createServer, type Http2Server } from 'node:http2';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Logger } from '../../../kernel/index.js';
import { type PlainServer, servePlain } from '../../../kernel/testing/http-app.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { Http2Request } from '../http2/http2-request.js';
import { Http2Response } from '../http2/http2-response.js';
import { hasBody } from '../request-body.js';
import { Forwarder } from './forward.js';
import { WorkerDoor } from './worker-door.js';

let folder: string;
let door: WorkerDoor;
let http1: PlainServer;
let http2: Http2Server;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, headers, socket } = request;
  const facts = { method, host: headers.host, from: socket.remoteAddress, hasBody: hasBody(request) };
  response.end(JSON.stringify({ ...facts, body: await text(request) }));
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-door-'));
  const at = path.join(folder, 'door');
  door = new WorkerDoor({ options: {}, answer: (...given) => void answer(...given), upgrade: undefined });
  await door.open(at);
  const forwarder = new Forwarder(at, new RecordingLogger() as Logger);
  const forward = (request: unknown, response: unknown) =>
    forwarder.request(request as IncomingMessage, response as ServerResponse);
  http1 = await servePlain({ callback: () => forward });
  http2 = createServer({ Http2ServerRequest: Http2Request, Http2ServerResponse: Http2Response as never }, forward);
  await once(http2.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  http2.close();
  await http1[Symbol.asyncDispose]();
  await door.close(0);
  await rm(folder, { recursive: true });
});

async function overHttp1(method: string, body: string | undefined): Promise<unknown> {
  // Without a length, which `fetch` always gives: the body is chunked.
  const request = requestOver({ port: http1.port, host: '127.0.0.1', method, headers: { host: 'shop.example' } });
  if (body === undefined) request.removeHeader('Transfer-Encoding');
  else request.setHeader('Transfer-Encoding', 'chunked');
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return json(response);
}

async function overHttp2(method: string, body: string | undefined): Promise<unknown> {
  const session = connect(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`);
  const stream = session.request(
    { ':method': method, ':path': '/', ':authority': 'shop.example' },
    { endStream: body === undefined },
  );
  if (body !== undefined) stream.end(body);
  try {
    return await json(stream);
  } finally {
    session.destroy();
  }
}

describe.each([
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', overHttp2],
])('a request over %s reaches the worker that answers it', (_version, ask) => {
  test.each([
    ['GET', undefined],
    ['POST', undefined],
    ['DELETE', undefined],
    ['POST', '{"a":1}'],
    ['DELETE', '{"a":1}'],
  ])('%s with the body %j', async (method, body) => {
    expect(await ask(method, body)).toEqual({
      method,
      host: 'shop.example',
      from: '127.0.0.1',
      hasBody: body !== undefined,
      body: body ?? '',
    });
  });
});
