import type { Plugin } from '../plugin/define-plugin.js';
import type { PluginEntry, ProfileVariants } from './plugin-entry.js';

type LoadedModule<Input> = Plugin<Input> | { readonly default: Plugin<Input> };

/** Options may be left out when each of them may. */
type OptionsArguments<Input> =
  Partial<Input> extends Input
    ? [options?: NoInfer<Input>, variants?: ProfileVariants<NoInfer<Input>>]
    : [options: NoInfer<Input>, variants?: ProfileVariants<NoInfer<Input>>];

/**
 * Lists a plugin. The module is imported only when the entry is enabled in the active profile, and the types of the options
 * are those of the imported plugin.
 *
 * @param load - `() => import('fw/middleware/cors')`; for a named export `() => import('./x.js').then((m) => m.name)`
 * @param options - what the plugin's option schema allows
 * @param variants - other options per profile, or `false` to leave the plugin out there
 *
 * @example
 * plugin(() => import('fw/http'), { port: 3000 }, { test: { port: 0 } })
 */
export function plugin<Input>(
  load: () => Promise<LoadedModule<Input>>,
  ...[options, variants]: OptionsArguments<Input>
): PluginEntry {
  return {
    load,
    options: (options ?? {}) as Readonly<Record<string, unknown>>,
    variants: (variants ?? {}) as ProfileVariants<Record<string, unknown>>,
  };
}

/** What `app.config.ts` says. */
export interface AppConfig {
  /** Name of the application, as logs, the dashboard and traces show it. */
  readonly name: string;
  /** Version of the application; default `0.0.0`. */
  readonly version?: string;
  /** Files with model classes, as globs relative to the configuration; `fw codegen` reads them. Default `app/models`. */
  readonly models?: readonly string[];
  /**
   * Files with route modules, as globs relative to the configuration; `fw codegen` reads them. Default: the folder `routes`
   * next to each folder of `models`.
   */
  readonly routes?: readonly string[];
  /** Folder of the database migrations, relative to the configuration; `fw migrate` reads it. Default `app/migrations`. */
  readonly migrations?: string;
  /** Imports what `fw codegen` wrote: `() => import('./generated/index.js')`. Loaded before any plugin. */
  readonly generated?: () => Promise<unknown>;
  /** The plugins, in the order in which middlewares wrap each other (outermost first). */
  readonly plugins: readonly PluginEntry[];
}

/** Folder of the database migrations where a configuration names none. */
export const MIGRATIONS_FOLDER = 'app/migrations';

const BRAND = Symbol.for('fw.app-config');

/** Declares an application; the default export of `app.config.ts`. */
export function defineApp(config: AppConfig): AppConfig {
  const app = { ...config };
  Object.defineProperty(app, BRAND, { value: true });
  return Object.freeze(app);
}

/** True for what {@link defineApp} returns, of any copy of the package. */
export function isAppConfig(value: unknown): value is AppConfig {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
}
