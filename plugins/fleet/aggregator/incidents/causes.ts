import type { IncidentCause, SpanNode, Trace } from '../../../../kernel/contracts/fleet-wire.js';
import { byText, grouped } from '../../../../kernel/values/index.js';
import type { StoredTrace } from '../stored-trace.js';
import type { TraceStore } from '../trace-store.js';

/** Share of them that a cause has to explain. */
const SHARE = 0.25;

/** A cause with its key. */
export interface FoundCause {
  /** Equal for services that fail for the same cause. */
  readonly key: string;
  readonly cause: IncidentCause;
  /** Whether the traces that tell it were whole. */
  readonly isSettled: boolean;
}

interface Seen {
  readonly trace: Trace;
  readonly node: SpanNode;
}

/**
 * Why services fail, from the verdicts about their newest failing traces. A service may have several causes at once; a cause that explains
 * few of its failures is left out.
 *
 * @param services - those that fail
 * @param since - milliseconds since the epoch: older traces do not count
 * @param now - the same
 * @param assembled - a trace put together
 * @returns the causes of each service, the one that explains the most first; none for a service whose traces are gone, or tell nothing
 */
export function causesOf(
  services: ReadonlySet<string>,
  store: TraceStore,
  { since, now }: { readonly since: number; readonly now: number },
  assembled: (trace: StoredTrace) => Trace,
): ReadonlyMap<string, readonly FoundCause[]> {
  const found = (service: string) => {
    const { traces, isSettled } = store.failures.of(service, now);
    return causesIn(traces.filter(({ lastSeen }) => lastSeen >= since).map(assembled), isSettled);
  };
  return new Map([...services].map((service) => [service, found(service)]));
}

function causesIn(traces: readonly Trace[], isSettled: boolean): readonly FoundCause[] {
  const seen = traces.flatMap((trace) => {
    const node = trace.root_cause_span_id === undefined ? undefined : spanOf(trace.roots, trace.root_cause_span_id);
    return node === undefined ? [] : [{ trace, node }];
  });
  return [...grouped(seen, ({ node }) => keyOf(node))]
    .filter(([, list]) => list.length / traces.length >= SHARE)
    .sort(([a, one], [b, other]) => other.length - one.length || byText(a, b))
    .map(([key, list]) => ({ key, cause: causeOf(list[0] as Seen, list.length / traces.length), isSettled }));
}

function spanOf(roots: readonly SpanNode[], id: string): SpanNode | undefined {
  const waiting = [...roots];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.span_id === id) return node;
    waiting.push(...(node.children ?? []));
  }
  return undefined;
}

const CALLS: ReadonlySet<string | undefined> = new Set(['client', 'query', 'producer']);

// A service has one key, for all its failing routes, and whether its own spans or those of its callers report the failure. So has a
// database, and a service that sends no spans.
function keyOf(node: SpanNode): string {
  const isNamed = node.peer_service !== undefined;
  return CALLS.has(node.kind) && !isNamed
    ? `target\0${targetOf(node)}`
    : `service\0${node.peer_service ?? node.service}`;
}

function targetOf({ attributes = {}, service, peer_service: peer }: SpanNode): string {
  if (peer !== undefined) return peer;
  const { 'server.address': address, 'server.port': port } = attributes;
  if (address !== undefined) return port === undefined ? String(address) : `${address}:${port}`;
  const kind = attributes['db.system.name'] ?? attributes['messaging.system'];
  // A database without an address is treated as one that only this service uses.
  return kind === undefined ? `what ${service} calls` : `${kind} of ${service}`;
}

function causeOf({ trace, node }: Seen, share: number): IncidentCause {
  const isCall = CALLS.has(node.kind);
  return {
    name: isCall ? targetOf(node) : node.service,
    kind: isCall ? 'target' : 'service',
    service: node.service,
    method: node.method,
    route: node.route,
    status: node.status,
    ...(node.error !== undefined && { error: node.error }),
    reason: trace.root_cause_reason ?? '',
    confidence: trace.root_cause_confidence ?? 'unsure',
    evidence: trace.root_cause_evidence ?? [],
    trace_id: trace.trace_id,
    span_id: node.span_id,
    share,
  };
}
