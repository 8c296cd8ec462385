/** Where the parts of the example find each other. Ports of 0 take free ones. */
export interface Settings {
  readonly ports: {
    readonly gateway: number;
    readonly auth: number;
    readonly orders: number;
    readonly aggregator: number;
  };
  readonly authURL: string;
  readonly ordersURL: string;
  /** Mount of the aggregator. */
  readonly aggregatorURL: string;
  /** Lets services write to the aggregator. */
  readonly ingestToken: string;
  /** Lets the aggregator ask services for their log lines. */
  readonly serviceToken: string;
  /** Lets people read. */
  readonly username: string;
  readonly password: string;
}

/** Settings from the environment; the tokens are good for nothing but an example on your own machine. */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const ports = {
    gateway: Number(env.GATEWAY_PORT ?? 3000),
    auth: Number(env.AUTH_PORT ?? 3001),
    orders: Number(env.ORDERS_PORT ?? 3002),
    aggregator: Number(env.FLEET_PORT ?? 9000),
  };
  return {
    ports,
    authURL: env.AUTH_URL ?? `http://127.0.0.1:${ports.auth}`,
    ordersURL: env.ORDERS_URL ?? `http://127.0.0.1:${ports.orders}`,
    aggregatorURL: env.FLEET_URL ?? `http://127.0.0.1:${ports.aggregator}/fleet`,
    ingestToken: env.FLEET_INGEST_TOKEN ?? 'fleet-demo-token',
    serviceToken: env.FLEET_SERVICE_TOKEN ?? 'fleet-demo-service-token',
    username: env.FLEET_USERNAME ?? 'admin',
    password: env.FLEET_PASSWORD ?? 'admin',
  };
}
