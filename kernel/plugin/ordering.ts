import { tokenName, type Token } from '../container/index.js';
import { type FwError, fwError, isFwError, suggestion } from '../errors/index.js';
import type { PluginManifest } from './define-plugin.js';
import { PLUGIN_ERRORS } from './errors.js';

/**
 * The order in which plugins register and start: the order of `app.config.ts`, but each plugin after those that it depends
 * on (`needs`, `optionalNeeds`, providers of what it `uses`).
 *
 * @param manifests - enabled plugins in the order of `app.config.ts`
 * @param builtIn - tokens that the kernel itself provides
 * @throws FwError when something needed is missing, provided twice, circular, or listed against an `order`
 */
export function orderPlugins(manifests: readonly PluginManifest[], builtIn: Tokens = NONE): readonly PluginManifest[] {
  const dependencies = dependenciesOf(manifests, builtIn);
  const ordered = sortStably(manifests, dependencies);
  checkOrder(ordered);
  return ordered;
}

/** A plugin that cannot be ordered, and why. */
export interface UnplacedPlugin {
  readonly manifest: PluginManifest;
  readonly error: FwError;
}

/** Like {@link orderPlugins}, but leaves out plugins that cannot be ordered instead of throwing. */
export function orderWhatCan(
  manifests: readonly PluginManifest[],
  builtIn: Tokens = NONE,
): { readonly ordered: readonly PluginManifest[]; readonly unplaced: readonly UnplacedPlugin[] } {
  const unplaced: UnplacedPlugin[] = [];
  let left = manifests;
  for (;;) {
    try {
      return { ordered: orderPlugins(left, builtIn), unplaced };
    } catch (error) {
      const ids = isFwError(error) ? atFault(error) : [];
      const out = left.filter(({ id }) => ids.includes(id));
      if (out.length === 0) throw error;
      const why = explained(error as FwError, unplaced);
      unplaced.push(...out.map((manifest) => ({ manifest, error: why })));
      left = left.filter((manifest) => !out.includes(manifest));
    }
  }
}

/** The plugins without which the others could be ordered. */
function atFault({ details }: FwError): readonly string[] {
  const { plugin, second, circle, plugins } = details as Readonly<Record<string, unknown>>;
  if (typeof circle === 'string') return circle.split(ARROW);
  return [plugin, second, plugins].flat().filter((id) => typeof id === 'string');
}

// The missing plugin may be listed, and left out itself.
function explained(error: FwError, unplaced: readonly UnplacedPlugin[]): FwError {
  const { plugin, missing, token } = error.details;
  const failed = unplaced.find(
    ({ manifest: { id, provides = [] } }) => id === missing || provides.some((each) => tokenName(each) === token),
  );
  if (failed === undefined) return error;
  const details = { plugin, failed: failed.manifest.id, reason: failed.error.message };
  return fwError(PLUGIN_ERRORS.FW_PLUGIN_NEED_FAILED, details);
}

type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;
type Tokens = ReadonlySet<Token<unknown>>;

const NONE: Tokens = new Set();
const ARROW = ' -> ';

/** Ids that each plugin depends on; the start phase uses it to degrade the dependents of a failed plugin. */
export function dependenciesOf(manifests: readonly PluginManifest[], builtIn: Tokens = NONE): Dependencies {
  const enabled = new Set(manifests.map((each) => each.id));
  const providers = providersOf(manifests);
  return new Map(
    manifests.map((manifest) => [
      manifest.id,
      new Set(
        [
          ...(manifest.needs ?? []).map((id) => required(manifest, id, enabled)),
          ...(manifest.optionalNeeds ?? []).filter((id) => enabled.has(id)),
          ...(manifest.uses ?? [])
            .filter((token) => !builtIn.has(token))
            .map((token) => providerOf(manifest, token, providers)),
        ].filter((id) => id !== manifest.id),
      ),
    ]),
  );
}

