import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { isPidTaken } from '../../../../kernel/fs/index.js';
import { fwError, systemClock } from '../../../../kernel/index.js';
import { PROVISIONING_ERRORS } from '../errors.js';
import { HOST_PORTS, type HostPorts, type PortPurpose } from '../runtime/container-ports.js';
import { isFree } from './free-port.js';
import type { RegistryContent, RegistryEntry, RegistryFile, Reservation } from './registry-file.js';

/** A service that needs a name, a container name and ports. */
export interface Wanted {
  readonly service: string;
  readonly container: string;
  readonly purposes: readonly PortPurpose[];
}

/** The names and ports that a call holds until its services are registered. */
export interface Held {
  /** Marks everything that the call makes. */
  readonly call: string;
  readonly ports: ReadonlyMap<string, HostPorts>;
  /** Calls whose process died; their resources must be removed. */
  readonly abandoned: readonly Reservation[];
}

/** Assigns names and ports to provisioned services. */
export class ServiceRegistry {
  constructor(private readonly file: RegistryFile) {}

  /** Every service, in the order in which they were made, then by name. */
  async services(): Promise<readonly RegistryEntry[]> {
    const { services } = await this.file.read();
    return [...services].sort((a, b) => order(a.created_at, b.created_at) || order(a.service_name, b.service_name));
  }

  /**
   * Reserves names and ports for a call, all or none. The reservation is stored at once, so that it also holds for other servers of the
   * user and after a restart.
   *
   * @throws FwError `FW_PROVISION_NAME_TAKEN`, `FW_PROVISION_PORTS`
   */
  reserve(wanted: readonly Wanted[], network: string | undefined): Promise<Held> {
    return this.file.change(async (content) => {
      const abandoned = content.reservations.filter((each) => !isAlive(each));
      content.reservations = content.reservations.filter((each) => !abandoned.includes(each));
      for (const each of wanted) refuseTaken(content, each);
      const taken = portsOf(content);
      const call = randomBytes(6).toString('hex');
      const services: Reservation['services'] = [];
      for (const { service, container, purposes } of wanted) {
        services.push({ service_name: service, container_name: container, ports: await choose(purposes, taken) });
      }
      content.reservations.push({
        ...{ call, pid: process.pid, hostname: hostname(), since: new Date().toISOString(), services },
        ...(network !== undefined && { network }),
      });
      return { call, ports: new Map(services.map(({ service_name, ports }) => [service_name, ports])), abandoned };
    });
  }

  /** Gives a service of a call other ports, after another program has taken one of them. */
  replacePorts(call: string, service: string): Promise<HostPorts> {
    return this.file.change(async (content) => {
      const held = content.reservations.find((each) => each.call === call)?.services;
      const entry = held?.find(({ service_name }) => service_name === service);
      if (!entry) throw gone(service);
      entry.ports = await choose(Object.keys(entry.ports) as PortPurpose[], portsOf(content));
      return entry.ports;
    });
  }

  /** Turns a reserved service into a registered one. */
  register(call: string, entry: RegistryEntry): Promise<void> {
    return this.file.change((content) => {
      const held = content.reservations.find((each) => each.call === call);
      if (!held) throw gone(entry.service_name);
      held.services = held.services.filter(({ service_name }) => service_name !== entry.service_name);
      content.services.push(entry);
    });
  }

  /** Releases what a call still holds. */
  release(call: string): Promise<void> {
    return this.file.change((content) => {
      content.reservations = content.reservations.filter((each) => each.call !== call);
    });
  }

  /** Removes a service from the list. */
  remove(service: string, container: string): Promise<void> {
    return this.file.change((content) => {
      content.services = content.services.filter(
        ({ service_name, container_id }) => service_name !== service || container_id !== container,
      );
    });
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function gone(service: string): Error {
  const details = { name: service, by: 'its reservation was removed from the list while the call was running' };
  return fwError(PROVISIONING_ERRORS.FW_PROVISION_NAME_TAKEN, details);
}

function refuseTaken(content: RegistryContent, { service, container }: Wanted): void {
  const held = [
    ...content.services.map((each) => ({ ...each, by: 'provisioned' })),
    ...content.reservations.flatMap(({ services }) => services.map((each) => ({ ...each, by: 'being provisioned' }))),
  ];
  for (const { service_name, container_name, by } of held) {
    const name = service_name === service ? service : container_name === container ? container : undefined;
    if (name !== undefined) {
      throw fwError(PROVISIONING_ERRORS.FW_PROVISION_NAME_TAKEN, { name, by: `service ${service_name} is ${by}` });
    }
  }
}

function portsOf({ services, reservations }: RegistryContent): Set<number> {
  const held = [...services, ...reservations.flatMap(({ services: each }) => each)];
  return new Set(held.flatMap(({ ports }) => Object.values(ports)));
}

// Adds the chosen ports to the taken ones.
async function choose(
  purposes: readonly PortPurpose[],
  taken: Set<number>,
): Promise<Reservation['services'][0]['ports']> {
  const chosen: Partial<Record<PortPurpose, number>> = {};
  let port: number = HOST_PORTS.first;
  for (const purpose of purposes) {
    while (port <= HOST_PORTS.last && (taken.has(port) || !(await isFree(port)))) port++;
    if (port > HOST_PORTS.last) {
      throw fwError(PROVISIONING_ERRORS.FW_PROVISION_PORTS, { ...HOST_PORTS, held: taken.size });
    }
    chosen[purpose] = port;
    taken.add(port);
  }
  return chosen as Reservation['services'][0]['ports'];
}

/** No call takes so long; its process id may belong to another process by then. */
const LONGEST_CALL_MS = 24 * 3_600_000;

// The processes of another machine cannot be checked.
function isAlive({ pid, hostname: host, since }: Reservation): boolean {
  if (systemClock.now() - Date.parse(since) > LONGEST_CALL_MS) return false;
  if (host !== hostname()) return true;
  return isPidTaken(pid);
}
