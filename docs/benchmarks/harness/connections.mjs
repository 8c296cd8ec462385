import { connect } from 'node:net';

/** Bytes of an answer that are read at once: more than any answer here has. */
const BUFFER = 64 * 1024;
const END_OF_HEAD = '\r\n\r\n';
const LAST_CHUNK = '\r\n0\r\n\r\n';

/** Keep-alive connections to a server, each of which sends its next request when it has its answer. */
export class Connections {
  #port;
  /** @type {readonly Connection[]} */
  #all;

  /** @param {number} port @param {readonly Connection[]} all */
  constructor(port, all) {
    this.#port = port;
    this.#all = all;
  }

  /**
   * Opens connections and sends one request over each, so that opening is no part of what is measured afterwards.
   *
   * @param {number} port
   * @param {number} count
   * @param {readonly Buffer[]} requests - as they go over the wire
   */
  static async open(port, count, requests) {
    const opened = new Connections(port, await Promise.all(Array.from({ length: count }, () => Connection.open(port))));
    try {
      await opened.send(requests, count);
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }

  /**
   * Keeps all connections busy until a number of requests has its answers.
   *
   * @param {readonly Buffer[]} requests - sent in turn, again and again
   * @param {number} count
   */
  async send(requests, count) {
    if (this.#all.some(({ isClosed }) => isClosed)) await this.#reopen();
    let sent = 0;
    const next = () => (sent < count ? requests[sent++ % requests.length] : undefined);
    await Promise.all(this.#all.map((connection) => connection.run(next)));
  }

  // A server may close what is idle (RFC 9112, section 9.5), as that of a subject is while the others have their turns.
  async #reopen() {
    const opened = (/** @type {Connection} */ each) => (each.isClosed ? Connection.open(this.#port) : each);
    this.#all = await Promise.all(this.#all.map(opened));
  }

  close() {
    for (const connection of this.#all) connection.close();
  }
}

/**
 * Requests over connections of their own, until a number of them has its answers.
 *
 * @param {number} port
 * @param {{ readonly requests: readonly Buffer[], readonly count: number, readonly connections: number }} plan
 */
export async function exchange(port, { requests, count, connections }) {
  const opened = await Connections.open(port, connections, requests);
  await opened.send(requests, count - connections);
  opened.close();
}

class Connection {
  /** @type {import('node:net').Socket} */
  #socket;
  /** @type {(part: Buffer) => void} */
  #take = () => {};
  /** @type {(error: Error) => void} */
  #fail = () => {};
  isClosed = false;

  /** @param {number} port */
  constructor(port) {
    const onread = {
      buffer: Buffer.allocUnsafe(BUFFER),
      /** @type {(bytes: number, buffer: Uint8Array) => boolean} */
      callback: (bytes, buffer) => {
        this.#take(/** @type {Buffer} */ (buffer).subarray(0, bytes));
        return true;
      },
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.#socket.on('error', (error) => this.#ended(error));
    this.#socket.on('end', () => this.#ended(new Error('the server closed the connection')));
  }

  /** @param {number} port */
  static async open(port) {
    const connection = new Connection(port);
    await new Promise((resolve, reject) => {
      connection.#fail = reject;
      connection.#socket.once('connect', () => resolve(undefined));
    });
    return connection;
  }

  /** @param {() => Buffer | undefined} next */
  run(next) {
    return new Promise((resolve, reject) => {
      /** @type {Buffer} */
      let received = Buffer.alloc(0);
      this.#fail = reject;
      this.#take = (part) => {
        // A whole answer in one part is the rule, and is not copied.
        received = received.length === 0 ? part : Buffer.concat([received, part]);
        if (!isComplete(received)) {
          if (received === part) received = Buffer.from(part);
        } else if (received.toString('latin1', 0, 13) === 'HTTP/1.1 200 ') {
          received = received.subarray(0, 0);
          send();
        } else {
          reject(new Error(`not the answer that was asked for: ${received.toString('latin1', 0, 200)}`));
        }
      };
      const send = () => {
        const request = next();
        if (request) this.#socket.write(request);
        else resolve(undefined);
      };
      send();
    });
  }

  /** @param {Error} error */
  #ended(error) {
    this.isClosed = true;
    this.#fail(error);
  }

  close() {
    this.#fail = () => {};
    this.#socket.destroy();
  }
}

/** @param {Buffer} answer */
function isComplete(answer) {
  const end = answer.indexOf(END_OF_HEAD);
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, end))?.[1];
  return length === undefined
    ? answer.toString('latin1', answer.length - LAST_CHUNK.length) === LAST_CHUNK
    : answer.length >= end + END_OF_HEAD.length + Number(length);
}
