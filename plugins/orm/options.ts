import { Type } from 'typebox';
import { withDefault } from '../../kernel/index.js';

/** Options of the `orm` plugin. */
export const ormOptions = Type.Object({
  driver: withDefault(
    Type.Union([Type.Literal('sqlite'), Type.Literal('postgres'), Type.Literal('mysql'), Type.Literal('sqlserver')], {
      description: 'Which database. Its driver package must be installed: better-sqlite3, pg, mysql2 or tedious.',
    }),
    'sqlite',
  ),
  file: Type.Optional(Type.String({ description: 'Path of the SQLite file, or ":memory:".' })),
  url: Type.Optional(
    Type.String({ description: 'Address of a server, e.g. postgres://user:password@host:5432/name.', secret: true }),
  ),
  schema: Type.Optional(
    Type.Union([Type.Literal('none'), Type.Literal('create-missing')], {
      description:
        'What happens to the schema at start: nothing, or missing tables are created from the models. Default create-missing, and none in the profile prod, where migrations decide.',
    }),
  ),
  validate: withDefault(Type.Boolean({ description: 'Whether rows are validated before they are written.' }), true),
  connections: Type.Optional(Type.Integer({ minimum: 1, description: 'Most connections to a server. Default 10.' })),
  acquireTimeout: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Milliseconds that a call waits for a connection while all are in use; 0 for as long as it takes. Default 10 000.',
    }),
  ),
  compiledQueryCacheSize: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Compiled plans kept. Default 2000.' }),
  ),
  stmtCacheSize: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Prepared statements kept per connection. Default 512.' }),
  ),
  defaultTimeout: Type.Optional(Type.Integer({ description: 'Milliseconds per statement. Default none.' })),
});
