import { type App, bootApp } from '../../boot/index.js';
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

/**
 * `fw plugins`: lists the plugins of app.config.ts in start order, and what would keep each from starting. It registers the plugins and
 * starts none. The exit code is 1 where `fw start` would fail because of one of them.
 */
const plugins: CommandAction<PluginsOptions> = async ({ options, out }) => {
  const { config, root } = await loadConfig(options.config, options);
  const log = createLogger({ name: config.name, level: 'warn', destination: process.stderr });
  const app = await bootApp(config, { profile: options.profile, root, log, survey: true });
  const listed = listedOf(app);
  await app.stop();
  const failed = listed.filter(({ state }) => state === 'failed').length;
  if (options.json) out(`${JSON.stringify({ app: app.name, profile: app.profile, plugins: listed }, null, 2)}\n`);
  else out(inWords(app, listed, failed));
  return failed === 0 ? 0 : 1;
};

type ListedPlugin = ReturnType<typeof listedOf>[number];

function listedOf(app: App) {
  const registry = app.services.get(Capabilities);
  return app.report().plugins.map(({ id, category, state, reason, code, broughtBy }) => {
    const { provides = [], uses = [], contributes = [] } = registry.plugin(id) ?? {};
    const tools = registry.tools().flatMap(({ plugin, tool }) => (plugin === id ? [tool.name] : []));
    return { id, category, state, reason, ...(code && { code }), broughtBy, provides, uses, contributes, tools };
  });
}

function inWords({ name, profile }: App, listed: readonly ListedPlugin[], failed: number): string {
  const rows = listed.map(({ id, category, state, tools, provides, uses, broughtBy, reason }) => [
    ...[id, category, state, tools.length === 0 ? '' : String(tools.length), provides.join(' '), uses.join(' ')],
    broughtBy !== '' ? `brought by ${broughtBy}` : state === 'disabled' ? reason : '',
  ]);
  const broken = listed.filter(({ state }) => state === 'degraded' || state === 'failed');
  const enabled = listed.filter(({ state }) => state !== 'disabled').length;
  const parts = [
    table([['PLUGIN', 'CATEGORY', 'STATE', 'TOOLS', 'PROVIDES', 'USES', ''], ...rows]),
    ...broken.map(({ id, state, code, reason }) => `${id} ${state}: ${code ? `${code}: ` : ''}${reason}\n`),
    `${enabled} plugins of ${name} with profile ${profile}, in the order in which they start.\n`,
    ...(failed === 0 ? [] : [`It does not start: ${failed} of them failed.\n`]),
  ];
  return parts.join('\n');
}

export default plugins;
