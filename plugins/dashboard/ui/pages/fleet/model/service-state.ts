import type { ServiceInfo, ServiceStatus, TopologyNode } from '../../../../wire/fleet.js';

/** Failed share from which the graph shows a service as degraded when it sends no heartbeats. */
const DEGRADED_FROM = 0.05;

/** A service with what its heartbeats and its traffic say. */
export interface FleetService {
  readonly name: string;
  /** `silent`: it is seen in traces only. */
  readonly state: ServiceStatus | 'silent';
  readonly info: ServiceInfo | undefined;
  readonly node: TopologyNode | undefined;
}

/** Every service that a heartbeat or a trace names, sorted by name. */
export function fleetServices(infos: readonly ServiceInfo[], nodes: readonly TopologyNode[]): readonly FleetService[] {
  const byName = new Map(infos.map((info) => [info.name, info]));
  const nodeOf = new Map(nodes.map((node) => [node.service, node]));
  const names = [...new Set([...byName.keys(), ...nodeOf.keys()])].filter((name) => name !== '').sort();
  return names.map((name) => {
    const [info, node] = [byName.get(name), nodeOf.get(name)];
    return { name, info, node, state: stateOf(info, node) };
  });
}

function stateOf(info: ServiceInfo | undefined, node: TopologyNode | undefined): FleetService['state'] {
  const isFailing = [node, node?.work].some((each) => each && each.calls > 0 && each.error_rate >= DEGRADED_FROM);
  if (info === undefined) return isFailing ? 'degraded' : 'silent';
  // A heartbeat counts since the last one; the graph remembers longer.
  return info.status === 'up' && isFailing ? 'degraded' : info.status;
}
