import type { IncomingMessage, ServerResponse } from 'node:http';
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
import { messageOf } from '../../../kernel/errors/index.js';
import { HTTP_ERRORS } from '../errors.js';
import type { HealthOptions } from './health-options.js';

/** Parts of the health endpoints. */
interface HealthParts {
  readonly options: HealthOptions;
  readonly log: Logger;
  readonly report: () => BootReport;
  readonly checks: () => readonly ReadinessCheck[];
  /** Whether a client may see the reasons. */
  readonly isTold: (request: IncomingMessage) => boolean;
  /** Whether a route of the application answers a path. */
  readonly hasRoute: (path: string) => boolean;
}

/** Result of a check. */
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

/** Milliseconds for which a result is cached, so that clients cannot cause a check more often. */
const KEPT_MS = 1_000;

/**
 * Answers liveness and readiness before any middleware: programs without credentials ask every few seconds, and must get an answer even
 * when rate limits and bounds refuse other requests. These requests are not in the access log; only changes of the state are logged.
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

  /** Path of the liveness endpoint; undefined where a route of the application answers it. */
  get livePath(): string | undefined {
    return this.parts.hasRoute(this.#live) ? undefined : this.#live;
  }

  /** Path of the readiness endpoint; undefined where a route of the application answers it. */
  get readyPath(): string | undefined {
    return this.parts.hasRoute(this.#ready) ? undefined : this.#ready;
  }

  /** Reports "not ready" from now on. Resolves when no further requests have to be accepted. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    const delay = milliseconds(this.parts.options.stopDelay ?? 0);
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
  }

  /** Answers a request for one of the two endpoints. @returns whether it was one */
  answers(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const isLive = isAt(url, this.#live);
    if (!isLive && !isAt(url, this.#ready)) return false;
    if (this.parts.hasRoute(isLive ? this.#live : this.#ready)) return false;
    if (isLive) answer(request, response, { status: 200, body: { status: 'alive' } });
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
    // Plugins that are still starting may contribute checks.
    if (this.parts.report().plugins.some(({ state }) => state === 'registered'))
      return Promise.resolve({ reason: 'it is still starting', checks: [] });
    const now = performance.now();
    if (this.#asked === undefined || now - this.#asked.at >= KEPT_MS) this.#asked = { at: now, answer: this.#ask() };
    return this.#asked.answer;
  }

  async #ask(): Promise<Readiness> {
    const signal = AbortSignal.timeout(milliseconds(this.parts.options.timeout ?? '2s'));
    const checks = await this.#checked(signal);
    const failed = checks.filter(({ ok }) => !ok);
    const reason = failed.length === 0 ? undefined : `${failed.map(({ name }) => name).join(', ')} does not answer`;
    this.#tell(reason, failed);
    return { ...(reason !== undefined && { reason }), checks };
  }

  async #checked(signal: AbortSignal): Promise<readonly Checked[]> {
    try {
      return await Promise.all(this.parts.checks().map((each) => run(each, signal)));
    } catch (error) {
      // A plugin fails to make its check. Nobody else would catch that, and the process would end.
      return [failedCheck('readiness check', error)];
    }
  }

  // Logs each change once.
  #tell(reason: string | undefined, failed: readonly Checked[]): void {
    if (this.#told === reason) return;
    if (reason === undefined) this.parts.log.info('ready again');
    else this.parts.log.warn({ checks: failed }, `not ready: ${reason}`);
    this.#told = reason;
  }
}

async function run(asked: ReadinessCheck, signal: AbortSignal): Promise<Checked> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    await Promise.race([Promise.resolve(signal).then((given) => asked.check(given)), aborted]);
    return { name: asked.name, ok: true };
  } catch (error) {
    return failedCheck(asked.name, error);
  }
}

function failedCheck(name: string, error: unknown): Checked {
  return { name, ok: false, ...(isFwError(error) && { code: error.code }), message: messageOf(error) };
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

// Asked of every request, so nothing is cut off for it.
function isAt(url: string, path: string): boolean {
  return url.startsWith(path) && (url.length === path.length || url[path.length] === '?');
}
