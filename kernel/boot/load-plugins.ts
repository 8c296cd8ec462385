import { CONFIG_ERRORS } from '../config/errors.js';
import type { AppConfig, PluginEntry, Profile } from '../config/index.js';
import { fwError } from '../errors/index.js';
import { isPlugin, type PluginManifest } from '../plugin/index.js';

/** An enabled plugin with the options that hold in the active profile. */
export interface LoadedPlugin {
  readonly manifest: PluginManifest;
  readonly given: Readonly<Record<string, unknown>>;
  readonly importMs: number;
}

/** What a caller may change about the list. */
export interface PluginSelection {
  /** Ids of the plugins that are wanted; what they need comes along. All when left out. */
  readonly only?: readonly string[];
  /** Options that win over those of the list, by plugin id. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Further plugins, behind those of the list; one that the list has already is that of the list, with its options. */
  readonly unlessListed?: readonly PluginEntry[];
}

/** What became of the plugin list. */
export interface LoadedPlugins {
  readonly enabled: readonly LoadedPlugin[];
  /** Import specifiers of the entries that the profile leaves out; they were not imported. */
  readonly disabled: readonly string[];
}

/**
 * Imports the plugins that the profile enables, all at once, and no others.
 * @throws FwError when one cannot be imported, is not a plugin, or is listed twice
 */
export async function loadPlugins(
  config: AppConfig,
  profile: Profile,
  { only, overrides = {}, unlessListed = [] }: PluginSelection = {},
): Promise<LoadedPlugins> {
  const entries = config.plugins.map((entry, index) => ({ entry, position: index + 1 }));
  const enabled = entries.filter(({ entry }) => entry.variants[profile] !== false);
  const loaded = await Promise.all(enabled.map(({ entry, position }) => loadPlugin(entry, position, profile)));
  refuseDuplicates(loaded.map(({ manifest }, index) => ({ id: manifest.id, position: enabled[index]?.position ?? 0 })));
  const further = await Promise.all(unlessListed.map((entry) => loadPlugin(entry, 0, profile)));
  const added = further.filter(({ manifest }) => !loaded.some((each) => each.manifest.id === manifest.id));
  const all = [...loaded, ...added];
  const wanted = only ? withNeeds(only, all) : all;
  return {
    enabled: wanted.map((each) => ({ ...each, given: { ...each.given, ...overrides[each.manifest.id] } })),
    disabled: entries.filter(({ entry }) => entry.variants[profile] === false).map(({ entry }) => specifierOf(entry)),
  };
}

function withNeeds(only: readonly string[], loaded: readonly LoadedPlugin[]): readonly LoadedPlugin[] {
  const kept = new Set(only);
  // Needs of needs: a set grows while it is walked.
  for (const id of kept) {
    for (const need of loaded.find(({ manifest }) => manifest.id === id)?.manifest.needs ?? []) kept.add(need);
  }
  return loaded.filter(({ manifest }) => kept.has(manifest.id));
}

async function loadPlugin(entry: PluginEntry, position: number, profile: Profile): Promise<LoadedPlugin> {
  const from = performance.now();
  const module = await importEntry(entry, position);
  const found = isPlugin(module) ? module : (module as { default?: unknown } | undefined)?.default;
  if (!isPlugin(found)) {
    const details = { position, specifier: specifierOf(entry), found: describe(found) };
    throw fwError(CONFIG_ERRORS.FW_CONFIG_NOT_A_PLUGIN, details);
  }
  const given = { ...entry.options, ...(entry.variants[profile] || {}) };
  return { manifest: found.manifest, given, importMs: performance.now() - from };
}

async function importEntry(entry: PluginEntry, position: number): Promise<unknown> {
  try {
    return await entry.load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const details = { position, specifier: specifierOf(entry), reason };
    throw fwError(CONFIG_ERRORS.FW_CONFIG_PLUGIN_IMPORT, details, { cause });
  }
}

function refuseDuplicates(listed: readonly { readonly id: string; readonly position: number }[]): void {
  const seen = new Map<string, number>();
  for (const { id, position } of listed) {
    const first = seen.get(id);
    if (first !== undefined) throw fwError(CONFIG_ERRORS.FW_CONFIG_PLUGIN_TWICE, { id, first, second: position });
    seen.set(id, position);
  }
}

// The loader's own text is the only place that tells what it would import; entries that are left out are never imported.
function specifierOf(entry: PluginEntry): string {
  const text = entry.load.toString();
  return /import\(\s*(['"`])(.+?)\1/.exec(text)?.[2] ?? text.slice(0, 80);
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
