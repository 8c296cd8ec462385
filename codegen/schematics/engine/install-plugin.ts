import { FEATURES } from '../../../plugins/tools/introspection/feature-catalogue.js';
import type { GeneratorContext } from './context.js';
import { ConfigSource } from './edit-config.js';
import { CONFIG_FILE, readConfig } from './project.js';

/** Rank of a project's own plugins: after those of the framework. */
const OWN_PLUGIN = 1000;

const PRIORITIES: ReadonlyMap<string, number> = new Map([
  ['fw/http', 0],
  ['fw/fleet/aggregator', 5],
  ...FEATURES.map(({ plugin, priority }) => [plugin, priority] as const),
]);

/** Rank of a module in the plugin list; undefined for a third party's. */
export function priorityOf(module: string): number | undefined {
  return module.startsWith('.') ? OWN_PLUGIN : PRIORITIES.get(module);
}

/** Lists a plugin of the project in app.config.ts, unless it is listed. */
export async function installOwnPlugin(context: GeneratorContext, module: string): Promise<void> {
  const config = new ConfigSource(await readConfig(context));
  if (config.find(module)) return;
  await context.write(CONFIG_FILE, config.inserted(`plugin(() => import('${module}'))`, OWN_PLUGIN, priorityOf));
  context.log(`edited ${CONFIG_FILE}: added ${module}`);
}
