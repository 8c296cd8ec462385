/**
 * Bundles only one function of @mapbox/node-pre-gyp, the one that @vercel/nft calls for packages with native code: it finds their binary.
 * The rest of node-pre-gyp downloads and publishes binaries, and imports packages that are not installed.
 *
 * @type {import('esbuild').Plugin}
 */
export const onlyBinaryLocator = {
  name: 'only-binary-locator',
  setup(build) {
    build.onLoad({ filter: /[\\/]@mapbox[\\/]node-pre-gyp[\\/]lib[\\/]node-pre-gyp\.js$/ }, () => ({
      contents: "module.exports = require('@vercel/nft/out/utils/binary-locators.js').pregyp;",
    }));
  },
};
