import { fwError, type FwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';

/**
 * The error for a driver that cannot be loaded: an npm package that is not installed, or a module (`node:sqlite`) that this Node does not
 * have.
 *
 * @param driver - as it is imported
 * @param node - releases of Node that have the module
 */
export function driverMissing(dialect: string, driver: string, cause?: unknown, node?: string): FwError {
  const needed = driver.startsWith('node:')
    ? `${driver}, which Node ${process.versions.node} does not have as it needs it; run Node ${node ?? 'in a release that does'}`
    : `the package "${driver}", which is not installed; run: npm install ${driver}`;
  return fwError(ORM_ERRORS.FW_ORM_DRIVER_MISSING, { dialect, driver, needed }, { cause });
}
