/**
 * Takes of @mapbox/node-pre-gyp what @vercel/nft asks: where a package has its native code, which it also knows by itself, for the
 * package's former name. The rest of it downloads and publishes such code, with packages that nobody has installed.
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
