import { once } from 'node:events';
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** Takes what subjects export, and counts spans by the first part of the path. */
export class SpanSink {
  /** @type {Map<string, number>} */
  #counts = new Map();
  #server = createServer((request, response) => this.#take(request, response));

  /** @returns {Promise<string>} its address */
  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}`;
  }

  /** @param {string} name */
  countOf(name) {
    return this.#counts.get(name) ?? 0;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  #take(request, response) {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const name = request.url?.split('/')[1] ?? '';
      const body = Buffer.concat(chunks);
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      this.#counts.set(name, this.countOf(name) + spansIn(text));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }
}

/**
 * Span ids in an export of either format.
 *
 * @param {Buffer} body
 */
function spansIn(body) {
  return occurrences(body, '"span_id"') + occurrences(body, '"spanId"');
}

/** @type {(body: Buffer, word: string) => number} */
function occurrences(body, word) {
  let count = 0;
  for (let at = body.indexOf(word); at !== -1; at = body.indexOf(word, at + word.length)) count++;
  return count;
}
