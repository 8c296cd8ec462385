import * as typebox from 'typebox';

/**
 * esbuild plugin: `Type` of TypeBox, whose functions load TypeBox when the first of them is used. It is what plugins write their
 * options in, so everything imports it; but the options of our own plugins are prepared (see {@link preparedOptions}), and
 * running the module code of TypeBox, 180 KB, takes longer than most plugins do.
 *
 * @param {import('./on-demand.mjs').OnDemand} onDemand
 */
export function lazyTypebox(onDemand) {
  return {
    name: 'lazy-typebox',
    setup(build) {
      build.onResolve({ filter: /^typebox$/ }, ({ importer, resolveDir }) =>
        // The evaluator hands the package's exports out one by one.
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
