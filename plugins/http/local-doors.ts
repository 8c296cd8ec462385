import { fwError } from '../../kernel/index.js';
import type { Door, DoorRequest, LocalDoors } from '../../kernel/contracts/local-doors.js';
import { isLoopbackAddress, isLoopbackHost, isLoopbackHostHeader } from '../../kernel/net/index.js';
import { type ClientAddress, clientAddress } from './client-address.js';
import { HTTP_ERRORS } from './errors.js';
import { requestHost } from './forwarded-request.js';
import type { HttpOptions } from './options.js';
import { foreignPage } from './own-page.js';

/** Facts for the rule about doors without a credential, besides the request. */
export interface DoorFacts {
  /** Active profile. */
  readonly profile: string;
  /** Address that the server listens on. */
  readonly host: string;
  readonly trustedProxies: readonly string[];
  readonly openDoors: HttpOptions['openDoors'];
}

/**
 * Headers that a proxy adds. A request with one of them comes from another machine than its socket shows (RFC 7239; RFC 9110, section
 * 7.6.3; RFC 8586; and documentation of proxies).
 */
const PROXY_HEADERS = new Set([
  ...['forwarded', 'via', 'cdn-loop', 'max-forwards', 'proxy-connection', 'proxy-authorization'],
  ...['x-real-ip', 'x-client-ip', 'client-ip', 'true-client-ip', 'remote-addr', 'x-remote-addr', 'x-remote-ip'],
  ...['fly-client-ip', 'fastly-client-ip', 'x-cluster-client-ip', 'x-proxyuser-ip', 'x-amzn-trace-id', 'x-arr-log-id'],
]);
const PROXY_PREFIXES = ['x-forwarded', 'x-original-', 'x-envoy-', 'x-azure-', 'x-appengine-', 'cf-', 'tailscale-'];

/**
 * Decides about doors without a credential.
 *
 * @param facts - called for each request, because a server knows its address once it listens
 */
export function localDoors(facts: () => DoorFacts): LocalDoors {
  let clientOf: ClientAddress | undefined;
  return {
    get closedBecause() {
      return closedBecause(facts());
    },
    refusal(request, door) {
      const reason = closedBecause(facts());
      if (reason !== undefined) return fwError(HTTP_ERRORS.FW_HTTP_DOOR_CLOSED, { ...door, reason });
      const problem = facts().openDoors === 'everyone' ? foreign(request, facts()) : notLocal(request);
      return problem === undefined ? undefined : fwError(HTTP_ERRORS.FW_HTTP_DOOR_LOCAL, { ...door, problem });
    },
    peerOf: (request) => (clientOf ??= clientAddress(facts().trustedProxies))(request),
    describe: (door) => sentence(door, facts()),
  };
}

function sentence({ name, credential }: Door, facts: DoorFacts): string {
  const reason = closedBecause(facts);
  const set = `set ${credential}`;
  if (reason !== undefined) return `${name} is CLOSED, because it has no credential and ${reason}: ${set}`;
  const whom = facts.openDoors === 'everyone' ? 'EVERYBODY who reaches this server' : 'whoever uses this machine';
  return `${name} is OPEN to ${whom}: ${set}`;
}

function closedBecause({ profile, host, trustedProxies, openDoors }: DoorFacts): string | undefined {
  if (openDoors !== 'development') return undefined;
  if (profile === 'prod') return 'the profile is prod';
  if (!isLoopbackHost(host)) return `the server listens on ${host}, beyond this machine`;
  return trustedProxies.length > 0 ? 'trusted proxies are configured' : undefined;
}

// Where doors are open to every address, a proxy is allowed too.
function foreign(request: DoorRequest, { trustedProxies }: DoorFacts): string | undefined {
  return foreignPage(request.headers, requestHost(trustedProxies)(request));
}

function notLocal({ headers, socket, url }: DoorRequest): string | undefined {
  // A socket that its client has closed has no address, but its request might still be executed: it is refused.
  if (!isLoopbackAddress((socket as DoorRequest['socket'] | undefined)?.remoteAddress ?? ''))
    return 'this request comes from another address';
  // A target with a host is meant for a proxy, and its Host header is ignored (RFC 9112, section 3.2.2).
  if (url?.startsWith('/') !== true) return 'the target of this request names another host';
  if (!isLoopbackHostHeader(headers.host)) return 'the Host of this request is no name of this machine';
  const proxy = Object.keys(headers).find(isProxyHeader);
  if (proxy !== undefined) return `this request came through a proxy, as its header ${proxy} says`;
  return foreignPage(headers, headers.host ?? '');
}

function isProxyHeader(name: string): boolean {
  return PROXY_HEADERS.has(name) || PROXY_PREFIXES.some((prefix) => name.startsWith(prefix));
}
