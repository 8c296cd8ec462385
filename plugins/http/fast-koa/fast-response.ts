import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { BlockResponse, HeaderBlock } from './header-block.js';
import {
  FRAMING_BIT,
  headerLine,
  type HeaderLine,
  type HeaderName,
  headerName,
  type HeaderValue,
} from './header-line.js';

/** What Node keeps to itself about a response; each member is proven by the self-test before it is used. */
interface PrivateResponse {
  _header: string | null;
  _contentLength: number | null;
  _hasBody: boolean;
  readonly _expect_continue: boolean;
  chunkedEncoding: boolean;
  finished: boolean;
  readonly outputData: readonly unknown[];
  _implicitHeader(): void;
  _storeHeader(firstLine: string, headers: unknown): void;
  _send(data: string, encoding: BufferEncoding, callback: () => void): boolean;
  _finish(): void;
}

interface PrivateSocket {
  readonly _httpMessage?: unknown;
  readonly _hadError?: boolean;
  readonly writableLength: number;
}

/**
 * A response that keeps its headers as the lines that are sent, and writes head and body at once. It stands on members that
 * Node does not document, so it is used only after `selfTest` has found them to work, and can be switched off.
 */
export class FastResponse<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements BlockResponse
{
  readonly #headers: HeaderLine[] = [];
  /** Bits of all names that were ever set: what is not in here need not be searched for. */
  #bits = 0;
  /** Headers that were rendered before; they become ordinary ones as soon as one of them is changed. */
  #block: HeaderBlock | undefined;
  #lengthRemoved = false;

