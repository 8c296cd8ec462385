/**
 * What `fw plugin check` does: looks at a plugin's package the way its users will.
 * @packageDocumentation
 */
export { checkPlugin, type PluginCheck } from './check-plugin.js';
export { pluginCheckCommand, type PluginCheckCommand } from './command.js';
export type { PluginProblem } from './problem.js';
