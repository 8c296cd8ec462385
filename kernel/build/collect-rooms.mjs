import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';

/**
 * The rooms of the framework that have a manifest, fw.json. It has the fields that `fw` has in the package.json of a package.
 *
 * @param {string} root - of the repository
 * @returns {Promise<{ room: string, manifest: import('../manifests/manifest.js').RoomManifest }[]>} sorted by folder
 */
export async function collectRooms(root) {
  const files = await glob(['{kernel,plugins,codegen}/**/fw.json'], { cwd: root, ignore: ['**/node_modules/**'] });
  const read = files.sort().map(async (file) => {
    return { room: path.posix.dirname(file), manifest: JSON.parse(await readFile(path.join(root, file), 'utf8')) };
  });
  return Promise.all(read);
}

/** Sources of the modules that rooms name: each is loaded by its path, so each is an entry of the bundle. */
export function modulesOfRooms(rooms) {
  return rooms.flatMap(({ room, manifest }) => {
    const { commands = [], checks = [], build, followUps = {}, entries = [], prepared = {} } = manifest;
    const named = [
      ...[...commands, ...checks].map(({ module }) => module),
      ...commands.map(({ completes }) => completes),
      build,
      ...Object.values(followUps),
      ...entries,
    ];
    const modules = [...named, ...Object.values(prepared)].filter((module) => module !== undefined);
    return modules.map((module) => sourceOf(room, module));
  });
}

/** Packages that rooms leave in node_modules, as patterns for esbuild. */
export const externalOfRooms = (rooms) =>
  rooms.flatMap(({ manifest }) => (manifest.external ?? []).flatMap((name) => [name, `${name}/*`]));

/** @returns {string} relative to the repository */
export const sourceOf = (room, module) => `./${path.posix.join(room, module).replace(/\.([cm]?)js$/, '.$1ts')}`;

/** Fields that only the build of the framework reads. */
const OF_THE_BUILD = ['bundle', 'entries', 'external', 'prepared'];

/** The module `#rooms` of a build. */
export function roomsModule(rooms) {
  const told = rooms.map(({ room, manifest }) => ({
    room,
    manifest: Object.fromEntries(Object.entries(manifest).filter(([key]) => !OF_THE_BUILD.includes(key))),
  }));
  return [
    `export const rooms = ${JSON.stringify(told)};`,
    'export const locate = (room, module) => new URL(`./${room}/${module}`, import.meta.url).href;\n',
  ].join('\n');
}
