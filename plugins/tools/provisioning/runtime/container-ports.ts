/** What listens in a container, by purpose: fixed there, published on a port of the host that the call chooses. */
export const CONTAINER_PORTS = { control: 2000, app: 3000, appMcp: 2100, aggregator: 9000 } as const;

export type PortPurpose = keyof typeof CONTAINER_PORTS;

/** Ports of the host, by purpose; a service has those that it needs. */
export type HostPorts = Readonly<Partial<Record<PortPurpose, number>>>;

/** Ports of the host that services are published on: dynamic ones (RFC 6335 section 6), below what Linux hands out last. */
export const HOST_PORTS = { first: 49_152, last: 60_999 } as const;
