import {
  fwError,
  type GroupOptions,
  type RouteInput,
  type RouteOptions,
  type StaticOptions,
  type WebSocketRouteOptions,
} from '../../kernel/index.js';
import { isObject } from '../../kernel/values/index.js';
import { suggestion } from '../../kernel/errors/index.js';
import { HTTP_ERRORS } from './errors.js';
import type { AccessPlace } from './route-access.js';

// The compiler checks each list against its type, so that a new option cannot be missing here.
const ROUTE = {
  ...{
    title: 1,
    description: 1,
    tags: 1,
    input: 1,
    output: 1,
    status: 1,
    outputDescription: 1,
    blocking: 1,
    bodyLimit: 1,
    timeout: 1,
    evenWhenBusy: 1,
  },
  ...{ responses: 1, bodyExamples: 1, operationId: 1, security: 1 },
  ...{ use: 1, hidden: 1, deprecated: 1, encodedSlashes: 1, roles: 1, public: 1, validator: 1, precondition: 1 },
} satisfies Record<keyof RouteOptions, 1>;
const INPUT = { body: 1, query: 1, params: 1, header: 1 } satisfies Record<keyof RouteInput, 1>;
const GROUP = { tags: 1, hidden: 1, roles: 1, public: 1 } satisfies Record<keyof GroupOptions, 1>;
const FILES = { index: 1, fallback: 1, cacheControl: 1, roles: 1, public: 1 } satisfies Record<keyof StaticOptions, 1>;
const WEBSOCKET = {
  ...{ title: 1, description: 1, tags: 1, use: 1, origins: 1, maxPayload: 1, heartbeatMs: 1, roles: 1, public: 1 },
} satisfies Record<keyof WebSocketRouteOptions, 1>;

const KNOWN = { route: ROUTE, input: INPUT, group: GROUP, files: FILES, websocket: WEBSOCKET };

/**
 * Refuses unknown options: `role` instead of `roles` would leave a route open that was meant to be closed, and `path` instead of `params` an
 * input unchecked.
 *
 * @param options - the given value, of any type
 * @throws FwError `FW_HTTP_ROUTE_OPTION`
 */
export function refuseUnknownOptions(kind: keyof typeof KNOWN, options: unknown, place: AccessPlace): void {
  const known = Object.keys(KNOWN[kind]);
  if (!isObject(options)) {
    const problem = `its options are ${Array.isArray(options) ? 'a list' : String(options)}; expected an object`;
    throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_OPTION, { ...place, problem });
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const problem = `it has no option "${unknown}". ${suggestion(unknown, known)}Options are ${known.join(', ')}`;
  throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_OPTION, { ...place, problem });
}
