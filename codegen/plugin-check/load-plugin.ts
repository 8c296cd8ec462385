import * as nodeModule from 'node:module';
import { pathToFileURL } from 'node:url';
import { isFwError, messageOf } from '../../kernel/errors/index.js';
import { isPlugin, type Plugin } from '../../kernel/plugin/index.js';
import { type PluginProblem, wrong } from './problem.js';

// From Node 22.15 on; the types are those of Node 20.
type Resolve = (specifier: string, context: object, next: (specifier: string, context: object) => unknown) => unknown;
const { registerHooks } = nodeModule as { readonly registerHooks?: (hooks: { readonly resolve: Resolve }) => void };

// Resolves imports of `fw` to this copy: a package in development often has not installed its peer, and a second copy would have tokens of
// its own.
function resolveFrameworkHere(): void {
  const parentURL = import.meta.url;
  const isFramework = (specifier: string) => specifier === 'fw' || specifier.startsWith('fw/');
  if (registerHooks)
    return registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier, isFramework(specifier) ? { ...context, parentURL } : context),
    });
  const hooks = `
const isFramework = ${isFramework.toString()};
let parentURL;
export const initialize = (data) => { parentURL = data; };
export const resolve = (specifier, context, next) =>
  next(specifier, isFramework(specifier) ? { ...context, parentURL } : context);
`;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: parentURL });
}

let isResolvedHere = false;

/** The plugins among the subpath exports of a package; other exports are ignored. */
export async function furtherPlugins(files: readonly string[]): Promise<readonly Plugin[]> {
  const loaded = await Promise.all(files.map(loadPlugin));
  return loaded.filter((each) => 'manifest' in each);
}

/** Loads the module of a plugin; its imports of `fw` resolve to this copy of the framework. */
export async function loadPlugin(entry: string): Promise<Plugin | readonly PluginProblem[]> {
  if (!isResolvedHere) resolveFrameworkHere();
  isResolvedHere = true;
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(pathToFileURL(entry).href)) as { default?: unknown };
  } catch (error) {
    const why = messageOf(error);
    return [
      wrong(
        'definition',
        `it cannot be loaded: ${why}`,
        isFwError(error) ? 'Correct what the message names.' : 'Run npm install in its folder, or correct the module.',
      ),
    ];
  }
  if (isPlugin(loaded.default)) return loaded.default;
  const found =
    loaded.default === undefined ? 'it has no default export' : 'its default export is not what definePlugin returns';
  return [wrong('definition', found, 'Write export default definePlugin({ id, category, description, ... }).')];
}
