import { Type } from 'typebox';
import { serverOptions } from '../dialect/index.js';

/** Options of the plugin `orm/postgres`. */
export const postgresOptions = Type.Object({
  url: Type.String({
    description: 'Address of the server, e.g. postgres://user:password@host:5432/database.',
    secret: true,
  }),
  ssl: Type.Optional(
    Type.Boolean({
      description: 'Whether the connection is encrypted. Default: as the address says, see sslmode of pg.',
    }),
  ),
  prepare: Type.Optional(
    Type.Boolean({
      description:
        'Whether statements are prepared by name and kept. Default true; false behind a pooler that gives each transaction another connection.',
    }),
  ),
  ...serverOptions.properties,
});
