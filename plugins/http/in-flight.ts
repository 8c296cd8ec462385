import {
  type Duration,
  type FwError,
  fwError,
  type HttpContext,
  type Logger,
  milliseconds,
} from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';
import { upgradeOf } from './upgrade-dispatch.js';

/** Interval of log lines about refused requests, in milliseconds. */
const TELL_EVERY_MS = 10_000;

/** Limit of concurrent requests, and the answer to further ones. */
interface InFlightLimits {
  readonly requests: number;
  /** Default 1 s. */
  readonly retryAfter?: Duration;
}

/**
 * Counts requests from their head to the end of their response. Requests above the limit are refused before any work is done, so that
 * running ones finish in time and memory is bounded (RFC 9110, section 15.6.4).
 */
export class InFlight {
  #count = 0;
  #turnedAway = 0;
  #told = 0;
  #toldAt = -Infinity;
  readonly #seconds: string;

  /** @param isExempt - whether a request is answered however many there are */
  constructor(
    private readonly limits: InFlightLimits,
    private readonly isExempt: (context: HttpContext) => boolean,
    private readonly log: Logger,
  ) {
    this.#seconds = String(Math.ceil(milliseconds(limits.retryAfter ?? '1s') / 1000));
  }

  /** How many requests were refused. */
  get turnedAway(): number {
    return this.#turnedAway;
  }

  /** Admits a request. @returns the error if it is refused; a Retry-After header is set then */
  admit(context: HttpContext): FwError | undefined {
    const { requests } = this.limits;
    if (this.#count >= requests && !this.isExempt(context)) return this.#turnAway(context);
    // Not counted: after an upgrade the connection belongs to another protocol, and no response ends.
    if (upgradeOf(context.req) !== undefined) return undefined;
    this.#count++;
    context.res.once('close', () => this.#count--);
    return undefined;
  }

  #turnAway(context: HttpContext): FwError {
    this.#turnedAway++;
    const now = performance.now();
    if (now - this.#toldAt >= TELL_EVERY_MS) {
      this.log.warn(
        { inFlight: this.#count, turnedAway: this.#turnedAway - this.#told },
        'too many requests at a time: some get 503',
      );
      this.#toldAt = now;
      this.#told = this.#turnedAway;
    }
    context.set('Retry-After', this.#seconds);
    return fwError(HTTP_ERRORS.FW_HTTP_OVERLOADED, { requests: this.limits.requests });
  }
}
