import { type ServiceContainer, type Token, tokenName } from '../container/index.js';
import { isThenable, type Logger } from '../contracts/index.js';
import type { Diagnostics } from '../diagnostics/index.js';
import { type FwError, fwError, isFwError, messageOf } from '../errors/index.js';
import { PLUGIN_ERRORS } from '../plugin/errors.js';
import type { BootRecorder, PluginManifest } from '../plugin/index.js';
import { DeadlinePassed, type LateOutcome, withDeadline } from './deadline.js';

/** An enabled plugin with its final options. */
export interface ReadyToBoot {
  readonly manifest: PluginManifest;
  readonly options: Readonly<Record<string, unknown>>;
  /** Plugin that added this one; undefined for a plugin that `app.config.ts` lists. */
  readonly broughtBy?: string | undefined;
  /** Why the plugin cannot be booted; only set in a survey. */
  readonly error?: unknown;
}

/** What the phases of a boot share. */
export interface Lifecycle {
  readonly profile: string;
  readonly log: Logger;
  readonly container: ServiceContainer;
  readonly diagnostics: Diagnostics;
  readonly recorder: BootRecorder;
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether the boot goes on when a plugin fails, whatever its manifest says. */
  readonly survey: boolean;
  /** Called when every plugin has started and before any of them accepts requests; an error that it throws ends the boot. */
  started?(): void;
}

const DEFAULT_DEADLINE_MS = 10_000;

/** Runs `register` of every plugin in order; when a plugin degrades, the plugins that need it degrade as well. */
export async function registerAll(
  plugins: readonly ReadyToBoot[],
  lifecycle: Lifecycle,
): Promise<readonly ReadyToBoot[]> {
  return survivors(plugins, lifecycle, async ({ manifest, options, error }) => {
    if (error !== undefined) throw error;
    await lifecycle.recorder.timed(manifest.id, 'registerMs', () => register(manifest, options, lifecycle));
  });
}

/**
 * Runs `start` of every plugin in order, then `ready`, each within its deadline. Each plugin is added to `started` when its start begins,
 * so that the stop phase knows it.
 */
export async function startAll(
  plugins: readonly ReadyToBoot[],
  lifecycle: Lifecycle,
  started: PluginManifest[],
  signal?: AbortSignal,
): Promise<void> {
  const { recorder } = lifecycle;
  const entering = { lifecycle, started, signal };
  const up = await survivors(plugins, lifecycle, async (plugin) => {
    refuseGivenUp(signal);
    started.push(plugin.manifest);
    await recorder.timed(plugin.manifest.id, 'startMs', () => enter('start', plugin, entering));
  });
  lifecycle.started?.();
  await survivors(up, lifecycle, async (plugin) => {
    lifecycle.container.makeClassesOf(plugin.manifest.id);
    await recorder.timed(plugin.manifest.id, 'startMs', () => enter('ready', plugin, entering));
    recorder.mark(plugin.manifest.id, 'ready');
  });
  // A plugin that may degrade takes an abort for a failure of its own, so the signal is checked once more.
  refuseGivenUp(signal);
}

function refuseGivenUp(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw fwError(PLUGIN_ERRORS.FW_PLUGIN_BOOT_GIVEN_UP, {}, { cause: signal.reason });
}

/**
 * Drains, then stops plugins, each in reverse order. One that fails does not keep the others from stopping.
 * @returns the failures
 */
export async function stopAll(started: readonly PluginManifest[], lifecycle: Lifecycle): Promise<readonly FwError[]> {
  const failures: FwError[] = [];
  const reversed = [...started].reverse();
  for (const manifest of reversed) await leave('drain', manifest, lifecycle, failures);
  for (const manifest of reversed) {
    if (await leave('stop', manifest, lifecycle, failures)) lifecycle.recorder.mark(manifest.id, 'stopped');
  }
  return failures;
}

