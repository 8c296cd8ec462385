import { bootApp, HttpServer } from 'fw';
import { aggregator } from './aggregator.js';
import { auth } from './auth.js';
import { gateway } from './gateway.js';
import { orders } from './orders.js';
import { settingsFrom } from './settings.js';

const PARTS = { aggregator, orders, auth, gateway } as const;

/** Runs one part of the example until a signal ends it: `node start.js orders`. */
const name = process.argv[2] as keyof typeof PARTS;
const app = await bootApp(PARTS[name](settingsFrom(process.env)));
process.stdout.write(`${name.padEnd(10)} ${app.services.get(HttpServer).url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void app.stop().then(() => process.exit(0)));
}
