import type { Direction } from '../../../kernel/contracts/fleet-wire.js';

/** A violation in its place in a trace. */
interface PlacedViolation {
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
  #dropped = 0;

  constructor(private readonly isBelow: IsBelow) {}

  /** Traces that newer ones pushed out, and violations that their trace had no room for. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Remembers a violation.
   *
   * @returns the origin of the wrong value as far as it is known by now, empty for an untraced caller
   */
  add(violation: PlacedViolation): string {
    const known = this.#remembered(violation.trace_id);
    const isNew = !known.some((each) => each.span_id === violation.span_id && isSameValue(each, violation));
    if (isNew && known.length >= MAX_PER_TRACE) this.#dropped++;
    else if (isNew) known.push(violation);
    return this.passedOnFrom(violation) ?? serviceOf(violation);
  }

  /** Names the caller of a request, which was not known when its violations were added. */
  called(traceId: string, spanId: string, caller: string): void {
    const known = this.#traces.get(traceId);
    if (known)
      this.#traces.set(
        traceId,
        known.map((each) => (each.span_id === spanId ? { ...each, caller } : each)),
      );
  }

  /**
   * The origin of a wrong value that its service only passes on. Asked again later, because the spans between may not have arrived yet.
   *
   * @returns undefined while it seems to be the service's own
   */
  passedOnFrom(violation: PlacedViolation): string | undefined {
    const known = this.#traces.get(violation.trace_id) ?? [];
    const others = known.filter((each) => each.span_id !== violation.span_id && isSameValue(each, violation));
    let source = violation;
    for (const _ of others) source = others.find((each) => this.#isPassedOn(each, source)) ?? source;
    return source === violation ? undefined : serviceOf(source);
  }

  // A status or media type has no place in a body by which it could be told from another one: each service between has to have it as well.
  #isPassedOn(each: PlacedViolation, by: PlacedViolation): boolean {
    const [lower, upper] = each.direction === 'response' ? [each, by] : [by, each];
    const isSame = each.path !== '' || lower.caller === upper.callee;
    return isSame && this.isBelow(each.trace_id, lower.span_id, upper.span_id);
  }

  #remembered(traceId: string): PlacedViolation[] {
    const known = this.#traces.get(traceId) ?? [];
    this.#traces.delete(traceId);
    this.#traces.set(traceId, known);
    if (this.#traces.size > MAX_TRACES) {
      this.#traces.delete(this.#traces.keys().next().value as string);
      this.#dropped++;
    }
    return known;
  }
}

// The service that a wrong value is seen at.
function serviceOf({ direction, callee, caller }: PlacedViolation): string {
  return direction === 'response' ? callee : caller;
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
