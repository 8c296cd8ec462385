import path from 'node:path';
import {
  activeProfile,
  type AppConfig,
  MIGRATIONS_FOLDER,
  type PluginEntry,
  redact,
  resolveOptions,
} from '../config/index.js';
import { ServiceContainer, type Token, tokenName } from '../container/index.js';
import type { PluginCategory } from '../contracts/category.js';
import { AppInfo, BeforeStop, Clock, Logger, LogTap, systemClock, ToolContribution } from '../contracts/index.js';
import { enableRequestContext } from '../context/index.js';
import { Diagnostics, DiagnosticsRegistry, degraded, ok, type ProbeReport } from '../diagnostics/index.js';
import { fwError, isFwError } from '../errors/index.js';
import { createLogger, LogTaps, TappedLogger } from '../log/index.js';
import { PLUGIN_ERRORS } from '../plugin/errors.js';
import {
  BootRecorder,
  type BootReport,
  Capabilities,
  CapabilityRegistry,
  dependenciesOf,
  orderPlugins,
  orderWhatCan,
  type PluginManifest,
  type UnplacedPlugin,
} from '../plugin/index.js';
import { eventTokens, KernelEvents } from './kernel-events.js';
import { useBuiltValidators } from '../schema/index.js';
import {
  codeOf,
  giveUp,
  type Lifecycle,
  type ReadyToBoot,
  reasonOf,
  registerAll,
  startAll,
  stopAll,
} from './lifecycle.js';
import { type LoadedPlugin, loadPlugins } from './load-plugins.js';
import { thisWorker } from '../workers/index.js';
import { forThisWorker } from './for-this-worker.js';

/** What a caller may set about a boot. */
export interface BootOptions {
  /** dev, test or prod; see {@link activeProfile}. */
  readonly profile?: string;
  /** Folder of `app.config.ts`; default the current directory. */
  readonly root?: string;
  readonly log?: Logger;
  readonly clock?: Clock;
  /** Gives the boot up when aborted. */
  readonly signal?: AbortSignal;
  /** Registers plugins and starts none: what they contribute can be read, and nothing is opened. Default false. */
  readonly registerOnly?: boolean;
  /**
   * Registers every plugin that can be registered and starts none, to describe an application that may be broken. A plugin that cannot be
   * loaded does not end the boot: the boot report lists it as failed, with the reason. Default false.
   */
  readonly survey?: boolean;
  /** Boots only the plugins of this category and those that they need: for commands that use a part of the application. */
  readonly onlyCategory?: PluginCategory;
  /** Options that win over those of the configuration, by plugin id. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Plugins to add after those of the configuration, unless the configuration lists them already. */
  readonly unlessListed?: readonly PluginEntry[];
}

/** A running application. */
export interface App {
  readonly name: string;
  readonly profile: string;
  readonly services: ServiceContainer;
  readonly diagnostics: Diagnostics;
  /** The boot report; states change when plugins stop. */
  report(): BootReport;
  /** Stops every plugin in reverse order. A second call waits for the first. @throws FwError `FW_PLUGIN_STOP_INCOMPLETE` when some failed */
  stop(): Promise<void>;
  /**
   * Adds the capabilities of another application in this process to the `Capabilities` of this one, for a part that boots further plugins
   * later. Where both have a plugin, the capabilities of this application's plugin count.
   *
   * @returns a function that takes them out again
   * @throws FwError `FW_TOOL_TWICE` when tools of both have the same name
   */
  adopt(capabilities: CapabilityRegistry): () => void;
}

/** Tokens that the kernel provides itself. */
const KERNEL_TOKENS = [AppInfo, Capabilities, Clock, DiagnosticsRegistry, Logger, LogTap] as const;

/**
 * Boots an application: imports the enabled plugins, checks options and order, registers, starts.
 *
 * @throws FwError of the first fatal problem; every plugin that had started is stopped first
 */
