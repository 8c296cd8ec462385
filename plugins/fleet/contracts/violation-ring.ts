import type { Violation, ViolationGroup } from '../../../kernel/contracts/fleet-wire.js';

interface Group {
  readonly key: string;
  newest: Violation;
  count: number;
  readonly firstSeen: string;
  lastMs: number;
}

/** Which violations to list. */
export interface ViolationFilter {
  /** Caller or callee. */
  readonly service?: string;
  readonly severity?: string;
  readonly rule?: string;
  /** The newest ones, at most. */
  readonly limit?: number;
}

/** Keeps the newest violations; equal ones within a time are one group with a count. */
export class ViolationRing {
  // In order of the group's first occurrence.
  readonly #groups: Group[] = [];
  readonly #open = new Map<string, Group>();
  #dropped = 0;
  #total = 0;

  /**
   * @param dedupeWindow - milliseconds
   * @param passedOnFrom - tells the origin of a violation anew; undefined where nothing more is known
   */
  constructor(
    readonly limit: number,
    private readonly dedupeWindow: number,
    private readonly passedOnFrom: (violation: Violation) => string | undefined = () => undefined,
  ) {}

  get size(): number {
    return this.#groups.length;
  }

  /** Groups that were pushed out. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Violations seen, repetitions included. */
  get total(): number {
    return this.#total;
  }

  /** @returns the group that it fell into */
  add(violation: Violation, now: number): ViolationGroup {
    this.#total++;
    const key = keyOf(violation);
    const known = this.#open.get(key);
    const group = known && Math.abs(now - known.lastMs) <= this.dedupeWindow ? known : this.#begin(key, violation, now);
    group.count++;
    group.newest = violation;
    group.lastMs = now;
    return viewOf(group);
  }

  /** Takes a violation back, because more is known of it now: it is added again with that. */
  withdraw(violation: Violation): void {
    const group = this.#open.get(keyOf(violation));
    if (group === undefined) return;
    this.#total--;
    if (--group.count > 0) return;
    this.#open.delete(group.key);
    this.#groups.splice(this.#groups.indexOf(group), 1);
  }

  /** Groups, oldest first. */
  list(filter: ViolationFilter = {}): readonly ViolationGroup[] {
    const { service, severity, rule, limit } = filter;
    const found = this.#groups.filter(
      ({ newest }) =>
        (!service || newest.caller === service || newest.callee === service) &&
        (!severity || newest.severity === severity) &&
        (!rule || newest.rule === rule),
    );
    return (limit === undefined ? found : found.slice(-limit)).map((group) => {
      const origin = this.passedOnFrom(group.newest);
      if (origin !== undefined) group.newest = { ...group.newest, origin };
      return viewOf(group);
    });
  }

  #begin(key: string, violation: Violation, now: number): Group {
    const group: Group = { key, newest: violation, count: 0, firstSeen: violation.timestamp, lastMs: now };
    this.#groups.push(group);
    this.#open.set(key, group);
    if (this.#groups.length > this.limit) this.#dropOldest();
    return group;
  }

  #dropOldest(): void {
    const oldest = this.#groups.shift();
    if (oldest === undefined) return;
    this.#dropped++;
    if (this.#open.get(oldest.key) === oldest) this.#open.delete(oldest.key);
  }
}

function keyOf({ caller, callee, method, route, direction, path, rule }: Violation): string {
  return [caller, callee, method, route, direction, path, rule].join('\0');
}

function viewOf({ newest, count, firstSeen }: Group): ViolationGroup {
  return { ...newest, count, first_seen: firstSeen, last_seen: newest.timestamp };
}
