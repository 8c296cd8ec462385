import { existsSync } from 'node:fs';
import { lutimes, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildApp } from '../../../../kernel/build/index.js';
import { compiledDrivers, newProject, type PackedFramework } from '../../../../codegen/schematics/index.js';
import type { ProjectDocument } from '../../knowledge/index.js';
import type { ServiceRequest } from '../request/service-request.js';
import { type Dependencies, dependenciesOf, digestOf, installDependencies } from './dependencies.js';
import { dockerfile } from './dockerfile.js';

/** Folders for the files of a call. */
interface Workshop {
  /** Folder `fw-provision-<six characters>`, used only by this call. */
  readonly folder: string;
  readonly framework: PackedFramework;
  readonly baseImage: string;
  /** Folder of saved lock files. */
  readonly locks: string;
  readonly signal: AbortSignal;
}

/**
 * Makes the folder from which the images of a call are built, one after another:
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
   * Generates and compiles the project of a service, and arranges the files for its image.
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
    // Does not check types: all code is generated, and the compiler is a development dependency, which images do not have.
    await buildApp({ root: made.path, check: false });
    const dependencies = await this.#install(await dependenciesOf(made.path));
    // The vendored package is in the folder of the dependencies, where the lock file expects it.
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

// Deletes files that a container does not need: source maps of packages, and sources of native code with present binaries.
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

// Sets fixed file times, because a layer is reused only if its files and their times are equal.
async function sameTimes(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) await sameTimes(at);
    else await (entry.isSymbolicLink() ? lutimes : utimes)(at, 0, 0);
  }
  await utimes(folder, 0, 0);
}

/** Removes all files of a call. */
export function clearWorkshop(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
