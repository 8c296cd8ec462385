import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { foldersAbove } from '../fs/index.js';
import { objectOf, parsedJson } from '../values/index.js';

/** A TypeScript compiler that is installed for a project. */
export interface Compiler {
  /** Folder of its package. */
  readonly folder: string;
  /** Path below node_modules of the script that Node runs, `typescript/bin/tsc`. */
  readonly script: string;
  readonly version: string;
  /** What starts it, before its own arguments: the program in machine code where there is one, else Node with its script. */
  readonly command: readonly [program: string, ...args: string[]];
}

/** The package that has the interface of TypeScript 6, and no `tsc`, for projects that compile with 7 and have tools that need 6. */
const COMPATIBLE = '@typescript/typescript6';

/**
 * The newest TypeScript of a project, from the nearest folder above that has one: `typescript`, or what package.json calls otherwise, which
 * is how 6 and 7 stand beside each other (https://devblogs.microsoft.com/typescript/announcing-typescript-7-0/).
 *
 * @param root - folder of the project
 * @returns undefined where none is installed
 */
export function compilerAbove(root: string): Compiler | undefined {
  for (const folder of foldersAbove(root)) {
    const [first, ...others] = namesIn(folder).flatMap((name) => compilerIn(folder, name) ?? []);
    if (first !== undefined) return others.reduce(newer, first);
  }
  return undefined;
}

// What an alias leads to is not always to be read there: pnpm has catalogs.
function namesIn(folder: string): readonly string[] {
  const { dependencies, devDependencies } = manifestIn(folder);
  return ['typescript', ...Object.keys(objectOf(dependencies)), ...Object.keys(objectOf(devDependencies))];
}

function compilerIn(root: string, name: string): Compiler | undefined {
  const folder = path.join(root, 'node_modules', name);
  const { name: own, version } = manifestIn(folder);
  if ((own !== 'typescript' && own !== COMPATIBLE) || typeof version !== 'string') return undefined;
  const inPackage = own === COMPATIBLE ? 'lib/tsc.js' : 'bin/tsc';
  const script = path.join(folder, inPackage);
  if (!existsSync(script)) return undefined;
  const common = { folder, script: `${name}/${inPackage}`, version };
  if (majorOf(version) < 7) return { ...common, command: [process.execPath, script] };
  const program = machineCodeOf(folder);
  return program === undefined ? undefined : { ...common, command: [program] };
}

/** The part of TypeScript 7 for this system, an optional dependency, which is not there for every system. */
function machineCodeOf(folder: string): string | undefined {
  // A package may be linked from elsewhere, and what it depends on is installed there.
  const { resolve } = createRequire(path.join(realpathSync(folder), 'package.json'));
  try {
    const manifest = resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`);
    const program = path.join(path.dirname(manifest), 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

function manifestIn(folder: string): Readonly<Record<string, unknown>> {
  const file = path.join(folder, 'package.json');
  // What is wrong with the file of a project, npm says.
  return existsSync(file) ? objectOf(parsedJson(readFileSync(file))) : {};
}

const majorOf = (version: string): number => Number(version.split('.', 1)[0]);

const newer = (one: Compiler, other: Compiler): Compiler =>
  other.version.localeCompare(one.version, 'en', { numeric: true }) > 0 ? other : one;
