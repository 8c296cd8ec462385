import { bootApp, HttpServer, isFwError, untilAskedToStop } from 'fw';
import { aggregator } from './aggregator.js';
import { auth } from './auth.js';
import { gateway } from './gateway.js';
import { orders } from './orders.js';
import { settingsFrom } from './settings.js';

const PARTS = {
  aggregator: { make: aggregator, port: 'FLEET_PORT' },
  orders: { make: orders, port: 'ORDERS_PORT' },
  auth: { make: auth, port: 'AUTH_PORT' },
  gateway: { make: gateway, port: 'GATEWAY_PORT' },
} as const;

/** Runs one part of the example until a signal, or the end of who started it, stops it: `node start.js orders`. */
const name = process.argv[2] as keyof typeof PARTS;
const { make, port } = PARTS[name];
const app = await bootApp(make(settingsFrom(process.env))).catch((error: unknown) => {
  if (!isFwError(error)) throw error;
  const hint = error.code === 'FW_HTTP_PORT_IN_USE' ? ` In this example that is ${port}.` : '';
  process.stderr.write(`${name} did not start: ${error.message}${hint}\n`);
  process.exit(1);
});
const { url } = app.services.get(HttpServer);
process.stdout.write(`${name.padEnd(10)} ${url}\n`);
process.send?.(url);

await untilAskedToStop().received;
await app.stop();
process.exit(0);
