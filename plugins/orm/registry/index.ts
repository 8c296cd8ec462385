export {
  type AddressFacts,
  clientNames,
  type CompiledFacts,
  type DialectFacts,
  type DriverFacts,
  driverPackage,
  driverVersion,
  factsProblem,
  missingBuiltin,
  type NodeDriver,
  throughClient,
} from './facts.js';
export { builtInDialects, defaultDialect } from './built-in.js';
export { knownDialects } from './known-dialects.js';
export { chosenDialect } from './choose.js';
