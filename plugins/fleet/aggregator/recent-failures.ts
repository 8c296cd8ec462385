import { BoundedMap } from '../../../kernel/bounded/index.js';
import { isFailedWork } from './root-cause/index.js';
import type { StoredSpan } from './stored-span.js';
import type { StoredTrace } from './stored-trace.js';

/** Traces of one service that are looked at: enough to tell why it fails. */
const EXAMINED = 20;
/** Traces that are remembered of each service, and of one second: where failures are many, they reach back for ten. */
const REMEMBERED = 200;
const OF_A_SECOND = REMEMBERED / 10;
/** Milliseconds without a further span after which a trace counts as whole: services send theirs each second. */
const SETTLED_AFTER = 3_000;

interface Failing {
  /** The oldest first. */
  readonly traces: StoredTrace[];
  /** The last second in which traces were added, and how many. */
  second: number;
  added: number;
}

/** Traces in which a service failed. */
export interface Failures {
  /** The newest first. */
  readonly traces: readonly StoredTrace[];
  /** Whether they are whole; otherwise spans of others may be on their way, and with them the cause. */
  readonly isSettled: boolean;
}

/** The newest traces in which each service failed, so that causes are looked for in a few and not in all. */
export class RecentFailures {
  readonly #services: BoundedMap<string, Failing>;

  constructor(maxServices: number) {
    this.#services = new BoundedMap(maxServices);
  }

  /** The newest traces of a service that are whole, or the newest ones where none is. */
  of(service: string, now: number): Failures {
    const newest = this.#services.get(service)?.traces.toReversed() ?? [];
    const settled = newest.filter(({ lastSeen }) => now - lastSeen >= SETTLED_AFTER);
    const isSettled = settled.length > 0;
    return { traces: (isSettled ? settled : newest).slice(0, EXAMINED), isSettled };
  }

  /** A span was added to a trace. */
  note(trace: StoredTrace, span: StoredSpan): void {
    if (!isFailure(span)) return;
    let failing = this.#services.get(span.service);
    if (failing === undefined) this.#services.set(span.service, (failing = { traces: [], second: 0, added: 0 }));
    const second = Math.floor(trace.lastSeen / 1000);
    if (second !== failing.second) Object.assign(failing, { second, added: 0 });
    if (failing.traces.includes(trace)) return;
    // Of a second with more than that, the newest one takes the place of the last.
    if (++failing.added > OF_A_SECOND) failing.traces.pop();
    failing.traces.push(trace);
    if (failing.traces.length > REMEMBERED) failing.traces.shift();
  }

  /** A span had to go from a trace that stays. */
  lost(trace: StoredTrace, span: StoredSpan): void {
    if (!isFailure(span) || trace.spans.some((each) => isFailure(each) && each.service === span.service)) return;
    this.#forget(trace, span.service);
  }

  remove(trace: StoredTrace): void {
    for (const span of trace.spans) if (isFailure(span)) this.#forget(trace, span.service);
  }

  #forget(trace: StoredTrace, service: string): void {
    const traces = this.#services.get(service)?.traces ?? [];
    const at = traces.indexOf(trace);
    if (at !== -1) traces.splice(at, 1);
  }
}

/** Whether a span is work of its service that failed: a request that it answered, a message that it took, or a job. */
function isFailure(span: StoredSpan): boolean {
  return (span.failed && span.kind === 'server') || isFailedWork(span);
}
