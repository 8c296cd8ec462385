import { Readable } from 'node:stream';
import { type HttpContext, jsonText } from '../../kernel/index.js';

/** Under this key every context has the signal that is aborted when the server begins to drain. */
export const DRAINING: unique symbol = Symbol.for('fw.http.draining');

/** One event of a stream (HTML standard, "Server-sent events"). */
export interface ServerSentEvent {
  /** Sent as text as it is, anything else as JSON. */
  readonly data: unknown;
  /** Type of the event; `message` when it is left out. */
  readonly event?: string;
  /** Comes back as `Last-Event-ID` when the client connects again. */
  readonly id?: string;
  /** Milliseconds after which the client should connect again. */
  readonly retry?: number;
}

/** How a stream is kept open. */
export interface EventStreamOptions {
  /** Milliseconds between comments that keep proxies from closing an idle stream; default 15 000, 0 for none. */
  readonly heartbeatMs?: number;
}

/**
 * Answers with a stream of events. It ends with the source, when the client goes away, or when the server drains; the source
 * is then returned from, so that its `finally` runs. Events are asked for no faster than the client reads.
 *
 * @example
 * router.get('/ticks', (ctx) => eventStream(ctx, ticks(ctx.signal)));
 */
export function eventStream(
  context: HttpContext,
  events: AsyncIterable<ServerSentEvent>,
  { heartbeatMs = 15_000 }: EventStreamOptions = {},
): void {
  context.set('Content-Type', 'text/event-stream; charset=utf-8');
  if (!context.res.hasHeader('Cache-Control')) context.set('Cache-Control', 'no-store');
  // nginx would hold the events back to fill its buffer.
  context.set('X-Accel-Buffering', 'no');
  context.status = 200;
  context.body = new EventStream(events[Symbol.asyncIterator](), heartbeatMs, drainingOf(context));
  // The client waits for the headers, which Node sends with the first bytes only.
  context.res.flushHeaders();
}

/** Id of the last event that a client saw before it connected again. */
export function lastEventId({ req }: HttpContext): string | undefined {
  const id = req.headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** An event as it goes over the wire. Line breaks cannot begin a field of their own. */
export function formatEvent({ data, event, id, retry }: ServerSentEvent): string {
  const oneLine = (text: string) => text.replace(/[\r\n\0]/g, ' ');
  const text = typeof data === 'string' ? data : jsonText(data);
  return [
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    ...(id === undefined ? [] : [`id: ${oneLine(id)}`]),
    ...(retry === undefined ? [] : [`retry: ${Math.max(0, Math.trunc(retry))}`]),
    ...text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
    '',
    '',
  ].join('\n');
}

function drainingOf(context: HttpContext): AbortSignal | undefined {
  return (context as unknown as { [DRAINING]?: AbortSignal })[DRAINING];
}

class EventStream extends Readable {
  readonly #heartbeat: NodeJS.Timeout | undefined;
  readonly #end = () => this.push(null);
  #reading = false;

  constructor(
    private readonly events: AsyncIterator<ServerSentEvent>,
    heartbeatMs: number,
    private readonly draining: AbortSignal | undefined,
  ) {
    super();
    draining?.addEventListener('abort', this.#end, { once: true });
    if (heartbeatMs > 0) this.#heartbeat = setInterval(() => this.push(':\n\n'), heartbeatMs).unref();
  }

  override _read(): void {
    if (this.#reading) return;
    this.#reading = true;
    void this.#next();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(this.#heartbeat);
    this.draining?.removeEventListener('abort', this.#end);
    // Not waited for: the source may be in the middle of a wait of its own.
    void Promise.resolve(this.events.return?.()).catch(() => {});
    done(error);
  }

  async #next(): Promise<void> {
    try {
      const { done, value } = await this.events.next();
      this.#reading = false;
      if (this.readableEnded || this.destroyed || this.draining?.aborted) return;
      this.push(done ? null : formatEvent(value));
    } catch (error) {
      this.destroy(error as Error);
    }
  }
}
