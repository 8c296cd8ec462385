import { type Static, Type } from 'typebox';
import { brief } from '../../../kernel/index.js';
import { Integer, Numeric, optional, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import type { Service } from './service-input.js';

const SHOWN_SQL = 160;

const Repeated = Type.Object({
  sql: Text,
  times: Integer,
  total_ms: Numeric,
  model: optional(Text),
  relation: optional(Text),
});
const Statements = Type.Object({
  average: Numeric,
  most: Integer,
  slowest: Type.Object({ sql: Text, ms: Numeric }),
  repeated: optional(Repeated),
});

/** The dashboard's facts about a route, as far as tools use them. */
export const RouteFacts = Type.Object({
  method: Text,
  pattern: Text,
  controller: Text,
  middleware: Texts,
  requests: Numeric,
  avg_latency_ms: Numeric,
  p95_latency_ms: optional(Numeric),
  max_latency_ms: Numeric,
  last_request: Type.Union([Text, Type.Null()]),
  errors: Numeric,
  // Missing in answers of older versions.
  statements: optional(Statements),
  roles: optional(Texts),
  public: optional(YesNo),
  summary: optional(Text),
  description: optional(Text),
  tags: optional(Texts),
  documented: YesNo,
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
