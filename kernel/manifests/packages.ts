import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type FwError, fwError } from '../errors/index.js';
import { fileAbove } from '../fs/index.js';
import { MANIFEST_ERRORS } from './errors.js';
import type { Contributor, Manifest } from './manifest.js';
import { packageManifestProblems } from './manifest-problems.js';

/** The packages of a project that have a manifest. */
export interface ProjectPackages {
  /** The project itself first, if it does, and then in the order of package.json. */
  readonly found: readonly Contributor[];
  /** Manifests that cannot be used. */
  readonly problems: readonly FwError[];
  /** Packages that package.json names and that are not installed. */
  readonly missing: readonly string[];
}

/** Fields of package.json with the direct dependencies; only these are read. */
const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/**
 * The manifests of a project and of the packages that its package.json names. Packages are looked for where Node looks: in `node_modules`
 * of the project and of the folders above it. So a package at the top of a workspace counts, as does one that pnpm links, but not a
 * dependency of another package. Nothing is resolved through `exports`, and no code is run.
 *
 * @param folder - a folder of the project; the nearest package.json upwards is the project's, as it is for npm
 */
export async function packageManifests(folder: string): Promise<ProjectPackages> {
  const own = fileAbove(path.resolve(folder), 'package.json');
  if (own === undefined) return { found: [], problems: [], missing: [] };
  const root = path.dirname(own);
  const project = await read(own, root);
  if (project instanceof Error) return { found: [], problems: [project], missing: [] };
  const names = new Set(GROUPS.flatMap((group) => Object.keys((project[group] ?? {}) as object)));
  const files = [...names].map((name) => ({ name, file: fileAbove(root, `node_modules/${name}/package.json`) }));
  const installed = files.flatMap(({ name, file }) => (file === undefined ? [] : [{ name, file }]));
  const others = await Promise.all(installed.map(async ({ name, file }) => contributorIn(file, name)));
  const all = [contributorOf(project, own, nameOf(project) ?? 'The project'), ...others];
  return {
    found: all.filter((each) => each !== undefined && !(each instanceof Error)) as Contributor[],
    problems: all.filter((each) => each instanceof Error) as FwError[],
    missing: files.filter(({ file }) => file === undefined).map(({ name }) => name),
  };
}

async function contributorIn(file: string, name: string): Promise<Contributor | FwError | undefined> {
  const json = await read(file, name);
  return json instanceof Error ? json : contributorOf(json, file, nameOf(json) ?? name);
}

function contributorOf(json: PackageJson, file: string, owner: string): Contributor | FwError | undefined {
  if (json['fw'] === undefined) return undefined;
  const problems = packageManifestProblems(json['fw']);
  const problem = problems.map(({ field, problem: what }) => `"fw${field === '' ? '' : '.'}${field}" ${what}`);
  if (problem.length > 0)
    return fwError(MANIFEST_ERRORS.FW_MANIFEST_WRONG, { owner, file, problem: problem.join('; ') });
  const home = pathToFileURL(file);
  return {
    ...{ owner, file, prefix: 'fw.', manifest: json['fw'] as Manifest },
    locate: (module) => new URL(module, home).href,
  };
}

type PackageJson = Readonly<Record<string, unknown>>;

async function read(file: string, owner: string): Promise<PackageJson | FwError> {
  const refuse = (problem: string, cause?: unknown) =>
    fwError(MANIFEST_ERRORS.FW_MANIFEST_WRONG, { owner, file, problem }, { cause });
  try {
    const json: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof json === 'object' && json !== null ? (json as PackageJson) : refuse('it is not an object');
  } catch (cause) {
    return refuse(`it cannot be read: ${(cause as Error).message}`, cause);
  }
}

const nameOf = ({ name }: PackageJson): string | undefined => (typeof name === 'string' ? name : undefined);
