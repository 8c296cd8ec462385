import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket, WebSocketServer } from 'ws';
import { isFwError, type Logger } from '../../../kernel/index.js';
import { FLEET_TOPICS } from '../transports/index.js';
import type { LiveMessage } from '../../../kernel/contracts/fleet-wire.js';
import { parsedJson } from '../../../kernel/values/index.js';
import type { Aggregator } from './aggregator.js';
import type { Credentials } from './credentials.js';

/** Bytes of a message before the sender has said who it is. */
const MAX_BEFORE_AUTH = 64 * 1024;
const AUTH_DEADLINE_MS = 5_000;
const SNAPSHOT_EVERY_MS = 2_000;
const PING_EVERY_MS = 30_000;
/** Bytes that wait for a slow client. Then it misses broadcasts; one that goes on asking without reading the answers is disconnected. */
const MAX_BUFFERED = 1024 * 1024;
/** Sockets at once. */
const MAX_CLIENTS = 200;
/** Topics that a viewer may name. */
const MAX_TOPICS = 32;

// RFC 6455, section 7.4.1.
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

interface Client {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  role: 'viewer' | 'ingest' | undefined;
  /** Undefined for everything. */
  topics: ReadonlySet<string> | undefined;
  isAlive: boolean;
}

type Message = Readonly<Record<string, unknown>>;

/** The aggregator's WebSocket: services publish, viewers watch. The first frame says who it is. */
export class LiveSocket {
  readonly #clients = new Set<Client>();
  readonly #timers: NodeJS.Timeout[] = [];
  #server: WebSocketServer | undefined;
  #unsubscribe: (() => void) | undefined;
  #skipped = 0;
  #refused = 0;

  constructor(
    private readonly aggregator: Aggregator,
    private readonly credentials: Credentials,
    private readonly log?: Logger,
  ) {}

  /** Numbers of open sockets, of messages that slow viewers missed, and of sockets closed by us. */
  stats() {
    return {
      clients: this.#clients.size,
      max_clients: MAX_CLIENTS,
      messages_skipped: this.#skipped,
      clients_refused: this.#refused,
    };
  }

