import type { Incident } from '../../../../wire/fleet.js';
import type { Hop } from './hops.js';
import { OUTSIDE } from './hops.js';
import type { TraceView } from './spans.js';

/** A failing service and whom it drags along, as the topology shows it. */
export interface BlastRadius {
  readonly origin: string;
  /** Calls between a service and the failing one. */
  readonly hops: ReadonlyMap<string, number>;
  /** Where this is known from. */
  readonly from: 'incident' | 'trace';
}

/** The radius of an incident. */
export function radiusOfIncident({ service, affected }: Incident): BlastRadius {
  return { origin: service, hops: new Map(affected.map((each) => [each.service, each.hops])), from: 'incident' };
}

/**
 * The radius of a trace's root cause: the open incident of its service says more than one trace can; without one, the services
 * above the cause that failed because of it.
 */
export function radiusOfTrace({ cause, byId }: TraceView, incidents: readonly Incident[]): BlastRadius | undefined {
  if (cause === undefined) return undefined;
  const origin = cause.node.service;
  const incident = incidents.find(({ service, state }) => service === origin && state === 'open');
  if (incident && incident.affected.length > 0) return radiusOfIncident(incident);
  const hops = new Map<string, number>();
  let distance = 0;
  let below = origin;
  for (let at = byId.get(cause.parentId ?? ''); at !== undefined; at = byId.get(at.parentId ?? '')) {
    const { service } = at.node;
    if (service !== below) distance++;
    below = service;
    if (at.mark === 'derived' && service !== origin && !hops.has(service)) hops.set(service, distance);
  }
  return { origin, hops, from: 'trace' };
}

/** Whether failure travels along a call: both of its ends are in the radius, the callee nearer to the origin. */
export function isOnTheWay({ origin, hops }: BlastRadius, { caller, callee }: Pick<Hop, 'caller' | 'callee'>): boolean {
  const distance = (name: string) => (name === origin ? 0 : hops.get(name));
  const above = caller === OUTSIDE ? undefined : distance(caller);
  const below = distance(callee);
  return above !== undefined && below !== undefined && below < above;
}
