// Jest's runtime, which loads compilers once in a process, and not once more for each test file: they are megabytes of text, and keep
// nothing of who has used them.
const { default: Runtime } = require('jest-runtime');

/** Files of CommonJS packages that do not ask of what is given to them which globals made it, as esbuild does of a RegExp. */
const ONCE = new Set(['typescript', 'ts-morph'].map((name) => require.resolve(name)));

module.exports = class extends Runtime {
  requireModule(from, moduleName, ...others) {
    return ONCE.has(moduleName) ? require(moduleName) : super.requireModule(from, moduleName, ...others);
  }
};
module.exports.default = module.exports;