function providersOf(manifests: readonly PluginManifest[]): Map<Token<unknown>, string> {
  const providers = new Map<Token<unknown>, string>();
  for (const { id, provides = [] } of manifests) {
    for (const token of provides) {
      const first = providers.get(token);
      if (first) throw fwError(PLUGIN_ERRORS.FW_PLUGIN_PROVIDED_TWICE, { first, second: id, token: tokenName(token) });
      providers.set(token, id);
    }
  }
  return providers;
}

function required(manifest: PluginManifest, id: string, enabled: ReadonlySet<string>): string {
  if (!enabled.has(id)) throw fwError(PLUGIN_ERRORS.FW_PLUGIN_NEEDS, { plugin: manifest.id, missing: id });
  return id;
}

function providerOf(
  manifest: PluginManifest,
  token: Token<unknown>,
  providers: ReadonlyMap<Token<unknown>, string>,
): string {
  const provider = providers.get(token);
  if (provider === undefined) {
    throw fwError(PLUGIN_ERRORS.FW_PLUGIN_USES, { plugin: manifest.id, token: tokenName(token) });
  }
  return provider;
}

function sortStably(manifests: readonly PluginManifest[], dependencies: Dependencies): PluginManifest[] {
  const sorted: PluginManifest[] = [];
  const placed = new Set<string>();
  const path: string[] = [];
  const byId = new Map(manifests.map((each) => [each.id, each]));
  const place = (manifest: PluginManifest): void => {
    if (placed.has(manifest.id)) return;
    if (path.includes(manifest.id)) throw circleError([...path.slice(path.indexOf(manifest.id)), manifest.id]);
    path.push(manifest.id);
    for (const id of dependencies.get(manifest.id) ?? []) place(byId.get(id) as PluginManifest);
    path.pop();
    placed.add(manifest.id);
    sorted.push(manifest);
  };
  manifests.forEach(place);
  return sorted;
}

function circleError(circle: readonly string[]) {
  return fwError(PLUGIN_ERRORS.FW_PLUGIN_CYCLE, { circle: circle.join(ARROW) });
}

function checkOrder(ordered: readonly PluginManifest[]): void {
  const position = new Map(ordered.map((each, index) => [each.id, index]));
  const wrong = ordered.map((manifest) => ({ id: manifest.id, problems: orderProblems(manifest, position) }));
  const problems = wrong.flatMap((each) => each.problems);
  if (problems.length === 0) return;
  const plugins = wrong.flatMap((each) => (each.problems.length > 0 ? [each.id] : []));
  throw fwError(PLUGIN_ERRORS.FW_PLUGIN_ORDER, { problems: problems.join(' '), plugins });
}

function orderProblems({ id, order }: PluginManifest, position: ReadonlyMap<string, number>): string[] {
  if (!order) return [];
  const own = position.get(id) as number;
  const { after = [], before = [], because } = order;
  const late = after.filter((other) => (position.get(other) ?? -1) > own);
  const early = before.filter((other) => (position.get(other) ?? Infinity) < own);
  const places = [
    ...(late.length > 0 ? [`after ${listed(late)}`] : []),
    ...(early.length > 0 ? [`before ${listed(early)}`] : []),
  ];
  return [
    ...[...after, ...before].flatMap((other) => misspelt(id, other, [...position.keys()])),
    // All places have the same reason, so it is given once.
    ...(places.length > 0 ? [`${id} must come ${places.join(' and ')}, because ${because}.`] : []),
  ];
}

const listed = (ids: readonly string[]): string => new Intl.ListFormat('en-GB').format(ids);

// `order` may name a plugin that is not enabled, but a misspelt id would never have an effect.
function misspelt(id: string, other: string, enabled: readonly string[]): string[] {
  const hint = enabled.includes(other) ? '' : suggestion(other, enabled);
  return hint === '' ? [] : [`${id} names ${other} in its order, and no such plugin is enabled. ${hint.trim()}`];
}
