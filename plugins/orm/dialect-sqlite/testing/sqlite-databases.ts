import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import type { TestDatabase, TestedDialect } from '../../contract/index.js';
import type { AddressedDatabase } from '../../contract/tested-dialects.js';
import { openSqlite } from '../open-sqlite.js';
import { sqlite } from '../sqlite-dialect.js';
import { PROGRAMS } from './stored-programs.js';

/** A database in a file that nobody else uses. */
export const inFile = (): Promise<AddressedDatabase> => inFileThrough('better-sqlite3');

/** The same, through what is named. */
export async function inFileThrough(client: 'better-sqlite3' | 'node:sqlite'): Promise<AddressedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'fw-orm-'));
  const address = join(folder, 'test.db');
  const handle = await openSqlite(address, { client });
  return {
    handle,
    address,
    drop: async () => {
      await handle.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A database in memory. */
export async function inMemory(): Promise<TestDatabase> {
  const handle = await openSqlite(':memory:');
  return { handle, drop: () => handle.close() };
}

/** SQLite as the suite of dialects tests it. */
export const testedSqlite: TestedDialect = {
  name: 'SQLite',
  dialect: sqlite,
  create: inFile,
  prepare: ({ driver }, sql) => void (driver as BetterSqlite3.Database).prepare(sql),
  habits: {
    asksForKey: true,
    agePrograms: {
      made: [
        'CREATE TRIGGER v_count AFTER INSERT ON v_notes BEGIN UPDATE v_people SET age = age + 1; END',
        'CREATE TRIGGER v_names AFTER DELETE ON v_notes BEGIN UPDATE v_people SET name = 1; END',
      ],
      told: ['the trigger v_count of v_notes names v_people.age'],
      toldOfRename: [],
      gone: ['DROP TRIGGER v_count', 'DROP TRIGGER v_names'],
    },
    keepsAnyValue: true,
    refuses: ['array operators', 'exceptAll', 'percentiles', 'returned value of two tables', 'union of decimals'],
    collations: { exact: 'BINARY', caseless: 'NOCASE' },
    programs: PROGRAMS,
    finerMoments: { format: 'YYYY-MM-DD hh:mm:ss.SSSSSS' },
  },
  without: {
    interruption: 'it has one writer and runs a statement in one go, so that there is nothing to interrupt',
    schemas: 'it has no schemas but those of attached files',
  },
};
