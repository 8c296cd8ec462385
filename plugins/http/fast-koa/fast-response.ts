import http, {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { BlockResponse, HeaderBlock } from './header-block.js';

/** What Node keeps to itself about a response; each member is proven by the self-test before it is used. */
interface PrivateResponse {
  _header: string | null;
  _contentLength: number | null;
  _hasBody: boolean;
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

// Node decides about framing and connections by these, so they go its own way.
const FRAMING = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'date',
  'expect',
  'trailer',
  'upgrade',
  'proxy-connection',
]);

/** Most different header names whose check is remembered. */
const KNOWN_NAMES = 4096;
const keys = new Map<string, string>();

/** The lower-case form of a header name that has been checked. */
function keyOf(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  http.validateHeaderName(name);
  const key = name.toLowerCase();
  if (keys.size < KNOWN_NAMES) keys.set(name, key);
  return key;
}

type HeaderValue = number | string | readonly string[];

/**
 * A response that keeps its headers in three flat lists and writes head and body at once. It stands on members that Node
 * does not document, so it is used only after `selfTest` has found them to work, and can be switched off.
 */
export class FastResponse<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements BlockResponse
{
  readonly #keys: string[] = [];
  readonly #names: string[] = [];
  readonly #values: HeaderValue[] = [];
  /** Headers that were rendered before; they become ordinary ones as soon as one of them is changed. */
  #block: HeaderBlock | undefined;
  #lengthRemoved = false;

  useBlock(block: HeaderBlock): void {
    this.#melt();
    for (let index = this.#keys.length - 1; index >= 0; index--) {
      if (block.has(this.#keys[index] as string)) this.#drop(index);
    }
    this.#block = block;
  }

  override setHeader(name: string, value: HeaderValue): this {
    const key = keyOf(name);
    if ((this as unknown as PrivateResponse)._header) return super.setHeader(name, value);
    if (typeof value === 'string') http.validateHeaderValue(name, value);
    else validateValues(name, value);
    // Node takes notice of a length or a connection when it is set, not when the head is written.
    if (FRAMING.has(key)) super.setHeader(name, value);
    if (this.#block?.has(key)) this.#melt();
    this.#put(key, name, value);
    return this;
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    const before = this.getHeader(name);
    if (before === undefined) return this.setHeader(name, value);
    const values = [before, value].flat().map(String);
    return this.setHeader(name, values);
  }

  override getHeader(name: string): number | string | string[] | undefined {
    const key = keys.get(name) ?? String(name).toLowerCase();
    const index = this.#keys.indexOf(key);
    return index < 0 ? this.#block?.get(key) : (this.#values[index] as number | string | string[]);
  }

  override hasHeader(name: string): boolean {
    const key = keys.get(name) ?? String(name).toLowerCase();
    return this.#keys.includes(key) || this.#block?.has(key) === true;
  }

  /** Whether the length was set or removed by hand, so that it is not simply that of the body. */
  get hasUnusualLength(): boolean {
    return this.#lengthRemoved || this.hasHeader('content-length');
  }

  override removeHeader(name: string): void {
    const key = keyOf(name);
    if (key === 'content-length') this.#lengthRemoved = true;
    if (this.#node._header || FRAMING.has(key)) super.removeHeader(name);
    if (this.#block?.has(key)) this.#melt();
    const index = this.#keys.indexOf(key);
    if (index >= 0) this.#drop(index);
  }

  override getHeaders(): OutgoingHttpHeaders {
    this.#melt();
    const headers = Object.create(null) as OutgoingHttpHeaders;
    this.#keys.forEach((key, index) => (headers[key] = this.#values[index] as OutgoingHttpHeader));
    return headers;
  }

  override getHeaderNames(): string[] {
    this.#melt();
    return [...this.#keys];
  }

  getRawHeaderNames(): string[] {
    this.#melt();
    return [...this.#names];
  }

  override writeHead(...args: unknown[]): this {
    const [status, reason, headers] = typeof args[1] === 'string' ? args : [args[0], undefined, args[1]];
    if (headers) this.#putAll(headers);
    const write = super.writeHead.bind(this) as (...rest: unknown[]) => this;
    return reason === undefined ? write(status) : write(status, reason);
  }

  /** Node calls this with the status line; the headers that it must not decide about are written here. */
  _storeHeader(firstLine: string, _headers: unknown): void {
    let head = this.#block === undefined ? firstLine : firstLine + this.#block.text;
    let framing: Record<string, HeaderValue> | undefined;
    for (let index = 0; index < this.#keys.length; index++) {
      const name = this.#names[index] as string;
      const value = this.#values[index] as HeaderValue;
      if (FRAMING.has(this.#keys[index] as string)) (framing ??= {})[name] = value;
      else if (typeof value === 'object') for (const each of value) head += `${name}: ${each}\r\n`;
      else head += `${name}: ${value}\r\n`;
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
    if (!isFree || node._header || node.finished || node.outputData.length > 0 || this.#hasFraming()) {
      this.end(text, encoding);
      return;
    }
    node._contentLength = length;
    node._implicitHeader();
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

  get #node(): PrivateResponse {
    return this as unknown as PrivateResponse;
  }

  #hasFraming(): boolean {
    return this.hasHeader('content-length') || this.hasHeader('transfer-encoding') || this.hasHeader('trailer');
  }

  #melt(): void {
    const block = this.#block;
    if (block === undefined) return;
    this.#block = undefined;
    for (const { key, name, value } of block.headers) this.#put(key, name, value);
  }

  #drop(index: number): void {
    this.#keys.splice(index, 1);
    this.#names.splice(index, 1);
    this.#values.splice(index, 1);
  }

  #put(key: string, name: string, value: HeaderValue): void {
    const index = this.#keys.indexOf(key);
    if (index >= 0) {
      this.#names[index] = name;
      this.#values[index] = value;
    } else {
      this.#keys.push(key);
      this.#names.push(name);
      this.#values.push(value);
    }
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

function validateValues(name: string, value: HeaderValue | undefined): void {
  if (value === undefined) http.validateHeaderValue(name, value as unknown as string);
  for (const each of typeof value === 'object' ? value : [value]) http.validateHeaderValue(name, String(each));
}

const storeHeader = (ServerResponse.prototype as unknown as PrivateResponse)._storeHeader;
