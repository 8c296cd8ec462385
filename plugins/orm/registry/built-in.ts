import { rooms } from '#rooms';
import type { DialectFacts } from './facts.js';

const needsServer = ({ address }: DialectFacts): number => (address.default === undefined ? 1 : 0);

/** Facts of the built-in dialects: those without a server first, then by name. */
export const builtInDialects: readonly DialectFacts[] = rooms
  .flatMap(({ manifest }) => (manifest.dialects ?? []) as readonly DialectFacts[])
  .sort((a, b) => needsServer(a) - needsServer(b) || (a.name < b.name ? -1 : 1));

/** The default dialect: the first one, which needs no server if such a dialect exists. */
export const [defaultDialect] = builtInDialects as readonly [DialectFacts, ...DialectFacts[]];
