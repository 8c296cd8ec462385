import { fwError } from '../../../kernel/index.js';
import type { SpanBatch, SpanTransport } from '../../../kernel/contracts/fleet.js';
import type { HeartbeatRecord } from '../../../kernel/contracts/fleet-wire.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { abortable } from './abortable.js';
import { aggregatorAddress } from './aggregator-address.js';
import { TRANSPORT_ERRORS } from './errors.js';
import { RefusedMessage } from './export-error.js';
import { FLEET_TOPICS } from './fleet-topics.js';
import { HttpTransport, type HttpTransportOptions } from './http-transport.js';
import type { IngestSocket } from './ingest-socket.js';

/** Configuration of the WebSocket transport. */
export interface WebSocketTransportOptions extends HttpTransportOptions {
  /** The aggregator's socket, e.g. `ws://127.0.0.1:9000/fleet/ws`; without it exports go over HTTP. */
  readonly aggregatorWSURL?: string;
}

/**
 * Exports over one persistent WebSocket, opened on the first export and again when it is lost. Each message carries an id and counts as
 * delivered when the aggregator has acknowledged it. Without `aggregatorWSURL` everything goes over HTTP.
 */
export class WebSocketTransport implements SpanTransport {
  readonly name = 'websocket';
  readonly #url: URL | undefined;
  readonly #http: HttpTransport | undefined;
  readonly #closing = new AbortController();
  #opening: Promise<IngestSocket> | undefined;
  #socket: IngestSocket | undefined;

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
    this.#closing.abort(new Error('the transport was closed'));
    await this.#http?.close();
    await this.#opening?.catch(() => undefined);
    this.#socket?.close();
  }

  async #publish(topic: string, payload: string, signal: AbortSignal): Promise<void> {
    try {
      const socket = await this.#opened(signal);
      await socket.publish(topic, payload, signal);
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  async #opened(signal: AbortSignal): Promise<IngestSocket> {
    if (this.#socket !== undefined && !this.#socket.isOver) return this.#socket;
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return abortable(this.#opening, signal);
  }

  async #open(): Promise<IngestSocket> {
    // Only now, because few applications need the package `ws` for this.
    const { IngestSocket } = await import('./ingest-socket.js');
    const hello = JSON.stringify({ type: 'auth', role: 'ingest', token: this.options.ingestToken ?? '' });
    const socket = new IngestSocket(this.#url as URL, hello);
    await socket.ready(this.#closing.signal);
    return (this.#socket = socket);
  }

  #failure(cause: unknown) {
    const reason = messageOf(cause);
    const error = fwError(
      TRANSPORT_ERRORS.FW_FLEET_EXPORT_FAILED,
      { address: (this.#url as URL).origin, reason },
      { cause },
    );
    return Object.assign(error, { isPermanent: cause instanceof RefusedMessage });
  }
}