export async function bootApp(config: AppConfig, options: BootOptions = {}): Promise<App> {
  const profile = activeProfile(options.profile);
  const clock = options.clock ?? systemClock;
  const taps = new LogTaps(clock);
  const log = new TappedLogger(options.log ?? createLogger({ name: config.name, profile }), taps);
  const recorder = new BootRecorder(config.name, profile, () => clock.monotonic());
  await Promise.all([useBuiltValidators(), config.generated?.()]);
  const survey = options.survey ?? false;
  const starts = !survey && options.registerOnly !== true;
  const { enabled: all, refused, disabled } = await loadPlugins(config, profile, options);
  const { enabled, elsewhere } = forThisWorker(all, !starts);
  const listed = enabled.map((each) => each.manifest);
  const builtIn: ReadonlySet<Token<unknown>> = new Set([...KERNEL_TOKENS, ...eventTokens(listed)]);
  const { ordered, unplaced } = survey
    ? orderWhatCan(listed, builtIn)
    : { ordered: orderPlugins(listed, builtIn), unplaced: [] };
  const plugins = inOrder(ordered, unplaced, enabled).map(({ loaded, error }) => {
    const { manifest, importMs, broughtBy = '' } = loaded;
    recorder.open(manifest.id, manifest.category, { importMs, broughtBy });
    return readyToBoot(loaded, error, survey);
  });
  // Their states are given at once: several may have the same specifier, by which only the first of them would be found.
  for (const { specifier, error } of refused) {
    const code = codeOf(error);
    recorder.open(specifier, 'unknown', { state: 'failed', reason: reasonOf(error), ...(code && { code }) });
  }
  for (const { manifest } of elsewhere)
    recorder.open(manifest.id, manifest.category, { state: 'disabled', reason: 'the first worker runs it' });
  for (const specifier of disabled)
    recorder.open(specifier, 'unknown', { state: 'disabled', reason: `left out by profile ${profile}` });
  const lifecycle: Lifecycle = {
    profile,
    log,
    recorder,
    container: new ServiceContainer(),
    diagnostics: new Diagnostics(),
    dependencies: dependenciesOf(ordered, builtIn),
    survey,
    started: () => {
      // Conflicting tools end the boot, even if nobody would have asked for `Capabilities`.
      for (const { plugin, tool } of lifecycle.container.get(Capabilities).tools()) recorder.tool(plugin, tool.name);
    },
  };
  const events = new KernelEvents(clock, log);
  events.bind(lifecycle.container, lifecycle.diagnostics, builtIn);
  if (plugins.some((each) => needsRequestContext(each, profile))) enableRequestContext();
  const adopted = new Set<CapabilityRegistry>();
  bindKernel(lifecycle, { config, root: options.root ?? process.cwd(), clock, plugins, taps, adopted });
  return startApp(config.name, plugins, { ...lifecycle, events, adopted, starts }, options.signal);
}

function needsRequestContext({ manifest: { requestContext }, options }: ReadyToBoot, profile: string): boolean {
  return typeof requestContext === 'function' ? requestContext(options as never, profile) : requestContext === true;
}

function inOrder(
  ordered: readonly PluginManifest[],
  unplaced: readonly UnplacedPlugin[],
  enabled: readonly LoadedPlugin[],
): readonly { readonly loaded: LoadedPlugin; readonly error?: unknown }[] {
  const byId = new Map(enabled.map((each) => [each.manifest.id, each]));
  const loadedOf = ({ id }: PluginManifest) => byId.get(id) as LoadedPlugin;
  return [
    ...ordered.map((manifest) => ({ loaded: loadedOf(manifest) })),
    ...unplaced.map(({ manifest, error }) => ({ loaded: loadedOf(manifest), error })),
  ];
}

function readyToBoot(loaded: LoadedPlugin, unplaced: unknown, survey: boolean): ReadyToBoot {
  const { manifest, given, broughtBy } = loaded;
  const error = unplaced ?? loaded.error;
  if (error !== undefined) return { manifest, options: {}, broughtBy, error };
  try {
    return { manifest, options: resolveOptions(manifest, given), broughtBy };
  } catch (wrong) {
    if (!survey) throw wrong;
    return { manifest, options: {}, broughtBy, error: wrong };
  }
}

interface KernelFacts {
  readonly config: AppConfig;
  readonly root: string;
  readonly clock: Clock;
  readonly plugins: readonly ReadyToBoot[];
  readonly taps: LogTaps;
  /** Capabilities of other applications that this one has adopted. */
  readonly adopted: ReadonlySet<CapabilityRegistry>;
}

function bindKernel(lifecycle: Lifecycle, { config, root, clock, plugins, taps, adopted }: KernelFacts): void {
  const { container, diagnostics, recorder, log, profile } = lifecycle;
  const info: AppInfo = {
    name: config.name,
    version: config.version ?? '0.0.0',
    profile,
    root,
    worker: { index: thisWorker()?.index ?? 1, count: thisWorker()?.count ?? 1 },
    migrations: path.resolve(root, config.migrations ?? MIGRATIONS_FOLDER),
    report: () => recorder.report(),
    configuration: () =>
      plugins.map(({ manifest, options }) => ({ plugin: manifest.id, options: redact(options, manifest.options) })),
  };
  container.bind(AppInfo, 'kernel', () => info);
  container.bind(Clock, 'kernel', () => clock);
  container.bind(Logger, 'kernel', () => log);
  container.bind(LogTap, 'kernel', () => taps);
  container.bind(DiagnosticsRegistry, 'kernel', () => diagnostics);
  // Made anew for every request of the service, because a plugin that degrades loses its tools.
  container.bind(Capabilities, 'kernel', () => capabilitiesOf(plugins, container).with(adopted), 'transient');
  diagnostics.register('kernel', () => kernelProbe(recorder.report()));
}

