import { inspect } from 'node:util';
import { type App, bootApp } from '../boot/index.js';
import { type AppConfig, environmentHint } from '../config/index.js';
import { Address, Logger } from '../contracts/index.js';
import { type StopCause, untilAskedToStop, untilUncaughtError } from '../process/index.js';
import { table } from './table.js';

/** How an application is started. */
export interface ServeOptions {
  /** dev, test or prod. */
  readonly profile?: string;
  /** Prints the boot report. */
  readonly report?: boolean;
}

/**
 * Boots a configuration and serves until a signal asks it to stop, as `fw start` does: for commands that start an application of
 * their own. An error that nobody caught stops it too: what it left half done nobody knows, so that requests in flight are
 * finished, and a supervisor starts the process anew.
 *
 * @param root - folder that relative paths of the configuration start from
 * @returns the exit code: 1 after such an error
 */
export async function serve(config: AppConfig, root: string, options: ServeOptions = {}): Promise<number> {
  const stop = untilAskedToStop();
  const app = await bootApp(config, { profile: options.profile, root, signal: stop.aborted }).catch(
    async (error: unknown) => {
      const hint = await environmentHint(error, root);
      if (hint !== undefined) process.stderr.write(`${hint}\n`);
      throw error;
    },
  );
  if (options.report) process.stdout.write(reportTable(app));
  process.stdout.write(greeting(app));
  const log = app.services.get(Logger);
  const uncaught = untilUncaughtError((error) =>
    log.error({ err: error instanceof Error ? error : new Error(inspect(error)) }, 'An error that nobody caught'),
  );
  const cause = await Promise.race([stop.received, uncaught.then(() => 'UNCAUGHT' as const)]);
  process.stdout.write(`\n${CAUSES[cause] ?? cause}: finishing running requests (Ctrl-C ends at once)\n`);
  await app.stop();
  return cause === 'UNCAUGHT' ? 1 : 0;
}

const CAUSES: Partial<Record<StopCause | 'UNCAUGHT', string>> = {
  'STARTER-ENDED': 'What started this process has ended',
  UNCAUGHT: 'An error that nobody caught ends this process',
};

function greeting(app: App): string {
  const addresses = app.services.all(Address).flatMap(({ label, url, note }) => {
    const [at, remark] = [url(), note?.()];
    return at === undefined ? [] : [{ label, at: remark === undefined ? at : `${at}  (${remark})` }];
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
    .plugins.map(({ id, category, state, tools, importMs, registerMs, startMs, reason, broughtBy }) => [
      id,
      category,
      state,
      tools.length === 0 ? '' : String(tools.length),
      ...[importMs, registerMs, startMs].map((ms) => ms.toFixed(1)),
      reason || (broughtBy && `brought by ${broughtBy}`),
    ]);
  return table([['PLUGIN', 'CATEGORY', 'STATE', 'TOOLS', 'IMPORT', 'REGISTER', 'START ms', ''], ...rows]);
}
