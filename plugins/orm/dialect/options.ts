import { Type } from 'typebox';

/** Options that all servers share; a server's dialect spreads their properties into its own. */
export const serverOptions = Type.Object({
  connections: Type.Optional(Type.Integer({ minimum: 1, description: 'Most connections to the server. Default 10.' })),
  acquireTimeout: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Milliseconds that a call waits for a connection while all are in use; 0 for as long as it takes. Default 10 000.',
    }),
  ),
  connectTimeout: Type.Optional(Type.Integer({ minimum: 0, description: 'Milliseconds to connect. Default 10 000.' })),
  stmtCacheSize: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Prepared statements kept per connection. Default 512.' }),
  ),
});
