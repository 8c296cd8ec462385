import { isIPv6 } from 'node:net';
import type { Clock } from '../contracts/clock.js';

const MAX_FAILURES = 8;
const BLOCK_MS = 15 * 60 * 1000;
const MAX_PEERS = 10_000;

interface Peer {
  failures: number;
  /** Monotonic milliseconds; 0 while the peer is not blocked. */
  blockedUntil: number;
}

/** Blocks an address for a quarter of an hour after eight failed logins. */
export class LoginThrottle {
  readonly #peers = new Map<string, Peer>();
  #forgotten = 0;
  #untracked = 0;

  constructor(private readonly clock: Clock) {}

  /** Addresses with failed logins; those forgotten for others; failed logins that found no room, because all others are blocked. */
  stats(): {
    readonly peers: number;
    readonly max_peers: number;
    readonly forgotten: number;
    readonly untracked: number;
  } {
    return { peers: this.#peers.size, max_peers: MAX_PEERS, forgotten: this.#forgotten, untracked: this.#untracked };
  }

  /** Seconds for which an address is still blocked; 0 when it is not. */
  blockedFor(address: string): number {
    const peer = this.#peers.get(keyOf(address));
    const left = (peer?.blockedUntil ?? 0) - this.clock.monotonic();
    return left > 0 ? Math.ceil(left / 1000) : 0;
  }

  failed(address: string): void {
    const key = keyOf(address);
    const known = this.#peers.get(key);
    if (!known && !this.#makeRoom()) {
      this.#untracked++;
      return;
    }
    const expired = known !== undefined && known.blockedUntil > 0 && this.blockedFor(address) === 0;
    const failures = expired ? 1 : (known?.failures ?? 0) + 1;
    const blockedUntil = failures >= MAX_FAILURES ? this.clock.monotonic() + BLOCK_MS : 0;
    this.#peers.delete(key);
    this.#peers.set(key, { failures, blockedUntil });
  }

  succeeded(address: string): void {
    this.#peers.delete(keyOf(address));
  }

  // A blocked address is never evicted: otherwise failed logins from many addresses would free it.
  #makeRoom(): boolean {
    if (this.#peers.size < MAX_PEERS) return true;
    const now = this.clock.monotonic();
    for (const [key, { blockedUntil }] of this.#peers) {
      if (blockedUntil > now) continue;
      this.#forgotten++;
      return this.#peers.delete(key);
    }
    return false;
  }
}

// Whoever has one IPv6 address usually has the whole /64.
function keyOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const groups = [...before, ...new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return groups.slice(0, 4).join(':');
}
