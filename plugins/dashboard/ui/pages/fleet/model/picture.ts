import type { Topology, TopologyEdge } from '../../../../wire/fleet.js';
import { type ArcPair, arcPair } from './arcs.js';
import { type GraphLayout, layoutGraph, type Point } from './graph-layout.js';
import { type Hop, hopKey, OUTSIDE } from './hops.js';

/** A pair of arcs in the picture of the fleet. */
export interface PictureEdge {
  readonly key: string;
  readonly caller: string;
  readonly callee: string;
  readonly arcs: ArcPair;
  /** The window's numbers; undefined for a call from outside, and for one that only the open trace knows. */
  readonly traffic: TopologyEdge | undefined;
}

/** Where everything is. */
export interface Picture {
  readonly layout: GraphLayout;
  readonly edges: readonly PictureEdge[];
}

/** Names and calls of a fleet: what decides where things are. */
interface Structure {
  readonly services: readonly string[];
  readonly calls: readonly { readonly caller: string; readonly callee: string }[];
  readonly entries: readonly string[];
}

/** The structure of the window, and of the open trace where the window has forgotten a part of it. */
export function structureOf({ nodes, edges }: Topology, hops: readonly Hop[]): Structure {
  const inner = hops.filter(({ caller }) => caller !== OUTSIDE);
  const entries = [
    ...nodes.filter(({ entry }) => entry).map(({ service }) => service),
    ...hops.filter(({ caller }) => caller === OUTSIDE).map(({ callee }) => callee),
  ];
  const services = [
    ...nodes.map(({ service }) => service),
    ...edges.flatMap(({ caller, callee }) => [caller, callee]),
    ...hops.flatMap(({ caller, callee }) => [caller, callee]),
  ];
  const calls = new Map([...edges, ...inner].map((call) => [hopKey(call.caller, call.callee), call]));
  return {
    services: [...new Set(services)].filter((name) => name !== OUTSIDE).sort(),
    calls: [...calls.values()].map(({ caller, callee }) => ({ caller, callee })),
    entries: [...new Set(entries)].sort(),
  };
}

/** Text that is equal for equal structures, so that the layout is made anew only when something came or went. */
export function structureKey({ services, calls, entries }: Structure): string {
  const pairs = calls.map(({ caller, callee }) => hopKey(caller, callee)).sort();
  return [services, pairs, entries].map((names) => names.join('\n')).join('\n\n');
}

/** Lays a structure out, with the arcs of every call: one there, one back. Traffic is not known yet. */
export function draw({ services, calls, entries }: Structure): Picture {
  const layout = layoutGraph(services, calls, entries);
  const outside = entries.map((callee) => ({ caller: OUTSIDE, callee }));
  return {
    layout,
    edges: [...outside, ...calls].map(({ caller, callee }) => {
      const key = hopKey(caller, callee);
      const [from, to] = [layout.places.get(caller) as Point, layout.places.get(callee) as Point];
      return { key, caller, callee, arcs: arcPair(from, to, caller === OUTSIDE), traffic: undefined };
    }),
  };
}
