import { type Static, Type } from 'typebox';
import { brief } from '../../../kernel/index.js';
import type { Service } from './service-input.js';

const SHOWN_SQL = 160;

const Repeated = Type.Object({
  sql: Type.String(),
  times: Type.Integer(),
  total_ms: Type.Number(),
  model: Type.Optional(Type.String()),
  relation: Type.Optional(Type.String()),
});
const Statements = Type.Object({
  average: Type.Number(),
  most: Type.Integer(),
  slowest: Type.Object({ sql: Type.String(), ms: Type.Number() }),
  repeated: Type.Optional(Repeated),
});

/** The dashboard's facts about a route, as far as tools use them. */
export const RouteFacts = Type.Object({
  method: Type.String(),
  pattern: Type.String(),
  controller: Type.String(),
  middleware: Type.Array(Type.String()),
  requests: Type.Number(),
  avg_latency_ms: Type.Number(),
  p95_latency_ms: Type.Optional(Type.Number()),
  max_latency_ms: Type.Number(),
  last_request: Type.Union([Type.String(), Type.Null()]),
  errors: Type.Number(),
  // Missing in answers of older versions.
  statements: Type.Optional(Statements),
  roles: Type.Optional(Type.Array(Type.String())),
  public: Type.Optional(Type.Boolean()),
  summary: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  documented: Type.Boolean(),
});
export type RouteFacts = Static<typeof RouteFacts>;

/** Routes of an application with their traffic. */
export function readRoutes(service: Service): Promise<RouteFacts[]> {
  return service.read({ endpoint: 'routes', what: 'routes', schema: Type.Array(RouteFacts) });
}

/** One sentence for each route that runs a statement for each of many rows, the worst first. */
export function nPlusOnes(routes: readonly RouteFacts[]): string[] {
  return routes
    .flatMap((route) => (route.statements?.repeated ? [{ route, repeated: route.statements.repeated }] : []))
    .sort((one, other) => other.repeated.times - one.repeated.times)
    .map(({ route, repeated }) => sentence(route, repeated));
}

function sentence(
  { method, pattern }: RouteFacts,
  { sql, times, total_ms, model, relation }: Static<typeof Repeated>,
): string {
  const what = model === undefined ? 'one statement' : `one statement of ${model}`;
  const property = relation?.split('.')[1];
  const remedy =
    property === undefined
      ? 'Read the rows with one statement (in), before the loop.'
      : `Load ${relation} at once: preload('${property}').`;
  return `N+1: ${method} ${pattern} ran ${what} ${times} times in one request (${total_ms} ms). ${remedy} ${brief(sql, SHOWN_SQL)}`;
}

/** The slowest statement of a route, if it has one. */
export function slowestOf({ statements }: RouteFacts): string | undefined {
  return statements && `${statements.slowest.ms} ms: ${brief(statements.slowest.sql, SHOWN_SQL)}`;
}
