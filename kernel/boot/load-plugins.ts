import { CONFIG_ERRORS } from '../config/errors.js';
import { type AppConfig, type PluginEntry, type Profile, resolveOptions } from '../config/index.js';
import { fwError, isFwError, messageOf } from '../errors/index.js';
import type { PluginCategory } from '../contracts/category.js';
import { isPlugin, type PluginManifest, refuseWrongManifest } from '../plugin/index.js';

/** An enabled plugin with the options that hold in the active profile. */
export interface LoadedPlugin {
  readonly manifest: PluginManifest;
  readonly given: Readonly<Record<string, unknown>>;
  readonly importMs: number;
  /** Plugin that added this one; undefined for a plugin of the list. */
  readonly broughtBy?: string;
  /** Why the plugin cannot be booted; only set in a survey. */
  readonly error?: unknown;
}

/** An entry whose import gave no plugin: only its import specifier is known. */
interface RefusedEntry {
  readonly specifier: string;
  readonly error: unknown;
}

/** What a caller may change about the list. */
interface PluginSelection {
  /** Loads only the plugins of this category and those that they need. Default: all. */
  readonly onlyCategory?: PluginCategory;
  /** Options that win over those of the list, by plugin id. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Plugins to add after those of the list, unless the list has them already. */
  readonly unlessListed?: readonly PluginEntry[];
  /** Whether plugins that cannot be loaded are reported and the others loaded; default false, which throws. */
  readonly survey?: boolean;
}

/** What became of the plugin list. */
interface LoadedPlugins {
  readonly enabled: readonly LoadedPlugin[];
  /** Empty, except in a survey. */
  readonly refused: readonly RefusedEntry[];
  /** Import specifiers of the entries that the profile leaves out; they were not imported. */
  readonly disabled: readonly string[];
}

/**
 * Imports the plugins that the profile enables, all at once, and no others.
 * @throws FwError when one cannot be imported, is not a plugin, is made for other releases of fw, or is listed twice
 */
export async function loadPlugins(
  config: AppConfig,
  profile: Profile,
  { onlyCategory, overrides = {}, unlessListed = [], survey = false }: PluginSelection = {},
): Promise<LoadedPlugins> {
  const entries = config.plugins.map((entry, index) => ({ entry, position: index + 1 }));
  for (const { entry, position } of entries) refuseWrongEntry(entry, placeOf(position));
  const enabled = entries.filter(({ entry }) => entry.variants[profile] !== false);
  const tried = enabled.map(async ({ entry, position }) => {
    const loading = loadPlugin(entry, placeOf(position), profile);
    const loaded = await (survey ? loading.catch((error: unknown) => ({ error })) : loading);
    return { entry, position, loaded };
  });
  const { loaded, refused } = sortedOut(await Promise.all(tried), survey);
  const further = await Promise.all(unlessListed.map((entry) => loadPlugin(entry, 'that the command adds', profile)));
  const added = further.filter(({ manifest }) => !loaded.some((each) => each.manifest.id === manifest.id));
  const all = [...loaded, ...added];
  const inCategory = all
    .filter(({ manifest }) => manifest.category === onlyCategory)
    .map(({ manifest }) => manifest.id);
  const wanted = onlyCategory ? withNeeds(inCategory, all) : all;
  return {
    enabled: await withBrought(
      wanted.map((each) => ({ ...each, given: { ...each.given, ...overrides[each.manifest.id] } })),
      profile,
      survey,
    ),
    refused,
    disabled: entries.filter(({ entry }) => entry.variants[profile] === false).map(({ entry }) => specifierOf(entry)),
  };
}

// A plugin that was added may add further ones: the list grows while the loop walks it.
async function withBrought(
  listed: readonly LoadedPlugin[],
  profile: Profile,
  survey: boolean,
): Promise<readonly LoadedPlugin[]> {
  const all = [...listed];
  const present = new Set(listed.map(({ manifest }) => manifest.id));
  for (const [at, bringer] of all.entries()) {
    try {
      for (const brought of await broughtBy(bringer, profile)) {
        if (present.has(brought.manifest.id)) continue;
        present.add(brought.manifest.id);
        all.push({ ...brought, broughtBy: bringer.manifest.id });
      }
    } catch (error) {
      if (!survey) throw error;
      all[at] = { ...bringer, error };
    }
  }
  return all;
}

