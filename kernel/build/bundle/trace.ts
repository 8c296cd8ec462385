import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { nodeFileTrace as NodeFileTrace } from '@vercel/nft';
import { fwError } from '../../errors/index.js';
import { BUILD_ERRORS } from '../errors.js';

/** Packages that only development uses: code that loads them does not run in production. */
const TOOLS = ['@esbuild', '@ts-morph', 'esbuild', 'fast-check', 'prettier', 'ts-morph', 'typescript'];

/** Finds the files that modules need when they run. */
export class Tracer {
  readonly #cache = {};
  readonly #ignored: readonly string[];

  /**
   * @param root - project folder
   * @param wanted - packages that are included even if they are tools
   */
  private constructor(
    private readonly root: string,
    private readonly nodeFileTrace: typeof NodeFileTrace,
    wanted: readonly string[],
  ) {
    this.#ignored = TOOLS.filter((name) => !wanted.includes(name));
  }

  static async create(root: string, wanted: readonly string[]): Promise<Tracer> {
    // A large one, that only a bundle needs; CommonJS, of which a bundler keeps the default export alone.
    const { default: nft } = await import('@vercel/nft');
    return new Tracer(root, nft.nodeFileTrace, wanted);
  }

  /**
   * @param modules - absolute paths
   * @returns absolute paths of files and of links on the way to them
   * @throws FwError `FW_BUILD_BUNDLE` when something imports what is not installed
   */
  async trace(modules: readonly string[]): Promise<ReadonlySet<string>> {
    const base = path.parse(this.root).root;
    const { fileList, warnings } = await this.nodeFileTrace([...modules], {
      base,
      processCwd: this.root,
      cache: this.#cache,
      ignore: (file) => this.#isIgnored(file),
    });
    const problems = await Promise.all([...warnings].map(({ message }) => this.#missing(message)));
    const missing = problems.filter((problem) => problem !== undefined);
    if (missing.length > 0) throw fwError(BUILD_ERRORS.FW_BUILD_BUNDLE, { problems: missing.join('\n') });
    return new Set([...fileList].map((file) => path.join(base, file)));
  }

  #isIgnored(file: string): boolean {
    const [, name = ''] = /.*node_modules[\\/]([^\\/]+)/.exec(file) ?? [];
    return this.#ignored.includes(name);
  }

  // A package may try to load an optional one that is not installed. A missing import is a mistake in the application itself, and where the
  // package lists the import among its dependencies.
  async #missing(message: string): Promise<string | undefined> {
    const [, name = '', by = ''] =
      /^Failed to resolve dependency "?([^":]+)"?[^]* loaded from (.+)$/.exec(message) ?? [];
    if (name === '' || this.#ignored.includes(name.split('/')[0] as string)) return undefined;
    const own = path.relative(this.root, by);
    const isOfApp = !own.startsWith('..') && !own.includes('node_modules');
    if (!isOfApp && !(await dependsOn(by, name))) return undefined;
    return `${own} imports ${name}, which is not installed`;
  }
}

async function dependsOn(file: string, name: string): Promise<boolean> {
  const folder = path.dirname(file);
  const manifest = path.join(folder, 'package.json');
  if (existsSync(manifest)) {
    const { name: own, dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8')) as PackageJson;
    // A package.json without a name only sets the module type of its folder.
    if (own !== undefined)
      return Object.keys(dependencies).some((each) => name === each || name.startsWith(`${each}/`));
  }
  return folder === path.dirname(folder) ? false : dependsOn(folder, name);
}

interface PackageJson {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
