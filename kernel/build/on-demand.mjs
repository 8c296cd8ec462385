import { build } from 'esbuild';

/**
 * Packages that a start does without: each becomes a file of its own, `dist/on-demand/<name>.cjs`, that the bundle loads when it is
 * first asked for something. CommonJS, because only that can be loaded in the middle of a function.
 */
export class OnDemand {
  #packages = new Map();

  /**
   * @param {string} name - of the file
   * @param {{ contents: string, resolveDir: string }} from - a module, and where its imports start from
   * @returns {string} an expression that loads the package, where the banner of the bundle stands
   */
  expressionFor(name, from) {
    this.#packages.set(name, from);
    // Not `require`, from which esbuild would make a helper of its own, in a file that every start has to read.
    return `__fwOnDemand('#on-demand/${name}')`;
  }

  /**
   * Bundles what was asked for.
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
