import type { Direction } from '../../../kernel/contracts/fleet-wire.js';

/** A violation in its place in a trace. */
export interface PlacedViolation {
  readonly trace_id: string;
  readonly span_id: string;
  readonly caller: string;
  readonly callee: string;
  readonly direction: Direction;
  readonly path: string;
  readonly rule: string;
  readonly expected: string;
  readonly observed: string;
}

/** Whether a span of a trace is below another one, directly or through others. */
export type IsBelow = (traceId: string, spanId: string, ancestorId: string) => boolean;

/** Traces whose violations are remembered, and violations of each. */
const MAX_TRACES = 1_000;
const MAX_PER_TRACE = 64;

/**
 * Finds out where a wrong value comes from when several services of a trace pass it on. An answer goes up: the lowest service that gave it is
 * its origin. A request goes down: the topmost caller is.
 */
export class ViolationOrigins {
  readonly #traces = new Map<string, PlacedViolation[]>();

  constructor(private readonly isBelow: IsBelow) {}

  /**
   * Remembers a violation.
   *
   * @returns the service that the wrong value comes from, empty for a caller outside of all traces; and those violations, known before, for
   *   which that is news
   */
  add(violation: PlacedViolation): { readonly origin: string; readonly passedOn: readonly PlacedViolation[] } {
    const known = this.#remembered(violation.trace_id);
    const same = known.filter((each) => isSameValue(each, violation));
    const others = same.filter(({ span_id: span }) => span !== violation.span_id);
    if (same.length === others.length && known.length < MAX_PER_TRACE) known.push(violation);
    const source = others.reduce((origin, each) => (this.#isNearer(each, origin) ? each : origin), violation);
    const origin = violation.direction === 'response' ? source.callee : source.caller;
    return { origin, passedOn: source === violation ? others.filter((each) => this.#isNearer(violation, each)) : [] };
  }

  #remembered(traceId: string): PlacedViolation[] {
    const known = this.#traces.get(traceId) ?? [];
    this.#traces.delete(traceId);
    this.#traces.set(traceId, known);
    if (this.#traces.size > MAX_TRACES) this.#traces.delete(this.#traces.keys().next().value as string);
    return known;
  }

  #isNearer(a: PlacedViolation, b: PlacedViolation): boolean {
    const [lower, upper] = a.direction === 'response' ? [a, b] : [b, a];
    return this.isBelow(a.trace_id, lower.span_id, upper.span_id);
  }
}

// Passed on, a value often stands elsewhere in the body: what is compared is the member that holds it, and what is wrong with it.
function isSameValue(a: PlacedViolation, b: PlacedViolation): boolean {
  return (
    a.direction === b.direction &&
    a.rule === b.rule &&
    a.expected === b.expected &&
    a.observed === b.observed &&
    memberOf(a.path) === memberOf(b.path)
  );
}

function memberOf(path: string): string | undefined {
  return path
    .split('/')
    .slice(1)
    .findLast((part) => !/^\d+$/.test(part));
}
