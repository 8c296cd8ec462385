import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { glob } from 'tinyglobby';
import { fwError } from '../../errors/index.js';
import { BUILD_ERRORS } from '../errors.js';

/** A package or room whose code loads files that its imports do not show, with the list of them in its manifest. */
export interface Declaration {
  /** Name of the package, or of the room. */
  readonly owner: string;
  /** Folder that `./` in the list is relative to. */
  readonly folder: string;
  /** See `runtime` of the manifest. */
  readonly runtime: readonly string[];
}

/** The files of a declaration; absolute paths. */
export interface Declared {
  /** Modules, whose imports count too. */
  readonly modules: readonly string[];
  /** Files as they are. */
  readonly files: readonly string[];
}

/**
 * The modules and files that a manifest declares.
 *
 * @throws FwError `FW_BUILD_BUNDLE` when there is no such thing
 */
export async function declaredFiles(declaration: Declaration): Promise<Declared> {
  const found = await Promise.all(declaration.runtime.map((entry) => declaredBy(entry, declaration)));
  return { modules: found.flatMap(({ modules }) => modules), files: found.flatMap(({ files }) => files) };
}

async function declaredBy(entry: string, { owner, folder }: Declaration): Promise<Declared> {
  const { resolve } = createRequire(path.join(folder, 'package.json'));
  if (!entry.startsWith('./') && !/[*{]/.test(entry)) {
    const module = attempt(() => resolve(entry));
    if (module !== undefined) return { modules: [module], files: [] };
  }
  const [, name = '', rest] = /^((?:@[^/]+\/)?[^/]+)\/(.*)$/.exec(entry) ?? [];
  const home = entry.startsWith('./') ? folder : packageFolder(name, resolve);
  const pattern = entry.startsWith('./') ? entry.slice(2) : rest;
  const files =
    home === undefined || pattern === undefined
      ? []
      : await glob([pattern], { cwd: home, absolute: true, dot: true, ignore: NEVER });
  if (files.length > 0) return { modules: [], files };
  const problem = `${owner} declares ${entry} as something that it needs when it runs, and there is none`;
  throw fwError(BUILD_ERRORS.FW_BUILD_BUNDLE, { problems: problem });
}

const NEVER = ['**/node_modules/**'];

// Finds the folder by its place in node_modules, because the `exports` of a package may not include its package.json.
function packageFolder(name: string, resolve: NodeJS.RequireResolve): string | undefined {
  const above = resolve.paths(name) ?? [];
  return above.map((folder) => path.join(folder, name)).find((folder) => existsSync(path.join(folder, 'package.json')));
}

function attempt<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch {
    // Not importable; it may still be a plain file.
    return undefined;
  }
}
