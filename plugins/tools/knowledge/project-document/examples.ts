import type { ProjectDocument } from './schema.js';

/** A working project document, with a description. */
export interface DocumentExample {
  readonly name: string;
  readonly description: string;
  readonly document: ProjectDocument;
}

/** Examples of project documents; `fw_list_examples` checks each of them whenever it is called. */
export const EXAMPLES: readonly DocumentExample[] = [
  {
    name: 'minimal-api',
    description: 'A JSON service with its API reference and nothing else.',
    document: { module: 'hello', docs: { enabled: true, title: 'Hello API' } },
  },
  {
    name: 'fleet-http',
    description: 'A traced service that exports its spans over HTTP.',
    document: {
      module: 'orders',
      fleet: { enabled: true, service_name: 'orders', transport: 'http', aggregator_url: 'http://fleet:9000/fleet' },
    },
  },
  {
    name: 'fleet-ws',
    description: 'A busy service: a quarter of the traces, exported over one lasting socket.',
    document: {
      module: 'catalogue',
      fleet: {
        enabled: true,
        transport: 'ws',
        aggregator_url: 'http://fleet:9000/fleet',
        aggregator_ws_url: 'ws://fleet:9000/fleet/ws',
        sample_rate: 0.25,
      },
    },
  },
  {
    name: 'fleet-events-memory',
    description: 'Spans over the event bus of the same process, for one process and its tests.',
    document: { module: 'shop', fleet: { enabled: true, transport: 'events' }, dashboard: { enabled: true } },
  },
  {
    name: 'guarded-api',
    description: 'Rate limit, CORS for one origin, security headers and JWT, in the order that the framework requires.',
    document: {
      module: 'accounts',
      server: { port: 8080 },
      middleware: [
        { name: 'recovery' },
        { name: 'logging' },
        { name: 'ratelimit', rps: 100 },
        { name: 'cors', origins: ['https://app.example.com'] },
        { name: 'security' },
        { name: 'jwt' },
      ],
      mcp: { enabled: true, port: 2100 },
    },
  },
  {
    name: 'nested-models',
    description: 'Two models with a relation, and a resource for each.',
    document: {
      module: 'store',
      models: [
        {
          name: 'Customer',
          fields: [
            { name: 'id', type: 'Int', primary_key: true },
            { name: 'email', type: 'string' },
          ],
        },
        {
          name: 'Order',
          fields: [
            { name: 'id', type: 'Int', primary_key: true },
            { name: 'customer', type: 'Customer' },
            { name: 'placedAt', type: 'Date', column: 'placed_at' },
          ],
        },
      ],
      routes: [
        { resource: 'customers', model: 'Customer', methods: ['GET', 'POST'] },
        { resource: 'orders', model: 'Order', methods: ['GET', 'POST', 'DELETE'] },
      ],
    },
  },
];
