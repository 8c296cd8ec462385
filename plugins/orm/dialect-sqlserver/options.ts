import { Type } from 'typebox';
import { serverOptions } from '../dialect/index.js';

/** Options of the plugin `orm/sqlserver`. */
export const sqlserverOptions = Type.Object({
  url: Type.String({
    description: 'Address of the server, e.g. sqlserver://user:password@host:1433/database.',
    secret: true,
  }),
  encrypt: Type.Optional(Type.Boolean({ description: 'Whether the connection is encrypted. Default true.' })),
  trustServerCertificate: Type.Optional(
    Type.Boolean({
      description:
        "Whether a certificate that nobody vouches for is taken, as on a developer's machine. Default false.",
    }),
  ),
  ...serverOptions.properties,
});
