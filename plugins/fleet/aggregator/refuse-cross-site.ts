import type { IncomingMessage } from 'node:http';
import { fwError } from '../../../kernel/index.js';
import { AGGREGATOR_ERRORS } from './errors.js';

/**
 * Refuses a change that a page of another site makes with a login that the browser has remembered: it has to be JSON, which needs a CORS
 * preflight, and the origin that a browser gives has to be this server.
 *
 * @throws FwError `FW_FLEET_CROSS_SITE`
 */
export function refuseCrossSite({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const refused = (reason: string) => fwError(AGGREGATOR_ERRORS.FW_FLEET_CROSS_SITE, { reason });
  const { 'content-type': type = '', 'sec-fetch-site': site = 'none', origin, host = '' } = headers;
  if (!/^application\/json\s*(?:;|$)/i.test(type)) throw refused('a change has to be sent as application/json');
  if (site !== 'none' && site !== 'same-origin') throw refused('it comes from a page of another site');
  if (origin !== undefined && !isHost(origin, host)) throw refused('its Origin is another one');
}

function isHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
