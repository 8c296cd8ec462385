import { type AppConfig } from 'fw';
import { standaloneAggregator } from 'fw/fleet';
import type { Settings } from './settings.js';

/** The aggregator by itself: what `fw start aggregator` runs. */
export function aggregator({ ports, username, password, ingestToken, serviceToken }: Settings): AppConfig {
  return standaloneAggregator({
    FLEET_PORT: String(ports.aggregator),
    FLEET_USERNAME: username,
    FLEET_PASSWORD: password,
    FLEET_INGEST_TOKEN: ingestToken,
    FLEET_SERVICE_TOKEN: serviceToken,
  });
}
