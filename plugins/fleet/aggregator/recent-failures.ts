import { BoundedMap } from '../../../kernel/bounded/index.js';
import type { StoredSpan } from './stored-span.js';
import type { StoredTrace } from './stored-trace.js';

/** Traces of one service that are remembered: enough to tell why it fails. */
const REMEMBERED = 20;

interface Failing {
  /** The oldest first. */
  readonly traces: StoredTrace[];
  lastSeen: number;
}

/** The newest traces in which each service failed, so that causes are looked for in a few and not in all. */
export class RecentFailures {
  readonly #services: BoundedMap<string, Failing>;

  constructor(maxServices: number) {
    this.#services = new BoundedMap(maxServices);
  }

  /** The traces of a service, the newest first. */
  of(service: string): readonly StoredTrace[] {
    return this.#services.get(service)?.traces.toReversed() ?? [];
  }

  /** A span was added to a trace. */
  note(trace: StoredTrace, span: StoredSpan): void {
    if (!isFailure(span)) return;
    let failing = this.#services.get(span.service);
    if (failing === undefined) this.#services.set(span.service, (failing = { traces: [], lastSeen: 0 }));
    failing.lastSeen = trace.lastSeen;
    if (failing.traces.includes(trace)) return;
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

/** Whether a span is work of its service that failed: a request that it answered, or a message that it took. */
function isFailure({ kind, failed }: StoredSpan): boolean {
  return failed && (kind === 'server' || kind === 'consumer');
}