  useBlock(block: HeaderBlock): void {
    this.#melt();
    if ((this.#bits & block.bits) !== 0) {
      for (let index = this.#headers.length - 1; index >= 0; index--) {
        if (block.has((this.#headers[index] as HeaderLine).header.key)) this.#headers.splice(index, 1);
      }
    }
    this.#bits |= block.bits;
    this.#block = block;
  }

  override setHeader(name: string, value: HeaderValue): this {
    if (this.#node._header) return super.setHeader(name, value);
    const header = headerName(name);
    const line = headerLine(header, name, value);
    // Node takes notice of a length or a connection when it is set, not when the head is written.
    if (header.isFraming) super.setHeader(name, value);
    this.#put(line);
    return this;
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    const before = this.getHeader(name);
    if (before === undefined) return this.setHeader(name, value);
    const values = [before, value].flat().map(String);
    return this.setHeader(name, values);
  }

  override getHeader(name: string): number | string | string[] | undefined {
    const header = headerName(name);
    const index = this.#indexOf(header);
    if (index < 0) return this.#block?.get(header.key);
    return this.#headers[index]?.value as number | string | string[];
  }

  override hasHeader(name: string): boolean {
    const header = headerName(name);
    return (this.#bits & header.bit) !== 0 && (this.#indexOf(header) >= 0 || this.#block?.has(header.key) === true);
  }

  /** Whether the length was set or removed by hand, so that it is not simply that of the body. */
  get hasUnusualLength(): boolean {
    return this.#lengthRemoved || this.hasHeader('Content-Length');
  }

  override removeHeader(name: string): void {
    const header = headerName(name);
    if (header.key === 'content-length') this.#lengthRemoved = true;
    if (this.#node._header || header.isFraming) super.removeHeader(name);
    if (this.#block?.has(header.key)) this.#melt();
    const index = this.#indexOf(header);
    if (index >= 0) this.#headers.splice(index, 1);
  }

  override getHeaders(): OutgoingHttpHeaders {
    this.#melt();
    const headers = Object.create(null) as OutgoingHttpHeaders;
    for (const { header, value } of this.#headers) headers[header.key] = value as OutgoingHttpHeader;
    return headers;
  }

  override getHeaderNames(): string[] {
    this.#melt();
    return this.#headers.map(({ header }) => header.key);
  }

  getRawHeaderNames(): string[] {
    this.#melt();
    return this.#headers.map(({ name }) => name);
  }

  override writeHead(status: number, reasonOrHeaders?: unknown, headers?: unknown): this {
    const hasReason = typeof reasonOrHeaders === 'string';
    const given = hasReason ? headers : reasonOrHeaders;
    if (given) this.#putAll(given);
    return super.writeHead(status, hasReason ? reasonOrHeaders : undefined);
  }

  /** Node calls this with the status line; the headers that it must not decide about are written here. */
  _storeHeader(firstLine: string, _headers: unknown): void {
    let head = this.#block === undefined ? firstLine : firstLine + this.#block.text;
    let framing: Record<string, HeaderValue> | undefined;
    for (const { header, name, value, text } of this.#headers) {
      if (header.isFraming) (framing ??= {})[name] = value;
      else head += text;
    }
    storeHeader.call(this, head, framing);
  }

  /**
   * Ends the response with a body that is known, in one write. Goes Node's own way whenever anything is out of the ordinary.
   *
   * @param length - bytes of the body
   */
  endOnce(text: string, encoding: 'latin1' | 'utf8', length: number): void {
    const node = this.#node;
    const socket = this.socket as unknown as PrivateSocket | null;
    const isFree = socket !== null && socket._httpMessage === this && socket.writableLength === 0;
    if (!isFree || node._header || node.finished || node.outputData.length > 0 || this.#isFramedFor(length)) {
      this.end(text, encoding);
      return;
    }
    node._contentLength = length;
    this.#writeOrdinaryHead();
    if (!node._hasBody || node.chunkedEncoding) {
      this.end(text, encoding);
      return;
    }
    node._send(text, encoding, () => {
      if (!(this.socket as unknown as PrivateSocket | null)?._hadError) this.emit('finish');
    });
    node.finished = true;
    if (node.outputData.length === 0 && (this.socket as unknown as PrivateSocket | null)?._httpMessage === this)
      node._finish();
  }

  // What `writeHead` does when nobody has said anything special. Packages such as on-headers put their own in its place.
  #writeOrdinaryHead(): void {
    const line = STATUS_LINES.get(this.statusCode);
    const message = STATUS_CODES[this.statusCode];
    const isOrdinary = !this.statusMessage || this.statusMessage === message;
    if (line === undefined || !isOrdinary || this.#node._expect_continue || this.writeHead !== ownWriteHead) {
      this.#node._implicitHeader();
      return;
    }
    this.statusMessage = message as string;
    this._storeHeader(line, undefined);
  }

  get #node(): PrivateResponse {
    return this as unknown as PrivateResponse;
  }

  // A length that is stated and right changes nothing.
  #isFramedFor(length: number): boolean {
    if ((this.#bits & FRAMING_BIT) === 0) return false;
    return this.#headers.some(
      ({ header, value }) => header.isFraming && (header.key !== 'content-length' || Number(value) !== length),
    );
  }

  #melt(): void {
    const block = this.#block;
    if (block === undefined) return;
    this.#block = undefined;
    for (const line of block.lines) this.#put(line);
  }

  #indexOf({ bit, key }: HeaderName): number {
    if ((this.#bits & bit) === 0) return -1;
    return this.#headers.findIndex(({ header }) => header.key === key);
  }

  #put(line: HeaderLine): void {
    const { header } = line;
    if ((this.#bits & header.bit) === 0) {
      this.#bits |= header.bit;
      this.#headers.push(line);
      return;
    }
    if (this.#block?.has(header.key)) this.#melt();
    const index = this.#indexOf(header);
    if (index >= 0) this.#headers[index] = line;
    else this.#headers.push(line);
  }

  #putAll(headers: unknown): void {
    if (!Array.isArray(headers)) {
      for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
        if (value !== undefined) this.setHeader(name, value);
      }
      return;
    }
    // Flat list of names and values; a name that is there twice is sent twice.
    const seen = new Set<string>();
    for (let index = 0; index < headers.length; index += 2) {
      const [name, value] = [headers[index] as string, headers[index + 1] as string];
      if (seen.has(name.toLowerCase())) this.appendHeader(name, value);
      else this.setHeader(name, value);
      seen.add(name.toLowerCase());
    }
  }
}

const STATUS_LINES: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([code, message]) => [Number(code), `HTTP/1.1 ${code} ${message}\r\n`]),
);
const storeHeader = (ServerResponse.prototype as unknown as PrivateResponse)._storeHeader;
const ownWriteHead = FastResponse.prototype.writeHead;
