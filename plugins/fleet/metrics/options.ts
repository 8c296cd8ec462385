import { Type } from 'typebox';
import { withDefault } from '../../../kernel/index.js';

/** Options of the plugin `fleet/metrics`. */
export const metricsOptions = Type.Object({
  path: withDefault(Type.String({ pattern: '^/[\\w./-]*$', description: 'where they are read' }), '/metrics'),
  token: withDefault(Type.String({ description: 'asked for as `Authorization: Bearer`; without it only this machine may read', secret: true }), ''),
  process: withDefault(Type.Boolean({ description: 'memory, processor time and event loop of the process' }), true),
  buckets: withDefault(
    Type.Array(Type.Number({ exclusiveMinimum: 0 }), { minItems: 1, maxItems: 30, description: 'upper bounds of the durations, in seconds, ascending' }),
    [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  ),
  maxSeries: withDefault(Type.Integer({ minimum: 1, maximum: 100_000, description: 'combinations of method, route and status; requests beyond them are counted as route `_overflow`' }), 1_000),
}); // prettier-ignore
