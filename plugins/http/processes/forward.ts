import { Agent, type IncomingMessage, request as requestOver, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { fwError, type Logger, PROBLEM_MEDIA_TYPE, toProblem } from '../../../kernel/index.js';
import { HTTP_ERRORS } from '../errors.js';
import { hasBody } from '../request-body.js';
import { PEER, peerText } from './peer.js';

/** Hop-by-hop fields, which must not be forwarded (RFC 9110, section 7.6.1), and the one that is written anew. */
const DROPPED = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  PEER,
]);

/** Forwards requests to the process that answers them, over that process's own socket. */
export class Forwarder {
  // Keep-alive, because on another socket Node's empty write after the body fails if the other end closes first, and the response with it.
  readonly #agent = new Agent({ keepAlive: true });

  constructor(
    private readonly door: string,
    private readonly log: Logger,
  ) {}

  /** Forwards a request and its response, both as streams. */
  request(request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/', rawHeaders, headers: given } = request;
    // Over HTTP/2 the host is in `:authority`, and HTTP/1.1 takes no request without one.
    const headers = ['Host', given.host ?? '', ...passedOn(rawHeaders), PEER, peerText(request)];
    // A request has a body only if it has a length or is chunked (RFC 9112, section 6.3); over HTTP/2 it needs neither.
    if (given['content-length'] === undefined) {
      if (hasBody(request)) headers.push('Transfer-Encoding', 'chunked');
      // For these Node would say that there is one.
      else if (/^(?:POST|PUT|PATCH)$/.test(method)) headers.push('Content-Length', '0');
    }
    const onward = requestOver({
      socketPath: this.door,
      method,
      path: url,
      headers: headers as never,
      agent: this.#agent,
    });
    onward.on('response', (answer) => passBack(answer, response));
    onward.on('error', (cause) => this.#failed(cause, response));
    // The client has disconnected, so the forwarded request is ended.
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  }

  /** Forwards a connection that asks for another protocol. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { method, url, rawHeaders } = request;
    const onward = connect(this.door, () => {
      const lines = [`${method} ${url} HTTP/1.1`];
      const fields = [...rawHeaders, PEER, peerText(request)];
      for (let at = 0; at < fields.length; at += 2) {
        if ((fields[at] as string).toLowerCase() !== PEER || at === fields.length - 2)
          lines.push(`${fields[at]}: ${fields[at + 1]}`);
      }
      onward.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
      onward.write(head);
    });
    const ended = (error?: Error | null) => {
      if (error) this.log.debug({ err: error }, 'a connection that another worker serves has ended');
    };
    pipeline(socket, onward, ended);
    pipeline(onward, socket, ended);
  }

  #failed(cause: Error, response: ServerResponse): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    const problem = toProblem(fwError(HTTP_ERRORS.FW_HTTP_FIRST_WORKER, { reason: cause.message }));
    response.writeHead(problem.status, { 'Content-Type': PROBLEM_MEDIA_TYPE, 'Retry-After': '1' });
    response.end(JSON.stringify(problem));
    this.log.warn({ err: cause }, 'the first worker did not answer');
  }
}

function passBack(answer: IncomingMessage, response: ServerResponse): void {
  const values = new Map<string, string[]>();
  const raw = passedOn(answer.rawHeaders);
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    values.set(name, [...(values.get(name) ?? []), raw[at + 1] as string]);
  }
  response.statusCode = answer.statusCode as number;
  for (const [name, all] of values) response.setHeader(name, all.length === 1 ? (all[0] as string) : all);
  response.flushHeaders();
  answer.on('error', () => response.destroy());
  answer.pipe(response);
}

function passedOn(rawHeaders: readonly string[]): string[] {
  const fields: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!DROPPED.has(name.toLowerCase()) && !name.startsWith(':')) fields.push(name, rawHeaders[at + 1] as string);
  }
  return fields;
}
