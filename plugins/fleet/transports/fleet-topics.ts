/** Topics of span delivery over a bus, a broker or a WebSocket. */
export const FLEET_TOPICS = { spans: 'fleet.spans', heartbeat: 'fleet.heartbeat' } as const;

/** Metadata of a message on those topics. */
export const FLEET_META = { service: 'x-fw-service', signature: 'x-fleet-signature' } as const;
