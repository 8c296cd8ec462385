import { bootApp } from '../../boot/index.js';
import { loadConfig } from '../../config/index.js';
import type { CommandAction } from '../../contracts/command.js';
import { createLogger } from '../../log/index.js';
import { Capabilities } from '../../plugin/index.js';
import { table } from '../table.js';

interface PluginsOptions {
  readonly config?: string;
  readonly profile?: string;
  readonly json?: boolean;
}

/** `fw plugins`: what app.config.ts lists, in the order in which it starts. Plugins are registered, and none is started. */
const plugins: CommandAction<PluginsOptions> = async ({ options, out }) => {
  const { config, root } = await loadConfig(options.config);
  const log = createLogger({ name: config.name, level: 'warn', destination: process.stderr });
  const app = await bootApp(config, { profile: options.profile, root, log, registerOnly: true });
  const registry = app.services.get(Capabilities);
  const listed = app.report().plugins.map(({ id, category, state, reason, broughtBy }) => {
    const { provides = [], uses = [], contributes = [] } = registry.plugin(id) ?? {};
    const tools = registry.tools().flatMap(({ plugin, tool }) => (plugin === id ? [tool.name] : []));
    return { id, category, state, reason, broughtBy, provides, uses, contributes, tools };
  });
  await app.stop();
  if (options.json) {
    return out(`${JSON.stringify({ app: app.name, profile: app.profile, plugins: listed }, null, 2)}\n`);
  }
  const rows = listed.map(({ id, category, state, tools, provides, uses, reason, broughtBy }) => [
    ...[id, category, state, tools.length === 0 ? '' : String(tools.length), provides.join(' '), uses.join(' ')],
    reason || (broughtBy && `brought by ${broughtBy}`),
  ]);
  out(table([['PLUGIN', 'CATEGORY', 'STATE', 'TOOLS', 'PROVIDES', 'USES', ''], ...rows]));
  const enabled = listed.filter(({ state }) => state !== 'disabled');
  out(`\n${enabled.length} plugins of ${app.name} with profile ${app.profile}, in the order in which they start.\n`);
};

export default plugins;
