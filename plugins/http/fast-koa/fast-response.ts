import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { FRAMING_BIT, type HeaderValue } from './header-line.js';
import { LineResponse, writeHeadOfAny } from './line-response.js';
import { closeWithSocket, endUnread, type PrivateResponse, type PrivateSocket } from './private-node.js';

/**
 * A response that writes its header lines without further checks, and head and body in one write. It uses undocumented members of Node, so
 * it is enabled only after `selfTest` has passed, and can be switched off.
 */
export class FastResponse<Request extends IncomingMessage = IncomingMessage> extends LineResponse<Request> {
  /** Node calls this when the response may be written. */
  override assignSocket(socket: Socket): void {
    const held = socket as PrivateSocket;
    // Node throws its own error for that.
    if (held._httpMessage) return super.assignSocket(socket);
    held._httpMessage = this;
    closeWithSocket(socket);
    this.#node.socket = socket;
    this.emit('socket', socket);
    this.#node._flush();
  }

  /** Node calls this when the response is written. */
  override detachSocket(socket: Socket): void {
    (socket as PrivateSocket)._httpMessage = null;
    this.#node.socket = null;
  }

  /** Node calls this with the status line; the prepared headers are added here. */
  _storeHeader(firstLine: string, _headers: unknown): void {
    let head = this.headerBlock === undefined ? firstLine : firstLine + this.headerBlock.text;
    let framing: Record<string, HeaderValue> | undefined;
    for (const { header, name, value, text } of this.headerLines) {
      if (header.isFraming) (framing ??= {})[name] = value;
      else head += text;
    }
    storeHeader.call(this, head, framing);
  }

  override endOnce(text: string, encoding: 'latin1' | 'utf8', length: number): void {
    const node = this.#node;
    const { socket } = this;
    const isFree = this.canEndOnce(socket) && (socket as unknown as PrivateSocket)._httpMessage === this;
    if (!isFree || node.finished || node.outputData.length > 0 || this.#isFramedFor(length)) {
      this.end(text, encoding);
      return;
    }
    node._contentLength = length;
    this.#writeOrdinaryHead();
    if ((this.headerBits & FRAMING_BIT) === 0) this.sentLength = length;
    if (!node._hasBody || node.chunkedEncoding) {
      this.end(text, encoding);
      return;
    }
    // The request is ended before Node looks, at `finish`, whether it has to drain it.
    node._send(text, encoding, (error) => {
      if (!error) endUnread(this.req);
    });
    this.end();
  }

  // The usual case of `writeHead`. Packages such as on-headers replace `writeHead`.
  #writeOrdinaryHead(): void {
    const line = STATUS_LINES.get(this.statusCode);
    const message = STATUS_CODES[this.statusCode];
    const isOrdinary = !this.statusMessage || this.statusMessage === message;
    if (line === undefined || !isOrdinary || this.#node._expect_continue || this.writeHead !== writeHeadOfAny) {
      this.#node._implicitHeader();
      return;
    }
    this.statusMessage = message as string;
    this._storeHeader(line, undefined);
  }

  // Node evaluates headers about length and connection when they are set, not when the head is written.
  protected override framingSet(name: string, value: HeaderValue): void {
    setHeader.call(this, name, value);
  }

  protected override headersForNode(): undefined {
    return undefined;
  }

  get #node(): PrivateResponse {
    return this as unknown as PrivateResponse;
  }

  // Whether the stated length, if any, is right.
  #isFramedFor(length: number): boolean {
    if ((this.headerBits & FRAMING_BIT) === 0) return false;
    return this.headerLines.some(
      ({ header, value }) => header.isFraming && (header.key !== 'content-length' || Number(value) !== length),
    );
  }
}

const STATUS_LINES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([code, message]) => [Number(code), `HTTP/1.1 ${code} ${message}\r\n`]),
);
const { setHeader } = ServerResponse.prototype;
const storeHeader = (ServerResponse.prototype as unknown as PrivateResponse)._storeHeader;
