import { Type } from 'typebox';

/** Options of the plugin `orm/sqlite`. */
export const sqliteOptions = Type.Object({
  file: Type.String({ minLength: 1, description: 'Path of the file, relative to the application, or ":memory:".' }),
  client: Type.Optional(
    Type.Union([Type.Literal('better-sqlite3'), Type.Literal('node:sqlite')], {
      description:
        'What SQLite is reached through: the package better-sqlite3, or the module of Node, from Node 24 on, which nothing has to be installed for. Default better-sqlite3.',
    }),
  ),
  stmtCacheSize: Type.Optional(Type.Integer({ minimum: 1, description: 'Prepared statements kept. Default 512.' })),
  busyTimeout: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Milliseconds that a call waits for an open transaction, or for another process that writes. Default 5000.',
    }),
  ),
  durable: Type.Optional(
    Type.Boolean({
      description:
        'Whether every commit waits for the disk. Default false: a power cut may lose the last commits, never the database.',
    }),
  ),
  foreignKeys: Type.Optional(Type.Boolean({ description: 'Whether foreign keys are enforced. Default true.' })),
});
