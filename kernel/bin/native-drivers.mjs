// Plain JavaScript, because it runs during the installation of a fresh clone.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PLUGINS = fileURLToPath(new URL('../../plugins/', import.meta.url));

/** The database drivers that the rooms of the framework name in their fw.json. */
function drivers() {
  return readdirSync(PLUGINS, { recursive: true })
    .filter((file) => path.basename(file) === 'fw.json' && !file.includes('node_modules'))
    .flatMap((file) => JSON.parse(readFileSync(path.join(PLUGINS, file), 'utf8')).dialects ?? [])
    .map(({ driver }) => driver);
}

/**
 * The database drivers with native code, and the release of each that runs on a Node: no release runs on every Node. The last of a driver's
 * versions is the one of the lock file, which is compiled for one release of Node; the others use Node-API and bring their binaries in the
 * package.
 *
 * @param {{ readonly napi?: string }} versions - versions of that Node; default those of this process
 */
export function nativeDrivers({ napi } = process.versions) {
  return drivers()
    .filter(({ compiled }) => compiled)
    .map(({ package: name, versions }) => {
      const last = versions.at(-1);
      const fitting = versions.find((each) => each.napi === undefined || Number(napi) >= each.napi) ?? last;
      return { name, version: fitting.version, compiles: fitting === last };
    });
}
