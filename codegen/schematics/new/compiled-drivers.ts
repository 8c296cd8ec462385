import { type CompiledFacts, driverPackage, knownDialects } from '../../../plugins/orm/registry/index.js';

/** A database driver with native code. */
export interface CompiledDriver extends CompiledFacts {
  readonly package: string;
}

/**
 * The drivers with native code among those that a project can use: of the dialects of the framework, and of installed packages.
 *
 * @param root - folder of the project's package.json
 * @throws FwError `FW_ORM_DIALECT_FACTS`
 */
export async function compiledDrivers(root: string): Promise<readonly CompiledDriver[]> {
  const dialects = await knownDialects(root);
  const drivers = dialects.map(driverPackage);
  return drivers.flatMap((driver) => (driver?.compiled ? [{ package: driver.package, ...driver.compiled }] : []));
}
