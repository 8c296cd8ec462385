import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import {
  type BootReport,
  fwError,
  isFwError,
  type Logger,
  milliseconds,
  PROBLEM_MEDIA_TYPE,
  type ReadinessCheck,
  toProblem,
} from '../../../kernel/index.js';
import { HTTP_ERRORS } from '../errors.js';
import type { HealthOptions } from './health-options.js';

/** What an application says of itself to those who start it and send it requests. */
export interface HealthParts {
  readonly options: HealthOptions;
  readonly log: Logger;
  readonly report: () => BootReport;
  readonly checks: () => readonly ReadinessCheck[];
  /** Whether whoever asks may know what is wrong. */
  readonly isTold: (request: IncomingMessage) => boolean;
  /** Whether a route of the application answers a path. */
  readonly hasRoute: (path: string) => boolean;
}

/** What a check came to. */
interface Checked {
  readonly name: string;
  readonly ok: boolean;
  readonly code?: string;
  readonly message?: string;
}

interface Readiness {
  /** Why it is not ready; undefined when it is. */
  readonly reason?: string;
  readonly checks: readonly Checked[];
}

/** An answer serves those who ask within this time: nobody can make a database answer more often by asking. */
const KEPT_MS = 1_000;

/**
 * Answers liveness and readiness, before any middleware: they are asked every few seconds for as long as the process runs, by programs
 * that have no credential, and must be answered when rate limits and bounds turn others away. So they are in no access log; what changes
 * is logged.
 */
export class Health {
  readonly #live: string;
  readonly #ready: string;
  #isLeaving = false;
  #asked: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;
  #told: string | undefined;

  constructor(private readonly parts: HealthParts) {
    const { live = '/livez', ready = '/readyz' } = parts.options;
    this.#live = live;
    this.#ready = ready;
  }

  /** Where readiness is asked for. */
  get readyPath(): string {
    return this.#ready;
  }

  /** From now on it is not ready. Over when requests need no longer be taken. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    const delay = milliseconds(this.parts.options.stopDelay ?? 0);
    if (delay > 0) await after(delay);
  }

  /** Answers a request that asks for it. @returns whether it did */
  answers(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const [path = ''] = url.split('?', 1);
    if ((path !== this.#live && path !== this.#ready) || this.parts.hasRoute(path)) return false;
    if (path === this.#live) answer(request, response, { status: 200, body: { status: 'alive' } });
    else void this.#answerReady(request, response);
    return true;
  }

  async #answerReady(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { reason, checks } = await this.#readiness();
    const { report, isTold } = this.parts;
    const degraded = report().plugins.filter(({ state }) => state === 'degraded');
    const details = isTold(request) && {
      checks,
      degraded: degraded.map(({ id, reason: why }) => ({ plugin: id, reason: why })),
    };
    if (reason === undefined) return answer(request, response, { status: 200, body: { status: 'ready', ...details } });
    const problem = toProblem(fwError(HTTP_ERRORS.FW_HTTP_NOT_READY, { reason }));
    answer(request, response, { status: problem.status, body: { ...problem, ...details } });
  }

  #readiness(): Promise<Readiness> {
    if (this.#isLeaving) return Promise.resolve({ reason: 'it is about to stop', checks: [] });
    // What has started may still bring checks along.
    if (this.parts.report().plugins.some(({ state }) => state === 'registered'))
      return Promise.resolve({ reason: 'it is still starting', checks: [] });
    const now = performance.now();
    if (this.#asked === undefined || now - this.#asked.at >= KEPT_MS) this.#asked = { at: now, answer: this.#ask() };
    return this.#asked.answer;
  }

  async #ask(): Promise<Readiness> {
    const signal = AbortSignal.timeout(milliseconds(this.parts.options.timeout ?? '2s'));
    const checks = await Promise.all(this.parts.checks().map((each) => run(each, signal)));
    const failed = checks.filter(({ ok }) => !ok);
    const reason = failed.length === 0 ? undefined : `${failed.map(({ name }) => name).join(', ')} does not answer`;
    this.#tell(reason, failed);
    return { ...(reason !== undefined && { reason }), checks };
  }

  // Once for each change.
  #tell(reason: string | undefined, failed: readonly Checked[]): void {
    if (this.#told === reason) return;
    if (reason === undefined) this.parts.log.info('ready again');
    else this.parts.log.warn({ checks: failed }, `not ready: ${reason}`);
    this.#told = reason;
  }
}

async function run({ name, check }: ReadinessCheck, signal: AbortSignal): Promise<Checked> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    await Promise.race([Promise.resolve(signal).then(check), aborted]);
    return { name, ok: true };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { name, ok: false, ...(isFwError(error) && { code: error.code }), message };
  }
}

interface HealthAnswer {
  readonly status: number;
  readonly body: object;
}

function answer({ method }: IncomingMessage, response: ServerResponse, { status, body }: HealthAnswer): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': status === 200 ? 'application/json; charset=utf-8' : PROBLEM_MEDIA_TYPE,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...(status === 503 && { 'Retry-After': '1' }),
  });
  response.end(method === 'HEAD' ? undefined : text);
}
