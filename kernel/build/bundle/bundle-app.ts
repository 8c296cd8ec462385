import { chmod, cp, lstat, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BundledProject, BUNDLE_FOLDER, bundledProject, partsOf } from './bundle-parts.js';
import { checkBundle } from './check-bundle.js';
import { isInside } from '../../values/index.js';

/** Result of {@link bundleApp}. */
export interface Bundle {
  /** Relative to the project. */
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  /** Number of packages in it, the framework among them. */
  readonly packages: number;
  /** Why the bundle could not be tried out; undefined when it was. */
  readonly unchecked: string | undefined;
}

/**
 * Copies a built application into a folder of its own, with only the files of its packages that it loads: there `node start.js` serves it
 * on a machine that has nothing but Node. An earlier folder is replaced as a whole, and only after every plugin of the new one was loaded
 * outside of the project.
 *
 * @param root - project folder, with `dist/` as `fw build` writes it
 * @throws FwError `FW_BUILD_BUNDLE`
 */
export async function bundleApp(root: string): Promise<Bundle> {
  const project = await bundledProject(root);
  const parts = await partsOf(project);
  // Outside of the project, so that Node does not find a missing package in a folder above.
  const stage = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-bundle-')));
  try {
    // `mkdtemp` gives the owner alone access; the user that serves the application needs it too.
    await chmod(stage, 0o755);
    const targets = await targetsOf(project, parts);
    for (const [file, target] of targets) await copy(file, path.join(stage, target));
    await writeOwn(project, stage, new Set(targets.values()));
    const unchecked = await checkBundle(stage, root);
    await replace(path.join(root, BUNDLE_FOLDER), stage);
    return { folder: BUNDLE_FOLDER, ...(await sizeOf([...targets])), unchecked };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Where each file goes, relative to the bundle. */
async function targetsOf({ root }: BundledProject, files: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const links = await linksAway(root, files);
  const targets = new Map<string, string>();
  for (const file of files) {
    if (links.has(file)) continue;
    targets.set(file, placeOf(root, file, links));
  }
  return targets;
}

// Links to packages of a workspace, and those of `npm link`: their files lie elsewhere, and are copied to the place of the link.
async function linksAway(root: string, files: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>();
  for (const file of files) {
    if (!(await lstat(file)).isSymbolicLink()) continue;
    const real = await realpath(file);
    if (!isInside(real, root)) links.set(file, real);
  }
  return links;
}

function placeOf(root: string, file: string, links: ReadonlyMap<string, string>): string {
  if (isInside(file, root)) return path.relative(root, file);
  const [link, real] = [...links].find(([, folder]) => isInside(file, folder)) ?? [];
  if (link !== undefined && real !== undefined) {
    const within = path.relative(real, file);
    return path.join(isInside(link, root) ? path.relative(root, link) : fromPackages(link), within);
  }
  return fromPackages(file);
}

// In a workspace, packages lie above the project.
function fromPackages(file: string): string {
  const at = file.indexOf(`${path.sep}node_modules${path.sep}`);
  return at < 0 ? path.relative(path.parse(file).root, file) : file.slice(at + 1);
}

async function copy(file: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  await cp(file, to, { verbatimSymlinks: true, recursive: false });
}

/** Writes the files that exist only in the bundle. */
async function writeOwn(
  { manifest, framework, rooms }: BundledProject,
  stage: string,
  targets: ReadonlySet<string>,
): Promise<void> {
  await writeFile(path.join(stage, 'start.js'), START);
  const { name, version, private: isPrivate, engines, imports, fw, dependencies = {} } = manifest;
  const present = Object.entries(dependencies).filter(([name]) =>
    targets.has(path.join('node_modules', name, 'package.json')),
  );
  // Only the fields that Node and fw read; the others serve development.
  const own = { name, version, private: isPrivate, type: 'module', engines, imports, fw };
  const text = { ...own, scripts: { start: 'node start.js' }, dependencies: Object.fromEntries(present) };
  await writeFile(path.join(stage, 'package.json'), `${JSON.stringify(text, null, 2)}\n`);
  // `fw` of the bundle has only the commands that run in production, so its help lists no other.
  const told = await readFile(path.join(framework, 'dist/rooms.js'), 'utf8');
  const [, ...locate] = told.split('\n');
  const running = rooms.map(({ room, manifest: { commands, ...rest } }) => ({
    room,
    manifest: commands ? { ...rest, commands: commands.filter(({ production }) => production) } : rest,
  }));
  const list = `export const rooms = ${JSON.stringify(running)};\n${locate.join('\n')}`;
  await writeFile(path.join(stage, 'node_modules/fw/dist/rooms.js'), list);
}

const START = `// Written by \`fw build --bundle\`: serves the application of this folder; with words it runs them as \`fw\` does (migrate up).
// What messages write for the command fw, which a bundle does not have.
globalThis[Symbol.for('fw.start-file')] = { file: import.meta.filename, folder: process.cwd() };
process.chdir(import.meta.dirname);
process.env.NODE_ENV ??= 'production';
const words = process.argv.slice(2);
const isCommand = words[0] !== undefined && (!words[0].startsWith('-') || ['--help', '--version', '-h', '-V'].includes(words[0]));
if (!isCommand) process.argv.splice(2, 0, 'start');
await import('./node_modules/fw/dist/kernel/bin/fw.js');
`;

// Copied beside the old folder first, so that the folder is missing only between its removal and the rename.
async function replace(folder: string, stage: string): Promise<void> {
  await cp(stage, `${folder}.new`, { recursive: true, verbatimSymlinks: true });
  await rm(folder, { recursive: true, force: true });
  await rename(`${folder}.new`, folder);
}

async function sizeOf(
  targets: readonly (readonly [string, string])[],
): Promise<Pick<Bundle, 'files' | 'bytes' | 'packages'>> {
  const sizes = await Promise.all(targets.map(async ([file]) => (await stat(file)).size));
  const packages = new Set(targets.flatMap(([, target]) => PACKAGE.exec(target)?.[0] ?? []));
  return { files: targets.length, bytes: sizes.reduce((sum, size) => sum + size, 0), packages: packages.size };
}

const PACKAGE = /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
