import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * esbuild plugin: CommonJS packages in node_modules are loaded by `require`. An `import` of such a package makes Node parse its text once
 * more, for the names that it exports (https://nodejs.org/api/esm.html#commonjs-namespaces): for ts-morph and its compiler that is 10 MB,
 * and a quarter of their loading time.
 *
 * @param {readonly string[]} names
 * @returns {import('esbuild').Plugin}
 */
export const requiredPackages = (names) => ({
  name: 'required-packages',
  setup(build) {
    const filter = new RegExp(`^(${names.join('|')})$`);
    build.onResolve({ filter }, ({ path, kind }) =>
      kind === 'import-statement' || kind === 'dynamic-import' ? { path, namespace: 'required' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({ contents: moduleOf(path) }));
  },
});

// `await import(...)` gives the named exports too, so they have to be known here.
function moduleOf(name) {
  const names = Object.keys(require(name)).filter((each) => IDENTIFIER.test(each) && each !== 'default');
  return [
    `import { createRequire } from 'node:module';`,
    `const required = createRequire(import.meta.url)(${JSON.stringify(name)});`,
    `export const { ${names.join(', ')} } = required;`,
    `export default required;`,
  ].join('\n');
}
