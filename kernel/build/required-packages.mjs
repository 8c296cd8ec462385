import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * esbuild plugin: packages that are written as CommonJS and left to node_modules are loaded by `require`. An `import` of one makes Node
 * read its text once more, for the names that it exports (https://nodejs.org/api/esm.html#commonjs-namespaces): of ts-morph and the
 * compiler inside it those are 10 MB, and a quarter of the time that loading them takes.
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

// `await import(...)` gets the names of the module as `import` does, so they have to be known here.
function moduleOf(name) {
  const names = Object.keys(require(name)).filter((each) => IDENTIFIER.test(each) && each !== 'default');
  return [
    `import { createRequire } from 'node:module';`,
    `const required = createRequire(import.meta.url)(${JSON.stringify(name)});`,
    `export const { ${names.join(', ')} } = required;`,
    `export default required;`,
  ].join('\n');
}
