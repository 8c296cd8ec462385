import { dirname, join } from 'node:path';
import { fwError } from '../../../kernel/index.js';
import { isError } from '../../../kernel/errors/index.js';
import { SQLITE_ERRORS } from './errors.js';

/** What is asked of a Node. */
interface NodeVersions {
  readonly node: string;
  /** Of its native interface, for what is compiled for one Node. */
  readonly modules: string;
  /** Of Node-API. */
  readonly napi: string;
}

const NODE_API = 10;
/** Node 24. Its release 24.19 made `ObjectWrap`, a class in Node's headers, take part in the end of an environment. */
const FIRST_HOOKED = 137;
const HOOK = 'RemoveEnvironmentCleanupHook';

/**
 * Refuses a driver that would crash the process without a catchable error: a segmentation fault at once, or an abort when a statement is
 * garbage-collected.
 *
 * @param resolve - of `require`
 * @throws FwError `FW_ORM_DRIVER_NODE`
 */
export function assertDriverFits(
  resolve: (name: string) => string,
  versions: NodeVersions = process.versions as unknown as NodeVersions,
): void {
  const hasNodeApi = Number(versions.napi) >= NODE_API;
  if (hasNodeApi && Number(versions.modules) < FIRST_HOOKED) return;
  const driver = installedDriver(resolve);
  if (driver === undefined) return;
  if (isForNodeApi(driver.version) && !hasNodeApi)
    throw misfit(driver.version, 'ends the process', versions.node, '12');
  if (!isForNodeApi(driver.version) && hasNodeApi && isHooked(driver.folder))
    throw misfit(driver.version, 'ends the process sooner or later', versions.node, '13');
}

/**
 * The error for a driver that could not load its binary; undefined when something else went wrong.
 *
 * @param resolve - of `require`
 */
export function unloadable(
  error: unknown,
  resolve: (name: string) => string,
  { node, napi }: Pick<NodeVersions, 'node' | 'napi'> = process.versions as unknown as NodeVersions,
): Error | undefined {
  if (!isError(error) || !isUnloadable(error)) return undefined;
  const version = installedDriver(resolve)?.version ?? '';
  const command = isForNodeApi(version) ? BUILD : Number(napi) >= NODE_API ? INSTALL : 'npm rebuild better-sqlite3';
  // Without the folders that were looked in, and the files that asked.
  const [reason] = error.message.replace(/\s+/g, ' ').split(/\. | Require stack:/);
  return fwError(SQLITE_ERRORS.FW_ORM_DRIVER_BINARY, { version, node, reason, command }, { cause: error });
}

const INSTALL = 'npm install better-sqlite3@13';
const BUILD = 'npx node-gyp rebuild --directory=node_modules/better-sqlite3 --force_build=1';

// Of `dlopen`; of `require`; and of the package with which better-sqlite3 12 looks for its binary.
function isUnloadable(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_DLOPEN_FAILED' || error.code === 'MODULE_NOT_FOUND' || 'tries' in error;
}

interface InstalledDriver {
  readonly folder: string;
  readonly version: string;
}

const isForNodeApi = (version: string): boolean => Number.parseInt(version) >= 13;

// What is missing is told by whoever loads it.
function installedDriver(resolve: (name: string) => string): InstalledDriver | undefined {
  try {
    const manifest = resolve('better-sqlite3/package.json');
    const { version } = JSON.parse(read(manifest).toString()) as { readonly version: string };
    return { folder: dirname(manifest), version };
  } catch {
    return undefined;
  }
}

// The name of the function is in the binary when it was compiled with the headers that call it.
function isHooked(folder: string): boolean {
  try {
    return read(join(folder, 'build/Release/better_sqlite3.node')).includes(HOOK);
  } catch {
    return false;
  }
}

const read = (file: string): Buffer => process.getBuiltinModule('node:fs').readFileSync(file);

function misfit(version: string, problem: string, node: string, fitting: string) {
  return fwError(SQLITE_ERRORS.FW_ORM_DRIVER_NODE, { version, problem, node, fitting });
}
