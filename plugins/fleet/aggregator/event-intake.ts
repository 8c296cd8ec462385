import { createHmac } from 'node:crypto';
import { isFwError, type Logger, MemoryEventBackend } from '../../../kernel/index.js';
import type { EventBackend, EventMessage } from '../../../kernel/contracts/events.js';
import { isSameText } from '../../../kernel/secrets/index.js';
import { FLEET_META, FLEET_TOPICS } from '../transports/index.js';
import type { Aggregator } from './aggregator.js';
import type { Credentials } from './credentials.js';

/** Counts of messages from a backend. */
interface EventIntakeStats {
  readonly backend: string;
  readonly messages: number;
  readonly unsigned: number;
  readonly malformed: number;
}

/**
 * Takes spans and heartbeats from an event backend: the process's own bus, or a broker. A broker's messages are read from where the last
 * aggregator of the group stopped; a repeated span is ignored.
 */
export class EventIntake {
  readonly #subscriptions: (() => Promise<void>)[] = [];
  #messages = 0;
  #unsigned = 0;
  #malformed = 0;

  constructor(
    private readonly aggregator: Aggregator,
    private readonly backend: EventBackend,
    private readonly credentials: Pick<Credentials, 'takesUnsigned'>,
    private readonly log?: Logger,
  ) {}

  async open(): Promise<void> {
    const take = (handle: (body: unknown) => void) => (message: EventMessage) => this.#take(message, handle);
    const spans = take((body) => this.aggregator.acceptSpans(body));
    const heartbeats = take((body) => this.aggregator.acceptHeartbeat(body));
    const from = this.backend.replays ? ({ from: 'earliest' } as const) : undefined;
    // In parallel, because a broker may let a restarted reader wait until it takes the last one for dead.
    const opened = await Promise.all([
      this.backend.subscribe(FLEET_TOPICS.spans, spans, from),
      this.backend.subscribe(FLEET_TOPICS.heartbeat, heartbeats),
    ]);
    this.#subscriptions.push(...opened);
  }

  async close(): Promise<void> {
    await Promise.all(this.#subscriptions.splice(0).map((end) => end()));
  }

  stats(): EventIntakeStats {
    return {
      backend: this.backend.name,
      messages: this.#messages,
      unsigned: this.#unsigned,
      malformed: this.#malformed,
    };
  }

  // Only this process writes to the backend in memory; a broker has other writers.
  #isTrusted(payload: Uint8Array, signature: string): boolean {
    const { ingestToken } = this.aggregator.settings;
    if (ingestToken !== '') return isSigned(payload, signature, ingestToken);
    return this.backend instanceof MemoryEventBackend || this.credentials.takesUnsigned;
  }

  // A bad message is counted and skipped, because a broker's log cannot take it back.
  #take({ payload, meta }: EventMessage, handle: (body: unknown) => void): void {
    this.#messages++;
    if (!this.#isTrusted(payload, meta[FLEET_META.signature] ?? '')) {
      this.#unsigned++;
      return;
    }
    try {
      handle(JSON.parse(Buffer.from(payload).toString()));
    } catch (error) {
      if (!isFwError(error) && !(error instanceof SyntaxError)) throw error;
      this.#malformed++;
      this.log?.debug({ err: error }, 'a message with spans was refused');
    }
  }
}

function isSigned(payload: Uint8Array, signature: string, token: string): boolean {
  return isSameText(signature, createHmac('sha256', token).update(payload).digest('hex'));
}
