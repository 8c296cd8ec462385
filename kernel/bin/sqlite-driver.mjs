// Plain JavaScript, because the installation of a fresh clone asks too.

/** One release of better-sqlite3 per kind of Node: none runs on all of them. */
export const SQLITE_DRIVERS = {
  /** Made for Node-API 10, with its binaries in the package. A Node without that ends when it opens a database. */
  nodeApi: '13.2.0',
  /** Compiled for one release of Node. Since 24.19, one that is ends when a statement is collected as garbage. */
  compiled: '12.9.0',
};

/**
 * The release of better-sqlite3 that runs on a Node.
 *
 * @param {{ readonly napi?: string }} versions - of that Node; default the one that runs
 */
export function sqliteDriver(versions = process.versions) {
  return Number(versions.napi) >= 10 ? SQLITE_DRIVERS.nodeApi : SQLITE_DRIVERS.compiled;
}
