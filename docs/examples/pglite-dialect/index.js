// A third party's dialect of the ORM, as an npm package would ship it: it imports nothing but fw's public subpaths.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { fwError, Type } from 'fw';
import { defineDialect, ORM_ERRORS } from 'fw/orm/dialect';
import { postgres } from 'fw/orm/postgres';
import { PgliteConnection, PgliteHandle } from './pglite-connection.js';
import { parsers } from './pglite-values.js';

/** Another name is another dialect: nothing of the ORM compares it, and everything that PostgreSQL can do is the same. */
export const pglite = {
  ...postgres,
  name: 'pglite',
  capabilities: { ...postgres.capabilities, dialect: 'PGlite' },
};

const IN_MEMORY = 'memory://';

export async function openPglite(file) {
  return new PgliteHandle(file, () => connect(file));
}

async function connect(file) {
  try {
    if (file !== IN_MEMORY) await mkdir(path.resolve(file), { recursive: true });
    const database = await PGlite.create(file === IN_MEMORY ? IN_MEMORY : path.resolve(file), { parsers });
    await database.exec("SET TIME ZONE 'UTC'");
    return new PgliteConnection(database);
  } catch (cause) {
    const details = { dialect: 'PGlite', reason: `${file}: ${cause.message}` };
    throw fwError(ORM_ERRORS.FW_ORM_CONNECTION, details, { cause });
  }
}

export default defineDialect({
  id: 'fw-dialect-pglite',
  description: 'The database is PGlite, in this process.',
  fw: '^0.1.0',
  dialect: pglite,
  options: Type.Object({
    file: Type.String({ minLength: 1, description: 'Folder of the database, or "memory://".' }),
  }),
  open: ({ file }) => openPglite(file),
});
