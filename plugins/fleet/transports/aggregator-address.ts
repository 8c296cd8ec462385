import { fwError } from '../../../kernel/index.js';
import { withoutEnd } from '../../../kernel/values/index.js';
import { TRANSPORT_ERRORS } from './errors.js';

/**
 * The aggregator's mount as a URL: spaces trimmed, `http://` added when no scheme is given, no slash at the end.
 *
 * @param schemes - schemes of the transport, e.g. `['http:', 'https:']`
 * @throws FwError `FW_FLEET_TRANSPORT_ADDRESS`
 */
export function aggregatorAddress(text: string, schemes: readonly string[] = ['http:', 'https:']): URL {
  const trimmed = text.trim();
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `${schemes[0] as string}//${trimmed}`;
  if (!URL.canParse(absolute)) throw refused(text, 'it is not a URL');
  const url = new URL(absolute);
  if (!schemes.includes(url.protocol)) throw refused(text, `its scheme is ${url.protocol.slice(0, -1)}`);
  if (url.username || url.password) throw refused('(with credentials)', 'credentials do not belong into it');
  url.pathname = withoutEnd(url.pathname, '/');
  url.search = '';
  url.hash = '';
  return url;
}

function refused(url: string, reason: string) {
  return fwError(TRANSPORT_ERRORS.FW_FLEET_TRANSPORT_ADDRESS, { url, reason });
}
