import { Type } from 'typebox';

/** Options of the plugin `orm/sqlite`. */
export const sqliteOptions = Type.Object({
  file: Type.String({ minLength: 1, description: 'Path of the file, or ":memory:".' }),
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
