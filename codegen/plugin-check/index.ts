/**
 * What `fw plugin check` does: looks at a plugin's package the way its users will.
 * @packageDocumentation
 */
export { type PluginCheck } from './check-plugin.js';
export { pluginCheckCommand } from './command.js';
