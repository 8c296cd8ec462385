import { type AnyMiddleware, direct, type HttpContext } from '../../../kernel/index.js';
import { KnownSecret } from '../../../kernel/secrets/index.js';
import type { LogStore } from './log-store.js';

/**
 * Answers `GET <path>?trace_id=` with the log lines of a trace, for callers with the service token.
 *
 * @param path - exact path of the endpoint
 * @param serviceToken - compared in constant time; never empty
 */
export function logEndpoint(store: LogStore, path: string, serviceToken: string): AnyMiddleware {
  const expected = new KnownSecret(serviceToken);
  return direct(function fleetLogs(context, next) {
    if (context.path !== path || context.method !== 'GET') return next();
    const isKnown = expected.isGivenAs(context.req.headers['x-fleet-token']);
    context.status = isKnown ? 200 : 401;
    context.type = 'application/json';
    context.set('Cache-Control', 'no-store');
    context.body = JSON.stringify(isKnown ? store.of(traceIdOf(context)) : { error: 'unauthorized' });
    return undefined;
  });
}

function traceIdOf(context: HttpContext): string {
  return new URLSearchParams(context.querystring).get('trace_id') ?? '';
}
