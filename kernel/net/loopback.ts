import { BlockList, isIP, isIPv4 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Names and addresses of the machine itself, in the spelling that clients send. */
const LOOPBACK_NAME = /^(?:(?:[\w-]+\.)*localhost|(127\.\d{1,3}\.\d{1,3}\.\d{1,3})|\[::1\])$/i;

/**
 * Whether an address of a socket is one of the machine itself: 127.0.0.0/8 (RFC 1122, section 3.2.1.3), `::1` (RFC 4291,
 * section 2.5.3), or the former mapped into IPv6 (RFC 4291, section 2.5.5.2). What is no address is not.
 */
export function isLoopbackAddress(address: string): boolean {
  const bare = address.split('%', 1)[0] ?? '';
  const version = isIP(bare);
  return version !== 0 && LOOPBACK.check(bare, version === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Whether a host name means the machine itself: `localhost` and the names below it (RFC 6761, section 6.3), `127.x.x.x` in four decimal
 * parts, `[::1]`. Other spellings of these, such as `127.1`, `0x7f.1` or `localhost.`, are names like any other: browsers normalise them
 * before they send a request, so that other spellings come only from attackers.
 *
 * @param name - without port
 */
function isLoopbackName(name: string): boolean {
  const match = LOOPBACK_NAME.exec(name);
  return match !== null && (match[1] === undefined || isIPv4(match[1]));
}

/** Whether what a server listens on, a name or an address, means the machine itself; see {@link isLoopbackName}. */
export function isLoopbackHost(host: string): boolean {
  return isLoopbackName(host) || isLoopbackAddress(host);
}

/**
 * Whether a `Host` header, with or without a port, means the machine itself; see {@link isLoopbackName}.
 *
 * @param header - undefined when the request has none
 */
export function isLoopbackHostHeader(header: string | undefined): boolean {
  const match = /^(.+?)(?::(\d{1,5}))?$/.exec(header ?? '');
  return match !== null && isLoopbackName(match[1] as string) && Number(match[2] ?? 0) <= 65_535;
}
