import { createHmac, randomUUID } from 'node:crypto';
import { fwError, type Logger, runInRequestContext, systemClock } from '../../../../kernel/index.js';
import type { Incident, WebhookReport } from '../../../../kernel/contracts/fleet-wire.js';
import { AGGREGATOR_ERRORS } from '../errors.js';
import type { IncidentEvent } from './incident-log.js';

/** Pauses before the further tries, in milliseconds. */
const PAUSES = [1_000, 5_000, 30_000, 120_000, 600_000];
const TIMEOUT_MS = 5_000;
/** Messages that wait at most; then the oldest is dropped. */
const MOST_WAITING = 100;
/** Statuses below 500 after which a retry may succeed. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429]);
/** Prefix of a secret in base64 (Standard Webhooks, "Secrets"). */
const PREFIX = 'whsec_';

/** Report for statistics without a webhook. */
export const NO_WEBHOOK: WebhookReport = { origin: '', waiting: 0, delivered: 0, failed_tries: 0, dropped: 0 };

/** URL for messages, and the secret that signs them. */
export interface WebhookOptions {
  readonly url: string;
  readonly secret: string;
}

interface Message {
  readonly id: string;
  readonly body: string;
  tries: number;
}

/**
 * Sends messages about incidents over HTTP: signed as the Standard Webhooks specification says (https://www.standardwebhooks.com), one
 * after the other, tried up to six times. The URL comes from the configuration alone, and redirects are not followed.
 */
export class IncidentWebhook {
  readonly #url: URL;
  readonly #key: Buffer;
  readonly #waiting: Message[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isSending = false;
  #isClosed = false;
  #delivered = 0;
  #failedTries = 0;
  #dropped = 0;
  #lastFailure: string | undefined;

  /** @throws FwError `FW_FLEET_WEBHOOK_OPTION` */
  constructor(
    { url, secret }: WebhookOptions,
    private readonly log?: Logger,
    private readonly now: () => number = systemClock.now,
  ) {
    this.#url = webhookUrl(url);
    this.#key = keyOf(secret);
  }

  /** Queues a message about an incident; never waits, never throws. */
  tell(event: IncidentEvent, incident: Incident): void {
    if (this.#isClosed) return;
    const timestamp = new Date(this.now()).toISOString();
    const body = JSON.stringify({ type: `incident.${event}`, timestamp, data: messageOf(incident) });
    this.#waiting.push({ id: `msg_${randomUUID()}`, body, tries: 0 });
    if (this.#waiting.length > MOST_WAITING) {
      // The first one may be being sent, so it is kept.
      this.#waiting.splice(this.#isSending ? 1 : 0, 1);
      this.#dropped++;
    }
    if (this.#timer === undefined) void this.#next();
  }

  report(): WebhookReport {
    return {
      origin: this.#url.origin,
      waiting: this.#waiting.length,
      delivered: this.#delivered,
      failed_tries: this.#failedTries,
      dropped: this.#dropped,
      ...(this.#lastFailure !== undefined && { last_failure: this.#lastFailure }),
    };
  }

  /** Stops sending; waiting messages are dropped. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#dropped += this.#waiting.length;
    this.#waiting.length = 0;
  }

  async #next(): Promise<void> {
    this.#timer = undefined;
    const message = this.#waiting[0];
    if (message === undefined || this.#isSending) return;
    this.#isSending = true;
    message.tries++;
    const failure = await this.#send(message);
    this.#isSending = false;
    if (this.#isClosed) return;
    const pause = failure && this.#failed(message, failure);
    if (pause === undefined) this.#waiting.shift();
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => void this.#next(), pause ?? 0).unref();
  }

  /** @returns how long to wait before the next try; undefined when there is none */
  #failed({ tries }: Message, { reason, isPermanent }: Failure): number | undefined {
    this.#failedTries++;
    this.#lastFailure = reason;
    const pause = isPermanent ? undefined : PAUSES[tries - 1];
    if (pause !== undefined) return pause;
    this.#dropped++;
    this.log?.warn({ reason, tries }, 'a message about an incident was not delivered');
    return undefined;
  }

  async #send({ id, body }: Message): Promise<Failure | undefined> {
    const timestamp = String(Math.floor(this.now() / 1000));
    const signature = createHmac('sha256', this.#key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'fw-fleet/1',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      // Without the context of the request during which the incident was noticed.
      const response = await runInRequestContext(undefined, () =>
        fetch(this.#url, { method: 'POST', body, headers, signal, redirect: 'manual' }),
      );
      await response.body?.cancel();
      if (response.ok) this.#delivered++;
      return response.ok ? undefined : answered(response.status);
    } catch (cause) {
      return { reason: reasonOf(cause), isPermanent: false };
    }
  }
}

interface Failure {
  readonly reason: string;
  readonly isPermanent: boolean;
}

function answered(status: number): Failure {
  return { reason: `it answered ${status}`, isPermanent: status < 500 && !RETRYABLE.has(status) };
}

function reasonOf(cause: unknown): string {
  const { name, cause: inner } = cause as { name?: string; cause?: { code?: string } };
  return name === 'TimeoutError'
    ? `it did not answer within ${TIMEOUT_MS} ms`
    : (inner?.code ?? 'it could not be reached');
}

// An explicit list of members that help a person to find the problem, without data of users.
function messageOf({ cause, ...incident }: Incident) {
  return {
    id: incident.id,
    state: incident.state,
    service: incident.service,
    error_rate: incident.error_rate,
    calls: incident.calls,
    opened_unix: incident.opened_unix,
    resolved_unix: incident.resolved_unix ?? null,
    acknowledged_unix: incident.acknowledged_unix ?? null,
    summary: incident.banner,
    affected: incident.affected.map(({ service }) => service),
    consequences: incident.consequences.map(({ service }) => service),
    cause: cause
      ? {
          name: cause.name,
          kind: cause.kind,
          service: cause.service,
          method: cause.method,
          route: cause.route,
          status: cause.status,
          error: cause.error ?? null,
          reason: cause.reason,
          confidence: cause.confidence,
          trace_id: cause.trace_id,
        }
      : null,
  };
}

function webhookUrl(text: string): URL {
  const refused = (reason: string) =>
    fwError(AGGREGATOR_ERRORS.FW_FLEET_WEBHOOK_OPTION, { option: 'webhookURL', reason });
  if (!URL.canParse(text)) throw refused('it is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(`its scheme is ${url.protocol.slice(0, -1)}`);
  if (url.username || url.password) throw refused('it holds a user name or a password');
  return url;
}

function keyOf(secret: string): Buffer {
  if (secret.length < 16) {
    throw fwError(AGGREGATOR_ERRORS.FW_FLEET_WEBHOOK_OPTION, {
      option: 'webhookSecret',
      reason: 'it is shorter than 16 characters',
    });
  }
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
}
