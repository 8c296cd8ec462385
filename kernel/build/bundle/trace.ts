import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { nodeFileTrace as NodeFileTrace } from '@vercel/nft';
import { fwError } from '../../errors/index.js';
import { BUILD_ERRORS } from '../errors.js';

/** Packages that develop an application and serve nothing: what would load them is not asked for in production. */
const TOOLS = ['@esbuild', '@ts-morph', 'esbuild', 'fast-check', 'prettier', 'ts-morph', 'typescript'];

/** Finds the files that modules need when they run. */
export class Tracer {
  readonly #cache = {};
  readonly #ignored: readonly string[];

  /**
   * @param root - project folder
   * @param wanted - packages that are taken along even if they are tools
   */
  private constructor(
    private readonly root: string,
    private readonly nodeFileTrace: typeof NodeFileTrace,
    wanted: readonly string[],
  ) {
    this.#ignored = TOOLS.filter((name) => !wanted.includes(name));
  }

  /** @throws FwError `FW_BUILD_NO_TRACER` */
  static async create(root: string, wanted: readonly string[]): Promise<Tracer> {
    const file = tracerOf(root);
    if (file === undefined) throw fwError(BUILD_ERRORS.FW_BUILD_NO_TRACER, { root });
    const module = (await import(pathToFileURL(file).href)) as { readonly nodeFileTrace: typeof NodeFileTrace };
    return new Tracer(root, module.nodeFileTrace, wanted);
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

  // Packages try others out that need not be there. The application itself does not, and what a package depends on is installed.
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

function tracerOf(root: string): string | undefined {
  const { resolve } = createRequire(path.join(root, 'package.json'));
  try {
    return resolve('@vercel/nft');
  } catch {
    return undefined;
  }
}

async function dependsOn(file: string, name: string): Promise<boolean> {
  const folder = path.dirname(file);
  const manifest = path.join(folder, 'package.json');
  if (existsSync(manifest)) {
    const { name: own, dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8')) as PackageJson;
    // One without a name only says how its folder is read.
    if (own !== undefined)
      return Object.keys(dependencies).some((each) => name === each || name.startsWith(`${each}/`));
  }
  return folder === path.dirname(folder) ? false : dependsOn(folder, name);
}

interface PackageJson {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
