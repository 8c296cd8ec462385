import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Dashboard } from '../dashboard.js';
import type { BootAnswer, ConfigurationAnswer, ExplorerAnswer } from '../wire/api.js';

/** Answer about the boot of the plugins. */
export function bootAnswer({ info }: Dashboard): BootAnswer {
  return info.report();
}

/** Options of every plugin, with secrets replaced by the kernel, and the process that they run in. */
export function configurationAnswer({ info, startedAt }: Dashboard): ConfigurationAnswer {
  const { name, version, profile, root } = info;
  return {
    app: { name, version, profile, root },
    process: {
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      pid: process.pid,
      started: new Date(startedAt).toISOString(),
      cpus: availableParallelism(),
      heap_limit: getHeapStatistics().heap_size_limit,
    },
    plugins: info.configuration(),
  };
}

/** Routes for the API explorer: the OpenAPI document, and the list of all routes. */
export function explorerAnswer({ reference, server, recorder }: Dashboard): ExplorerAnswer {
  const routes = server()
    .routes()
    .filter(({ path, websocket }) => !websocket && !recorder.isOwn(path))
    .map(({ method, path: pattern }) => ({ method, pattern }));
  return { document: reference?.document() ?? null, reference: reference?.page ?? null, routes };
}
