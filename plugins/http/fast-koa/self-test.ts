import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { FastResponse } from './fast-response.js';

/** How long a response in memory may take, in milliseconds. */
const DEADLINE_MS = 1000;

type Answer = (response: ServerResponse) => void;

/** Answers that between them use every private member. `once` stands for the single write, which must send the same bytes. */
const ANSWERS: readonly (readonly [stock: Answer, once?: (response: FastResponse) => void])[] = [
  [(response) => response.end('{"a":1}', 'latin1'), (response) => response.endOnce('{"a":1}', 'latin1', 7)],
  [(response) => response.end('é€', 'utf8'), (response) => response.endOnce('é€', 'utf8', 5)],
  [(response) => (response.setHeader('Content-Length', 2), response.end('ok'))],
  [(response) => (response.write('chunk'), response.end('ed'))],
  [(response) => ((response.statusCode = 304), response.end())],
];

/**
 * Whether the members of Node that {@link FastResponse} stands on do here what they should: a few responses in memory must
 * give the same bytes as Node's own, and finish.
 */
export async function selfTest(): Promise<boolean> {
  try {
    for (const [stock, once] of ANSWERS) {
      const expected = await bytesOf(ServerResponse, stock);
      const actual = await bytesOf(FastResponse, once ? (response) => once(response as FastResponse) : stock);
      if (expected !== actual) return false;
    }
    return true;
  } catch {
    // Whatever goes wrong means the same: this Node is not the one that the fast path knows.
    return false;
  }
}

async function bytesOf(Response: typeof ServerResponse, answer: Answer): Promise<string> {
  const chunks: Buffer[] = [];
  const socket = new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => (chunks.push(chunk), done()),
  });
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, method: 'GET' });
  const response = new Response(request);
  response.sendDate = false;
  response.assignSocket(socket as Socket);
  for (const [name, value] of [
    ['X-Text', 'a'],
    ['Set-Cookie', ['a=1', 'b=2']],
    ['X-Gone', 'x'],
  ] as const) {
    response.setHeader(name, value);
  }
  response.removeHeader('x-gone');
  await finished(response, answer);
  return Buffer.concat(chunks).toString('latin1');
}

function finished(response: ServerResponse, answer: Answer): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new RangeError('no finish')), DEADLINE_MS);
    response.once('finish', () => (clearTimeout(timer), resolve()));
    answer(response);
  });
}
