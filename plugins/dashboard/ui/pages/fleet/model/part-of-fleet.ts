import type { Topology } from '../../../../wire/fleet.js';
import type { BlastRadius } from './blast-radius.js';
import type { FleetService } from './service-state.js';

/** Services whose names begin alike, drawn as one. */
export interface ServiceGroup {
  /** What their names begin with. */
  readonly name: string;
  readonly members: readonly FleetService[];
}

/** Names and calls of what is drawn, with the groups among them by their names. */
export interface PartOfFleet {
  readonly services: readonly string[];
  readonly topology: Topology;
  readonly groups: ReadonlyMap<string, ServiceGroup>;
}

/** What somebody looks at. */
interface Focus {
  /** A service that was chosen: it and whoever it speaks with are drawn. */
  readonly service: string;
  /** A group that was opened: its members are drawn one by one. */
  readonly group: string;
  readonly radius: BlastRadius | undefined;
}

/** A group of more than this share of the fleet tells nothing about anything in it. */
const MOST_OF_THE_FLEET = 0.5;

/** The part of a large fleet that is drawn while no trace is open; undefined when there is nothing to leave out or to fold. */
export function partOfFleet(
  services: readonly FleetService[],
  topology: Topology,
  { service, group, radius }: Focus,
): PartOfFleet | undefined {
  if (radius) return only(topology, new Set([radius.origin, ...radius.hops.keys()]));
  if (services.some(({ name }) => name === service)) return only(topology, neighbours(topology, service));
  const groups = groupsOf(services);
  return groups.length === 0 ? undefined : folded(services, topology, groups, group);
}

function neighbours({ edges }: Topology, service: string): ReadonlySet<string> {
  const touching = edges.filter(({ caller, callee }) => caller === service || callee === service);
  return new Set([service, ...touching.flatMap(({ caller, callee }) => [caller, callee])]);
}

function only({ nodes, edges }: Topology, names: ReadonlySet<string>): PartOfFleet {
  return {
    services: [...names],
    topology: {
      nodes: nodes.filter(({ service }) => names.has(service)),
      edges: edges.filter(({ caller, callee }) => names.has(caller) && names.has(callee)),
    },
    groups: new Map(),
  };
}

/** Services by the first word of their names; one alone is no group. */
function groupsOf(services: readonly FleetService[]): readonly ServiceGroup[] {
  const byWord = new Map<string, FleetService[]>();
  for (const service of services) {
    const [word = ''] = service.name.split(/[-_./:]/, 1);
    byWord.set(word, [...(byWord.get(word) ?? []), service]);
  }
  return [...byWord]
    .filter(([, members]) => members.length > 1 && members.length <= services.length * MOST_OF_THE_FLEET)
    .map(([name, members]) => ({ name, members }));
}

function folded(
  services: readonly FleetService[],
  { nodes, edges }: Topology,
  groups: readonly ServiceGroup[],
  open: string,
): PartOfFleet {
  // A service may be called as the others of its group begin.
  const nameOf = ({ name, members }: ServiceGroup) => `${name} · ${members.length}`;
  const shut = groups.filter(({ name }) => name !== open);
  const standIn = new Map(shut.flatMap((group) => group.members.map(({ name }) => [name, nameOf(group)] as const)));
  const drawn = (name: string) => standIn.get(name) ?? name;
  const calls = new Map(
    edges
      .map((edge) => ({ ...edge, caller: drawn(edge.caller), callee: drawn(edge.callee) }))
      .filter(({ caller, callee }) => caller !== callee)
      .map((edge) => [`${edge.caller}\0${edge.callee}`, edge]),
  );
  const entries = new Map(nodes.map((node) => [drawn(node.service), { ...node, service: drawn(node.service) }]));
  for (const { service, entry } of nodes) {
    const node = entries.get(drawn(service));
    if (entry && node) entries.set(drawn(service), { ...node, entry });
  }
  return {
    services: [...new Set(services.map(({ name }) => drawn(name)))],
    topology: { nodes: [...entries.values()], edges: [...calls.values()] },
    groups: new Map(shut.map((group) => [nameOf(group), group])),
  };
}

/** The state of a group: that of its worst member; silent when no member sends heartbeats. */
export function stateOfGroup({ members }: ServiceGroup): FleetService['state'] {
  const states = new Set(members.map(({ state }) => state));
  return (['down', 'degraded', 'up'] as const).find((state) => states.has(state)) ?? 'silent';
}
