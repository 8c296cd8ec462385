import type { ReservedConnection, SqlHandle } from '../core/index.js';

/** The connection that a run reads on and opens its transactions on. */
export type Place = Pick<ReservedConnection, 'connection'> & Pick<SqlHandle, 'begin'>;
