import { rooms } from '#rooms';
import type { DialectFacts } from './facts.js';

const needsServer = ({ address }: DialectFacts): number => (address.default === undefined ? 1 : 0);

/** Facts of the dialects that come with the framework: those that need no server first, then by name. */
export const builtInDialects: readonly DialectFacts[] = rooms
  .flatMap(({ manifest }) => (manifest.dialects ?? []) as readonly DialectFacts[])
  .sort((a, b) => needsServer(a) - needsServer(b) || (a.name < b.name ? -1 : 1));

/** The dialect for who has no wish: one that needs no server, where there is one. */
export const [defaultDialect] = builtInDialects as readonly [DialectFacts, ...DialectFacts[]];
