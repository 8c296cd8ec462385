import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { glob } from 'tinyglobby';
import { packageManifests, type RoomManifest } from '../../manifests/index.js';
import { type Declaration, declaredFiles } from './declared-files.js';
import { Tracer } from './trace.js';

/** Folder of the bundle, relative to the project. */
export const BUNDLE_FOLDER = 'dist/bundle';

/** Data files of an application whose package.json does not list them in `fw.runtime`. */
const DATA = ['{app,assets,locales,migrations,public,src,static,templates,views}/**', '.env.prod'];
const NO_DATA = ['**/*.{ts,mts,cts,tsx}', '**/*.test.*', '**/node_modules/**', '**/.env', '**/.env*.local'];

/** Migrations in any folder. Migrations in code run from dist/, but are identified by the names of their sources. */
const MIGRATIONS = ['**/migrations{,-*}/*'];

/** A project, with the framework that it has installed. */
export interface BundledProject {
  readonly root: string;
  readonly manifest: ProjectManifest;
  /** Folder of the framework. */
  readonly framework: string;
  readonly rooms: readonly Room[];
  locate(room: string, module: string): string;
}

/** The fields of a package.json that a bundle uses. */
interface ProjectManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** A room of the framework. */
export interface Room {
  readonly room: string;
  readonly manifest: RoomManifest;
}

interface DialectFacts {
  readonly driver?: { readonly package?: string };
}

/** Reads a project and its framework. */
export async function bundledProject(root: string): Promise<BundledProject> {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as ProjectManifest;
  const framework = path.dirname(createRequire(path.join(root, 'package.json')).resolve('fw/package.json'));
  const rooms = pathToFileURL(path.join(framework, 'dist/rooms.js')).href;
  const told = (await import(rooms)) as Pick<BundledProject, 'rooms' | 'locate'>;
  return { root: realpathSync(root), manifest, framework, ...told };
}

/** Everything that an application needs when it runs; absolute paths of files, and of links on the way to them. */
export async function partsOf(project: BundledProject): Promise<ReadonlySet<string>> {
  const { root, manifest } = project;
  const dependencies = Object.keys(manifest.dependencies ?? {});
  const tracer = await Tracer.create(root, dependencies);
  const own = await glob(['dist/**/*'], {
    cwd: root,
    absolute: true,
    ignore: [`${BUNDLE_FOLDER}/**`, '**/.fw-build.json'],
  });
  const data = await glob(DATA, { cwd: root, absolute: true, dot: true, ignore: NO_DATA });
  const migrations = await glob(MIGRATIONS, { cwd: root, absolute: true, ignore: ['dist/**', '**/node_modules/**'] });
  const found = new Set([...own, ...data, ...migrations]);
  const declarations = await declarationsOf(project);
  const done = new Set<Declaration>();
  let modules = [...own.filter((file) => /\.[cm]?js$/.test(file)), ...(await startModules(project))];
  // A declared module may load packages that have declarations of their own.
  while (modules.length > 0) {
    for (const file of await tracer.trace(modules)) found.add(file);
    const next = declarations.filter((each) => !done.has(each) && isUsed(each, found, project));
    const declared = await Promise.all(next.map((each) => declaredFiles(each)));
    for (const each of next) done.add(each);
    for (const file of declared.flatMap(({ files }) => files)) found.add(file);
    modules = declared.flatMap((each) => each.modules);
  }
  return found;
}

// Modules that are loaded by a name that is in no import: `fw` itself, the commands that run in production, dialects, and packages of the
// project that its options may name.
async function startModules({ root, manifest, framework, rooms, locate }: BundledProject): Promise<readonly string[]> {
  const dependencies = Object.keys(manifest.dependencies ?? {});
  const { resolve } = createRequire(path.join(root, 'package.json'));
  const commands = rooms.flatMap(({ room, manifest: { commands = [] } }) =>
    commands.flatMap(({ module, production }) => (module && production ? [fileURLToPath(locate(room, module))] : [])),
  );
  const dialects = rooms.flatMap(({ room, manifest: { dialects = [] } }) =>
    (dialects as readonly DialectFacts[]).some(
      ({ driver }) => !driver?.package || dependencies.includes(driver.package),
    )
      ? [fileURLToPath(locate(room, './index.js'))]
      : [],
  );
  const { found } = await packageManifests(root);
  const brought = found.filter(({ owner }) => dependencies.includes(owner));
  const foreign = brought.flatMap(({ manifest: { commands = [], dialects: facts }, locate: locateIn }) => [
    ...commands.flatMap(({ module, production }) => (module && production ? [fileURLToPath(locateIn(module))] : [])),
    ...((facts ?? []) as readonly { readonly module: string }[]).map(({ module }) => resolve(module)),
  ]);
  return [path.join(framework, 'dist/kernel/bin/fw.js'), ...commands, ...dialects, ...foreign];
}

async function declarationsOf({ root, framework, rooms }: BundledProject): Promise<readonly Declaration[]> {
  const ofRooms = rooms.flatMap(({ room, manifest: { runtime } }) =>
    runtime ? [{ owner: room, folder: path.join(framework, 'dist', room), runtime }] : [],
  );
  const { found } = await packageManifests(root);
  const ofPackages = found.flatMap(({ owner, file, manifest: { runtime } }) =>
    runtime ? [{ owner, folder: realpathSync(path.dirname(file)), runtime }] : [],
  );
  return [...ofRooms, ...ofPackages];
}

function isUsed({ owner, folder }: Declaration, found: ReadonlySet<string>, { root }: BundledProject): boolean {
  if (owner.startsWith('kernel/') || folder === root) return true;
  return [...found].some((file) => file.startsWith(folder + path.sep));
}