function capabilitiesOf(plugins: readonly ReadyToBoot[], container: ServiceContainer): CapabilityRegistry {
  const tools = container.allWithOwners(ToolContribution).map(({ owner, value }) => ({ plugin: owner, tool: value }));
  return new CapabilityRegistry(
    plugins.map(({ manifest: { id, category, description, fw, provides = [], uses = [] }, broughtBy }) => ({
      id,
      category,
      description,
      fw,
      broughtBy,
      provides: provides.map(tokenName),
      uses: uses.map(tokenName),
      contributes: container.contributionsOf(id).map(tokenName),
    })),
    tools,
  );
}

function kernelProbe(report: BootReport): ProbeReport {
  const broken = report.plugins.filter(({ state }) => state === 'degraded' || state === 'failed');
  const detail = { ...report };
  const count = `${report.plugins.filter(({ state }) => state === 'ready').length} plugins ready`;
  if (broken.length === 0) return ok(`${count} in ${Math.round(report.totalMs)} ms`, { detail });
  return degraded(`${count}, ${broken.length} degraded: ${broken.map(({ id }) => id).join(', ')}`, {
    detail,
    notes: broken.map(({ id, reason }) => `${id}: ${reason}`),
  });
}

interface BootedLifecycle extends Lifecycle {
  readonly events: KernelEvents;
  readonly adopted: Set<CapabilityRegistry>;
  /** False where plugins are registered and not started: then there is nothing to sign off at the stop. */
  readonly starts: boolean;
}

async function startApp(
  name: string,
  plugins: readonly ReadyToBoot[],
  lifecycle: BootedLifecycle,
  signal: AbortSignal | undefined,
): Promise<App> {
  const started: PluginManifest[] = [];
  try {
    const registered = await registerAll(plugins, lifecycle);
    if (lifecycle.survey) giveUpWrongTools(registered, lifecycle);
    else if (lifecycle.starts) await startAll(registered, lifecycle, started, signal);
  } catch (error) {
    await stopAll(started, lifecycle);
    throw error;
  }
  lifecycle.recorder.finish();
  if (lifecycle.starts) lifecycle.events.started(name, lifecycle.profile);
  return runningApp(name, started, lifecycle);
}

// Gives up plugins whose tools conflict with others or cannot be made, one after the other, until the tools of the rest can be listed.
function giveUpWrongTools(plugins: readonly ReadyToBoot[], lifecycle: Lifecycle): void {
  for (let left = plugins; ;) {
    try {
      return void lifecycle.container.get(Capabilities);
    } catch (error) {
      const { plugin, second, owner } = (isFwError(error) ? error.details : {}) as Readonly<Record<string, unknown>>;
      const wrong = left.find(({ manifest: { id } }) => [plugin, second, owner].includes(id));
      if (!wrong) throw error;
      giveUp(wrong.manifest, error, lifecycle);
      left = left.filter((each) => each !== wrong);
    }
  }
}

function runningApp(name: string, started: readonly PluginManifest[], lifecycle: BootedLifecycle): App {
  let stopping: Promise<void> | undefined;
  return {
    name,
    profile: lifecycle.profile,
    services: lifecycle.container,
    diagnostics: lifecycle.diagnostics,
    report: () => lifecycle.recorder.report(),
    stop: () => (stopping ??= stopOnce(name, started, lifecycle)),
    adopt: (capabilities) => adopt(capabilities, lifecycle),
  };
}

function adopt(capabilities: CapabilityRegistry, { adopted, container }: BootedLifecycle): () => void {
  adopted.add(capabilities);
  try {
    container.get(Capabilities);
  } catch (error) {
    adopted.delete(capabilities);
    throw error;
  }
  return () => void adopted.delete(capabilities);
}

// What fails here, the factory of a contribution included, must not keep the application from stopping.
async function leave({ container, log }: BootedLifecycle): Promise<void> {
  const tell = (err: unknown) => log.error({ err }, 'a BeforeStop contribution failed');
  try {
    const left = container.all(BeforeStop).map(async (each) => each());
    await Promise.all(left.map((each) => each.catch(tell)));
  } catch (error) {
    tell(error);
  }
}

async function stopOnce(name: string, started: readonly PluginManifest[], lifecycle: BootedLifecycle): Promise<void> {
  if (lifecycle.starts) {
    lifecycle.events.stopping(name);
    await leave(lifecycle);
  }
  const failures = await stopAll(started, lifecycle);
  await lifecycle.events.drain();
  if (failures.length === 0) return;
  const details = { name, failures: failures.map(({ message }) => message).join('; ') };
  throw fwError(PLUGIN_ERRORS.FW_PLUGIN_STOP_INCOMPLETE, details, { cause: failures[0] });
}
