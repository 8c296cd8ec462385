import { inspect } from 'node:util';
import { type App, bootApp } from '../boot/index.js';
import { type AppConfig, environmentHint, unreadVariable, unreadVariables } from '../config/index.js';
import { Address, Logger, type Progress, ReadAtStart } from '../contracts/index.js';
import type { DevParent } from '../dev/index.js';
import { fwError } from '../errors/index.js';
import { identityOf } from '../fs/index.js';
import { RunningEntry } from '../running/index.js';
import { type StopCause, type StopRequest, untilAskedToStop, untilUncaughtError } from '../process/index.js';
import type { ThisWorker } from '../workers/index.js';
import { CLI_ERRORS } from './errors.js';
import { table } from './table.js';
import { anySignal } from '../contracts/any-signal.js';

/** How an application is started. */
export interface ServeOptions {
  /** dev, test or prod. */
  readonly profile?: string;
  /** Prints the boot report. */
  readonly report?: boolean;
  /** The `fw dev` process that started this one, if there is one. */
  readonly parent?: DevParent | undefined;
  /** Which worker this process is, if several processes serve the application. */
  readonly worker?: ThisWorker | undefined;
  /** Whether the addresses of the application are printed; default true. */
  readonly greet?: boolean;
  /** Told that the application starts, where that takes long. */
  readonly progress?: Progress;
}

/**
 * Boots a configuration and serves until a signal asks it to stop, as `fw start` does: for commands that start an application of their own.
 * An uncaught error stops it too, because the state that it left behind is unknown: requests in flight are finished, and a supervisor can
 * start the process anew.
 *
 * @param root - folder that relative paths of the configuration start from
 * @returns the exit code: 1 after such an error
 */
export async function serve(config: AppConfig, root: string, options: ServeOptions = {}): Promise<number> {
  const stop = untilAskedToStop();
  const { parent, worker, progress = (_, work) => work(() => undefined) } = options;
  const above = [parent, worker].flatMap((each) => each?.stop ?? []);
  // Until the application runs there are no requests to finish, so an uncaught error ends the boot.
  const early = new AbortController();
  let tell = (error: unknown) => early.abort(error);
  const uncaught = untilUncaughtError((error) => tell(error));
  const signal = anySignal([abortedBy(stop, above), early.signal]);
  const boot = () => bootApp(config, { profile: options.profile, root, signal });
  const app = await progress(`starting ${config.name}`, boot).catch(async (error: unknown) => {
    if (early.signal.aborted) throw uncaughtAtBoot(config.name, early.signal.reason);
    const hint = parent ? undefined : await environmentHint(error, root);
    if (hint !== undefined) process.stderr.write(`${hint}\n`);
    throw error;
  });
  if (options.report) process.stdout.write(reportTable(app));
  const log = app.services.get(Logger);
  if (worker?.isFirst ?? true)
    for (const each of unreadVariables())
      log.warn({ variable: each.name, meant: each.meant }, unreadVariable(each).message);
  if (options.greet ?? worker?.isFirst ?? true) process.stdout.write(greeting(app));
  parent?.ready({
    name: app.name,
    addresses: addressesOf(app).map(({ note, ...address }) => ({ ...address, ...(note !== undefined && { note }) })),
    reads: app.services.all(ReadAtStart).flatMap(({ paths }) => paths),
  });
  worker?.ready();
  tell = (error) => {
    void parent?.failed(error);
    log.error({ err: error instanceof Error ? error : new Error(inspect(error)) }, 'An error that nobody caught');
  };
  // Of several workers only the first is registered: it runs the plugins that tools ask. `fw dev` registers itself.
  const entry = parent || worker?.isFirst === false ? undefined : registered(app, root, worker);
  const told = above.map((each) => each.then(() => 'TOLD' as const));
  const causes = [stop.received, uncaught.then(() => 'UNCAUGHT' as const), ...told];
  const cause = await Promise.race(causes);
  // If `fw dev` or the supervisor asked for the stop, that process has printed it.
  if (cause !== 'TOLD' && (worker === undefined || cause === 'UNCAUGHT'))
    process.stdout.write(`\n${CAUSES[cause] ?? cause}: finishing running requests (Ctrl-C ends at once)\n`);
  entry?.remove();
  await app.stop();
  return cause === 'UNCAUGHT' ? 1 : 0;
}

function uncaughtAtBoot(name: string, cause: unknown): Error {
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause);
  return fwError(CLI_ERRORS.FW_CLI_UNCAUGHT, { name, reason }, { cause });
}

// Registers the application for tools that look for the running application of a project. Not in production, where no tool looks and the
// folder may not be writable.
function registered(app: App, root: string, worker: ThisWorker | undefined): RunningEntry | undefined {
  const { name, profile } = app;
  if (profile === 'prod') return undefined;
  // A worker that ends is replaced, so the process above it is the one to stop.
  const entry = new RunningEntry(root, { command: 'start', profile }, worker && identityOf(process.ppid));
  try {
    entry.write({ state: 'running', app: name, addresses: addressesOf(app) });
    return entry;
  } catch (error) {
    entry.remove();
    app.services
      .get(Logger)
      .debug({ err: error }, 'tools will not find this process by itself: .fw/running could not be written');
    return undefined;
  }
}

// A request to stop also ends a boot in progress.
function abortedBy({ aborted }: StopRequest, above: readonly Promise<void>[]): AbortSignal {
  if (above.length === 0) return aborted;
  const controller = new AbortController();
  void Promise.race(above).then(() => controller.abort());
  return anySignal([aborted, controller.signal]);
}

const CAUSES: Partial<Record<StopCause | 'UNCAUGHT' | 'TOLD', string>> = {
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
  const plugins = table([['PLUGIN', 'CATEGORY', 'STATE', 'TOOLS', 'IMPORT', 'REGISTER', 'START ms', ''], ...rows]);
  return `${plugins}\n${healthTable(app)}`;
}

// The summaries of the probes, as a table.
function healthTable({ diagnostics }: App): string {
  const there = diagnostics.snapshot().filter(({ status }) => status !== 'off');
  const rows = there.map(({ subsystem, status, summary }) => [subsystem, status, summary]);
  return table([['PART', 'HEALTH', ''], ...rows]);
}
