import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const NAME = 'ts-morph';

/**
 * esbuild plugin: `ts` and `Project` of ts-morph, which load the package when the first of them is used. Commands that generate code import
 * it at their top, and loading its compiler takes several times longer than what most of them do before they know whether they need it.
 *
 * It is loaded by `require`: an `import` of a CommonJS package makes Node parse its text once more, for the names that it exports
 * (https://nodejs.org/api/esm.html#commonjs-namespaces), and that are 10 MB.
 *
 * @type {import('esbuild').Plugin}
 */
export const lazyTsMorph = {
  name: 'lazy-ts-morph',
  setup(build) {
    build.onResolve({ filter: /^ts-morph$/ }, ({ path: name, kind }) =>
      kind === 'import-statement' || kind === 'dynamic-import' ? { path: name, namespace: 'lazy-ts-morph' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'lazy-ts-morph' }, () => ({ contents: textOf(require(NAME)) }));
  },
};

// The first use of `ts` gives it its real properties, so that later uses cost nothing. All of them are set once the compiler is loaded.
const textOf = ({ ts }) => `
  import { createRequire } from 'node:module';
  let loaded;
  const real = () => (loaded ??= createRequire(import.meta.url)(${JSON.stringify(NAME)}));
  const names = ${JSON.stringify(Object.keys(ts).join(' '))}.split(' ');
  const define = (name, descriptor) => Object.defineProperty(ts, name, { configurable: true, enumerable: true, ...descriptor });
  const fill = (compiler) => names.forEach((name) => define(name, { value: compiler[name] }));
  export const ts = {};
  for (const name of names) define(name, { get: () => (fill(real().ts), ts[name]) });
  export function Project(...options) {
    return new (real().Project)(...options);
  }
`;
