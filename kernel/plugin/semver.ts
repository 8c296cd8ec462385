import { createRequire } from 'node:module';
import type * as Semver from 'semver';

/** The library that knows npm's ranges. It is loaded on first use, because most applications list no plugin with a range. */
export function semver(): typeof Semver {
  return createRequire(import.meta.url)('semver') as typeof Semver;
}
