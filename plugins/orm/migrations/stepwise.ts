import { fwError, isFwError } from '../../../kernel/index.js';
import { fwCommand } from '../../../kernel/invocation/index.js';
import { transactionOn, type Database, type SqlConnection, type Transaction } from '../core/index.js';
import {
  changeInBatches,
  type BatchChange,
  type BatchOptions,
  type MoveProgress,
  type PositionKeeper,
} from './batches.js';
import { failed, MIGRATION_ERRORS, type Half } from './errors.js';
import type { Migration, MigrationContext } from './migration.js';
import type { Place } from './place.js';
import type { RunnerLock } from './runner-lock.js';
import { groupsOf, isShared, stepsOf, type Step } from './steps.js';
import type { NotedPlace, NotedStep, StepTable } from './step-table.js';

/**
 * Runs migrations without a surrounding transaction, statement by statement, and records each statement before and after it runs, so that
 * an interrupted run continues where it stopped. A statement that the database commits by itself may be done without a record; then the
 * runner asks a person.
 */
export class Stepwise {
  constructor(
    private readonly db: Database,
    private readonly table: StepTable,
    private readonly lock: RunnerLock,
    private readonly onProgress: (progress: MoveProgress) => void,
  ) {}

  /**
   * Runs the remaining steps of a migration.
   *
   * @param over - records in the last transaction that the migration is over
   * @throws FwError `FW_MIGRATE_HALF`, `FW_MIGRATE_FAILED`
   */
  async run(
    migration: Migration,
    context: MigrationContext,
    place: Place,
    over: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { connection } = place;
    const { version } = migration;
    const steps = stepsOf(migration, context.direction, this.db.dialect);
    await this.table.ensure(connection);
    const noted = await this.#settled(version, steps, connection);
    assertGoesOn(context, steps, noted);
    try {
      for (const { ofSession } of steps.slice(0, noted.length))
        if (ofSession !== undefined) await connection.script(ofSession);
      const groups = groupsOf(steps.slice(noted.length));
      // A statement that commits ends its transaction, so the final record needs another group.
      if (!groups.at(-1)?.every(isShared)) groups.push([]);
      for (const group of groups) {
        const [alone] = group.filter(({ transaction }) => transaction === 'none');
        if (alone !== undefined) {
          await this.#alone(alone, context, place);
          continue;
        }
        await this.lock.transactionUnder(place, async (tx) => {
          await this.#group(group, context, tx, migration.foreignKeys);
          if (group !== groups.at(-1)) return;
          await over(tx);
          await this.table.forgetAll(tx, version);
        });
      }
    } catch (error) {
      throw failed(context, error, await this.#standing(context, steps, connection));
    }
  }

  async #group(group: readonly Step[], context: MigrationContext, tx: Transaction, foreignKeys = true): Promise<void> {
    const { schema } = this.db.dialect;
    for (const step of group) {
      const note = { ...step, version: context.version, direction: context.direction };
      // A statement that commits also commits this record and ends the transaction; the next steps run outside of it.
      await this.table.note(tx, { ...note, state: 'begun' });
      const run = async () => step.run(context, tx);
      await (foreignKeys || schema.withoutForeignKeys === undefined ? run() : schema.withoutForeignKeys(tx, run));
      await this.table.done(tx, note);
    }
  }

  // For a statement that cannot run in a transaction.
  async #alone(step: Step, context: MigrationContext, place: Place): Promise<void> {
    const note = { ...step, version: context.version, direction: context.direction };
    await transactionOn(this.db, place, {}, (tx) =>
      this.table.note(tx, { ...note, state: step.move ? 'moving' : 'begun' }),
    );
    if (step.sql !== undefined) await place.connection.script(step.sql);
    await step.move?.({
      ...context,
      batches: (options, change) => this.#batches(options, change, note, place),
    });
    await this.table.done(place.connection, note);
  }

  #batches(options: BatchOptions, change: BatchChange, step: NotedPlace, place: Place): Promise<number> {
    const { version } = step;
    const { name = options.table } = options;
    const keeper: PositionKeeper = {
      read: (on) => this.table.position(on, step, name),
      note: (on, position) => this.table.moved(on, step, name, position),
      transaction: (run) => this.lock.transactionUnder(place, run),
    };
    return changeInBatches(this.db, options, change, keeper, (rows, isOver) =>
      this.onProgress({ version, name, rows, isOver }),
    );
  }

  // If the catalogs show whether an interrupted statement is done, no person is asked.
  async #settled(version: string, steps: readonly Step[], on: SqlConnection): Promise<readonly NotedStep[]> {
    const noted = await this.#noted(version, on);
    const begun = noted.find(({ state }) => state !== 'done');
    const step = steps[(begun?.number ?? 0) - 1];
    if (begun === undefined || step === undefined || step.digest !== begun.digest) return noted;
    const { schema } = this.db.dialect;
    // A step that moves data records its own progress.
    const became = step.move ? 'undone' : step.sql === undefined ? undefined : await schema.settle?.(on, step.sql);
    if (became === undefined) return noted;
    await (became === 'done' ? this.table.done(on, begun) : this.table.forget(on, begun));
    return this.#noted(version, on);
  }

  // Describes the state that a failure leaves.
  async #standing({ version }: MigrationContext, steps: readonly Step[], on: SqlConnection): Promise<string> {
    try {
      const noted = await this.#settled(version, steps, on);
      const begun = noted.find(({ state }) => state === 'begun');
      const isWhole = begun !== undefined && steps[begun.number - 1]?.whole === true;
      if (isWhole) await this.table.forget(on, begun);
      if (begun !== undefined && !isWhole) return `; ${inDoubt(version, begun, steps.length)}`;
      const done = noted.filter(({ state }) => state === 'done').length;
      return done === 0
        ? ''
        : `; ${done} of its ${steps.length} statements stay done, and the next run goes on behind them`;
    } catch (error) {
      // When the connection is lost, the next run finds the state; the caller gets the error of the lost connection.
      if (!isFwError(error) || error.code !== 'FW_ORM_CONNECTION') throw error;
      return '; the next run finds out how far it came';
    }
  }

  async #noted(version: string, on: SqlConnection): Promise<readonly NotedStep[]> {
    return (await this.table.all(on)).filter((each) => each.version === version);
  }
}

function assertGoesOn(context: MigrationContext, steps: readonly Step[], noted: readonly NotedStep[]): void {
  const { version } = context;
  const begun = noted.find(({ state }) => state === 'begun');
  if (begun !== undefined) throw half(context, inDoubt(version, begun, steps.length));
  const other = noted.find(({ number, digest }) => steps[number - 1]?.digest !== digest);
  if (other === undefined) return;
  throw half(
    context,
    `its statement ${other.number} was done in other words (${other.shown}); bring it back, or finish or undo the migration by hand and say "${fwCommand('migrate resolve')} ${version} --as applied" or "--as rolled-back"`,
  );
}

/** Advice for a statement that may or may not be done. */
const inDoubt = (version: string, { number, shown }: NotedStep, of: number): string =>
  `nobody knows whether statement ${number} of ${of} was done (${shown}); look, and say "${fwCommand(`migrate resolve ${version} --as done`)}" or "--as undone"`;

/** The error for a half-applied migration. */
export const half = ({ direction, version, name }: Half, problem: string) =>
  fwError(MIGRATION_ERRORS.FW_MIGRATE_HALF, { direction, version, name, problem });
