import { isIPv6 } from 'node:net';

/**
 * Key of a client: its address, or the network of its IPv6 address. One household or host usually owns a whole /64, so limits on single
 * IPv6 addresses would have no effect.
 *
 * @param prefix - leading bits of an IPv6 address that count, 1 to 128
 */
export function networkOf(address: string, prefix: number): string {
  if (prefix >= 128 || !isIPv6(address)) return address;
  const groups = expand(address);
  const kept = groups.map((group, index) => {
    const bits = Math.min(16, Math.max(0, prefix - index * 16));
    return bits === 0 ? 0 : group & (0xffff << (16 - bits)) & 0xffff;
  });
  return `${kept.map((group) => group.toString(16)).join(':')}/${prefix}`;
}

function expand(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const left = groupsOf(head);
  if (tail === undefined) return left;
  const right = groupsOf(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function groupsOf(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
