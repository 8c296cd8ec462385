import { createHmac } from 'node:crypto';
import type { SpanBatch, SpanTransport } from '../../../kernel/contracts/fleet.js';
import { type EventBackend, MESSAGE_KEY } from '../../../kernel/contracts/events.js';
import type { HeartbeatRecord } from '../../../kernel/contracts/fleet-wire.js';
import { abortable } from './abortable.js';
import { FLEET_META, FLEET_TOPICS } from './fleet-topics.js';
import { HttpTransport, type HttpTransportOptions } from './http-transport.js';

/** Configuration of the events transport. */
export interface EventsTransportOptions extends HttpTransportOptions {
  /** Where to publish: the process's own backend, or a broker's. Without one everything goes over HTTP. */
  readonly backend?: EventBackend;
}

/**
 * Delivers spans through an event backend (SPEC "Events", 1 and 2). Messages are signed with the ingest token; for a broker
 * they are split by trace, with the trace id as their key, so that one trace stays in order.
 */
export class EventsTransport implements SpanTransport {
  readonly name = 'events';
  readonly #backend: EventBackend | undefined;
  readonly #http: HttpTransport | undefined;

  constructor(private readonly options: EventsTransportOptions) {
    this.#backend = options.backend;
    if (options.backend === undefined) this.#http = new HttpTransport(options, 'events');
  }

  async exportSpans(batch: SpanBatch, signal: AbortSignal): Promise<void> {
    if (this.#backend === undefined) return this.#http?.exportSpans(batch, signal);
    const backend = this.#backend;
    if (!backend.replays) return this.#publish(backend, FLEET_TOPICS.spans, batch.text(), {});
    const messages = batch
      .byTrace()
      .map(({ traceId, text }) => this.#publish(backend, FLEET_TOPICS.spans, text, { [MESSAGE_KEY]: traceId }));
    // A broker that does not answer must not block a batch for ever; a batch that arrives late is recognised as a duplicate.
    await abortable(Promise.all(messages), signal);
  }

  async exportHeartbeat(heartbeat: HeartbeatRecord, signal: AbortSignal): Promise<void> {
    if (this.#backend === undefined) return this.#http?.exportHeartbeat(heartbeat, signal);
    const meta = { [MESSAGE_KEY]: heartbeat.service };
    await abortable(this.#publish(this.#backend, FLEET_TOPICS.heartbeat, JSON.stringify(heartbeat), meta), signal);
  }

  // Does not close the backend, which belongs to its creator.
  async close(): Promise<void> {
    await this.#http?.close();
  }

  #publish(backend: EventBackend, topic: string, text: string, meta: Record<string, string>): Promise<void> {
    const { ingestToken, serviceName } = this.options;
    const payload = Buffer.from(text);
    return backend.publish(topic, payload, {
      ...meta,
      ...(serviceName && { [FLEET_META.service]: serviceName }),
      ...(ingestToken && { [FLEET_META.signature]: createHmac('sha256', ingestToken).update(payload).digest('hex') }),
    });
  }
}
