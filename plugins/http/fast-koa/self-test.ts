import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { finished as streamFinished, Writable } from 'node:stream';
import { FastResponse } from './fast-response.js';

/** What a response says of itself once it is finished. */
const STATES = ['finished', 'headersSent', 'writableEnded', 'writableFinished', 'writableLength', 'writableCorked', 'destroyed'] as const; // prettier-ignore

/** How long a response in memory may take, in milliseconds. */
const DEADLINE_MS = 1000;

type Answer = (response: ServerResponse) => void;

/** Test responses that together use every private member. `once` is the variant with a single write, which must send the same bytes. */
const ANSWERS: readonly (readonly [stock: Answer, once?: (response: FastResponse) => void])[] = [
  [(response) => response.end('{"a":1}', 'latin1'), (response) => response.endOnce('{"a":1}', 'latin1', 7)],
  [(response) => response.end('é€', 'utf8'), (response) => response.endOnce('é€', 'utf8', 5)],
  [(response) => (response.setHeader('Content-Length', 2), response.end('ok'))],
  [(response) => (response.write('chunk'), response.end('ed'))],
  [(response) => ((response.statusCode = 304), response.end())],
];

/**
 * Whether the private members that {@link FastResponse} uses behave as expected on this Node: a few responses in memory must give the same
 * bytes as Node's own, finish, and say so.
 */
export async function selfTest(): Promise<boolean> {
  try {
    for (const [stock, once] of ANSWERS) {
      const expected = await outcomeOf(ServerResponse, stock);
      const actual = await outcomeOf(FastResponse, once ? (response) => once(response as FastResponse) : stock);
      if (expected !== actual) return false;
    }
    return (await endsUnread()) && closesWithSocket();
  } catch {
    // Any error means that this Node differs from what the fast path expects.
    return false;
  }
}

// An unread request must look like one that has ended, with nothing left to do.
async function endsUnread(): Promise<boolean> {
  const { request, response } = onSocket(FastResponse, new Writable({ write: (_chunk, _encoding, done) => done() }));
  request.complete = true;
  request.push(null);
  await finished(response, () => response.endOnce('ok', 'latin1', 2));
  let isSeen = false;
  const seen = new Promise<void>((resolve) => streamFinished(request, () => ((isSeen = true), resolve())));
  await Promise.race([seen, new Promise((resolve) => setImmediate(resolve))]);
  return isSeen && request.readableEnded && request.destroyed && request.closed;
}

function closesWithSocket(): boolean {
  const socket = new Writable();
  const { response } = onSocket(FastResponse, socket);
  let closed = 0;
  response.on('close', () => closed++);
  socket.emit('close');
  socket.emit('close');
  return closed === 1 && response.destroyed;
}

/** The bytes that were sent, and the state of the response behind them. */
async function outcomeOf(Response: typeof ServerResponse, answer: Answer): Promise<string> {
  const chunks: Buffer[] = [];
  const socket = new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => (chunks.push(chunk), done()),
  });
  const { response } = onSocket(Response, socket);
  response.sendDate = false;
  for (const [name, value] of [
    ['X-Text', 'a'],
    ['Set-Cookie', ['a=1', 'b=2']],
    ['X-Gone', 'x'],
  ] as const) {
    response.setHeader(name, value);
  }
  response.removeHeader('x-gone');
  await finished(response, answer);
  return `${Buffer.concat(chunks).toString('latin1')}${STATES.map((state) => response[state]).join()}`;
}

function onSocket<Response extends ServerResponse>(
  Response: new (request: IncomingMessage) => Response,
  socket: Writable,
) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, method: 'GET' });
  const response = new Response(request);
  response.assignSocket(socket as Socket);
  return { request, response };
}

function finished(response: ServerResponse, answer: Answer): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new RangeError('no finish')), DEADLINE_MS);
    response.once('finish', () => (clearTimeout(timer), resolve()));
    answer(response);
  });
}
