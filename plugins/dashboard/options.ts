import { Type } from 'typebox';
import { DurationSchema, type ResolvedOptions, withDefault } from '../../kernel/index.js';

export const dashboardOptions = Type.Object({
  basePath: withDefault(Type.String({ description: 'Where it is mounted', pattern: '^/[^/].*[^/]$' }), '/dashboard'),
  username: Type.Optional(Type.String({ description: 'Login; enforced when user name and password are both set' })),
  password: Type.Optional(Type.String({ description: 'Password of the login', secret: true })),
  serviceToken: Type.Optional(
    Type.String({ description: 'Accepted in X-Fleet-Token for logs and diagnostics', secret: true }),
  ),
  fleetAggregatorURL: withDefault(
    Type.String({
      description:
        'Mount of a Fleet aggregator, e.g. http://fleet:9000/fleet, or its path when it runs in this application, e.g. /fleet; empty for no Fleet page',
    }),
    '',
  ),
  fleetAggregatorUsername: Type.Optional(
    Type.String({ description: 'Viewer name at the aggregator; stays on the server' }),
  ),
  fleetAggregatorPassword: Type.Optional(
    Type.String({ description: 'Viewer password at the aggregator; stays on the server', secret: true }),
  ),
  fleetIngestToken: Type.Optional(
    Type.String({
      description: 'Write credential of the aggregator, for importing traces on the Fleet page; stays on the server',
      secret: true,
    }),
  ),
  maxRequests: withDefault(Type.Integer({ description: 'Request records that are kept', minimum: 1 }), 1000),
  maxLogs: withDefault(Type.Integer({ description: 'Log lines that are kept per level', minimum: 1 }), 1000),
  maxQueries: withDefault(Type.Integer({ description: 'Database statements that are kept', minimum: 1 }), 500),
  slowRequest: withDefault(
    DurationSchema({ description: 'From which duration a request is always recorded' }),
    '500ms',
  ),
  slowQuery: withDefault(DurationSchema({ description: 'From which duration a database statement is slow' }), '100ms'),
  queries: withDefault(Type.Boolean({ description: 'Record the statements of the database, without values' }), true),
  timeline: Type.Optional(
    Type.Boolean({
      description:
        'Keep ambient request contexts on, so that queries and log lines are known by request; default in profile dev alone. They are on anyway with the log stamping of fleet/tracer',
    }),
  ),
});

/** Options of the dashboard with their defaults. */
export type DashboardOptions = ResolvedOptions<typeof dashboardOptions>;
