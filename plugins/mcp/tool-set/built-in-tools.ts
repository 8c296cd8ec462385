import { plugin, type PluginEntry } from '../../../kernel/index.js';

/** The tool plugins that the framework brings along; never the workspace's code. */
export const BUILT_IN_TOOLS: readonly PluginEntry[] = [
  plugin(() => import('../../tools/introspection/index.js')),
  plugin(() => import('../../tools/knowledge/index.js')),
  plugin(() => import('../../tools/generation/index.js')),
  plugin(() => import('../../tools/planning/index.js')),
  plugin(() => import('../../tools/verification/index.js')),
  plugin(() => import('../../tools/runtime/index.js')),
  plugin(() => import('../../tools/fleet/index.js')),
  plugin(() => import('../../tools/provisioning/index.js')),
];
