import type { Dialect } from '../index.js';
import { builtInDialects } from '../registry/index.js';
import { DIALECTS } from './framework-dialects.js';
import { fromRoomOf } from './tested-dialects.js';

/** Remarks on a dialect for the page of dialects: the default export of `testing/remarks.ts` in its folder. */
export interface DialectRemarks {
  /** Servers that it is for; `name` is what native types are `of` that not all of them have. Default one, of the dialect's title. */
  readonly servers?: readonly { readonly title: string; readonly name: string }[];
  /** What its SQL does not tell of a feature, by the feature. */
  readonly notes?: Readonly<Record<string, string>>;
}

const found = new Map<Dialect, DialectRemarks>();
// One after the other, as in framework-dialects.ts.
for (const [at, facts] of builtInDialects.entries())
  found.set(DIALECTS[at] as Dialect, (await fromRoomOf<DialectRemarks>(facts, 'testing/remarks.ts')) ?? {});

/** The remarks of a dialect of the framework. */
export const remarksOf = (dialect: Dialect): DialectRemarks => found.get(dialect) ?? {};
