import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';

/** One header of a block; the key is its name in lower case. */
export interface BlockHeader {
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

/** Headers that many responses carry unchanged: checked and written as text once, not once per response. */
export class HeaderBlock {
  /** In the order in which they were given. */
  readonly headers: readonly BlockHeader[];
  /** The lines as they are sent. */
  readonly text: string;
  readonly #values: ReadonlyMap<string, string>;

  /**
   * @param headers - names and values; none of them may be about framing or the connection
   * @throws TypeError when a name or value cannot be in a header (Node's ERR_INVALID_HTTP_TOKEN and ERR_INVALID_CHAR)
   */
  constructor(headers: readonly (readonly [name: string, value: string])[]) {
    this.headers = headers.map(([name, value]) => {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      return { key: name.toLowerCase(), name, value };
    });
    this.text = this.headers.map(({ name, value }) => `${name}: ${value}\r\n`).join('');
    this.#values = new Map(this.headers.map(({ key, value }) => [key, value]));
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string): string | undefined {
    return this.#values.get(key);
  }
}

/** A response that can carry a block as it is. */
export interface BlockResponse {
  useBlock(block: HeaderBlock): void;
}

/** Puts all headers of a block on a response, replacing those of the same names. */
export function setHeaderBlock(response: ServerResponse, block: HeaderBlock): void {
  if ('useBlock' in response && !response.headersSent) {
    (response as unknown as BlockResponse).useBlock(block);
    return;
  }
  for (const { name, value } of block.headers) response.setHeader(name, value);
}
