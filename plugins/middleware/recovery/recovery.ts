import {
  afterNext,
  degraded,
  direct,
  HitCounter,
  type HttpContext,
  ok,
  type ProbeReport,
  toldOf,
  systemClock,
} from '../../../kernel/index.js';
import {
  announceError,
  isMeantForClient,
  type ProbedMiddleware,
  withoutClientErrors,
  withProbe,
  writeProblem,
} from '../../http/index.js';

/** Longest text of a panic that the probe shows. */
const SHOWN_CHARACTERS = 300;

/** A panic, as it is reported. */
export interface Panic {
  readonly value: unknown;
  /** Text of the value; the stack where it has one. */
  readonly stack: string;
  readonly method: string;
  readonly path: string;
}

/** Options of {@link recoveryMiddleware}. */
export interface RecoveryOptions {
  /** Gets every panic; default one line and the stack on standard output. Its exceptions become process warnings. */
  readonly report?: (panic: Panic) => void;
  /** Milliseconds since the epoch; default the machine's clock. */
  readonly now?: () => number;
}

/**
 * Recovers panics of everything after it: logs them with their stack and answers 500 problem+json. Errors that are meant for the client get
 * their own status and are not counted (SPEC "Middleware chain", 1).
 *
 * In JavaScript errors and panics are thrown alike; a panic is an error without an HTTP status.
 */
export function recoveryMiddleware(options: RecoveryOptions = {}): ProbedMiddleware {
  const { now = systemClock.now } = options;
  const report = options.report ? toldOf('report of the recovery middleware', options.report) : printPanic;
  const counter = new HitCounter({ hit: 'requests_completed', miss: 'aborted' }, now);
  // Kept even while counters are off.
  const facts = { count: 0, at: 0, text: '' };
  const completed = () => counter.hit();
  const recover = (context: HttpContext, thrown: unknown) => {
    const error = withoutClientErrors(context, thrown);
    const isPanic = !isMeantForClient(error);
    if (isPanic) {
      counter.miss();
      Object.assign(facts, { count: facts.count + 1, at: now(), text: shortText(error) });
      report(panicOf(error, context));
    }
    announceError(context, error, isPanic);
    answer(context, error);
  };
  const recovery = direct(function recovery(context, next) {
    return afterNext(next, completed, (error) => recover(context, error));
  });
  return withProbe(recovery, () => probeReport(facts, counter));
}

function answer(context: HttpContext, error: unknown): void {
  if (!context.headerSent) return writeProblem(context, error);
  // The status was sent already; only closing the connection tells the client that the body is incomplete.
  context.respond = false;
  context.res.destroy();
}

function panicOf(value: unknown, { method, path }: HttpContext): Panic {
  const stack = value instanceof Error ? (value.stack ?? String(value)) : new Error(`thrown: ${textOf(value)}`).stack;
  return { value, stack: stack ?? textOf(value), method, path };
}

function printPanic({ value, stack }: Panic): void {
  process.stdout.write(`[fw][PANIC] ${textOf(value)}\n${stack}\n`);
}

function shortText(value: unknown): string {
  const text = textOf(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

// Converting a thrown object to text may throw, which must not cause a second panic.
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

interface Facts {
  readonly count: number;
  readonly at: number;
  readonly text: string;
}

function probeReport({ count, at, text }: Facts, counter: HitCounter): ProbeReport {
  const last = count > 0 ? { last_panic_at: new Date(at).toISOString(), last_panic: text } : {};
  const extra = counter.facts({ panics_recovered: count, ...last });
  if (count === 0) return ok('No panic so far.', extra);
  return degraded(`${count} panics recovered; the last: ${text}`, extra);
}
