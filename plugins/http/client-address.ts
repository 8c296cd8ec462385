import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { fwError } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';

/** Gives the client address of a request. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/** Address of requests without a socket (in-process calls). */
export const LOCAL_CLIENT = 'local';

/** The address of the peer, without port; IPv4 also where it arrives mapped into IPv6 (RFC 4291, section 2.5.5.2). */
export function peerAddress({ socket }: Pick<IncomingMessage, 'socket'>): string {
  const address = (socket as IncomingMessage['socket'] | undefined)?.remoteAddress;
  return address === undefined ? LOCAL_CLIENT : unmapped(address);
}

/**
 * The address of the client behind trusted proxies: the last entry of `X-Forwarded-For` that is not one of them. Without trusted proxies,
 * or when the peer is not one, the header is ignored, because anybody can send it.
 *
 * @param trustedProxies - addresses or CIDR ranges
 * @throws FwError `FW_HTTP_TRUSTED_PROXY` when an entry is neither
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return peerAddress;
  const isTrusted = proxyTest(trustedProxies);
  return (request) => {
    const peer = peerAddress(request);
    const forwarded = request.headers['x-forwarded-for'];
    return forwarded !== undefined && isTrusted(peer) ? lastUntrusted(String(forwarded), peer, isTrusted) : peer;
  };
}

/** Tells trusted proxies from everybody else. @throws FwError `FW_HTTP_TRUSTED_PROXY` */
export function proxyTest(trustedProxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of trustedProxies) addTo(list, entry);
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}

function addTo(list: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/');
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix);
  if (version === 0 || !/^\d+$/.test(prefix ?? '0') || length > bits) {
    throw fwError(HTTP_ERRORS.FW_HTTP_TRUSTED_PROXY, { entry });
  }
  list.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
}

function lastUntrusted(header: string, peer: string, isTrusted: (address: string) => boolean): string {
  let client = peer;
  for (const entry of header.split(',').reverse()) {
    const address = unmapped(withoutPort(entry.trim()));
    // Entries to the left of an invalid one were not written by a trusted proxy.
    if (isIP(address) === 0) return client;
    client = address;
    if (!isTrusted(address)) return client;
  }
  return client;
}

function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(entry);
  if (bracketed) return bracketed[1] as string;
  return /^[\d.]+:\d+$/.test(entry) ? entry.slice(0, entry.indexOf(':')) : entry;
}

function unmapped(address: string): string {
  // Without a colon it is IPv4 already.
  if (!address.includes(':')) return address;
  const zone = address.indexOf('%');
  const bare = zone < 0 ? address : address.slice(0, zone);
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(bare) ? bare.slice(7) : bare;
}
