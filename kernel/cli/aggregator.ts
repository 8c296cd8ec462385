import { Command } from 'commander';
import type { AppConfig } from '../config/index.js';

/** Boots a configuration and serves until a signal. */
export type Serve = (config: AppConfig, root: string) => Promise<number>;

/** `fw start aggregator`: the Fleet aggregator by itself, configured by `FLEET_*` environment variables. */
export function aggregatorCommand(finish: (exitCode: number) => void, serve: Serve): Command {
  return new Command('aggregator')
    .description('Run a Fleet aggregator by itself (FLEET_PORT, FLEET_INGEST_TOKEN, FLEET_USERNAME, ...)')
    .action(async () => {
      const { standaloneAggregator } = await import('../../plugins/fleet/aggregator/index.js');
      finish(await serve(standaloneAggregator(process.env), process.cwd()));
    });
}
