import { tokenName, type Token } from '../container/index.js';
import { fwError, suggestion } from '../errors/index.js';
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

type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;
type Tokens = ReadonlySet<Token<unknown>>;

const NONE: Tokens = new Set();

/** Ids that each plugin waits for; exported for the start phase, which degrades what depends on a failure. */
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
  return fwError(PLUGIN_ERRORS.FW_PLUGIN_CYCLE, { circle: circle.join(' -> ') });
}

function checkOrder(ordered: readonly PluginManifest[]): void {
  const position = new Map(ordered.map((each, index) => [each.id, index]));
  const problems = ordered.flatMap((manifest) => orderProblems(manifest, position));
  if (problems.length > 0) throw fwError(PLUGIN_ERRORS.FW_PLUGIN_ORDER, { problems: problems.join(' ') });
}

function orderProblems({ id, order }: PluginManifest, position: ReadonlyMap<string, number>): string[] {
  if (!order) return [];
  const own = position.get(id) as number;
  const sentence = (other: string, word: string) => `${id} must come ${word} ${other}, because ${order.because}.`;
  return [
    ...[...(order.after ?? []), ...(order.before ?? [])].flatMap((other) => misspelt(id, other, [...position.keys()])),
    ...(order.after ?? [])
      .filter((other) => (position.get(other) ?? -1) > own)
      .map((other) => sentence(other, 'after')),
    ...(order.before ?? [])
      .filter((other) => (position.get(other) ?? Infinity) < own)
      .map((other) => sentence(other, 'before')),
  ];
}

// An order towards a plugin that is not enabled is fine; one towards a slip of the pen would never be kept.
function misspelt(id: string, other: string, enabled: readonly string[]): string[] {
  const hint = enabled.includes(other) ? '' : suggestion(other, enabled);
  return hint === '' ? [] : [`${id} names ${other} in its order, and no such plugin is enabled. ${hint.trim()}`];
}
