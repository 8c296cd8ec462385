import type { IncomingHttpHeaders } from 'node:http';
import { type FwError, fwError, type HttpContext } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';

/**
 * Why the origin headers of a request show a page of another server; undefined for a page of this one, and for a program that is no
 * browser. Fetch Metadata Request Headers, section 2.3, and The Web Origin Concept (RFC 6454), section 7.
 *
 * @param host - host name of this server for browsers: Host, or the one that a trusted proxy forwards
 */
export function foreignPage(headers: IncomingHttpHeaders, host: string): string | undefined {
  const { origin = '', 'sec-fetch-site': site } = headers;
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  // A form of our own page has an opaque origin under `Referrer-Policy: no-referrer` (Fetch, "append a request Origin header").
  const isOpaqueOwn = origin === 'null' && site === 'same-origin';
  const isOwn = isOwnSite && (origin === '' || isOwnOrigin(origin, host) || isOpaqueOwn);
  return isOwn ? undefined : 'this request comes from another web page';
}

/**
 * Refuses a state-changing request with a credential from another site's page; a program that is no browser passes. Sec-Fetch-Site is
 * reliable even if a proxy has replaced Host, so that Origin does not match it.
 */
export function foreignPageRefusal({ req, host }: Pick<HttpContext, 'req' | 'host'>): FwError | undefined {
  const isOwn = req.headers['sec-fetch-site'] === 'same-origin' || foreignPage(req.headers, host) === undefined;
  return isOwn ? undefined : fwError(HTTP_ERRORS.FW_HTTP_FOREIGN_PAGE, {});
}

/**
 * Whether a page may open a WebSocket. Browsers let any page open one with the user's cookies, so Origin, which every browser sends (RFC
 * 6455, section 10.2), decides.
 *
 * @param allowed - origins that a route lists, `*` for all; its own when it lists none
 */
export function mayConnect(
  { req, host }: Pick<HttpContext, 'req' | 'host'>,
  allowed: readonly string[] | undefined,
): boolean {
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (origin === undefined) return true;
  if (allowed === undefined) return site === 'same-origin' || isOwnOrigin(origin, host);
  return allowed.some((each) => each === '*' || written(each) === written(origin));
}

function isOwnOrigin(origin: string, host: string): boolean {
  return ['http', 'https'].some((scheme) => written(origin) === written(`${scheme}://${host}`));
}

// An origin as browsers write it: lower case, no default port, no path (RFC 6454, section 6.2).
function written(origin: string): string {
  const [, scheme = '', host = '', port] = /^(https?):\/\/([^/?#@\s]*?)(?::(\d+))?\/?$/i.exec(origin) ?? [];
  if (scheme === '') return origin.toLowerCase();
  const isDefault = port === undefined || port === DEFAULT_PORTS[scheme.toLowerCase()];
  return `${scheme}://${host}${isDefault ? '' : `:${port}`}`.toLowerCase();
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };
