import type { HeartbeatRecord } from '../../../kernel/contracts/fleet-wire.js';
import { BoundedMap } from '../../../kernel/bounded/index.js';
import { addressOf } from './root-cause/index.js';
import type { StoredSpan } from './stored-span.js';

interface Entry {
  readonly service: string;
  lastSeen: number;
  /** Whether the service reported the address itself, by a heartbeat or by one of its own spans. */
  isOwn: boolean;
  /** Number of answered calls to the address, and of those with a span of the service. */
  calls: number;
  answers: number;
  /** When another service was last seen at the same address. */
  other: number | undefined;
}

interface Settings {
  readonly maxAddresses: number;
  /** Milliseconds after which an observation expires. */
  readonly keepFor: number;
}

/** Counts are halved when they reach this number, so that newer calls weigh more. */
const MOST_CALLS = 1_000;
/** A service has an address only if it answered more than this share of the calls to it. */
const MORE_THAN = 0.5;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)(?=:|$)/;
/** Addresses on which servers listen but which nobody calls. */
const ANY: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/**
 * Maps addresses to services, from answered calls and heartbeats, so that a call to a dead service, which sends no span, still has the name
 * of the service. An address of several services (a gateway, the loopback of several containers) has no name.
 */
export class AddressBook {
  readonly #entries: BoundedMap<string, Entry>;

  constructor(private readonly settings: Settings) {
    this.#entries = new BoundedMap(settings.maxAddresses);
  }

  /**
   * Counts a call. An address that often answers without a span of the service belongs to another server, which only sometimes calls the
   * service.
   */
  called(call: StoredSpan): void {
    const address = call.kind === 'client' && call.status > 0 && call.probability === 1 ? addressOf(call) : undefined;
    if (address === undefined) return;
    for (const caller of [call.service, '']) {
      const entry = this.#entries.get(keyOf(caller, address));
      if (entry === undefined) continue;
      entry.calls++;
      if (entry.calls <= MOST_CALLS) continue;
      entry.calls /= 2;
      entry.answers /= 2;
    }
  }

  /** Learns from a call and the server span that answered it. */
  answered(call: StoredSpan, answer: StoredSpan, now: number): void {
    if (call.kind !== 'client' || answer.service === '') return;
    const address = addressOf(call);
    const asked = addressOf(answer);
    // The `Host` header names another address, so a proxy passed the request on.
    if (address === undefined || (asked !== undefined && keyOf('', asked) !== keyOf('', address))) return;
    // An address may mean different services for different callers: a proxy beside the caller, a name in its network.
    for (const caller of [call.service, '']) {
      const entry = this.#see(keyOf(caller, address), answer.service, now);
      if (entry === undefined) continue;
      entry.answers++;
      if (asked !== undefined) entry.isOwn = true;
      if (call.probability === 1 && entry.calls === 0) entry.calls = 1;
    }
  }

  /** Learns the URLs in a heartbeat of a service. */
  heard({ service, ...urls }: HeartbeatRecord, now: number): void {
    for (const url of new Set([urls.service_url, urls.openapi_url, urls.logs_url, urls.dashboard_url])) {
      if (url === undefined || !URL.canParse(url)) continue;
      const { hostname, port, protocol } = new URL(url);
      if (ANY.has(hostname)) continue;
      const entry = this.#see(keyOf('', `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`), service, now);
      if (entry) entry.isOwn = true;
    }
  }

  /** The target service of a call; undefined if unknown or ambiguous. */
  serviceAt(call: StoredSpan, now: number): string | undefined {
    const named = call.attribute('peer.service');
    if (typeof named === 'string' && named !== '') return named;
    const address = addressOf(call);
    if (address === undefined) return undefined;
    const own = this.#known(keyOf(call.service, address), now);
    return own ? own.service : this.#known(keyOf('', address), now)?.service;
  }

  /** Maximum number of addresses. */
  get limit(): number {
    return this.#entries.capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Number of addresses that were evicted because there were too many. */
  get evicted(): number {
    return this.#entries.evicted;
  }

  /** Forgets what was not seen for long. */
  sweep(now: number): void {
    this.#entries.removeIf(({ lastSeen }) => ageOf(lastSeen, now) > this.settings.keepFor);
  }

  #known(key: string, now: number): { readonly service: string | undefined } | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || ageOf(entry.lastSeen, now) > this.settings.keepFor) return undefined;
    const isShared = entry.other !== undefined && ageOf(entry.other, now) <= this.settings.keepFor;
    const isItself = entry.isOwn || entry.answers > entry.calls * MORE_THAN;
    return { service: isShared || !isItself ? undefined : entry.service };
  }

  #see(key: string, service: string, now: number): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry?.service === service) {
      entry.lastSeen = now;
      return entry;
    }
    // An old entry does not count: the service may have moved.
    if (entry === undefined || ageOf(entry.lastSeen, now) > this.settings.keepFor) {
      const made: Entry = { service, lastSeen: now, isOwn: false, calls: 0, answers: 0, other: undefined };
      this.#entries.set(key, made);
      return made;
    }
    entry.other = now;
    return undefined;
  }
}

function keyOf(caller: string, address: string): string {
  return `${caller}\0${address.replace(LOOPBACK, 'localhost')}`;
}

// What was seen in the future was seen before the clock was set back.
const ageOf = (seen: number, now: number): number => Math.abs(now - seen);