async function leave(
  phase: 'drain' | 'stop',
  manifest: PluginManifest,
  lifecycle: Lifecycle,
  failures: FwError[],
): Promise<boolean> {
  try {
    await runLeaving(phase, manifest, lifecycle);
    return true;
  } catch (cause) {
    const details = { plugin: manifest.id, reason: reasonOf(cause) };
    const failure = fwError(PLUGIN_ERRORS.FW_PLUGIN_STOP, details, { cause });
    lifecycle.log.error({ plugin: manifest.id, code: failure.code }, failure.message);
    failures.push(failure);
    return false;
  }
}

type Phase = (plugin: ReadyToBoot) => Promise<void>;

async function survivors(
  plugins: readonly ReadyToBoot[],
  lifecycle: Lifecycle,
  phase: Phase,
): Promise<readonly ReadyToBoot[]> {
  const failed = new Map<string, string>();
  const alive: ReadyToBoot[] = [];
  for (const plugin of plugins) {
    try {
      refuseWithoutNeeds(plugin.manifest, lifecycle, failed);
      await phase(plugin);
      alive.push(plugin);
    } catch (error) {
      failed.set(plugin.manifest.id, reasonOf(error));
      giveUp(plugin.manifest, error, lifecycle);
    }
  }
  return alive;
}

function refuseWithoutNeeds(
  manifest: PluginManifest,
  { dependencies }: Lifecycle,
  failed: ReadonlyMap<string, string>,
): void {
  const optional = new Set(manifest.optionalNeeds ?? []);
  for (const id of dependencies.get(manifest.id) ?? []) {
    const reason = failed.get(id);
    if (reason === undefined || optional.has(id)) continue;
    throw fwError(PLUGIN_ERRORS.FW_PLUGIN_NEED_FAILED, { plugin: manifest.id, failed: id, reason });
  }
}

/**
 * Records the failure of a plugin; where the boot goes on without the plugin, removes its bindings. @throws the failure where the boot
 * cannot go on
 */
export function giveUp(manifest: PluginManifest, error: unknown, lifecycle: Lifecycle): void {
  const { recorder, log, container, survey } = lifecycle;
  const state = manifest.failure === 'degrade' ? 'degraded' : 'failed';
  recorder.mark(manifest.id, state, reasonOf(error), codeOf(error));
  if (state === 'failed' && !survey) throw error;
  container.withdraw(manifest.id);
  if (!survey) log.error({ plugin: manifest.id, err: error }, `plugin ${manifest.id} is ${state}: ${reasonOf(error)}`);
}

function register(manifest: PluginManifest, options: Readonly<Record<string, unknown>>, lifecycle: Lifecycle): void {
  const { container, diagnostics, profile, log } = lifecycle;
  const { id } = manifest;
  const returned = attempt(manifest, () =>
    manifest.register?.({
      options: options as never,
      profile,
      log: log.child({ plugin: id }),
      bind: (token, make, scope) => container.bind(declared(manifest, token), id, make, scope),
      bindClass: (token, made, scope) => container.bindClass(declared(manifest, token), id, made, scope),
      contribute: (token, make) => container.contribute(token, id, make),
      probe: (subsystem, probe) => diagnostics.register(subsystem, probe),
    }),
  );
  if (isThenable(returned)) {
    // Nobody waits for it: without this its failure would end the process.
    Promise.resolve(returned).catch((err: unknown) =>
      log.debug({ plugin: id, err }, `register of plugin ${id} failed after it was refused`),
    );
    throw fwError(PLUGIN_ERRORS.FW_PLUGIN_REGISTER_ASYNC, { plugin: id });
  }
  for (const token of manifest.provides ?? []) {
    if (container.ownerOf(token) === id) continue;
    throw fwError(PLUGIN_ERRORS.FW_PLUGIN_NOT_BOUND, { plugin: id, token: tokenName(token) });
  }
}

