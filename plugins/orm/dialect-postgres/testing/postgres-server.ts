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
    agePrograms: {
      made: [
        'CREATE FUNCTION v_older() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.age := NEW.age + 1; RETURN NEW; END $$',
        'CREATE TRIGGER v_grow BEFORE UPDATE ON v_people FOR EACH ROW EXECUTE FUNCTION v_older()',
        'CREATE TRIGGER v_named BEFORE UPDATE OF age ON v_people FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
        "CREATE FUNCTION v_oldest() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT max(age) FROM v_people); END'",
        'CREATE FUNCTION v_first() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT min(age) FROM v_people; END',
        "CREATE FUNCTION v_names() RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT max(name) FROM v_people); END'",
        "CREATE FUNCTION v_dogs(age int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN age * 7; END'",
      ],
      told: [
        'the function v_first names v_people.age',
        'the trigger v_grow of v_people names v_people.age',
        'the trigger v_named of v_people names v_people.age',
        'the function v_oldest names v_people.age',
      ],
      toldOfRename: ['the trigger v_grow of v_people names v_people.age', 'the function v_oldest names v_people.age'],
      gone: [
        'DROP FUNCTION v_older CASCADE',
        'DROP TRIGGER v_named ON v_people',
        'DROP FUNCTION v_oldest, v_first, v_names, v_dogs',
      ],
    },
    finerMoments: { sqlType: 'timestamptz(6)' },
    sleep: (seconds) => `pg_sleep(${seconds})`,
    countFrom: (table, next) => `ALTER TABLE ${table} ALTER COLUMN id RESTART WITH ${next}`,
    holdTables: (tables) => ({ take: `LOCK TABLE ${tables.join()} IN ACCESS EXCLUSIVE MODE` }),
    programs: PROGRAMS,
    failureEndsTransaction: true,
    collations: { exact: 'C', caseless: 'en-x-icu', equates: false },
    upsertNeedsKey: true,
    asksForKey: true,
  },
});
