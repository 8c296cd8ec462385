import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { fwError } from '../../../kernel/index.js';
import { AGGREGATOR_ERRORS } from './errors.js';

/** Longest time that a name may take to resolve, in milliseconds. */
const LOOKUP_MS = 1_000;

const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'instance-data', 'instance-data.ec2.internal']);

const FORBIDDEN_IPV4 = [
  ['0.0.0.0', 32],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
] as const;

const forbidden = new BlockList();
for (const [address, bits] of FORBIDDEN_IPV4) {
  forbidden.addSubnet(address, bits);
  // As a translator between the two families takes it (RFC 6052, section 2.1).
  forbidden.addSubnet(`64:ff9b::${address}`, 96 + bits, 'ipv6');
}
forbidden.addAddress('::', 'ipv6');
forbidden.addSubnet('fe80::', 10, 'ipv6');
forbidden.addSubnet('ff00::', 8, 'ipv6');
forbidden.addAddress('fd00:ec2::254', 'ipv6');
forbidden.addAddress('fd20:ce::254', 'ipv6');

/** An address to connect to: resolved once, so that the name cannot resolve to another address later (DNS rebinding). */
export interface GuardedAddress {
  readonly url: URL;
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a name; injected for tests. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/**
 * Checks a URL that a heartbeat named before it is fetched: heartbeats may come from anybody who holds the ingest token. Private and
 * loopback addresses are allowed, because services use them; link-local, metadata and multicast addresses are not.
 *
 * @param allowedHosts - `host` or `host:port`; empty allows every other host
 * @throws FwError `FW_FLEET_URL_REFUSED`
 */
export async function guardUrl(
  text: string,
  allowedHosts: readonly string[],
  resolve: Resolve = resolveName,
): Promise<GuardedAddress> {
  const url = checkedUrl(text, allowedHosts);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(hostname) ? [{ address: hostname, family: isIP(hostname) }] : await resolve(hostname);
  const [first] = addresses;
  if (first === undefined) throw refused(`${hostname} has no address`);
  for (const { address } of addresses) if (isForbidden(address)) throw refused(`${hostname} is a reserved address`);
  return { url, address: first.address, family: first.family === 6 ? 6 : 4 };
}

function checkedUrl(text: string, allowedHosts: readonly string[]): URL {
  if (!URL.canParse(text)) throw refused('it is not a URL');
  // The URL parser converts decimal, octal and hexadecimal spellings of an address to the usual form.
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('only http and https are fetched');
  if (url.username || url.password) throw refused('it holds credentials');
  if (url.hostname === '') throw refused('it has no host');
  const name = url.hostname.replace(/\.$/, '').toLowerCase();
  if (METADATA_NAMES.has(name)) throw refused(`${name} is a metadata service`);
  if (allowedHosts.length > 0 && !isAllowed(url, allowedHosts))
    throw refused(`${url.host} is not in fetchAllowedHosts`);
  return url;
}

function isAllowed(url: URL, allowedHosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allowedHosts.some((entry) => {
    const allowed = entry.trim().toLowerCase();
    return allowed === url.hostname || allowed === `${url.hostname}:${port}`;
  });
}

function isForbidden(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped) return forbidden.check(mapped);
  // BlockList recognises IPv4-mapped addresses in hexadecimal form itself.
  return forbidden.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

async function resolveName(hostname: string) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(refused(`${hostname} does not resolve within ${LOOKUP_MS} ms`)), LOOKUP_MS);
  });
  try {
    return await Promise.race([lookup(hostname, { all: true, verbatim: true }), late]);
  } catch (cause) {
    throw (cause as { code?: unknown }).code === 'FW_FLEET_URL_REFUSED'
      ? cause
      : refused(`${hostname} does not resolve`);
  } finally {
    clearTimeout(timer);
  }
}

function refused(reason: string) {
  return fwError(AGGREGATOR_ERRORS.FW_FLEET_URL_REFUSED, { reason });
}
