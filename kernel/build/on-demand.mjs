import { build } from 'esbuild';

/**
 * Packages that a start does not need: each becomes a file of its own, `dist/on-demand/<name>.cjs`, that the bundle loads on first use.
 * CommonJS, because only that can be loaded synchronously inside a function.
 */
export class OnDemand {
  #packages = new Map();

  /**
   * @param {string} name - of the file
   * @param {{ contents: string, resolveDir: string }} from - a module, and where its imports start from
   * @returns {string} an expression that loads the package, for files with the banner of the bundle
   */
  expressionFor(name, from) {
    this.#packages.set(name, from);
    // Not `require`: esbuild would move a helper for it into a file that every start has to read.
    return `__fwOnDemand('#on-demand/${name}')`;
  }

  /**
   * Bundles the packages that {@link expressionFor} was called with.
   *
   * @param {import('esbuild').BuildOptions} options - those of every bundle of the framework
   * @returns {Promise<readonly import('esbuild').OutputFile[]>}
   */
  async bundle(options) {
    const built = [...this.#packages].map(async ([name, stdin]) => {
      const { outputFiles } = await build({ ...options, stdin, outfile: `dist/on-demand/${name}.cjs`, format: 'cjs' });
      return outputFiles;
    });
    return (await Promise.all(built)).flat();
  }
}
