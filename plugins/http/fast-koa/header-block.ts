import type { ServerResponse } from 'node:http';
import { type HeaderLine, headerLine, headerName } from './header-line.js';

/** Headers that many responses have unchanged: checked and formatted once, not for each response. */
export class HeaderBlock {
  /** In the order in which they were given. */
  readonly lines: readonly HeaderLine[];
  /** The formatted lines. */
  readonly text: string;
  /** Bit set of their names. */
  readonly bits: number;
  /** See {@link HeaderLine.isAscii}. */
  readonly isAscii: boolean;
  readonly #values: ReadonlyMap<string, string>;

  /**
   * @param headers - names and values; none about framing or the connection
   * @throws TypeError when a name or value cannot be in a header (Node's ERR_INVALID_HTTP_TOKEN and ERR_INVALID_CHAR)
   */
  constructor(headers: readonly (readonly [name: string, value: string])[]) {
    this.lines = headers.map(([name, value]) => headerLine(headerName(name), name, value));
    this.text = this.lines.map(({ text }) => text).join('');
    this.bits = this.lines.reduce((bits, { header }) => bits | header.bit, 0);
    this.isAscii = this.lines.every(({ isAscii }) => isAscii);
    this.#values = new Map(this.lines.map(({ header, value }) => [header.key, value as string]));
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string): string | undefined {
    return this.#values.get(key);
  }
}

/** A response that accepts a block directly. */
export interface BlockResponse {
  useBlock(block: HeaderBlock): void;
}

/** Puts all headers of a block on a response, replacing those of the same names. */
export function setHeaderBlock(response: ServerResponse, block: HeaderBlock): void {
  if ('useBlock' in response && !response.headersSent) {
    (response as unknown as BlockResponse).useBlock(block);
    return;
  }
  for (const { name, value } of block.lines) response.setHeader(name, value as string);
}
