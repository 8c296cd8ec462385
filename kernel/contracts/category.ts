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

// Fleet is both a part of the framework and a tool category.
const PART_CATEGORIES = ['app', 'dashboard', 'docs', 'events', 'fleet', 'http', 'mcp', 'middleware', 'orm'] as const;

/**
 * Tag of a plugin: the part of the framework that it belongs to (`app` is for plugins of an application itself), or the tool
 * category that its tools belong to, and are scoped by.
 */
export type PluginCategory = (typeof PART_CATEGORIES)[number] | ToolCategory;

/** Every category that a plugin may carry, sorted; `app.config.ts` and the boot report group by it. */
export const PLUGIN_CATEGORIES: readonly PluginCategory[] = [
  ...new Set<PluginCategory>([...PART_CATEGORIES, ...TOOL_CATEGORIES]),
].sort();

/** Whether the tools of a plugin of this category are of this category. */
export function isToolCategory(category: unknown): category is ToolCategory {
  return (TOOL_CATEGORIES as readonly unknown[]).includes(category);
}
