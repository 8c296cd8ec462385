import { Readable } from 'node:stream';
import { type HttpContext, jsonText } from '../../kernel/index.js';
import { jsonBody } from './json-body.js';

/** Key of the context with a signal that is aborted when the server begins to drain. */
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
 * Answers with a stream of events. It ends with the source, when the client disconnects, or when the server drains; the source's `return`
 * is called then, so that its `finally` runs. Events are pulled no faster than the client reads.
 *
 * @example router.get('/ticks', (ctx) => eventStream(ctx, ticks(ctx.signal)));
 */
export function eventStream(
  context: HttpContext,
  events: AsyncIterable<ServerSentEvent>,
  { heartbeatMs = 15_000 }: EventStreamOptions = {},
): void {
  context.set('Content-Type', 'text/event-stream; charset=utf-8');
  if (!context.res.hasHeader('Cache-Control')) context.set('Cache-Control', 'no-store');
  // Without it nginx would buffer the events.
  context.set('X-Accel-Buffering', 'no');
  context.status = 200;
  const json = (data: unknown) => jsonBody(context, data);
  context.body = new EventStream(events[Symbol.asyncIterator](), json, heartbeatMs, drainingOf(context));
  // Node would send the headers only with the first bytes, and the client waits for them.
  context.res.flushHeaders();
}

/** Id of the last event that a client saw before it connected again. */
export function lastEventId({ req }: HttpContext): string | undefined {
  const id = req.headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * An event in the wire format. Line breaks in values cannot begin a new field.
 * @param json - writes data that is no text
 */
export function formatEvent({ data, event, id, retry }: ServerSentEvent, json = jsonText): string {
  const oneLine = (text: string) => text.replace(/[\r\n\0]/g, ' ');
  const text = typeof data === 'string' ? data : json(data);
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
  readonly #end = () => {
    if (this.#isOver) return;
    this.#isOver = true;
    // What was pushed may still wait for the client, and a comment may not come behind the end.
    clearInterval(this.#heartbeat);
    this.push(null);
  };
  #reading = false;
  #isOver = false;

  constructor(
    private readonly events: AsyncIterator<ServerSentEvent>,
    private readonly json: (data: unknown) => string,
    heartbeatMs: number,
    private readonly draining: AbortSignal | undefined,
  ) {
    super();
    if (heartbeatMs > 0) this.#heartbeat = setInterval(() => this.push(':\n\n'), heartbeatMs).unref();
    if (draining?.aborted) this.#end();
    else draining?.addEventListener('abort', this.#end, { once: true });
  }

  override _read(): void {
    if (this.#reading) return;
    this.#reading = true;
    void this.#next();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(this.#heartbeat);
    this.draining?.removeEventListener('abort', this.#end);
    // Not awaited: the source may be waiting for something itself.
    void Promise.resolve(this.events.return?.()).catch(() => {});
    done(error);
  }

  async #next(): Promise<void> {
    try {
      const { done, value } = await this.events.next();
      this.#reading = false;
      if (this.#isOver || this.destroyed) return;
      if (done) this.#end();
      else this.push(formatEvent(value, this.json));
    } catch (error) {
      this.destroy(error as Error);
    }
  }
}
