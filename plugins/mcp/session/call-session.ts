import { setImmediate as turned, setTimeout as passed } from 'node:timers/promises';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Confirmation } from '../../../kernel/index.js';
import type { Caller } from '../protocol/caller.js';
import type { ClientSession } from './client-session.js';
import type { LogLevel } from './log-level.js';

/** The SDK's context of a request handler. */
export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Milliseconds for a person's answer. */
const ANSWER_MS = 5 * 60 * 1000;
/**
 * Pause in milliseconds between the last notification of a call and its result. Clients of the official SDK process a notification a moment
 * after reading it, but a result at once: if both arrive in one chunk, they remove the progress listener first.
 */
const GAP_MS = 15;
/** Codes of a client that cannot ask after all: method not found, invalid params (JSON-RPC 2.0, section 5.1). */
const CANNOT_ASK: readonly unknown[] = [-32601, -32602];

/** The messages of one call to its client besides the result, on the stream of the call if the transport has one. */
export class CallSession implements Caller {
  readonly signal: AbortSignal;
  #sent: Promise<unknown> = Promise.resolve();
  #lastAt = Number.NEGATIVE_INFINITY;

  /** @param dropped - called for messages that could not be delivered */
  constructor(
    private readonly extra: Extra,
    private readonly session: ClientSession,
    private readonly dropped: (error: unknown) => void,
  ) {
    this.signal = extra.signal;
  }

  progress(progress: number, total: number | undefined, message: string): void {
    const progressToken = this.extra._meta?.progressToken;
    if (progressToken === undefined) return;
    const params = { progressToken, progress, message, ...(total !== undefined && { total }) };
    this.#send({ method: 'notifications/progress', params });
  }

  log(level: LogLevel, logger: string, data: string): void {
    if (this.session.wants(level)) this.#send({ method: 'notifications/message', params: { level, logger, data } });
  }

  async confirm(question: string): Promise<Confirmation> {
    if (!this.session.asks) return 'unasked';
    const { ElicitResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    await this.said();
    try {
      const { action, content } = await this.extra.sendRequest(asked(question), ElicitResultSchema, {
        signal: this.signal,
        timeout: ANSWER_MS,
      });
      return action === 'accept' && content?.['confirm'] === true ? 'yes' : 'no';
    } catch (error) {
      this.signal.throwIfAborted();
      this.dropped(error);
      return CANNOT_ASK.includes((error as { code?: unknown }).code) ? 'unasked' : 'no';
    }
  }

  /** Settles when all messages were sent, early enough that the result does not overtake them. */
  async said(): Promise<void> {
    await this.#sent;
    const left = this.#lastAt + GAP_MS - performance.now();
    if (left <= 0 || this.signal.aborted) return;
    await passed(left);
    // A late timer may fire before received data are read, so one more turn is awaited.
    await turned();
  }

  #send(notification: ServerNotification): void {
    if (this.signal.aborted) return;
    this.#sent = this.#sent
      .then(() => this.extra.sendNotification(notification))
      .catch(this.dropped)
      .finally(() => (this.#lastAt = performance.now()));
  }
}

function asked(message: string): ServerRequest {
  return {
    method: 'elicitation/create',
    params: {
      message,
      requestedSchema: {
        type: 'object',
        properties: { confirm: { type: 'boolean', title: 'Go ahead', description: 'Whether it is to be done' } },
        required: ['confirm'],
      },
    },
  };
}
