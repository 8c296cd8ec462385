import type { Direction, Violation } from '../../../kernel/contracts/fleet-wire.js';
import { type Operations, SEVERAL, statusKey } from './operations.js';

/** A request without its bodies. */
export interface ObservedRequest {
  /** Empty when no traced service made it. */
  readonly caller: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** JSON text of the body. */
  readonly response?: string | undefined;
}

/** A violation of a request that does not depend on its bodies. */
export type RequestProblem = Pick<Violation, 'direction' | 'path' | 'rule' | 'expected' | 'observed' | 'severity'>;

/** Statuses whose answers have no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export const WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 205, 304]);
/** Statuses that a server may send for every operation. */
const OF_ANY_OPERATION: ReadonlySet<number> = new Set([0, 304]);

/**
 * Undocumented parts of a request: its route, method or status; or content where there must be none. A failure of the service (5xx) does
 * not count as an undocumented status.
 */
export function undocumentedOf(request: ObservedRequest, operations: Operations): readonly RequestProblem[] {
  const { method, route, status, response } = request;
  const content = WITHOUT_CONTENT.has(status) && response !== undefined ? [noContent(status)] : [];
  const found = operations.find(method, route);
  if (found === undefined) return [...content, ...undocumentedCallOf(request, operations)];
  if (found === SEVERAL) return content;
  const isKnown = found.statuses.length === 0 || statusKey(found.statuses, status) !== undefined;
  const isOwn = status < 500 && !OF_ANY_OPERATION.has(status);
  return isKnown || !isOwn ? content : [...content, unknownStatus(status, found.statuses)];
}

/**
 * The route or method of a request, if it is undocumented. Only routes that another service calls count, because a page or a health check is
 * no contract.
 */
export function undocumentedCallOf(request: ObservedRequest, operations: Operations): readonly RequestProblem[] {
  const { caller, method, route } = request;
  const isContract = caller !== '' && method !== 'OPTIONS';
  return isContract && operations.find(method, route) === undefined
    ? [unknownRoute(method, operations.methodsOf(route))]
    : [];
}

function unknownRoute(method: string, methods: readonly string[]): RequestProblem {
  if (methods.length === 0) {
    return warning('request', 'route', 'a route of the document', 'a route that it does not have');
  }
  return warning('request', 'method', listed(methods), method);
}

function unknownStatus(status: number, statuses: readonly string[]): RequestProblem {
  return warning('response', 'status', listed(statuses), String(status));
}

function noContent(status: number): RequestProblem {
  return { ...warning('response', 'content', `no content with ${status}`, 'content'), severity: 'error' };
}

function warning(direction: Direction, rule: string, expected: string, observed: string): RequestProblem {
  return { direction, path: '', rule, expected, observed, severity: 'warning' };
}

function listed(words: readonly string[]): string {
  return [...words].sort().slice(0, 20).join(' or ').slice(0, 200);
}
