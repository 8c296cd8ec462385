import type { RawData, WebSocket } from 'ws';
import type { Logger, WebSocketConnection } from '../../../kernel/index.js';
import type { AggregatorState } from '../wire/fleet.js';
import type { AggregatorLink } from './aggregator-link.js';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;
/** An aggregator sends its topology every two seconds: after this silence the connection is dead, whatever TCP says. */
const SILENCE_MS = 15_000;
const HANDSHAKE_MS = 5_000;
/** Bytes of one message of the aggregator. */
const MAX_MESSAGE = 16 * 1024 * 1024;
/** Bytes that wait for a slow browser; then it misses messages. */
const MAX_BUFFERED = 1024 * 1024;
const MAX_VIEWERS = 100;
/** Bytes of a message that tell its type. */
const BEGINNING = 40;
const AS_TEXT = { binary: false };

// RFC 6455, section 7.4.1.
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

/**
 * One connection to the aggregator's WebSocket for all open pages: it is open while a page is open, reconnects by itself, and reports its
 * state to the pages. Credentials are sent to the aggregator and never to browsers.
 */
export class LiveRelay {
  readonly #viewers = new Set<WebSocketConnection>();
  #upstream: WebSocket | undefined;
  #state: AggregatorState = { type: 'aggregator', connected: false };
  /** The last topology, for the next viewer. */
  #snapshot: Buffer | undefined;
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #skipped = 0;
  #refused = 0;
  #isClosed = false;

  constructor(
    private readonly link: AggregatorLink,
    private readonly log: Logger,
  ) {}

  /** For the probe. */
  stats() {
    const { size: viewers } = this.#viewers;
    const { connected } = this.#state;
    return { viewers, viewers_refused: this.#refused, connected, messages_skipped: this.#skipped };
  }

  /** Lets a browser watch. */
  join(viewer: WebSocketConnection): void {
    if (this.#viewers.size >= MAX_VIEWERS) {
      this.#refused++;
      return viewer.close(TRY_AGAIN_LATER, 'too many pages are open');
    }
    this.#viewers.add(viewer);
    viewer.on('close', () => this.#leave(viewer));
    viewer.send(JSON.stringify(this.#state));
    if (this.#snapshot !== undefined) viewer.send(this.#snapshot, AS_TEXT);
    if (this.#upstream === undefined && this.#retry === undefined) this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#hangUp();
    for (const viewer of this.#viewers) viewer.close(GOING_AWAY);
  }

  #leave(viewer: WebSocketConnection): void {
    this.#viewers.delete(viewer);
    if (this.#viewers.size === 0) this.#hangUp();
  }

  #hangUp(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#retry = undefined;
    this.#snapshot = undefined;
    this.#state = { type: 'aggregator', connected: false };
    const upstream = this.#upstream;
    this.#upstream = undefined;
    upstream?.close(GOING_AWAY);
  }

  #connect(): void {
    this.#retry = undefined;
    void import('ws').then(({ WebSocket }) => {
      // The last page may have closed while the module was loading.
      if (this.#isClosed || this.#viewers.size === 0 || this.#upstream !== undefined) return;
      const socket = new WebSocket(this.link.socketUrl, {
        maxPayload: MAX_MESSAGE,
        handshakeTimeout: HANDSHAKE_MS,
        followRedirects: false,
      });
      this.#upstream = socket;
      this.#listen(socket);
    });
  }

  #listen(socket: WebSocket): void {
    let reason = '';
    socket.on('open', () => socket.send(this.link.greeting));
    socket.on('message', (data) => socket === this.#upstream && this.#onMessage(socket, data));
    socket.on('error', (error) => (reason = error.message));
    socket.on('close', (code) => {
      if (socket !== this.#upstream) return;
      if (code === POLICY_VIOLATION) reason = 'it refuses the credentials of the dashboard';
      this.#lost(reason || `it closed the connection (${code})`);
    });
    this.#expectMessage(socket);
  }

  #onMessage(socket: WebSocket, data: RawData): void {
    this.#expectMessage(socket);
    const message = data as Buffer;
    const beginning = message.toString('latin1', 0, BEGINNING);
    if (beginning.startsWith('{"type":"auth_ok"')) return this.#connected();
    if (beginning.startsWith('{"type":"topology_snapshot"')) this.#snapshot = message;
    this.#broadcast(message);
  }

  #connected(): void {
    this.#retryMs = FIRST_RETRY_MS;
    this.#tell({ type: 'aggregator', connected: true });
  }

  #lost(reason: string): void {
    clearTimeout(this.#silence);
    this.#upstream = undefined;
    this.#snapshot = undefined;
    this.#tell({ type: 'aggregator', connected: false, reason });
    this.log.debug({ reason, url: this.link.base }, 'the Fleet aggregator is not there');
    if (this.#isClosed || this.#viewers.size === 0) return;
    // A random delay, so that the dashboards of a fleet do not all reconnect at the same moment.
    const delay = this.#retryMs * (0.75 + Math.random() / 2);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
    this.#retry = setTimeout(() => this.#connect(), delay).unref();
  }

  #expectMessage(socket: WebSocket): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => socket.terminate(), SILENCE_MS).unref();
  }

  #tell(state: AggregatorState): void {
    this.#state = state;
    this.#broadcast(Buffer.from(JSON.stringify(state)));
  }

  // The same bytes for everybody: of a text each viewer would hold a copy while it is sent.
  #broadcast(message: Buffer): void {
    for (const viewer of this.#viewers) {
      if (viewer.bufferedAmount <= MAX_BUFFERED) viewer.send(message, AS_TEXT);
      else this.#skipped++;
    }
  }
}
