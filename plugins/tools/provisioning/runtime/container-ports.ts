/** Ports inside a container, by purpose. They are fixed, and published on host ports that the call chooses. */
export const CONTAINER_PORTS = { control: 2000, app: 3000, appMcp: 2100, aggregator: 9000 } as const;

export type PortPurpose = keyof typeof CONTAINER_PORTS;

/** Ports of the host, by purpose; a service has only those that it needs. */
export type HostPorts = Readonly<Partial<Record<PortPurpose, number>>>;

/** Host ports on which services are published: dynamic ports (RFC 6335 section 6), up to the end of Linux's ephemeral range. */
export const HOST_PORTS = { first: 49_152, last: 60_999 } as const;
