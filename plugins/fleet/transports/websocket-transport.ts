import type { WebSocket as Socket } from 'ws';
import { fwError } from '../../../kernel/index.js';
import type { SpanBatch, SpanTransport } from '../../../kernel/contracts/fleet.js';
import type { HeartbeatRecord } from '../../../kernel/contracts/fleet-wire.js';
import { aggregatorAddress } from './aggregator-address.js';
import { TRANSPORT_ERRORS } from './errors.js';
import { FLEET_TOPICS } from './fleet-topics.js';
import { HttpTransport, type HttpTransportOptions } from './http-transport.js';

/** Bytes of one message from the aggregator. */
const MAX_MESSAGE = 1024 * 1024;
/** Close code of a normal end (RFC 6455, section 7.4.1). */
const NORMAL = 1000;

/** Configuration of the WebSocket transport. */
export interface WebSocketTransportOptions extends HttpTransportOptions {
  /** The aggregator's socket, e.g. `ws://127.0.0.1:9000/fleet/ws`; without it exports go over HTTP. */
  readonly aggregatorWSURL?: string;
}

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Exports over one persistent WebSocket, opened on the first export. Each message carries an id and counts as delivered when
 * the aggregator has acknowledged it. Without `aggregatorWSURL` everything goes over HTTP.
 */
export class WebSocketTransport implements SpanTransport {
  readonly name = 'websocket';
  readonly #url: URL | undefined;
  readonly #http: HttpTransport | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #socket: Promise<Socket> | undefined;
  #lastId = 0;

  /** @throws FwError `FW_FLEET_TRANSPORT_ADDRESS` */
  constructor(private readonly options: WebSocketTransportOptions) {
    const { aggregatorWSURL } = options;
    if (aggregatorWSURL) this.#url = aggregatorAddress(aggregatorWSURL, ['ws:', 'wss:']);
    else this.#http = new HttpTransport(options, 'websocket');
  }

  exportSpans(batch: SpanBatch, signal: AbortSignal): Promise<void> {
    return this.#http?.exportSpans(batch, signal) ?? this.#publish(FLEET_TOPICS.spans, batch.text(), signal);
  }

  exportHeartbeat(heartbeat: HeartbeatRecord, signal: AbortSignal): Promise<void> {
    return (
      this.#http?.exportHeartbeat(heartbeat, signal) ??
      this.#publish(FLEET_TOPICS.heartbeat, JSON.stringify(heartbeat), signal)
    );
  }

  async close(): Promise<void> {
    await this.#http?.close();
    const socket = await this.#socket?.catch(() => undefined);
    socket?.close(NORMAL);
  }

  async #publish(topic: string, payload: string, signal: AbortSignal): Promise<void> {
    const socket = await abortable(this.#opened(), signal);
    const id = ++this.#lastId;
    const acknowledged = new Promise<void>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    socket.send(`{"type":"publish","id":${id},"topic":"${topic}","payload":${payload}}`);
    try {
      await abortable(acknowledged, signal);
    } catch (cause) {
      throw this.#failure(cause);
    } finally {
      this.#waiting.delete(id);
    }
  }

  #opened(): Promise<Socket> {
    this.#socket ??= this.#open().catch((cause: unknown) => {
      this.#socket = undefined;
      throw this.#failure(cause);
    });
    return this.#socket;
  }

  async #open(): Promise<Socket> {
    const { WebSocket } = await import('ws');
    const socket = new WebSocket(this.#url as URL, { maxPayload: MAX_MESSAGE, handshakeTimeout: 5_000 });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => socket.send(JSON.stringify(this.#credentials())));
      socket.once('error', reject);
      socket.once('close', (code: number) => reject(new CloseReason(code)));
      socket.once('message', () => resolve());
    });
    socket.on('error', (error) => this.#lost(error));
    socket.on('close', (code: number) => this.#lost(new CloseReason(code)));
    socket.on('message', (data) => this.#onMessage(data as Buffer));
    return socket;
  }

  #credentials() {
    return { type: 'auth', role: 'ingest', token: this.options.ingestToken ?? '' };
  }

  #onMessage(data: Buffer): void {
    const message = parsed(data);
    const waiting = this.#waiting.get(Number(message.id));
    if (message.type === 'ack') waiting?.resolve();
    else if (message.type === 'error') waiting?.reject(new RefusedMessage(String(message.error)));
  }

  #lost(reason: unknown): void {
    this.#socket = undefined;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  #failure(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const error = fwError(
      TRANSPORT_ERRORS.FW_FLEET_EXPORT_FAILED,
      { address: (this.#url as URL).origin, reason },
      { cause },
    );
    return Object.assign(error, { isPermanent: cause instanceof RefusedMessage });
  }
}

/** Why a socket closed; policy violation (1008) is what a wrong token gets. */
class CloseReason extends Error {
  constructor(code: number) {
    super(code === 1008 ? 'the ingest token was refused' : `the socket closed with code ${code}`);
  }
}

/** The aggregator answered this message with an error. */
class RefusedMessage extends Error {}

function parsed(data: Buffer): { readonly type?: unknown; readonly id?: unknown; readonly error?: unknown } {
  try {
    return JSON.parse(data.toString()) as object;
  } catch {
    return {};
  }
}

function abortable<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
