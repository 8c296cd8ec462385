import { inspect } from 'node:util';
import { type App, bootApp } from '../boot/index.js';
import { type AppConfig, environmentHint } from '../config/index.js';
import { Address, Logger, type Progress, ReadAtStart } from '../contracts/index.js';
import type { DevParent } from '../dev/index.js';
import { type StopCause, type StopRequest, untilAskedToStop, untilUncaughtError } from '../process/index.js';
import { table } from './table.js';

/** How an application is started. */
export interface ServeOptions {
  /** dev, test or prod. */
  readonly profile?: string;
  /** Prints the boot report. */
  readonly report?: boolean;
  /** The `fw dev` that started this process, when one did. */
  readonly parent?: DevParent | undefined;
  /** Whether it says where it can be reached; default true. */
  readonly greet?: boolean;
  /** Told that the application starts, where that takes long. */
  readonly progress?: Progress;
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
  const { parent, progress = (_, work) => work(() => undefined) } = options;
  const boot = () => bootApp(config, { profile: options.profile, root, signal: abortedBy(stop, parent) });
  const app = await progress(`starting ${config.name}`, boot).catch(async (error: unknown) => {
    const hint = parent ? undefined : await environmentHint(error, root);
    if (hint !== undefined) process.stderr.write(`${hint}\n`);
    throw error;
  });
  if (options.report) process.stdout.write(reportTable(app));
  if (options.greet ?? true) process.stdout.write(greeting(app));
  parent?.ready({
    name: app.name,
    addresses: addressesOf(app).map(({ note, ...address }) => ({ ...address, ...(note !== undefined && { note }) })),
    reads: app.services.all(ReadAtStart).flatMap(({ paths }) => paths),
  });
  const log = app.services.get(Logger);
  const uncaught = untilUncaughtError((error) => {
    void parent?.failed(error);
    log.error({ err: error instanceof Error ? error : new Error(inspect(error)) }, 'An error that nobody caught');
  });
  const replaced = parent?.stop.then(() => 'REPLACED' as const);
  const causes = [stop.received, uncaught.then(() => 'UNCAUGHT' as const), ...(replaced ? [replaced] : [])];
  const cause = await Promise.race(causes);
  // One line per change comes from above.
  if (cause !== 'REPLACED')
    process.stdout.write(`\n${CAUSES[cause] ?? cause}: finishing running requests (Ctrl-C ends at once)\n`);
  await app.stop();
  return cause === 'UNCAUGHT' ? 1 : 0;
}

// What asks a process to stop ends a boot as well.
function abortedBy({ aborted }: StopRequest, parent: DevParent | undefined): AbortSignal {
  if (parent === undefined) return aborted;
  const controller = new AbortController();
  void parent.stop.then(() => controller.abort());
  return AbortSignal.any([aborted, controller.signal]);
}

const CAUSES: Partial<Record<StopCause | 'UNCAUGHT' | 'REPLACED', string>> = {
  'STARTER-ENDED': 'What started this process has ended',
  UNCAUGHT: 'An error that nobody caught ends this process',
};

function greeting(app: App): string {
  const addresses = addressesOf(app).map(({ label, url, note }) => ({
    label,
    at: note === undefined ? url : `${url}  (${note})`,
  }));
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

const addressesOf = (app: App) =>
  app.services.all(Address).flatMap(({ label, url, note }) => {
    const at = url();
    return at === undefined ? [] : [{ label, url: at, note: note?.() }];
  });

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
