import { existsSync } from 'node:fs';
import { lutimes, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildApp } from '../../../../kernel/build/index.js';
import { compiledDrivers, newProject, type PackedFramework } from '../../../../codegen/schematics/index.js';
import type { ProjectDocument } from '../../knowledge/index.js';
import type { ServiceRequest } from '../request/service-request.js';
import { type Dependencies, dependenciesOf, digestOf, installDependencies } from './dependencies.js';
import { dockerfile } from './dockerfile.js';

/** Where the files of a call are made. */
export interface Workshop {
  /** Folder `fw-provision-<six characters>`, of this call alone. */
  readonly folder: string;
  readonly framework: PackedFramework;
  readonly baseImage: string;
  /** Folder of remembered lock files. */
  readonly locks: string;
  readonly signal: AbortSignal;
}

/**
 * Makes the folder that the images of a call are built from, one after another:
 *
 * ```
 * image/Dockerfile                          of the image that is built next
 *       dependencies-<digest>/workspace/    package.json, node_modules, vendor: shared by services that have the same
 *       project-<n>/workspace/              source and dist/ of the n-th service
 * ```
 */
export class ContextMaker {
  readonly #context: string;
  readonly #installed = new Set<string>();
  #projects = 0;

  constructor(private readonly workshop: Workshop) {
    this.#context = path.join(workshop.folder, 'image');
  }

  /**
   * Generates the project of a service, compiles it, and lays out what its image needs.
   * @returns the folder, with a Dockerfile
   */
  async make({ name, template, document }: ServiceRequest, adapted: ProjectDocument): Promise<string> {
    const { framework, signal, baseImage } = this.workshop;
    const project = `project-${++this.#projects}`;
    const parent = path.join(this.#context, project);
    await mkdir(parent, { recursive: true });
    const made = await newProject(
      { name, template, document: { ...document, ...adapted } },
      { parent, log: () => undefined, framework, signal },
    );
    // No types are checked: the code comes from generators alone, and the compiler is a package of development, which no image has.
    await buildApp({ root: made.path, check: false });
    const dependencies = await this.#install(await dependenciesOf(made.path));
    // It lies among the dependencies, where the lock file wants it.
    await rm(path.join(made.path, 'vendor'), { recursive: true });
    await rename(made.path, path.join(parent, 'workspace'));
    await sameTimes(parent);
    await writeFile(path.join(this.#context, 'Dockerfile'), dockerfile(baseImage, { dependencies, project }));
    return this.#context;
  }

  async #install(dependencies: Dependencies): Promise<string> {
    const { framework, locks, signal } = this.workshop;
    const folder = `dependencies-${digestOf(dependencies, framework).slice(0, 16)}`;
    if (this.#installed.has(folder)) return folder;
    const into = path.join(this.#context, folder, 'workspace');
    await installDependencies(dependencies, { into, locks, framework, signal });
    await leaveOut(into);
    await sameTimes(path.dirname(into));
    this.#installed.add(folder);
    return folder;
  }
}

// What nobody reads in a container: source maps of packages, and the sources of native code whose binaries are there.
async function leaveOut(installed: string): Promise<void> {
  const packages = path.join(installed, 'node_modules');
  for (const { package: name, sources = [] } of await compiledDrivers(installed)) {
    const driver = path.join(packages, name);
    if (!['build/Release', 'prebuilds'].some((binaries) => existsSync(path.join(driver, binaries)))) continue;
    for (const each of sources) await rm(path.join(driver, each), { recursive: true, force: true });
  }
  const maps = (await readdir(packages, { recursive: true })).filter((file) => file.endsWith('.map'));
  for (const map of maps) await rm(path.join(packages, map), { recursive: true });
}

// A layer is the same when its files are, their times included.
async function sameTimes(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) await sameTimes(at);
    else await (entry.isSymbolicLink() ? lutimes : utimes)(at, 0, 0);
  }
  await utimes(folder, 0, 0);
}

/** Removes everything that a call made on disk. */
export function clearWorkshop(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
