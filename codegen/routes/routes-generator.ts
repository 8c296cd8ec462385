import type { Generator } from '../engine/generator.js';
import { writtenJson } from '../text/index.js';
import { readRoutes } from './read-routes.js';
import { REGISTRY_FILE } from './registry.js';

/** Writes `routes.json`: the registry of routes that `fw routes` and the tools read. */
export const routesGenerator: Generator = {
  name: 'routes',
  generate: (input) => {
    const { entries, sources } = readRoutes(input);
    return [{ path: REGISTRY_FILE, content: writtenJson(entries), sources }];
  },
};