  async open(): Promise<void> {
    const { WebSocketServer } = await import('ws');
    const { maxBodyBytes } = this.aggregator.settings;
    this.#server = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes, perMessageDeflate: false });
    this.#unsubscribe = this.aggregator.subscribe({
      onTrace: (event) => this.#broadcast('trace_event', event),
      onService: (heartbeat) => this.#broadcast('service_event', heartbeat),
      onViolation: (group) => this.#broadcast('contract_violation', group),
    });
    this.#every(SNAPSHOT_EVERY_MS, () => {
      if (this.#viewers().length > 0) this.#broadcast('topology_snapshot', this.aggregator.topology());
    });
    this.#every(PING_EVERY_MS, () => this.#clients.forEach((client) => this.#ping(client)));
  }

  /** Takes a connection over. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server?.handleUpgrade(request, socket, head, (opened) => this.#welcome(opened, request));
  }

  close(): void {
    this.#unsubscribe?.();
    this.#timers.forEach((timer) => clearInterval(timer));
    for (const { socket } of this.#clients) {
      socket.close(GOING_AWAY);
      // A peer that does not answer the close frame would keep the server from closing.
      setTimeout(() => socket.terminate(), 500).unref();
    }
    this.#server?.close();
  }

  #every(ms: number, run: () => void): void {
    this.#timers.push(setInterval(run, ms).unref());
  }

  #welcome(socket: WebSocket, request: IncomingMessage): void {
    const client: Client = { socket, request, role: undefined, topics: undefined, isAlive: true };
    // First, because what a refused client sends fails too.
    socket.on('error', (err) => this.log?.debug({ err }, 'a fleet socket failed'));
    if (this.#clients.size >= MAX_CLIENTS) return this.#refuse(client, TRY_AGAIN_LATER);
    this.#clients.add(client);
    boundBeforeAuth(client, () => this.#refuse(client, POLICY_VIOLATION));
    const deadline = setTimeout(() => client.role ?? this.#refuse(client, POLICY_VIOLATION), AUTH_DEADLINE_MS).unref();
    socket.on('pong', () => (client.isAlive = true));
    socket.on('close', () => {
      clearTimeout(deadline);
      this.#clients.delete(client);
    });
    socket.on('message', (data: RawData, isBinary: boolean) => {
      if (isBinary) socket.close(UNSUPPORTED_DATA);
      else this.#onMessage(client, data as Buffer);
    });
  }

  #onMessage(client: Client, data: Buffer): void {
    if (client.role === undefined) return this.#authenticate(client, data);
    const message = parsed(data);
    if (message === undefined) return this.#reply(client, { type: 'error', error: 'malformed envelope' });
    switch (message['type']) {
      case 'ping':
        return this.#reply(client, { type: 'pong' });
      case 'subscribe':
        return client.role === 'viewer'
          ? subscribe(client, message)
          : this.#reply(client, refusal(message, 'viewer role required'));
      case 'publish':
        return client.role === 'ingest'
          ? this.#publish(client, message)
          : this.#reply(client, refusal(message, 'ingest role required'));
      default:
        return this.#reply(client, refusal(message, 'unknown message type'));
    }
  }

  #authenticate(client: Client, data: Buffer): void {
    const message = data.length <= MAX_BEFORE_AUTH ? parsed(data) : undefined;
    const role = message?.['role'] || 'viewer';
    const isRole = role === 'viewer' || role === 'ingest';
    if (message?.['type'] !== 'auth' || !isRole || !this.#isKnown(client, message, role)) {
      return this.#refuse(client, POLICY_VIOLATION);
    }
    client.role = role;
    this.#reply(client, { type: 'auth_ok' });
    if (role === 'viewer') this.#reply(client, envelope('topology_snapshot', this.aggregator.topology()));
  }

  #refuse({ socket }: Client, code: number): void {
    this.#refused++;
    socket.close(code);
  }

  // The frame has the credentials that a request has in its headers, which a browser cannot set on a WebSocket.
  #isKnown({ request }: Client, message: Message, role: 'viewer' | 'ingest'): boolean {
    const login = Buffer.from(`${text(message['username'])}:${text(message['password'])}`).toString('base64');
    const headers = { ...request.headers, authorization: `Basic ${login}`, 'x-fleet-token': text(message['token']) };
    const asked = { headers, socket: request.socket, url: request.url };
    const refusal = role === 'ingest' ? this.credentials.refuseWrite(asked) : this.credentials.refuseRead(asked);
    return refusal === undefined;
  }

  #publish(client: Client, message: Message): void {
    const { topic, payload, id } = message;
    try {
      if (topic === FLEET_TOPICS.spans) this.aggregator.acceptSpans(payload);
      else if (topic === FLEET_TOPICS.heartbeat) this.aggregator.acceptHeartbeat(payload);
      else
        return this.#reply(
          client,
          refusal(message, `topic not allowed: expected ${Object.values(FLEET_TOPICS).join(' or ')}`),
        );
      if (id !== undefined) this.#reply(client, { type: 'ack', id });
    } catch (error) {
      if (!isFwError(error)) this.log?.error({ err: error }, 'the aggregator failed to take a message');
      this.#reply(client, refusal(message, isFwError(error) ? error.message : 'internal error'));
    }
  }

  #reply({ socket }: Client, message: unknown): void {
    if (socket.bufferedAmount <= MAX_BUFFERED) return socket.send(JSON.stringify(message));
    this.#refused++;
    socket.terminate();
  }

  #broadcast(type: LiveMessage['type'], data: unknown): void {
    const viewers = this.#viewers().filter(({ topics }) => topics === undefined || topics.has(type));
    if (viewers.length === 0) return;
    const frame = JSON.stringify(envelope(type, data));
    for (const { socket } of viewers) {
      if (socket.bufferedAmount <= MAX_BUFFERED) socket.send(frame);
      else this.#skipped++;
    }
  }

  #viewers(): readonly Client[] {
    return [...this.#clients].filter(({ role }) => role === 'viewer');
  }

  #ping(client: Client): void {
    if (!client.isAlive) return client.socket.terminate();
    client.isAlive = false;
    client.socket.ping();
  }
}

function subscribe(client: Client, { topics }: Message): void {
  const named = Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string').slice(0, MAX_TOPICS) : [];
  client.topics = named.length > 0 ? new Set(named as string[]) : undefined;
}

function envelope(type: LiveMessage['type'], data: unknown): LiveMessage {
  return { type, time: new Date().toISOString(), data };
}

function refusal({ id }: Message, error: string) {
  return { type: 'error', error, ...(id !== undefined && { id }) };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

// `ws` keeps a message until it is whole: one as large as a batch, of each of many that have not said who they are.
function boundBeforeAuth(client: Client, refuse: () => void): void {
  const { socket: connection } = client.request;
  const begun = connection.bytesRead;
  const look = () => {
    const isKnown = client.role !== undefined;
    const isTooMuch = !isKnown && connection.bytesRead - begun > MAX_BEFORE_AUTH;
    if (isKnown || isTooMuch) connection.off('data', look);
    if (!isTooMuch) return;
    refuse();
    client.socket.terminate();
  };
  connection.on('data', look);
}

function parsed(data: Buffer): Message | undefined {
  const value = parsedJson(data);
  return typeof value === 'object' && value !== null ? (value as Message) : undefined;
}
