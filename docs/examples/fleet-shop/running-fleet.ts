import { HttpServer } from 'fw';
import { type BootedTestApp, bootTestApp } from 'fw/testing';
import { aggregator } from './aggregator.js';
import { auth } from './auth.js';
import { gateway } from './gateway.js';
import { orders } from './orders.js';
import { settingsFrom } from './settings.js';

/** The four parts of the example in one process, on free ports. */
export interface RunningFleet {
  readonly urls: { readonly gateway: string; readonly orders: string; readonly fleet: string };
  readonly apps: { readonly aggregator: BootedTestApp; readonly orders: BootedTestApp };
  /** Ends the aggregator alone. */
  stopAggregator(): Promise<void>;
  /** Starts a new one where the old one was. */
  startAggregator(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the example for a test. */
export async function startFleet(): Promise<RunningFleet> {
  const env: NodeJS.ProcessEnv = { GATEWAY_PORT: '0', AUTH_PORT: '0', ORDERS_PORT: '0', FLEET_PORT: '0' };
  const boot = (make: typeof gateway) => bootTestApp({ ...make(settingsFrom(env)) });
  const urlOf = (app: BootedTestApp) => app.services.get(HttpServer).url;

  let watcher = await boot(aggregator);
  const fleet = `${urlOf(watcher)}/fleet`;
  env.FLEET_PORT = String(watcher.services.get(HttpServer).port);
  env.FLEET_URL = fleet;
  const ordersApp = await boot(orders);
  env.ORDERS_URL = urlOf(ordersApp);
  const authApp = await boot(auth);
  env.AUTH_URL = urlOf(authApp);
  const gatewayApp = await boot(gateway);
  return {
    urls: { gateway: urlOf(gatewayApp), orders: env.ORDERS_URL, fleet },
    apps: { aggregator: watcher, orders: ordersApp },
    stopAggregator: () => watcher.stop(),
    async startAggregator() {
      watcher = await boot(aggregator);
    },
    async stop() {
      for (const app of [gatewayApp, authApp, ordersApp, watcher]) await app.stop();
    },
  };
}
