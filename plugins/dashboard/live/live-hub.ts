import type { DashboardLive, WebSocketConnection } from '../../../kernel/index.js';
import { objectOf, parsedJson } from '../../../kernel/values/index.js';
import type { LiveBatch, LiveChannels, LiveMessage, LiveSubscription } from '../wire/live.js';

const FLUSH_MS = 100;
const MAX_PENDING = 512;
const MAX_VIEWERS = 64;
const MAX_CHANNELS = 32;
/** From so many bytes on that wait for a slow viewer, it misses messages. */
const MAX_BUFFERED = 1024 * 1024;

// RFC 6455, section 7.4.1; 1013 stands in the IANA registry of close codes.
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const TRY_AGAIN_LATER = 1013;

type PendingEvent = LiveBatch['events'][number];

interface Viewer {
  readonly socket: WebSocketConnection;
  channels: ReadonlySet<string>;
  /** Events that it missed because it was slow, of which no batch has told it yet. */
  missed: number;
}

/**
 * Sends records to connected browsers: a snapshot once a second, and events in batches, at most ten times a second. Without viewers it does
 * nothing.
 */
export class LiveHub implements DashboardLive {
  readonly #viewers = new Set<Viewer>();
  #pending: PendingEvent[] = [];
  #dropped = 0;
  #refused = 0;
  #flush: NodeJS.Timeout | undefined;

  /** @param welcome - the first message for a new viewer */
  constructor(
    private readonly welcome: () => LiveMessage | undefined,
    private readonly now: () => number,
  ) {}

  get viewers(): number {
    return this.#viewers.size;
  }

  /** Viewers that were turned away because there were too many. */
  get refused(): number {
    return this.#refused;
  }

  /** Takes a connection over. */
  serve(socket: WebSocketConnection): void {
    if (this.#viewers.size >= MAX_VIEWERS) {
      this.#refused++;
      return socket.close(TRY_AGAIN_LATER, 'too many viewers');
    }
    const viewer: Viewer = { socket, channels: new Set(), missed: 0 };
    this.#viewers.add(viewer);
    socket.on('message', (data) => this.#subscribe(viewer, String(data)));
    socket.once('close', () => this.#viewers.delete(viewer));
    const first = this.welcome();
    if (first) send(viewer, JSON.stringify(first));
  }

  /** Whether a channel has viewers; for events that are expensive to make. */
  wants(channel: string): boolean {
    for (const { channels } of this.#viewers) if (channels.has(channel)) return true;
    return false;
  }

  /** Sends an event to every viewer of its channel. */
  publish<Channel extends string>(
    channel: Channel,
    data: Channel extends keyof LiveChannels ? LiveChannels[Channel] : unknown,
  ): void {
    if (!this.wants(channel)) return;
    if (this.#pending.length >= MAX_PENDING) {
      this.#pending.shift();
      this.#dropped++;
    }
    this.#pending.push({ channel, time: new Date(this.now()).toISOString(), data });
    this.#flush ??= setTimeout(() => this.#send(), FLUSH_MS).unref();
  }

  /** Sends a message to every viewer at once. */
  broadcast(message: LiveMessage): void {
    if (this.#viewers.size === 0) return;
    const text = JSON.stringify(message);
    for (const viewer of this.#viewers) send(viewer, text);
  }

  /** Closes every connection. */
  stop(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    for (const { socket } of this.#viewers) socket.close(GOING_AWAY, 'the dashboard stops');
  }

  #send(): void {
    const [events, dropped] = [this.#pending, this.#dropped];
    [this.#pending, this.#dropped, this.#flush] = [[], 0, undefined];
    const time = new Date(this.now()).toISOString();
    for (const viewer of this.#viewers) {
      const wanted = events.filter(({ channel }) => viewer.channels.has(channel));
      if (wanted.length === 0) continue;
      const left = dropped + viewer.missed;
      const batch: LiveBatch = { type: 'batch', time, events: wanted, dropped: left };
      viewer.missed = send(viewer, JSON.stringify(batch)) ? 0 : left + wanted.length;
    }
  }

  #subscribe(viewer: Viewer, text: string): void {
    const channels = channelsOf(text);
    if (channels) viewer.channels = new Set(channels);
    else viewer.socket.close(UNSUPPORTED_DATA, 'expected {"channels": ["request", ...]}');
  }
}

/** @returns whether it was sent */
function send({ socket }: Viewer, text: string): boolean {
  if (socket.bufferedAmount > MAX_BUFFERED) return false;
  socket.send(text);
  return true;
}

function channelsOf(text: string): readonly string[] | undefined {
  const { channels } = objectOf(parsedJson(text)) as Partial<LiveSubscription>;
  const valid = Array.isArray(channels) && channels.length <= MAX_CHANNELS;
  return valid && channels.every((channel) => typeof channel === 'string') ? channels : undefined;
}
