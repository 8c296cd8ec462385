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
 * Finds the origin of a wrong value that several services of a trace pass on. For a response it is the lowest service that sent it; for a
 * request, the topmost caller.
 */
export class ViolationOrigins {
  readonly #traces = new Map<string, PlacedViolation[]>();

  constructor(private readonly isBelow: IsBelow) {}

  /**
   * Remembers a violation.
   *
   * @returns the origin of the wrong value, empty for an untraced caller; and earlier violations whose origin changes
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

// A passed-on value is often at another place of the body, so the name of its member and the kind of violation are compared.
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
