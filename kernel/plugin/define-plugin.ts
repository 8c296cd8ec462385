import type { TObject } from 'typebox';
import type { PluginEntry } from '../config/plugin-entry.js';
import type { OptionsInput, ResolvedOptions } from '../config/options.js';
import type { Resolver, ServiceClass, ServiceFactory, ServiceScope, Token } from '../container/index.js';
import type { Logger } from '../contracts/logger.js';
import type { Probe } from '../diagnostics/probe.js';
import type { PluginCategory } from '../contracts/category.js';
import { refuseWrongManifest } from './manifest-problems.js';

const BRAND = Symbol.for('fw.plugin');

/** Where a plugin stands among the others of `app.config.ts`. Checked at boot; the reason is part of the error. */
export interface PluginOrder {
  /** Ids of plugins that must be listed before this one, when they are enabled. */
  readonly after?: readonly string[];
  /** Ids of plugins that must be listed after this one, when they are enabled. */
  readonly before?: readonly string[];
  /** A sentence that says why, as it appears in the error. */
  readonly because: string;
}

/** What `register` may do: bind and contribute. Nothing is resolved yet. */
export interface RegisterContext<Options> {
  /** Validated options with their defaults. */
  readonly options: Options;
  /** Active profile. */
  readonly profile: string;
  readonly log: Logger;
  /**
   * Provides a token that the manifest lists in `provides`. The factory runs once, on first use; with the scope `transient` it runs for
   * each resolution (resolutions happen at boot only).
   */
  bind<Service>(token: Token<Service>, make: ServiceFactory<Service>, scope?: ServiceScope): void;
  /** Like {@link bind}, with a class whose constructor parameters carry `@inject(Token)` or `@multiInject(Token)`. */
  bindClass<Service>(token: Token<Service>, implementation: ServiceClass<Service>, scope?: ServiceScope): void;
  /** Adds one of many: a middleware, a tool, a dashboard page. */
  contribute<Service>(token: Token<Service>, make: ServiceFactory<Service>): void;
  /** Registers a diagnostics probe under its subsystem key. */
  probe(subsystem: string, probe: Probe): void;
}

/** What `start` may do: use services and wait. */
export interface StartContext<Options> extends Resolver {
  readonly options: Options;
  readonly profile: string;
  readonly log: Logger;
  /** Aborted when the start deadline passes or the boot is given up. */
  readonly signal: AbortSignal;
}

/** What `drain` and `stop` get: services can still be used. */
export interface StopContext extends Resolver {
  readonly log: Logger;
  /** Aborted when the stop deadline passes. */
  readonly signal: AbortSignal;
}

/** Manifest of a plugin: all that it provides, needs and registers. */
export interface PluginManifest<Options extends TObject = TObject> {
  /** `<category>/<name>`, or the npm package name for a third party's plugin. */
  readonly id: string;
  readonly category: PluginCategory;
  /** One sentence for the boot report. */
  readonly description: string;
  /** Range of framework releases that a published plugin supports, as for npm: `^0.1.0`. The boot refuses the plugin on others. */
  readonly fw?: string;
  /** Schema of the options; an option that the schema does not name is refused. */
  readonly options?: Options;
  /** Ids of plugins that must be enabled; they start first. */
  readonly needs?: readonly string[];
  /** Ids of plugins that start first when they are enabled. */
  readonly optionalNeeds?: readonly string[];
  /** Tokens that some enabled plugin must provide; the providers start first. */
  readonly uses?: readonly Token<unknown>[];
  /** Tokens that this plugin binds. */
  readonly provides?: readonly Token<unknown>[];
  /**
   * Plugins that this one adds to the end of the list in `app.config.ts`; a plugin that is listed there keeps its place and options. Name their
   * ids in {@link PluginManifest.optionalNeeds} where they have to start first.
   */
  readonly brings?: (options: ResolvedOptions<Options>) => readonly PluginEntry[] | Promise<readonly PluginEntry[]>;
  /**
   * Set for a plugin that runs in only one of the processes that serve an application (`fw start --workers`), because it keeps state for
   * all of them or opens a port of its own. The first process runs it, and the others pass it the requests below the paths that this
   * function returns.
   */
  readonly oneWorker?: (options: ResolvedOptions<Options>) => readonly string[];
  /** With {@link PluginManifest.oneWorker}: what the other processes register instead, so that plugins there find the tokens that they use. */
  readonly otherWorkers?: {
    readonly provides: readonly Token<unknown>[];
    register(context: RegisterContext<ResolvedOptions<Options>>): void;
  };
  readonly order?: PluginOrder;
  /** Whether the boot fails with this plugin (`fatal`, the default), or goes on without it (`degrade`). */
  readonly failure?: 'fatal' | 'degrade';
  /** Whether it needs the ambient request context, which costs every `await` of the process. Default false. */
  readonly requestContext?: boolean | ((options: ResolvedOptions<Options>, profile: string) => boolean);
  /** Milliseconds that `start` may take; default 10 000. */
  readonly startDeadlineMs?: number;
  /** Milliseconds that `stop` may take; default 10 000. */
  readonly stopDeadlineMs?: number;
  /** Binds and contributes; synchronous. */
  register?(context: RegisterContext<ResolvedOptions<Options>>): void;
  /** Opens what must be opened; resolves when the plugin is ready. */
  start?(context: StartContext<ResolvedOptions<Options>>): void | Promise<void>;
  /** Begins to accept work once every plugin has started, in start order: opens a listener, starts a consumer. Deadline as for `start`. */
  ready?(context: StartContext<ResolvedOptions<Options>>): void | Promise<void>;
  /** Stops accepting work before any plugin stops, in reverse order: refuses new work and finishes the running. Deadline as for `stop`. */
  drain?(context: StopContext): void | Promise<void>;
  /** Releases what `start` opened. Runs in reverse order, also after a start that failed half way. */
  stop?(context: StopContext): void | Promise<void>;
}

declare const input: unique symbol;

/** A plugin as `app.config.ts` takes it. The type parameter is what a person may write as options. */
export interface Plugin<Input = unknown> {
  readonly manifest: PluginManifest;
  readonly [input]?: Input;
}

// Written out, so that a plugin without options does not load TypeBox.
const NO_OPTIONS = { type: 'object', properties: {} } as TObject<Record<never, never>>;
/**
 * Declares a plugin. The manifest is checked here, so that a mistake shows where it is made and not at boot.
 *
 * @throws FwError `FW_PLUGIN_MANIFEST` when the manifest has a wrong value; `FW_PLUGIN_FRAMEWORK` when it supports other releases of the
 *   framework
 */
export function definePlugin<Options extends TObject = typeof NO_OPTIONS>(
  manifest: PluginManifest<Options>,
): Plugin<OptionsInput<Options>> {
  refuseWrongManifest(manifest);
  const options = closed(manifest.options ?? NO_OPTIONS);
  const plugin = { manifest: Object.freeze({ ...manifest, options }) };
  Object.defineProperty(plugin, BRAND, { value: true });
  return plugin as unknown as Plugin<OptionsInput<Options>>;
}

/** True for what {@link definePlugin} returns, of any copy of the package. */
export function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
}

// A misspelt option must not pass silently, so objects are closed unless the author opened them on purpose.
function closed(options: TObject): TObject {
  if ('additionalProperties' in options) return options;
  // TypeBox keeps the kind of a schema in properties that a spread would lose.
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(options)) as TObject;
  return Object.assign(copy, { additionalProperties: false });
}
