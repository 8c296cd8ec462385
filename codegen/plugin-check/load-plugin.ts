import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isFwError } from '../../kernel/errors/index.js';
import { isPlugin, type Plugin } from '../../kernel/plugin/index.js';
import { type PluginProblem, wrong } from './problem.js';

// A package that is being written has its peer, fw, often not installed; and a second copy would bring tokens of its own.
const HOOKS = `
let framework;
export const initialize = (data) => { framework = data; };
export const resolve = (specifier, context, next) =>
  next(specifier, specifier === 'fw' || specifier.startsWith('fw/') ? { ...context, parentURL: framework } : context);
`;

/** Loads the module of a plugin, with this copy of the framework behind its imports of `fw`. */
export async function loadPlugin(entry: string): Promise<Plugin | readonly PluginProblem[]> {
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: import.meta.url });
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(pathToFileURL(entry).href)) as { default?: unknown };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
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
