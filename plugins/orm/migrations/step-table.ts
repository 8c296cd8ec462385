import type { Database, SqlConnection } from '../core/index.js';
import type { Position } from './batches.js';
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
  /** A step is `moving` that notes itself how far it came, so that nobody has to judge it. */
  readonly state: 'begun' | 'moving' | 'done';
  /** Digest of what the step runs. */
  readonly digest: string;
  /** Begin of its text, for whoever looks. */
  readonly shown: string;
}

const DIGITS = 6;
/** State of a row that is no step, but the position of a pass within one. */
const AT = 'at';

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

  /** Notes a step, in a transaction: it takes the place of what was noted of it. */
  async note(on: SqlConnection, { version, direction, number, state, digest, shown }: NotedStep): Promise<void> {
    await this.forget(on, { version, number });
    await this.#table.add(on, { version, direction, step: keyOf(number), state, digest, statement: shown });
  }

  /** Notes that a step is done that was begun. */
  done(on: SqlConnection, { version, number }: NotedPlace): Promise<void> {
    return this.#table.change(on, { version, step: keyOf(number) }, { state: 'done' });
  }

  /** Forgets a step. */
  forget(on: SqlConnection, { version, number }: NotedPlace): Promise<void> {
    return this.#table.remove(on, { version, step: keyOf(number) });
  }

  /** How far a pass over rows has come. */
  async position(on: SqlConnection, { version, number }: NotedPlace, name: string): Promise<Position | undefined> {
    const found = (await this.#table.rows(on)).find(
      (row) => row.version === version && row.step === `${keyOf(number)} ${name}`,
    );
    return found && { key: String(found.statement), rows: Number(found.digest) };
  }

  /** Notes how far a pass over rows has come, in the transaction of a batch. */
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

  /** Forgets all steps of a migration. */
  forgetAll(on: SqlConnection, version: string): Promise<void> {
    return this.#table.remove(on, { version });
  }
}

/** A step by its place. */
export type NotedPlace = Pick<NotedStep, 'version' | 'number'>;

// Texts are in the order of the numbers.
const keyOf = (number: number): string => String(number).padStart(DIGITS, '0');
