import { createRequire } from 'node:module';
import path from 'node:path';

// The media types that a usual first response needs; any other loads the real module.
const COMMON = [
  'json',
  'html',
  'text',
  'txt',
  'bin',
  'application/json',
  'text/html',
  'text/plain',
  'application/octet-stream',
];

const REAL = "module.exports = require('mime-types');";

const OTHERS = ['charset', 'charsets', 'extension', 'extensions', 'types'];

/**
 * esbuild plugin: Koa and its parts load `mime-types` in two versions, and each turns all of mime-db into maps when it is loaded, which
 * takes longer than the rest of Koa. Its replacement knows the common types (the real module's results, taken at build time) and loads the
 * real module for the first other type.
 *
 * @param {import('./on-demand.mjs').OnDemand} onDemand
 */
export function lazyMimeTypes(onDemand) {
  return {
    name: 'lazy-mime-types',
    setup(build) {
      // esbuild writes the path of a module into the bundle, which must not contain the folder of the build.
      build.onResolve({ filter: /^mime-types$/ }, ({ resolveDir }) => ({
        path: path.relative(build.initialOptions.absWorkingDir, resolveDir).replaceAll(path.sep, '/'),
        pluginData: resolveDir,
        namespace: 'lazy-mime-types',
      }));
      build.onLoad({ filter: /.*/, namespace: 'lazy-mime-types' }, ({ pluginData: resolveDir }) => {
        const require = createRequire(path.join(resolveDir, 'any.js'));
        const real = require('mime-types');
        const { version } = require('mime-types/package.json');
        const answers = (ask) => JSON.stringify(Object.fromEntries(COMMON.map((type) => [type, real[ask](type)])));
        const load = onDemand.expressionFor(`mime-types-${version}`, { contents: REAL, resolveDir });
        return { resolveDir, contents: moduleText(load, answers('contentType'), answers('lookup')) };
      });
    },
  };
}

const moduleText = (load, contentTypes, lookups) => `
  let loaded;
  const real = () => (loaded ??= ${load});
  const contentTypes = ${contentTypes}, lookups = ${lookups};
  for (const name of ${JSON.stringify(OTHERS)}) Object.defineProperty(exports, name, { enumerable: true, get: () => real()[name] });
  Object.defineProperty(exports, 'contentType', { value: (type) => (Object.hasOwn(contentTypes, type) ? contentTypes[type] : real().contentType(type)) });
  Object.defineProperty(exports, 'lookup', { value: (file) => (Object.hasOwn(lookups, file) ? lookups[file] : real().lookup(file)) });
`;
