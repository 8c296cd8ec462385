import { WebSocket } from 'ws';
import { RefusedMessage } from './export-error.js';
import { anySignal } from '../../../kernel/contracts/any-signal.js';
import { objectOf, parsedJson } from '../../../kernel/values/index.js';

/** Bytes of one message from the aggregator. */
const MAX_MESSAGE = 1024 * 1024;
/** Milliseconds for the handshake and the answer to the first message, together. */
const OPEN_MS = 5_000;
/** Milliseconds that the aggregator has to answer the close frame. */
const CLOSE_MS = 500;
/** Characters of the aggregator's words that go into an error. */
const MAX_REASON = 200;

// RFC 6455, section 7.4.1.
const NORMAL = 1000;
const POLICY_VIOLATION = 1008;

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * One WebSocket to an aggregator. Nothing that the aggregator sends or leaves out keeps it open without use: a message that is not
 * acknowledged in time ends the socket, because a peer that is gone does not always say so (RFC 9293, section 3.8.4).
 */
export class IngestSocket {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #isReady = false;
  #failure: Error | undefined;

  /** @param hello - the first message, with the credentials */
  constructor(
    url: URL,
    private readonly hello: string,
  ) {
    this.#socket = new WebSocket(url, { maxPayload: MAX_MESSAGE, handshakeTimeout: OPEN_MS });
    this.#socket.on('open', () => this.#socket.send(this.hello));
    this.#socket.on('message', (data) => this.#onMessage(data as Buffer));
    this.#socket.on('error', (error) => (this.#failure ??= error));
    this.#socket.on('close', (code) => this.#onClose(code));
  }

  /** Whether the socket is of no more use. */
  get isOver(): boolean {
    return this.#socket.readyState >= WebSocket.CLOSING;
  }

  /** Waits until the aggregator has answered the first message. */
  async ready(signal: AbortSignal): Promise<void> {
    const limit = anySignal([signal, AbortSignal.timeout(OPEN_MS)]);
    await this.#answered(0, limit);
  }

  /** Sends a message; resolves when it has been acknowledged. */
  publish(topic: string, payload: string, signal: AbortSignal): Promise<void> {
    const id = ++this.#lastId;
    const acknowledged = this.#answered(id, signal);
    this.#socket.send(`{"type":"publish","id":${id},"topic":"${topic}","payload":${payload}}`);
    return acknowledged;
  }

  close(): void {
    this.#socket.close(NORMAL);
    setTimeout(() => this.#socket.terminate(), CLOSE_MS).unref();
  }

  async #answered(id: number, signal: AbortSignal): Promise<void> {
    const answer = new Promise<void>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const giveUp = () => {
      this.#waiting.get(id)?.reject(signal.reason);
      this.#socket.terminate();
    };
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await answer;
    } finally {
      signal.removeEventListener('abort', giveUp);
      this.#waiting.delete(id);
    }
  }

  #onMessage(data: Buffer): void {
    if (!this.#isReady) return this.#onFirst();
    // A frame that is not an object has no effect, nor has an id that this socket never sent.
    const message = objectOf(parsedJson(data));
    const waiting = this.#waiting.get(message['id'] as number);
    if (message['type'] === 'ack') waiting?.resolve();
    else if (message['type'] === 'error') waiting?.reject(new RefusedMessage(reasonOf(message['error'])));
  }

  // The answer to the first message has no id.
  #onFirst(): void {
    this.#isReady = true;
    this.#waiting.get(0)?.resolve();
  }

  #onClose(code: number): void {
    const reason = (this.#failure ??= new Error(closeText(code)));
    for (const { reject } of this.#waiting.values()) reject(reason);
  }
}

/** Why a socket closed; a policy violation is what a wrong token gets. */
function closeText(code: number): string {
  return code === POLICY_VIOLATION ? 'the ingest token was refused' : `the socket closed with code ${code}`;
}

function reasonOf(error: unknown): string {
  return typeof error === 'string' ? error.slice(0, MAX_REASON) : 'the aggregator refused a message without a reason';
}
