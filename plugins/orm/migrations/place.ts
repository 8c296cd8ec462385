import type { ReservedConnection, SqlHandle } from '../core/index.js';

/** Where a run reads, and opens its transactions. */
export type Place = Pick<ReservedConnection, 'connection'> & Pick<SqlHandle, 'begin'>;
