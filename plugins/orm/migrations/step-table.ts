import type { Database, SqlConnection } from '../core/index.js';
import type { MigrationContext } from './migration.js';
import { TextTable } from './text-table.js';

/** Name of the table of steps beside a version table. */
export const stepTableOf = (versionTable: string): string => `${versionTable}_steps`;

/** A step of a migration that was begun, and maybe done. */
export interface NotedStep {
  readonly version: string;
  readonly direction: MigrationContext['direction'];
  /** Place in the migration, from 1 on. */
  readonly number: number;
  readonly state: 'begun' | 'done';
  /** Digest of what the step runs. */
  readonly digest: string;
  /** Begin of its text, for whoever looks. */
  readonly shown: string;
}

const DIGITS = 6;

/**
 * The table that says how far a migration has come that does not run in one transaction: a row per statement, begun before it and
 * done behind it. Rows go when the migration is over, so the table is empty as a rule.
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

  /** Steps of every migration that is not over, in their order; none where no table was needed yet. */
  async all(on: SqlConnection): Promise<readonly NotedStep[]> {
    if (!(await this.#table.isThere(on))) return [];
    return (await this.#table.rows(on)).map(({ version, direction, step, state, digest, statement }) => ({
      version: String(version),
      direction: direction === 'down' ? 'down' : 'up',
      number: Number(step),
      state: state === 'done' ? 'done' : 'begun',
      digest: String(digest),
      shown: String(statement),
    }));
  }

  /** Notes a step, in a transaction: it takes the place of what was noted of it. */
  async note(on: SqlConnection, { version, direction, number, state, digest, shown }: NotedStep): Promise<void> {
    await this.forget(on, { version, number });
    await this.#table.add(on, { version, direction, step: keyOf(number), state, digest, statement: shown });
  }

  /** Notes that a step is done that was begun. */
  done(on: SqlConnection, { version, number }: Place): Promise<void> {
    return this.#table.change(on, { version, step: keyOf(number) }, { state: 'done' });
  }

  /** Forgets a step. */
  forget(on: SqlConnection, { version, number }: Place): Promise<void> {
    return this.#table.remove(on, { version, step: keyOf(number) });
  }

  /** Forgets all steps of a migration. */
  forgetAll(on: SqlConnection, version: string): Promise<void> {
    return this.#table.remove(on, { version });
  }
}

type Place = Pick<NotedStep, 'version' | 'number'>;

// Texts are in the order of the numbers.
const keyOf = (number: number): string => String(number).padStart(DIGITS, '0');
