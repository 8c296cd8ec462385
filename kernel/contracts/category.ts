/** Every category that a plugin may carry; `app.config.ts` and the boot report group by it. */
export const PLUGIN_CATEGORIES = [
  'app',
  'dashboard',
  'docs',
  'events',
  'fleet',
  'http',
  'mcp',
  'middleware',
  'orm',
  'tools',
] as const;

/** Tag of a plugin: which part of the framework it belongs to. `app` is for plugins of an application itself. */
export type PluginCategory = (typeof PLUGIN_CATEGORIES)[number];

/** The eight tool categories of the control plane, sorted (SPEC "Tool categories"). */
export const TOOL_CATEGORIES = [
  'fleet',
  'generation',
  'introspection',
  'knowledge',
  'planning',
  'provisioning',
  'runtime',
  'verification',
] as const;

/** Category of a tool; what `--scope` grants. */
export type ToolCategory = (typeof TOOL_CATEGORIES)[number];
