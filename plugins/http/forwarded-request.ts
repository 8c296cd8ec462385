import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type Koa from 'koa';
import { type ClientAddress, clientAddress, peerAddress, proxyTest } from './client-address.js';

/**
 * Makes `ctx.clientIp`, and Koa's `ip`, `ips`, `protocol` and `host`, use the forwarding headers of trusted proxies only. Koa's own switch
 * (`app.proxy`) trusts every client.
 */
export function believeProxies(app: Koa, trustedProxies: readonly string[]): void {
  const clientOf: ClientAddress = clientAddress(trustedProxies);
  define(app.context, 'clientIp', (request) => clientOf(request));
  if (trustedProxies.length === 0) return;
  const scheme = forwarded('x-forwarded-proto', trustedProxies);
  define(app.request, 'ip', (request) => clientOf(request));
  define(app.request, 'ips', (request) => [clientOf(request)]);
  // What a proxy says is about its own client; without a word of one, the connection says it.
  define(app.request, 'protocol', (request) => {
    const said = scheme(request);
    return (said === undefined ? isEncrypted(request) : said.toLowerCase() === 'https') ? 'https' : 'http';
  });
  define(app.request, 'host', requestHost(trustedProxies));
}

/** The parts of a request that show its proxy. */
type ForwardedRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * Gives the host name by which clients address this server: `X-Forwarded-Host` of a trusted proxy, or Host. @throws FwError
 * `FW_HTTP_TRUSTED_PROXY`
 */
export function requestHost(trustedProxies: readonly string[]): (request: ForwardedRequest) => string {
  const host = forwarded('x-forwarded-host', trustedProxies);
  return (request) => host(request) ?? request.headers.host ?? '';
}

function forwarded(name: string, trustedProxies: readonly string[]): (request: ForwardedRequest) => string | undefined {
  const isTrusted = proxyTest(trustedProxies);
  return (request) => (isTrusted(peerAddress(request)) ? firstOf(request.headers[name]) : undefined);
}

const isEncrypted = ({ socket }: ForwardedRequest): boolean => (socket as Partial<TLSSocket>).encrypted === true;

function define(target: object, name: string, read: (request: IncomingMessage) => unknown): void {
  Object.defineProperty(target, name, {
    configurable: true,
    get(this: { req: IncomingMessage }) {
      return read(this.req);
    },
  });
}

function firstOf(header: string | readonly string[] | undefined): string | undefined {
  const first = String(header ?? '')
    .split(',')[0]
    ?.trim();
  return first === '' ? undefined : first;
}
