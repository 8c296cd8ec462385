import { fwError } from '../../../kernel/index.js';
import { withoutEnd } from '../../../kernel/values/index.js';
import { RUNTIME_ERRORS } from './errors.js';

/** Environment variable with the hosts that live tools may reach beside loopback: `host` or `host:port`, separated by commas. */
const ALLOWLIST_VARIABLE = 'FW_MCP_LIVE_ALLOWLIST';

/**
 * Base URL of a live service: `host:port` means http, a path is kept, a trailing slash is not.
 *
 * @param argument - name of the argument, for messages
 * @throws FwError `FW_TOOLS_LIVE_URL`, `FW_TOOLS_LIVE_HOST`
 */
export function liveBase(argument: string, given: string, environment = process.env): string {
  const text = given.trim();
  const url = parsed(argument, /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`, given);
  refuseForeignHost(argument, url, environment[ALLOWLIST_VARIABLE] ?? '');
  return `${url.origin}${withoutEnd(url.pathname, '/')}`;
}

function parsed(argument: string, text: string, given: string): URL {
  const problem = (words: string) =>
    fwError(RUNTIME_ERRORS.FW_TOOLS_LIVE_URL, {
      argument,
      given: JSON.stringify(withoutSecrets(given)),
      problem: words,
    });
  if (!URL.canParse(text)) throw problem('that is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw problem('only http and https are spoken');
  if (url.username !== '' || url.password !== '') throw problem('credentials do not belong into an address');
  if (url.search !== '' || url.hash !== '') throw problem('an address has no query and no fragment');
  return url;
}

// Everything between the scheme and the last `@` may be a password: those of addresses that are no URL may hold any character.
function withoutSecrets(given: string): string {
  const at = given.lastIndexOf('@');
  const scheme = /^\s*[a-z][a-z0-9+.-]*:\/\//i.exec(given)?.[0] ?? '';
  return (at < 0 ? given : `${scheme}***${given.slice(at)}`).slice(0, 200);
}

function refuseForeignHost(argument: string, url: URL, allowlist: string): void {
  const host = url.hostname.toLowerCase();
  if (/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host)) return;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const allowed = allowlist
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
  if (allowed.includes(host) || allowed.includes(`${host}:${port}`)) return;
  const listed = allowed.length === 0 ? 'not set' : allowed.join(', ');
  throw fwError(RUNTIME_ERRORS.FW_TOOLS_LIVE_HOST, { argument, host: url.host, allowed: listed });
}

/** `/dashboard` of `dashboard/`, one leading slash and no trailing one; empty for `/`. */
export function normalPath(given: string): string {
  const trimmed = withoutEnd(given.trim().replace(/^\/+/, ''), '/');
  return trimmed === '' ? '' : `/${trimmed}`;
}
