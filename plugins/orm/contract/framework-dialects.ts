import type { DialectPlugin } from '../dialect/index.js';
import type { Dialect } from '../index.js';
import { builtInDialects } from '../registry/index.js';

const found: Dialect[] = [];
// One after the other: Jest cannot link modules that several imports wait for at once.
for (const { module } of builtInDialects)
  found.push(((await import(module)) as { default: DialectPlugin }).default.dialect);

/** The dialects that the framework has, in the order of the registry. */
export const DIALECTS: readonly Dialect[] = found;
