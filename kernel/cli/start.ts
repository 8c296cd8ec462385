import { Command } from 'commander';
import { bootApp, type App } from '../boot/index.js';
import { type AppConfig, loadConfig } from '../config/index.js';
import { Address } from '../contracts/index.js';
import { aggregatorCommand } from './aggregator.js';
import { mcpServerCommand } from './mcp-server.js';
import { untilSignal } from './signals.js';

interface StartOptions {
  readonly config?: string;
  readonly profile?: string;
  readonly report?: boolean;
}

/** `fw start`: boots the application and serves until a signal asks it to stop. */
export function startCommand(finish: (exitCode: number) => void): Command {
  return new Command('start')
    .description('Boot the application and serve until Ctrl-C')
    .option('--config <file>', 'configuration to boot; default dist/app.config.js')
    .option('--profile <name>', 'dev, test or prod; default FW_PROFILE, else prod when NODE_ENV=production, else dev')
    .option('--report', 'print the boot report: each plugin, its state and its milliseconds')
    .action(async (options: StartOptions) => finish(await start(options)))
    .enablePositionalOptions()
    .addCommand(mcpServerCommand(finish))
    .addCommand(aggregatorCommand(finish, (config, root) => serve(config, root, {})));
}

async function start(options: StartOptions): Promise<number> {
  const { config, root } = await loadConfig(options.config);
  return serve(config, root, options);
}

async function serve(config: AppConfig, root: string, options: StartOptions): Promise<number> {
  const signals = untilSignal();
  const app = await bootApp(config, { profile: options.profile, root, signal: signals.aborted });
  if (options.report) process.stdout.write(reportTable(app));
  process.stdout.write(greeting(app));
  const signal = await signals.received;
  process.stdout.write(`\n${signal}: finishing running requests (again to end at once)\n`);
  await app.stop();
  return 0;
}

function greeting(app: App): string {
  const addresses = app.services.all(Address).flatMap(({ label, url }) => {
    const at = url();
    return at === undefined ? [] : [{ label, at }];
  });
  const width = Math.max(0, ...addresses.map(({ label }) => label.length));
  const { plugins, totalMs } = app.report();
  const degraded = plugins.filter(({ state }) => state === 'degraded');
  return [
    '',
    `  ${app.name} is up (profile ${app.profile}, ${plugins.filter(({ state }) => state === 'ready').length} plugins, ${Math.round(totalMs)} ms)`,
    '',
    ...addresses.map(({ label, at }) => `  ${label.padEnd(width)}  ${at}`),
    ...degraded.map(({ id, reason }) => `  ! ${id} is degraded: ${reason}`),
    '',
    '',
  ].join('\n');
}

function reportTable(app: App): string {
  const rows = app
    .report()
    .plugins.map(({ id, category, state, importMs, registerMs, startMs, reason }) => [
      id,
      category,
      state,
      ...[importMs, registerMs, startMs].map((ms) => ms.toFixed(1)),
      reason,
    ]);
  const table = [['PLUGIN', 'CATEGORY', 'STATE', 'IMPORT', 'REGISTER', 'START ms', ''], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return `${table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}
