import path from 'node:path';

/** Where `prepare` puts what it builds: both the peers and fw are found from there. */
export const PREPARED = path.join(import.meta.dirname, 'dist');
