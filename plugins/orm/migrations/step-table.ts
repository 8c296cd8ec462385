import type { Database, SqlConnection } from '../core/index.js';
import type { Position } from './batches.js';
import type { MigrationContext } from './migration.js';
import { TextTable } from './text-table.js';

/** Name of the table of steps beside a version table. */
const stepTableOf = (versionTable: string): string => `${versionTable}_steps`;

/**
 * Tables that migrations of a database are noted in, to be left out where its tables are compared or described.
 *
 * @param versionTable - default that of the database's options
 */
export const noteTablesOf = (
  { options }: Database,
  versionTable: string = options.migrationsTable,
): readonly [string, string] => [versionTable, stepTableOf(versionTable)];

/** A recorded step of a migration: begun, and possibly done. */
export interface NotedStep {
  readonly version: string;
  readonly direction: MigrationContext['direction'];
  /** Place in the migration, from 1 on. */
  readonly number: number;
  /** `moving` is a step that records its own progress, so no person has to judge whether it is done. */
  readonly state: 'begun' | 'moving' | 'done';
  /** Digest of the text that the step runs. */
  readonly digest: string;
  /** Beginning of its text, for people who read it. */
  readonly shown: string;
}

const DIGITS = 6;
/** State of a row that is not a step but the position of a pass within a step. */
const AT = 'at';

/**
 * The table with the progress of migrations that do not run in one transaction: one row per statement, written as begun before the
 * statement and as done after it. The rows are deleted when the migration is over, so the table is usually empty.
 */
export class StepTable {
  readonly #table: TextTable<'version' | 'direction' | 'step' | 'state' | 'digest' | 'statement'>;

  /** @throws FwError `FW_ORM_IDENTIFIER` */
  constructor(db: Database, versionTable: string) {
    this.#table = new TextTable(db, stepTableOf(versionTable), {
      ...{ version: 'key', step: 'key', direction: 'text' },
      ...{ state: 'text', digest: 'text', statement: 'text' },
    });
  }

  ensure(on: SqlConnection): Promise<void> {
    return this.#table.ensure(on);
  }

  /** Steps of every unfinished migration, in order; none when the table does not exist yet. */
  async all(on: SqlConnection): Promise<readonly NotedStep[]> {
    if (!(await this.#table.isThere(on))) return [];
    const rows = (await this.#table.rows(on)).filter(({ state }) => state !== AT);
    return rows.map(({ version, direction, step, state, digest, statement }) => ({
      version: String(version),
      direction: direction === 'down' ? 'down' : 'up',
      number: Number(step),
      state: state === 'done' || state === 'moving' ? state : 'begun',
      digest: String(digest),
      shown: String(statement),
    }));
  }

  /** Records a step, in a transaction; replaces its previous record. */
  async note(on: SqlConnection, { version, direction, number, state, digest, shown }: NotedStep): Promise<void> {
    await this.forget(on, { version, number });
    await this.#table.add(on, { version, direction, step: keyOf(number), state, digest, statement: shown });
  }

  /** Records that a begun step is done. */
  done(on: SqlConnection, { version, number }: NotedPlace): Promise<void> {
    return this.#table.change(on, { version, step: keyOf(number) }, { state: 'done' });
  }

  /** Deletes the record of a step. */
  forget(on: SqlConnection, { version, number }: NotedPlace): Promise<void> {
    return this.#table.remove(on, { version, step: keyOf(number) });
  }

  /** Position of a pass over rows. */
  async position(on: SqlConnection, { version, number }: NotedPlace, name: string): Promise<Position | undefined> {
    const found = (await this.#table.rows(on)).find(
      (row) => row.version === version && row.step === `${keyOf(number)} ${name}`,
    );
    return found && { key: String(found.statement), rows: Number(found.digest) };
  }

  /** Records the position of a pass over rows, in the transaction of a batch. */
  async moved(
    on: SqlConnection,
    { version, number }: NotedPlace,
    name: string,
    { key, rows }: Position,
  ): Promise<void> {
    const step = `${keyOf(number)} ${name}`;
    await this.#table.remove(on, { version, step });
    const about = { version, step, direction: 'up', state: AT };
    await this.#table.add(on, { ...about, digest: String(rows), statement: key });
  }

  /** Deletes the records of all steps of a migration. */
  forgetAll(on: SqlConnection, version: string): Promise<void> {
    return this.#table.remove(on, { version });
  }
}

/** A step by its place. */
export type NotedPlace = Pick<NotedStep, 'version' | 'number'>;

// Padded, so that the keys sort as the numbers do.
const keyOf = (number: number): string => String(number).padStart(DIGITS, '0');
