import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { BlockResponse, HeaderBlock } from './header-block.js';
import {
  FRAMING_BIT,
  headerLine,
  type HeaderLine,
  type HeaderName,
  headerName,
  type HeaderValue,
  isAscii,
} from './header-line.js';

const LENGTH_NAME = 'Content-Length';
const LENGTH = headerName(LENGTH_NAME);

const FORGOTTEN = -1;
const NEVER = -2;

/**
 * A response that keeps its headers as checked, formatted lines, and passes them to Node with the head. It uses only documented members.
 */
export class LineResponse<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements BlockResponse
{
  protected readonly headerLines: HeaderLine[] = [];
  /** Bits of all names that were ever set: a name whose bit is missing need not be searched for. */
  protected headerBits = 0;
  /** A prepared block of headers; it is split into ordinary headers when one of them is changed. */
  protected headerBlock: HeaderBlock | undefined = undefined;
  /** Length of a body that was sent without a line for it; who asks for the headers later, as loggers do, gets one. */
  protected sentLength: number | undefined = undefined;
  #lengthRemoved = false;
  #isAscii = true;
  /** Number of lines at the mark; -1 when the mark was removed, -2 when there was none. */
  #marked = NEVER;
  #blockAtMark: HeaderBlock | undefined = undefined;
  /** A copy of the lines at the mark, made before one of them changes. */
  #linesAtMark: HeaderLine[] | undefined = undefined;

