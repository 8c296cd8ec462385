import { createHmac, randomUUID } from 'node:crypto';
import { fwError, type Logger, monotonicMs, runInRequestContext, systemClock } from '../../../../kernel/index.js';
import type { Incident, WebhookReport } from '../../../../kernel/contracts/fleet-wire.js';
import { urlProblem } from '../../../../kernel/net/index.js';
import { leastBy } from '../../../../kernel/values/index.js';
import { AGGREGATOR_ERRORS } from '../errors.js';
import type { IncidentEvent } from './incident-log.js';

/** Pauses before the further tries, in milliseconds. */
const PAUSES = [1_000, 5_000, 30_000, 120_000, 600_000];
const [LONGEST_PAUSE] = PAUSES.slice(-1) as [number];
const TIMEOUT_MS = 5_000;
/** Messages that wait at most; then the oldest is dropped. */
const MOST_WAITING = 100;
/** Statuses below 500 after which a retry may succeed. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429]);
/** Prefix of a secret in base64 (Standard Webhooks, "Secrets"). */
const PREFIX = 'whsec_';
/** Least size of a key, in bytes. */
const LEAST = 16;

/** Report for statistics without a webhook. */
export const NO_WEBHOOK: WebhookReport = { origin: '', waiting: 0, delivered: 0, failed_tries: 0, dropped: 0 };

/** URL for messages, and the secret that signs them. */
interface WebhookOptions {
  readonly url: string;
  readonly secret: string;
}

interface Message {
  readonly id: string;
  readonly incident: number;
  readonly body: string;
  tries: number;
  /** When it may be sent, in monotonic milliseconds. */
  due: number;
}

/**
 * Sends messages about incidents over HTTP: signed as the Standard Webhooks specification says (https://www.standardwebhooks.com), tried up
 * to six times. One is sent at a time, and those of an incident in their order; one that waits for its next try holds up no other incident,
 * unless the receiver asks to be left alone. The URL comes from the configuration alone, and redirects are not followed.
 */
export class IncidentWebhook {
  readonly #url: URL;
  readonly #key: Buffer;
  readonly #waiting: Message[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Message | undefined;
  /** Until when the receiver wants to be left alone, in monotonic milliseconds. */
  #quietUntil = -Infinity;
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
    refuseOption('webhookURL', urlProblem(url));
    refuseOption('webhookSecret', secretProblem(secret));
    this.#url = new URL(url);
    this.#key = keyOf(secret);
  }

  /** Queues a message about an incident; never waits, never throws. */
  tell(event: IncidentEvent, incident: Incident): void {
    if (this.#isClosed) return;
    const timestamp = new Date(this.now()).toISOString();
    const body = JSON.stringify({ type: `incident.${event}`, timestamp, data: messageOf(incident) });
    this.#waiting.push({ id: `msg_${randomUUID()}`, incident: incident.id, body, tries: 0, due: -Infinity });
    if (this.#waiting.length > MOST_WAITING) {
      this.#remove(this.#waiting.find((message) => message !== this.#sending) as Message);
      this.#dropped++;
    }
    void this.#next();
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
    clearTimeout(this.#timer);
    const message = this.#first();
    if (message === undefined || this.#sending !== undefined) return;
    const wait = Math.max(message.due, this.#quietUntil) - monotonicMs();
    if (wait > 0) {
      this.#timer = setTimeout(() => void this.#next(), wait).unref();
      return;
    }
    this.#sending = message;
    message.tries++;
    const failure = await this.#send(message);
    this.#sending = undefined;
    if (this.#isClosed) return;
    if (failure === undefined || !this.#isTriedAgain(message, failure)) this.#remove(message);
    void this.#next();
  }

  // Of each incident the oldest message; of these, the one whose time comes first.
  #first(): Message | undefined {
    const oldest = new Map<number, Message>();
    for (const message of this.#waiting) if (!oldest.has(message.incident)) oldest.set(message.incident, message);
    return leastBy([...oldest.values()], ({ due }) => due);
  }

  #remove(message: Message): void {
    this.#waiting.splice(this.#waiting.indexOf(message), 1);
  }

  #isTriedAgain(message: Message, { reason, isPermanent, retryAfter = 0 }: Failure): boolean {
    const { tries } = message;
    this.#failedTries++;
    this.#lastFailure = reason;
    const pause = isPermanent ? undefined : PAUSES[tries - 1];
    if (pause === undefined) {
      this.#dropped++;
      this.log?.warn({ reason, tries }, 'a message about an incident was not delivered');
      return false;
    }
    const now = monotonicMs();
    message.due = now + pause;
    if (retryAfter > 0) this.#quietUntil = now + Math.min(retryAfter, LONGEST_PAUSE);
    return true;
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
      return response.ok ? undefined : answered(response, this.now());
    } catch (cause) {
      return { reason: reasonOf(cause), isPermanent: false };
    }
  }
}

interface Failure {
  readonly reason: string;
  readonly isPermanent: boolean;
  /** Milliseconds for which the receiver wants to be left alone. */
  readonly retryAfter?: number;
}

function answered({ status, headers }: Response, now: number): Failure {
  return {
    reason: `it answered ${status}`,
    isPermanent: status < 500 && !RETRYABLE.has(status),
    retryAfter: waitOf(headers.get('retry-after') ?? '', now),
  };
}

// Seconds or a date (RFC 9110, section 10.2.3); anything else says nothing.
function waitOf(text: string, now: number): number {
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return wait > 0 ? wait : 0;
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
    fails: incident.fails,
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

function refuseOption(option: string, reason: string | undefined): void {
  if (reason !== undefined) throw fwError(AGGREGATOR_ERRORS.FW_FLEET_WEBHOOK_OPTION, { option, reason });
}

function secretProblem(secret: string): string | undefined {
  const isEncoded = secret.startsWith(PREFIX);
  if (isEncoded && !/^[A-Za-z0-9+/]+={0,2}$/.test(secret.slice(PREFIX.length)))
    return `what follows ${PREFIX} is no base64`;
  if (keyOf(secret).length >= LEAST) return undefined;
  return isEncoded ? `its key is shorter than ${LEAST} bytes` : `it is shorter than ${LEAST} characters`;
}

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
}
