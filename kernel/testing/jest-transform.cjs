// Jest runs the TypeScript sources through esbuild, with the settings of the build (tsconfig.json), so that decorators and
// class fields mean the same in tests and in dist/.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const esbuild = require('esbuild');

const tsconfigRaw = readFileSync(path.join(__dirname, '../../tsconfig.json'), 'utf8');
const version = createHash('sha1')
  .update(tsconfigRaw)
  .update(esbuild.version)
  .update(readFileSync(__filename))
  .digest('hex');

module.exports = {
  getCacheKey: (source, file, options) =>
    createHash('sha1').update(version).update(source).update(file).update(String(options.instrument)).digest('hex'),
  process(source, file) {
    return esbuild.transformSync(source, {
      loader: file.endsWith('x') ? 'tsx' : 'ts',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      format: 'esm',
      target: 'node20',
      sourcefile: file,
      sourcemap: 'external',
      sourcesContent: false,
      tsconfigRaw,
    });
  },
};