  constructor(...parts: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...parts);
    // A property of its own, because Express gives a response another prototype, which knows nothing of the lines.
    (this as { writeHead: unknown }).writeHead = writeHeadOfAny;
  }

  /** Gives the headers to Node, for a response whose prototype is another one by now. What that one has set meanwhile counts. */
  static giveToNode(response: LineResponse): void {
    const { getHeader, setHeader } = ServerResponse.prototype;
    response.#melt();
    for (const { header, name, value } of response.headerLines.splice(0)) {
      const later = getHeader.call(response, name);
      const isList = header.key === 'vary' || header.key === 'set-cookie';
      if (later === undefined) setHeader.call(response, name, value);
      else if (isList) setHeader.call(response, name, [value, later].flat().map(String));
    }
  }

  /** Marks the current headers; they are copied only if one of them changes. */
  markHeaders(): void {
    this.#marked = this.headerLines.length;
    this.#blockAtMark = this.headerBlock;
    this.#linesAtMark = undefined;
  }

  /** Removes the mark. */
  forgetMark(): void {
    this.#marked = FORGOTTEN;
  }

  get wasMarked(): boolean {
    return this.#marked !== NEVER;
  }

  /** Whether the head is ASCII: Node writes any other head as UTF-8 for a text body, and as latin1 otherwise. */
  get hasAsciiHead(): boolean {
    const { statusMessage, statusCode } = this;
    const isUsual = !statusMessage || statusMessage === STATUS_CODES[statusCode];
    return this.#isAscii && (isUsual || isAscii(String(statusMessage)));
  }

  /** Restores the headers at the mark and removes it. @returns false when there was none */
  restoreHeaders(): boolean {
    if (this.#marked < 0) return false;
    const lines = this.#linesAtMark ?? this.headerLines.slice(0, this.#marked);
    this.#marked = FORGOTTEN;
    // Node has stored these headers itself.
    for (const { header, name } of [...this.headerLines]) if (header.isFraming) this.removeHeader(name);
    this.headerLines.length = 0;
    this.headerBlock = this.#blockAtMark;
    for (const line of lines) {
      if (line.header.isFraming) this.framingSet(line.name, line.value);
      this.headerLines.push(line);
    }
    return true;
  }

  useBlock(block: HeaderBlock): void {
    this.#melt();
    if ((this.headerBits & block.bits) !== 0) {
      for (let index = this.headerLines.length - 1; index >= 0; index--) {
        if (block.has((this.headerLines[index] as HeaderLine).header.key)) this.#drop(index);
      }
    }
    this.headerBits |= block.bits;
    if (!block.isAscii) this.#isAscii = false;
    this.headerBlock = block;
  }

  override setHeader(name: string, value: HeaderValue): this {
    if (this.headersSent) return super.setHeader(name, value);
    const header = headerName(name);
    const line = headerLine(header, name, value);
    if (header.isFraming) this.framingSet(name, value);
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
    this.#tellLength();
    const header = headerName(name);
    const index = this.#indexOf(header);
    if (index < 0) return this.headerBlock?.get(header.key);
    return this.headerLines[index]?.value as number | string | string[];
  }

  override hasHeader(name: string): boolean {
    this.#tellLength();
    if (this.headerBits === 0) return false;
    const header = headerName(name);
    return (
      (this.headerBits & header.bit) !== 0 && (this.#indexOf(header) >= 0 || this.headerBlock?.has(header.key) === true)
    );
  }

  /** Whether the length was removed, or a framing header set, explicitly: for example, Node refuses a `Trailer` beside a length. */
  get hasUnusualLength(): boolean {
    return this.#lengthRemoved || (this.headerBits & FRAMING_BIT) !== 0;
  }

  override removeHeader(name: string): void {
    const header = headerName(name);
    if (header.key === 'content-length') this.#lengthRemoved = true;
    if (this.headersSent || header.isFraming) super.removeHeader(name);
    if (this.headerBlock?.has(header.key)) this.#melt();
    const index = this.#indexOf(header);
    if (index >= 0) this.#drop(index);
  }

  override getHeaders(): OutgoingHttpHeaders {
    this.#tellLength();
    this.#melt();
    const headers = Object.create(null) as OutgoingHttpHeaders;
    for (const { header, value } of this.headerLines) headers[header.key] = value as OutgoingHttpHeader;
    return headers;
  }

  override getHeaderNames(): string[] {
    this.#tellLength();
    this.#melt();
    return this.headerLines.map(({ header }) => header.key);
  }

  getRawHeaderNames(): string[] {
    this.#tellLength();
    this.#melt();
    return this.headerLines.map(({ name }) => name);
  }

  override writeHead(status: number, reasonOrHeaders?: unknown, headers?: unknown): this {
    const hasReason = typeof reasonOrHeaders === 'string';
    const given = hasReason ? headers : reasonOrHeaders;
    if (given) this.#putAll(given);
    const forNode = this.headersForNode();
    return hasReason ? super.writeHead(status, reasonOrHeaders, forNode) : super.writeHead(status, forNode);
  }

  #tellLength(): void {
    if (this.sentLength === undefined) return;
    const line = headerLine(LENGTH, LENGTH_NAME, this.sentLength);
    this.sentLength = undefined;
    this.#put(line);
  }

  #melt(): void {
    const block = this.headerBlock;
    if (block === undefined) return;
    this.headerBlock = undefined;
    for (const line of block.lines) this.#put(line);
  }

  #indexOf({ bit, key }: HeaderName): number {
    if ((this.headerBits & bit) === 0) return -1;
    return this.headerLines.findIndex(({ header }) => header.key === key);
  }

  #put(line: HeaderLine): void {
    const { header } = line;
    if (!line.isAscii) this.#isAscii = false;
    if ((this.headerBits & header.bit) === 0) {
      this.headerBits |= header.bit;
      this.headerLines.push(line);
      return;
    }
    if (this.headerBlock?.has(header.key)) this.#melt();
    const index = this.#indexOf(header);
    if (index < 0) return void this.headerLines.push(line);
    this.#keepMarked(index);
    this.headerLines[index] = line;
  }

  #drop(index: number): void {
    this.#keepMarked(index);
    this.headerLines.splice(index, 1);
  }

  #keepMarked(index: number): void {
    if (index < this.#marked) this.#linesAtMark ??= this.headerLines.slice(0, this.#marked);
  }

  #putAll(headers: unknown): void {
    if (!Array.isArray(headers)) {
      for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
        if (value !== undefined) this.setHeader(name, value);
      }
      return;
    }
    // A flat list of names and values; a repeated name is sent repeatedly.
    const seen = new Set<string>();
    for (let index = 0; index < headers.length; index += 2) {
      const [name, value] = [headers[index] as string, headers[index + 1] as string];
      if (seen.has(name.toLowerCase())) this.appendHeader(name, value);
      else this.setHeader(name, value);
      seen.add(name.toLowerCase());
    }
  }

  /**
   * Ends the response with a known body, in one write. Any unusual case is left to Node.
   *
   * @param length - bytes of the body
   */
  endOnce(text: string, encoding: 'latin1' | 'utf8', length: number): void {
    const { socket } = this;
    if (!this.canEndOnce(socket) || length === 0 || this.hasUnusualLength) {
      this.end(text, encoding);
      return;
    }
    this.setHeader('Content-Length', length);
    this.write(text, encoding);
    // Node corks the socket until the end, which would cause a second, empty write.
    socket.uncork();
    this.end();
  }

  /** Whether somebody replaced `end` or `write`, as middlewares of Express do that look at what is sent. */
  get isReplaced(): boolean {
    return this.end !== ownEnd || this.write !== ownWrite;
  }

  /** Whether nothing else waits to be written, and no method of Node was replaced. */
  protected canEndOnce(socket: Socket | null): socket is Socket {
    return socket !== null && socket.writableLength === 0 && !this.headersSent && !this.isReplaced;
  }

  /** Called when a header about framing or the connection is set. */
  protected framingSet(_name: string, _value: HeaderValue): void {
    // Names and values of the framing headers, which Node evaluates.
  }

  /** Names and values as `writeHead` takes them. */
  protected headersForNode(): OutgoingHttpHeader[] | undefined {
    this.#melt();
    const list: OutgoingHttpHeader[] = [];
    for (const { name, value } of this.headerLines) {
      // Node checks these values again, more strictly: members of a list have to be strings.
      list.push(name, (Array.isArray(value) ? value.map(String) : value) as OutgoingHttpHeader);
    }
    return list;
  }
}

const { end: ownEnd, write: ownWrite, writeHead: ownWriteHead } = LineResponse.prototype;

/** The `writeHead` of each {@link LineResponse}, whatever its prototype is by now. */
export function writeHeadOfAny(this: ServerResponse, ...parts: Parameters<typeof ownWriteHead>): ServerResponse {
  if (this instanceof LineResponse) return ownWriteHead.apply(this, parts);
  LineResponse.giveToNode(this as LineResponse);
  const { writeHead } = Object.getPrototypeOf(this) as { writeHead(...parts: unknown[]): ServerResponse };
  return writeHead.apply(this, parts);
}
