import { CONFIG_ERRORS } from '../config/errors.js';
import { type AppConfig, type PluginEntry, type Profile, resolveOptions } from '../config/index.js';
import { fwError, isFwError } from '../errors/index.js';
import type { PluginCategory } from '../contracts/category.js';
import { isPlugin, type PluginManifest, refuseWrongManifest } from '../plugin/index.js';

/** An enabled plugin with the options that hold in the active profile. */
export interface LoadedPlugin {
  readonly manifest: PluginManifest;
  readonly given: Readonly<Record<string, unknown>>;
  readonly importMs: number;
  /** Plugin that brought it along; undefined for one that the list has. */
  readonly broughtBy?: string;
}

/** What a caller may change about the list. */
export interface PluginSelection {
  /** Category of the plugins that are wanted; what they need comes along. All when left out. */
  readonly onlyCategory?: PluginCategory;
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
 * @throws FwError when one cannot be imported, is not a plugin, is made for other releases of fw, or is listed twice
 */
export async function loadPlugins(
  config: AppConfig,
  profile: Profile,
  { onlyCategory, overrides = {}, unlessListed = [] }: PluginSelection = {},
): Promise<LoadedPlugins> {
  const entries = config.plugins.map((entry, index) => ({ entry, position: index + 1 }));
  const enabled = entries.filter(({ entry }) => entry.variants[profile] !== false);
  const loaded = await Promise.all(enabled.map(({ entry, position }) => loadPlugin(entry, position, profile)));
  refuseDuplicates(loaded.map(({ manifest }, index) => ({ id: manifest.id, position: enabled[index]?.position ?? 0 })));
  const further = await Promise.all(unlessListed.map((entry) => loadPlugin(entry, 0, profile)));
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
    ),
    disabled: entries.filter(({ entry }) => entry.variants[profile] === false).map(({ entry }) => specifierOf(entry)),
  };
}

// What is brought along may bring further ones: the list grows while it is walked.
async function withBrought(listed: readonly LoadedPlugin[], profile: Profile): Promise<readonly LoadedPlugin[]> {
  const all = [...listed];
  const present = new Set(listed.map(({ manifest }) => manifest.id));
  for (const { manifest, given } of all) {
    if (!manifest.brings) continue;
    const entries = await manifest.brings(resolveOptions(manifest, given) as never);
    for (const brought of await Promise.all(entries.map((entry) => loadPlugin(entry, 0, profile)))) {
      if (present.has(brought.manifest.id)) continue;
      present.add(brought.manifest.id);
      all.push({ ...brought, broughtBy: manifest.id });
    }
  }
  return all;
}

function withNeeds(ids: readonly string[], loaded: readonly LoadedPlugin[]): readonly LoadedPlugin[] {
  const kept = new Set(ids);
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
  // Again: definePlugin may have been that of another copy of the framework.
  refuseWrongManifest(found.manifest);
  const given = { ...entry.options, ...(entry.variants[profile] || {}) };
  return { manifest: found.manifest, given, importMs: performance.now() - from };
}

async function importEntry(entry: PluginEntry, position: number): Promise<unknown> {
  try {
    return await entry.load();
  } catch (cause) {
    if (isFwError(cause) && cause.code === 'FW_PLUGIN_FRAMEWORK') throw cause;
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
