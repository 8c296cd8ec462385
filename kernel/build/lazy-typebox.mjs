import * as typebox from 'typebox';

/**
 * esbuild plugin: `Type` of TypeBox, whose functions load TypeBox when the first of them is used. Plugins declare their options with it, so
 * every entry imports it. But the options of the framework's plugins are prepared at build time (see {@link preparedOptions}), and running
 * the 180 KB of TypeBox takes longer than most plugins do.
 *
 * @param {import('./on-demand.mjs').OnDemand} onDemand
 */
export function lazyTypebox(onDemand) {
  return {
    name: 'lazy-typebox',
    setup(build) {
      build.onResolve({ filter: /^typebox$/ }, ({ importer, resolveDir }) =>
        // The evaluator of code generation uses each export of the package.
        importer.includes('/codegen/')
          ? undefined
          : { path: 'typebox', namespace: 'lazy-typebox', pluginData: resolveDir },
      );
      build.onLoad({ filter: /.*/, namespace: 'lazy-typebox' }, ({ pluginData: resolveDir }) => ({
        resolveDir,
        contents: moduleText(onDemand.expressionFor('typebox', { contents: TYPE, resolveDir })),
      }));
    },
  };
}

const TYPE = "export { Type } from 'typebox';";

const moduleText = (load) => `
  let loaded;
  const real = () => (loaded ??= ${load}.Type);
  const later = (name) => [name, { enumerable: true, get: () => real()[name] }];
  export const Type = Object.defineProperties({}, Object.fromEntries(${JSON.stringify(Object.keys(typebox.Type))}.map(later)));
`;
