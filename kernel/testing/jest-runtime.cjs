// Jest's runtime, which does once in a process what jest does once more for each test file: it reads a file, compiles it, and loads
// compilers, which are megabytes of text and keep nothing of who has used them.
const path = require('node:path');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const ROOT = path.join(__dirname, '../..') + path.sep;

/** Files of CommonJS packages that do not ask of what is given to them which globals made it, as esbuild does of a RegExp. */
const ONCE = new Set(['typescript', 'ts-morph'].map((name) => require.resolve(name)));

/** What no test writes: sources and packages. */
const isFixed = (file) => file?.startsWith(ROOT) && !file.includes('/.cache/');

/** Texts of files, and of those that no test writes for all test files of the process. */
class Texts extends Map {
  static fixed = new Map();

  get(file) {
    return super.get(file) ?? Texts.fixed.get(file);
  }

  set(file, text) {
    if (isFixed(file)) Texts.fixed.set(file, text);
    return super.set(file, text);
  }
}

// V8 parses a module each time that it is compiled, unless it gets what it made of the same text before
// (https://nodejs.org/api/vm.html#sourcetextmodulecreatecacheddata).
const compiled = new Map();
const { compileFunction, SourceTextModule } = vm;

/** Node 20 does not find who imports for code that was compiled before. */
const IMPORTS = /\bimport\s*\(/;

/** What V8 made of a text before; where nothing is known and it is of use, `keep` takes what V8 makes of it now. */
function codeOf(file, source) {
  const known = compiled.get(file);
  if (known?.source === source) return known;
  if (!isFixed(file) || IMPORTS.test(source)) return {};
  return { keep: (cachedData) => compiled.set(file, { source, cachedData }) };
}

vm.compileFunction = (source, parameters, options) => {
  const { cachedData, keep } = codeOf(options?.filename, source);
  const made = compileFunction(source, parameters, { ...options, cachedData, produceCachedData: keep !== undefined });
  keep?.(made.cachedData);
  return made;
};

vm.SourceTextModule = class extends SourceTextModule {
  constructor(source, options) {
    const { cachedData, keep } = codeOf(options?.identifier, source);
    try {
      super(source, { ...options, cachedData });
    } catch (error) {
      // Where a test has changed a flag of V8 since: what is known is of no use any more.
      if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
      compiled.clear();
      super(source, options);
    }
    keep?.(this.createCachedData());
  }
};

module.exports = class extends Runtime {
  constructor(config, environment, resolver, transformer, texts, coverage, testPath, globalConfig) {
    // While jest watches, files change between two runs of one process.
    const watches = globalConfig.watch || globalConfig.watchAll;
    super(
      config,
      environment,
      resolver,
      transformer,
      watches ? texts : new Texts(texts),
      coverage,
      testPath,
      globalConfig,
    );
  }

  requireModule(from, moduleName, ...others) {
    return ONCE.has(moduleName) ? require(moduleName) : super.requireModule(from, moduleName, ...others);
  }
};
module.exports.default = module.exports;
