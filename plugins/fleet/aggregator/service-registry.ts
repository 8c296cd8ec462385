import type { HeartbeatRecord, ServiceInfo } from '../../../kernel/contracts/fleet-wire.js';
import { BoundedMap } from '../../../kernel/bounded/index.js';
import { byText } from '../../../kernel/values/index.js';
import type { AggregatorSettings } from './options.js';

/** Share of failed requests from which a service counts as degraded. */
const DEGRADED_FROM = 0.05;
/** Instances of one service. */
const MAX_INSTANCES = 200;
/** A service is forgotten after this many deadlines of silence, but not before a minute: down is not gone. */
const FORGET_AFTER = 20;
const FORGET_FLOOR_MS = 60_000;

interface Instance {
  readonly heartbeat: HeartbeatRecord;
  readonly lastSeen: number;
}

interface Service {
  readonly instances: BoundedMap<string, Instance>;
  /** The last heartbeat of any instance. */
  newest: HeartbeatRecord;
  lastSeen: number;
}

type Settings = Pick<AggregatorSettings, 'serviceTTL' | 'maxServices'>;

/** Services and their state, from their heartbeats. */
export class ServiceRegistry {
  readonly #services: BoundedMap<string, Service>;
  #instancesEvicted = 0;

  constructor(private readonly settings: Settings) {
    this.#services = new BoundedMap(settings.maxServices);
  }

  get size(): number {
    return this.#services.size;
  }

  /** Number of services that were evicted because there were too many. */
  get evicted(): number {
    return this.#services.evicted;
  }

  /** Number of instances that were evicted because their service had too many. */
  get instancesEvicted(): number {
    return this.#instancesEvicted;
  }

  /** Takes a heartbeat; a service that was down is up again at once. */
  beat(heartbeat: HeartbeatRecord, now: number): void {
    const { service: name, instance_id: id = name } = heartbeat;
    let service = this.#services.get(name);
    if (service === undefined) {
      service = { instances: new BoundedMap(MAX_INSTANCES), newest: heartbeat, lastSeen: now };
      this.#services.set(name, service);
    }
    service.newest = heartbeat;
    service.lastSeen = now;
    const { instances } = service;
    const before = instances.evicted;
    instances.set(id, { heartbeat, lastSeen: now });
    this.#instancesEvicted += instances.evicted - before;
  }

  /** The last heartbeat of a service. */
  newest(name: string): HeartbeatRecord | undefined {
    return this.#services.get(name)?.newest;
  }

  /** Forgets services that have been silent for long. */
  sweep(now: number): void {
    const limit = Math.max(FORGET_AFTER * this.settings.serviceTTL, FORGET_FLOOR_MS);
    const isGone = ({ lastSeen }: { readonly lastSeen: number }) => silence(lastSeen, now) > limit;
    for (const { instances } of this.#services.values()) instances.removeIf(isGone);
    this.#services.removeIf(isGone);
  }

  /** Every service, sorted by name. */
  list(now: number): readonly ServiceInfo[] {
    return [...this.#services.entries()]
      .map(([name, service]) => this.#info(name, service, now))
      .sort((a, b) => byText(a.name, b.name));
  }

  #info(name: string, { instances, newest, lastSeen }: Service, now: number): ServiceInfo {
    const live = [...instances.values()].filter((each) => silence(each.lastSeen, now) <= this.settings.serviceTTL);
    const heartbeats = live.map(({ heartbeat }) => heartbeat);
    const versions = [...new Set(heartbeats.flatMap(({ version }) => version ?? []))].sort();
    const errorRate = weightedErrorRate(heartbeats);
    return {
      name,
      instances: live.length,
      ...(versions.length > 0 && { versions }),
      rps: heartbeats.reduce((sum, { rps = 0 }) => sum + rps, 0),
      error_rate: errorRate,
      status: live.length === 0 ? 'down' : errorRate >= DEGRADED_FROM ? 'degraded' : 'up',
      last_heartbeat_unix: Math.floor(lastSeen / 1000),
      ...(newest.openapi_hash !== undefined && { openapi_hash: newest.openapi_hash }),
      ...(newest.openapi_url !== undefined && { openapi_url: newest.openapi_url }),
    };
  }
}

// Weighted by requests: an idle instance with one failed request must not outweigh one that answers a thousand.
function weightedErrorRate(heartbeats: readonly HeartbeatRecord[]): number {
  if (heartbeats.length === 0) return 0;
  const total = heartbeats.reduce((sum, { rps = 0 }) => sum + rps, 0);
  const weight = ({ rps = 0 }: HeartbeatRecord) => (total > 0 ? rps / total : 1 / heartbeats.length);
  return heartbeats.reduce((sum, heartbeat) => sum + (heartbeat.error_rate ?? 0) * weight(heartbeat), 0);
}

// Heartbeats of the future came before the clock was set back: only one that comes now says that the service lives.
const silence = (lastSeen: number, now: number): number => Math.abs(now - lastSeen);
