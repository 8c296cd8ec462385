// A third party's dialect of the ORM, as an npm package would ship it: it imports nothing but fw's public subpaths.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fwError, Type } from 'fw';
import { defineDialect, ORM_ERRORS, valueRefusal } from 'fw/orm/dialect';
import { sqlite, SqliteCompiler, SqliteHandle } from 'fw/orm/sqlite';
import { libsqlClient } from './libsql-database.js';

const NUL = '\0';

// The driver reads a text up to the character 0 only, so none is written.
function wholeText(value, column) {
  if (!value.includes(NUL)) return value;
  throw valueRefusal(column, 'a string', 'one with the character 0, behind which libSQL reads nothing');
}

class LibsqlCompiler extends SqliteCompiler {
  codecOf(column) {
    const codec = super.codecOf(column);
    return column.kind === 'string' || column.kind === 'text' ? { ...codec, encode: wholeText } : codec;
  }
}

/** Another name is another dialect: nothing of the ORM compares it, and everything that SQLite can do is the same. */
export const libsql = {
  ...sqlite,
  name: 'libsql',
  capabilities: { ...sqlite.capabilities, dialect: 'libSQL' },
  compiler: new LibsqlCompiler(),
};

const IN_MEMORY = ':memory:';

/** @param file - path, or ":memory:" */
export async function openLibsql(file) {
  let database;
  try {
    if (file !== IN_MEMORY) await mkdir(path.dirname(path.resolve(file)), { recursive: true });
    database = libsqlClient.open(file === IN_MEMORY ? IN_MEMORY : path.resolve(file));
    if (file !== IN_MEMORY) database.pragma('journal_mode = WAL');
    database.pragma('foreign_keys = ON');
    return new SqliteHandle(database, {}, libsqlClient);
  } catch (cause) {
    database?.close();
    const details = { dialect: 'libSQL', reason: `${file}: ${cause.message}` };
    throw fwError(ORM_ERRORS.FW_ORM_CONNECTION, details, { cause });
  }
}

export default defineDialect({
  id: 'fw-dialect-libsql',
  description: 'The database is a file of libSQL.',
  fw: '^0.1.0',
  dialect: libsql,
  options: Type.Object({
    file: Type.String({ minLength: 1, description: 'Path of the database, or ":memory:".' }),
  }),
  open: ({ file }) => openLibsql(file),
});
