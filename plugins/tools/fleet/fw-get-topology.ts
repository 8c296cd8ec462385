import { type Static, Type } from 'typebox';
import { Integer, Text, Texts } from '../../../kernel/schema/index.js';
import { liveTool, readLive } from '../runtime/index.js';
import { aggregatorEndpoint, AggregatorInput } from './aggregator-input.js';
import { Edge, Node, Topology } from './wire.js';

const input = Type.Object(AggregatorInput);
const output = Type.Object({
  aggregator_url: Text,
  service_count: Integer,
  edge_count: Integer,
  entry_points: Texts,
  isolated: Type.Array(Text, { description: 'services without an edge' }),
  unhealthy: Texts,
  nodes: Type.Array(Node, { description: 'busiest first' }),
  edges: Type.Array(Edge, { description: 'busiest first' }),
  notes: Texts,
});

export const fwGetTopology = liveTool({
  name: 'fw_get_topology',
  description: 'Live graph of services and their calls, from a Fleet Aggregator.',
  input,
  output,
  run: async (given, context) => {
    const endpoint = await aggregatorEndpoint(given, context, 'topology');
    const found = await readLive({ ...endpoint, what: 'topology', schema: Topology }, context);
    const nodes = busiestFirst(found.nodes ?? []);
    const edges = busiestFirst(found.edges ?? []);
    const isolated = isolatedServices(nodes, edges);
    const structured = {
      aggregator_url: endpoint.base,
      service_count: nodes.length,
      edge_count: edges.length,
      entry_points: nodes
        .filter(({ entry }) => entry)
        .map(({ service }) => service)
        .sort(),
      isolated,
      unhealthy: nodes.filter(({ errors }) => errors > 0).map(unhealthyWords),
      nodes,
      edges,
      notes: notesOn(nodes.length, edges.length, isolated),
    };
    return {
      summary: `${nodes.length} services, ${edges.length} edges, ${structured.unhealthy.length} with errors`,
      structured,
    };
  },
});

function busiestFirst<Row extends { readonly calls: number }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => b.calls - a.calls);
}

function isolatedServices(nodes: readonly Static<typeof Node>[], edges: readonly Static<typeof Edge>[]): string[] {
  const connected = new Set(edges.flatMap(({ caller, callee }) => [caller, callee]));
  return nodes
    .map(({ service }) => service)
    .filter((service) => !connected.has(service))
    .sort();
}

function unhealthyWords({ service, error_rate, calls }: Static<typeof Node>): string {
  return `${service}: ${(error_rate * 100).toFixed(1)} % of ${calls} calls failed`;
}

function notesOn(services: number, edges: number, isolated: readonly string[]): string[] {
  if (services === 0) return ['No service has reported yet.'];
  if (edges === 0)
    return [
      'No call between services was seen. A call passes the trace on by tracedFetch(ctx)(url) of fw/fleet, not by fetch alone.',
    ];
  return isolated.length > 0 ? [`Without any call to or from others: ${isolated.join(', ')}.`] : [];
}
