import {
  afterNext,
  direct,
  HitCounter,
  type HttpContext,
  monotonicMs,
  ok,
  statusOf,
  toldOf,
  yesOnly,
  systemClock,
} from '../../../kernel/index.js';
import { knownBody, type ProbedMiddleware, shownPath, withProbe } from '../../http/index.js';

/** One finished request. */
export interface RequestLine {
  readonly method: string;
  /** Without query string; control characters escaped. */
  readonly path: string;
  readonly status: number;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Milliseconds since the epoch when the request came in. */
  readonly startedAt: number;
}

/** Options of {@link loggingMiddleware}. */
export interface LoggingOptions {
  /**
   * Gets each request; default one line of text on standard output. Its exceptions become process warnings and do not affect the request.
   */
  readonly write?: (line: RequestLine) => void;
  /** Which requests are not logged, e.g. health checks: only `true` leaves one out. Synchronous. */
  readonly skip?: (context: HttpContext) => boolean;
  /** Milliseconds since the epoch; default the machine's clock. */
  readonly now?: () => number;
  /** Milliseconds that never go back; default the machine's clock. */
  readonly monotonic?: () => number;
}

/** Writes one line per request with method, path, status and duration, also when the request failed (SPEC "Middleware chain", 2). */
export function loggingMiddleware(options: LoggingOptions = {}): ProbedMiddleware {
  const { now = systemClock.now, monotonic = monotonicMs } = options;
  const skip = options.skip && yesOnly('skip of the logging middleware', options.skip);
  const write = options.write ? toldOf('write of the logging middleware', options.write) : printLine;
  const counter = new HitCounter({ hit: 'logged', miss: 'skipped' }, now);
  const logging = direct(function logging(context, next) {
    if (skip?.(context)) {
      counter.miss();
      return next();
    }
    const method = context.req.method as string;
    const path = printable(shownPath(context));
    const startedAt = now();
    const from = monotonic();
    const log = (status: number) => {
      counter.hit();
      write({ method, path, status, durationMs: monotonic() - from, startedAt });
    };
    const failed = (error: unknown) => {
      counter.error();
      log(statusOf(error));
      throw error;
    };
    const completed = () => {
      try {
        // A body that JSON cannot represent fails here, so that the line has the 500 that the client gets.
        if (!context.headerSent) knownBody(context);
      } catch (error) {
        return failed(error);
      }
      return log(context.res.statusCode);
    };
    return afterNext(next, completed, failed);
  });
  return withProbe(logging, () => ok('One line per request.', counter.facts()));
}

/** The line as text. */
export function formatLine({ method, path, status, durationMs, startedAt }: RequestLine): string {
  return `[fw][${new Date(startedAt).toISOString()}] ${method} ${path} -> ${status} (${durationMs.toFixed(3)}ms)`;
}

function printLine(line: RequestLine): void {
  process.stdout.write(`${formatLine(line)}\n`);
}

// A line break in a path must not become a second line of the log.
function printable(path: string): string {
  return /[^\x21-\x7e]/.test(path) ? encodeURI(path) : path;
}
