import type { TestedDialect } from '../../contract/suite.js';
import { serverDatabase, type ServerDatabase } from '../../contract/test-servers.js';
import { openPostgres } from '../open-postgres.js';
import { postgres } from '../postgres-dialect.js';
import { PROGRAMS } from './stored-programs.js';

/** The server that tests need. */
export const POSTGRES = {
  variable: 'FW_TEST_POSTGRES',
  hint: 'a PostgreSQL whose user may create databases, e.g. postgres://postgres@127.0.0.1:5432/postgres',
};

/** A PostgreSQL database that nobody else uses. */
export const postgresDatabase = (url: string): Promise<ServerDatabase> => serverDatabase(url, openPostgres, '"');

/** PostgreSQL as the suite of dialects tests it. */
export const testedPostgres = (url: string): TestedDialect => ({
  name: 'PostgreSQL',
  dialect: postgres,
  create: () => postgresDatabase(url),
  prepare: (handle, sql) => handle.script(`PREPARE fw_hostile AS ${sql}; DEALLOCATE fw_hostile`),
  habits: {
    finerMoments: { sqlType: 'timestamptz(6)' },
    sleep: (seconds) => `pg_sleep(${seconds})`,
    countFrom: (table, next) => `ALTER TABLE ${table} ALTER COLUMN id RESTART WITH ${next}`,
    holdTables: (tables) => ({ take: `LOCK TABLE ${tables.join()} IN ACCESS EXCLUSIVE MODE` }),
    programs: PROGRAMS,
    failureEndsTransaction: true,
    collations: { exact: 'C', caseless: 'en-x-icu', equates: false },
    upsertNeedsKey: true,
  },
});