async function broughtBy({ manifest, given }: LoadedPlugin, profile: Profile): Promise<readonly LoadedPlugin[]> {
  if (!manifest.brings) return [];
  const entries = await manifest.brings(resolveOptions(manifest, given) as never);
  const place = `that ${manifest.id} brings`;
  for (const entry of entries) refuseWrongEntry(entry, place);
  return Promise.all(entries.map((entry) => loadPlugin(entry, place, profile)));
}

function withNeeds(ids: readonly string[], loaded: readonly LoadedPlugin[]): readonly LoadedPlugin[] {
  const kept = new Set(ids);
  // Transitive needs: the set grows while the loop walks it.
  for (const id of kept) {
    for (const need of loaded.find(({ manifest }) => manifest.id === id)?.manifest.needs ?? []) kept.add(need);
  }
  return loaded.filter(({ manifest }) => kept.has(manifest.id));
}

const placeOf = (position: number): string => `at position ${position} of app.config.ts`;

// A configuration in JavaScript has no compiler that says so.
function refuseWrongEntry(entry: Partial<PluginEntry> | undefined | null, place: string): void {
  if (typeof entry?.load === 'function' && entry.variants !== undefined) return;
  const found = entry?.load === undefined ? described(entry) : `plugin(...) of ${described(entry.load)}`;
  throw fwError(CONFIG_ERRORS.FW_CONFIG_PLUGIN_ENTRY, { place, found });
}

function described(value: unknown): string {
  if (isPlugin(value)) return `the plugin ${value.manifest.id} itself`;
  if (value instanceof Promise) return 'a promise';
  return typeof value === 'string' ? `the text ${JSON.stringify(value)}` : describe(value);
}

/** @param place - where the entry stands, for errors: the end of "the plugin ..." */
async function loadPlugin(entry: PluginEntry, place: string, profile: Profile): Promise<LoadedPlugin> {
  const from = performance.now();
  const module = await importEntry(entry, place);
  const found = isPlugin(module) ? module : (module as { default?: unknown } | undefined)?.default;
  if (!isPlugin(found)) {
    const details = { place, specifier: specifierOf(entry), found: describe(found) };
    throw fwError(CONFIG_ERRORS.FW_CONFIG_NOT_A_PLUGIN, details);
  }
  // Checked again, because `definePlugin` may have come from another copy of the framework.
  refuseWrongManifest(found.manifest);
  const given = { ...entry.options, ...(entry.variants[profile] || {}) };
  return { manifest: found.manifest, given, importMs: performance.now() - from };
}

async function importEntry(entry: PluginEntry, place: string): Promise<unknown> {
  try {
    return await entry.load();
  } catch (cause) {
    if (isFwError(cause) && cause.code === 'FW_PLUGIN_FRAMEWORK') throw cause;
    const details = { place, specifier: specifierOf(entry), reason: messageOf(cause) };
    throw fwError(CONFIG_ERRORS.FW_CONFIG_PLUGIN_IMPORT, details, { cause });
  }
}

interface TriedEntry {
  readonly entry: PluginEntry;
  readonly position: number;
  readonly loaded: LoadedPlugin | { readonly error: unknown };
}

/** Sorts entries into plugins, each once, and entries that give no plugin. */
function sortedOut(
  tried: readonly TriedEntry[],
  survey: boolean,
): { readonly loaded: readonly LoadedPlugin[]; readonly refused: readonly RefusedEntry[] } {
  const found = new Map<string, { readonly position: number; readonly loaded: LoadedPlugin }>();
  const refused: RefusedEntry[] = [];
  for (const { entry, position, loaded } of tried) {
    const error = 'manifest' in loaded ? listedTwice(loaded, position, found) : loaded.error;
    if (error !== undefined && !survey) throw error;
    if (error !== undefined) refused.push({ specifier: specifierOf(entry), error });
    else if ('manifest' in loaded) found.set(loaded.manifest.id, { position, loaded });
  }
  return { loaded: [...found.values()].map(({ loaded }) => loaded), refused };
}

function listedTwice(
  { manifest: { id } }: LoadedPlugin,
  second: number,
  found: ReadonlyMap<string, { readonly position: number }>,
): unknown {
  const first = found.get(id)?.position;
  return first === undefined ? undefined : fwError(CONFIG_ERRORS.FW_CONFIG_PLUGIN_TWICE, { id, first, second });
}

// Reads the import specifier from the source text of the loader: a disabled entry is never imported, so nothing else names its module.
function specifierOf(entry: PluginEntry): string {
  const text = entry.load.toString();
  return /import\(\s*(['"`])(.+?)\1/.exec(text)?.[2] ?? text.slice(0, 80);
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