function declared<Service>(manifest: PluginManifest, token: Token<Service>): Token<Service> {
  if (manifest.provides?.includes(token)) return token;
  throw fwError(PLUGIN_ERRORS.FW_PLUGIN_UNDECLARED, { plugin: manifest.id, token: tokenName(token) });
}

function attempt(manifest: PluginManifest, run: () => unknown): unknown {
  try {
    return run();
  } catch (cause) {
    if (isFwError(cause)) throw cause;
    throw fwError(PLUGIN_ERRORS.FW_PLUGIN_REGISTER, { plugin: manifest.id, reason: reasonOf(cause) }, { cause });
  }
}

interface Entering {
  readonly lifecycle: Lifecycle;
  /** The plugins that have to be stopped. */
  readonly started: PluginManifest[];
  readonly signal: AbortSignal | undefined;
}

async function enter(phase: 'start' | 'ready', { manifest, options }: ReadyToBoot, entering: Entering): Promise<void> {
  const { container, profile, log } = entering.lifecycle;
  if (!manifest[phase]) return;
  const deadlineMs = manifest.startDeadlineMs ?? DEFAULT_DEADLINE_MS;
  const context = {
    options: options as never,
    profile,
    log: log.child({ plugin: manifest.id }),
    ...container.resolverFor(manifest.id),
  };
  try {
    await withDeadline((signal) => manifest[phase]?.({ ...context, signal }), deadlineMs, {
      parent: entering.signal,
      late: (outcome) => void endLate(phase, manifest, outcome, entering),
    });
  } catch (cause) {
    refuseGivenUp(entering.signal);
    throw startError(manifest, cause, deadlineMs);
  }
}

// A start that ends after its deadline leaves resources open that nothing would close, even when `stop` was called in the meantime: so
// `stop` is called once more.
async function endLate(
  phase: 'start' | 'ready',
  manifest: PluginManifest,
  { succeeded, error }: LateOutcome,
  { lifecycle, started }: Entering,
): Promise<void> {
  const { log } = lifecycle;
  const { id } = manifest;
  if (!succeeded) {
    log.debug({ plugin: id, err: error }, `${phase} of plugin ${id} failed after it was given up`);
    return;
  }
  log.warn({ plugin: id }, `${phase} of plugin ${id} ended after it was given up; the plugin is stopped`);
  const failures: FwError[] = [];
  if (phase === 'ready') await leave('drain', manifest, lifecycle, failures);
  await leave('stop', manifest, lifecycle, failures);
  // If the application runs on without the plugin, its shutdown does not stop the plugin again.
  const place = started.indexOf(manifest);
  if (place >= 0) started.splice(place, 1);
}

function startError(manifest: PluginManifest, cause: unknown, deadlineMs: number): unknown {
  if (isFwError(cause)) return cause;
  if (cause instanceof DeadlinePassed) {
    return fwError(PLUGIN_ERRORS.FW_PLUGIN_START_DEADLINE, { plugin: manifest.id, deadlineMs });
  }
  return fwError(PLUGIN_ERRORS.FW_PLUGIN_START, { plugin: manifest.id, reason: reasonOf(cause) }, { cause });
}

async function runLeaving(phase: 'drain' | 'stop', manifest: PluginManifest, lifecycle: Lifecycle): Promise<void> {
  if (!manifest[phase]) return;
  const deadlineMs = manifest.stopDeadlineMs ?? DEFAULT_DEADLINE_MS;
  const context = {
    log: lifecycle.log.child({ plugin: manifest.id }),
    ...lifecycle.container.resolverFor(manifest.id),
  };
  await withDeadline((signal) => manifest[phase]?.({ ...context, signal }), deadlineMs);
}

/** What went wrong, in a sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof DeadlinePassed) return 'the deadline passed';
  return messageOf(error);
}

/** Code of an error that has one. */
export const codeOf = (error: unknown): string | undefined => (isFwError(error) ? error.code : undefined);
