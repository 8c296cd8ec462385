import type { Clock, HttpUpgrade, Logger } from '../../../kernel/index.js';
import type { EventBackend } from '../../../kernel/contracts/events.js';
import { Aggregator } from './aggregator.js';
import type { Credentials } from './credentials.js';
import { EventIntake } from './event-intake.js';
import { guardedText } from './guarded-fetch.js';
import { IncidentWebhook } from './incidents/webhook.js';
import { LiveSocket } from './live-socket.js';
import type { AggregatorSettings } from './options.js';
import { RequestBodies } from './request-bodies.js';

/** Time and size of an OpenAPI document's fetch. */
const DOCUMENT = { timeout: 5_000, maxBytes: 16 * 1024 * 1024 } as const;

/** An aggregator with its timers and inputs: its sweep, its WebSocket, and the event backend that it reads. */
export class AggregatorRuntime {
  readonly aggregator: Aggregator;
  readonly bodies: RequestBodies;
  readonly socket: LiveSocket;
  readonly upgrade: HttpUpgrade;
  intake: EventIntake | undefined;
  readonly #webhook: IncidentWebhook | undefined;
  #sweep: NodeJS.Timeout | undefined;

  constructor(
    settings: AggregatorSettings,
    private readonly credentials: Credentials,
    clock: Clock,
    private readonly log: Logger,
  ) {
    const limits = { ...DOCUMENT, allowedHosts: settings.fetchAllowedHosts };
    const { webhookURL: url, webhookSecret: secret } = settings;
    const webhook = url === '' ? undefined : new IncidentWebhook({ url, secret }, log, () => clock.now());
    this.#webhook = webhook;
    this.aggregator = new Aggregator(settings, {
      clock,
      log,
      fetchDocument: (address) => guardedText(address, limits),
      ...(webhook && { webhook: () => webhook.report() }),
    });
    if (webhook) this.aggregator.subscribe({ onIncident: (event, incident) => webhook.tell(event, incident) });
    this.bodies = new RequestBodies(settings);
    this.socket = new LiveSocket(this.aggregator, credentials, log);
    this.upgrade = {
      path: `${settings.basePath}/ws`,
      handle: (request, socket, head) => this.socket.accept(request, socket, head),
    };
  }

  async open(backend: EventBackend | undefined): Promise<void> {
    await this.socket.open();
    if (backend) await (this.intake = new EventIntake(this.aggregator, backend, this.credentials, this.log)).open();
    this.#sweep = setInterval(() => this.aggregator.sweep(), this.aggregator.sweepInterval).unref();
  }

  /** Logs who has access without a credential; called once the server listens. */
  warnAboutAccess(): void {
    for (const sentence of this.credentials.openness) this.log.warn(sentence);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#webhook?.close();
    this.socket.close();
    await this.intake?.close();
    await this.aggregator.close();
  }

  /** Statistics of the intakes besides the HTTP API. */
  intakes(): Readonly<Record<string, unknown>> {
    return { bodies: this.bodies.stats(), socket: this.socket.stats(), events: this.intake?.stats() ?? 'none' };
  }
}
