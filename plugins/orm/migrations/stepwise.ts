import { fwError, isFwError } from '../../../kernel/index.js';
import { transactionOn, type Database, type SqlConnection, type Transaction } from '../core/index.js';
import { failed, MIGRATION_ERRORS, type Half } from './errors.js';
import type { Migration, MigrationContext } from './migration.js';
import type { Place } from './place.js';
import type { RunnerLock } from './runner-lock.js';
import { groupsOf, isShared, stepsOf, type Step } from './steps.js';
import type { NotedStep, StepTable } from './step-table.js';

/**
 * Runs migrations that no transaction is around, statement by statement, and notes each before and behind it: a run that was cut
 * off goes on where it was. What the database commits by itself may be done although nobody noted that; then the runner asks.
 */
export class Stepwise {
  constructor(
    private readonly db: Database,
    private readonly table: StepTable,
    private readonly lock: RunnerLock,
  ) {}

  /**
   * Runs what is left of a migration.
   *
   * @param over - notes in the last transaction that the migration is over
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
      // Behind a statement that commits, nothing is left of the transaction that it ran in.
      if (!groups.at(-1)?.every(isShared)) groups.push([]);
      for (const group of groups) {
        const [alone] = group.filter(({ transaction }) => transaction === 'none');
        if (alone !== undefined) {
          await this.#alone(alone, context, place);
          continue;
        }
        await this.lock.transactionUnder(place, async (tx) => {
          await this.#group(group, context, tx);
          if (group !== groups.at(-1)) return;
          await over(tx);
          await this.table.forgetAll(tx, version);
        });
      }
    } catch (error) {
      throw failed(context, error, await this.#standing(context, steps, connection));
    }
  }

  async #group(group: readonly Step[], context: MigrationContext, tx: Transaction): Promise<void> {
    for (const step of group) {
      const note = { ...step, version: context.version, direction: context.direction };
      // A statement that commits takes this note along, and ends the transaction: what follows stands alone.
      await this.table.note(tx, { ...note, state: 'begun' });
      await step.run(context, tx);
      await this.table.done(tx, note);
    }
  }

  // Where no transaction may be around.
  async #alone(step: Step, context: MigrationContext, place: Place): Promise<void> {
    const note = { ...step, version: context.version, direction: context.direction };
    await transactionOn(this.db, place, {}, (tx) => this.table.note(tx, { ...note, state: 'begun' }));
    await place.connection.script(step.sql ?? '');
    await this.table.done(place.connection, note);
  }

  // What the catalogs tell of a statement that was cut off, nobody has to be asked.
  async #settled(version: string, steps: readonly Step[], on: SqlConnection): Promise<readonly NotedStep[]> {
    const noted = await this.#noted(version, on);
    const begun = noted.find(({ state }) => state === 'begun');
    const step = steps[(begun?.number ?? 0) - 1];
    if (begun === undefined || step?.sql === undefined || step.digest !== begun.digest) return noted;
    const became = await this.db.dialect.schema.settle?.(on, step.sql);
    if (became === undefined) return noted;
    await (became === 'done' ? this.table.done(on, begun) : this.table.forget(on, begun));
    return this.#noted(version, on);
  }

  // What a failure has left, in words.
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
      // With its connection gone, the next run finds out; why it has gone is what the caller is told.
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
    `its statement ${other.number} was done in other words (${other.shown}); bring it back, or finish or undo the migration by hand and say "fw migrate resolve ${version} --as applied" or "--as rolled-back"`,
  );
}

/** What is to be done about a statement of which nobody knows whether it was done. */
export const inDoubt = (version: string, { number, shown }: NotedStep, of: number): string =>
  `nobody knows whether statement ${number} of ${of} was done (${shown}); look, and say "fw migrate resolve ${version} --as done" or "--as undone"`;

/** The error for a migration that is neither applied nor not. */
export const half = ({ direction, version, name }: Half, problem: string) =>
  fwError(MIGRATION_ERRORS.FW_MIGRATE_HALF, { direction, version, name, problem });
