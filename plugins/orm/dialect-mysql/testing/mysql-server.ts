import type { TestedDialect } from '../../contract/suite.js';
import { serverDatabase, type ServerDatabase } from '../../contract/test-servers.js';
import { mysql } from '../mysql-dialect.js';
import { openMysql } from '../open-mysql.js';
import { PROGRAMS } from './stored-programs.js';

/** The server that tests need. */
export const MYSQL = {
  variable: 'FW_TEST_MYSQL',
  hint: 'a MySQL or MariaDB whose user may create databases, e.g. mysql://root@127.0.0.1:3306/mysql',
};

/** A MySQL or MariaDB database that nobody else uses. */
export const mysqlDatabase = (url: string): Promise<ServerDatabase> => serverDatabase(url, openMysql, '`');

const literal = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;

/** MySQL as the suite of dialects tests it. */
export const testedMysql = (url: string): TestedDialect => ({
  name: 'MySQL',
  dialect: mysql,
  create: () => mysqlDatabase(url),
  prepare: (handle, sql) => handle.script(`PREPARE fw_hostile FROM ${literal(sql)}; DEALLOCATE PREPARE fw_hostile`),
  habits: {
    agePrograms: {
      made: [
        'CREATE TRIGGER v_grow BEFORE UPDATE ON v_people FOR EACH ROW SET NEW.age = NEW.age + 1',
        'CREATE TRIGGER v_count AFTER INSERT ON v_notes FOR EACH ROW UPDATE v_people SET age = age + 1',
        'CREATE PROCEDURE v_oldest() SELECT max(age) FROM v_people',
        'CREATE PROCEDURE v_names() SELECT max(name) FROM v_people',
      ],
      told: [
        'the trigger v_count of v_notes names v_people.age',
        'the trigger v_grow of v_people names v_people.age',
        'the procedure v_oldest names v_people.age',
      ],
      toldOfRename: [
        'the trigger v_count of v_notes names v_people.age',
        'the trigger v_grow of v_people names v_people.age',
        'the procedure v_oldest names v_people.age',
      ],
      gone: ['DROP TRIGGER v_grow', 'DROP TRIGGER v_count', 'DROP PROCEDURE v_oldest', 'DROP PROCEDURE v_names'],
    },
    finerMoments: { sqlType: 'datetime(6)' },
    sleep: (seconds) => `SLEEP(${seconds})`,
    holdTables: (tables) => ({
      take: `LOCK TABLES ${tables.map((table) => `${table} WRITE`).join()}`,
      giveBack: 'UNLOCK TABLES',
    }),
    conditionalUpsert: false,
    refuses: [
      'full join',
      'limited union of an outer column',
      'array operators',
      'lock of some tables',
      'percentiles',
      'places of JSON from the end',
      'returned value of two tables',
      'swap of columns',
    ],
    collations: { exact: 'utf8mb4_bin', caseless: 'utf8mb4_unicode_ci' },
    rawLongs: true,
    programs: PROGRAMS,
  },
});
