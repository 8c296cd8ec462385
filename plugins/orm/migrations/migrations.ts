import { fwError, systemClock, type Clock } from '../../../kernel/index.js';
import { fwCommand } from '../../../kernel/invocation/index.js';
import {
  sessionOf,
  transactionOn,
  type Database,
  type SqlConnection,
  type SqlHandle,
  type Transaction,
} from '../core/index.js';
import type { MoveProgress } from './batches.js';
import { failed, MIGRATION_ERRORS } from './errors.js';
import { checksumOf } from './migration-files.js';
import type { HalfDone, Migration, MigrationContext, MigrationStatus, Resolution } from './migration.js';
import type { Place } from './place.js';
import { resolution } from './resolution.js';
import { RunnerLock } from './runner-lock.js';
import { StepTable, type NotedStep } from './step-table.js';
import { isStepwise } from './steps.js';
import { half, Stepwise } from './stepwise.js';
import { VersionTable, type Applied } from './version-table.js';

/** Options of {@link migrations.new}. */
export interface MigrationsOptions {
  /** Receives a warning for each applied migration whose text has changed since. */
  readonly onWarning?: (warning: string) => void;
  readonly clock?: Clock;
  /** Called after each batch of a migration that moves data. */
  readonly onProgress?: (progress: MoveProgress) => void;
  /**
   * Milliseconds that a statement waits for locks, so that statements queued behind it are not blocked for long; MySQL counts whole
   * seconds. Default: the setting of the database. It does not limit the wait for another runner.
   */
  readonly lockTimeout?: number | undefined;
}

/** Limits the number of migrations that run. */
export interface MigrationsLimit {
  /** Maximum number. Default: all. */
  readonly count?: number;
}

/**
 * Version-table migrations (SPEC "ORM operations"). `up` applies what is pending, each migration in a transaction of its own;
 * `down` rolls back the one that was applied last. Two runners at the same time take turns.
 */
export class Migrations {
  readonly #registered: Migration[] = [];
  readonly #table: VersionTable;
  readonly #steps: StepTable;
  readonly #warn: (warning: string) => void;
  readonly #clock: Clock;
  readonly #onProgress: (progress: MoveProgress) => void;
  readonly #lock: RunnerLock;

  constructor(
    private readonly db: Database,
    versionTable: string,
    { onWarning = () => undefined, clock = systemClock, onProgress = () => undefined, lockTimeout }: MigrationsOptions,
  ) {
    const name = versionTable === '' ? db.options.migrationsTable : versionTable;
    this.#table = new VersionTable(db, name);
    this.#steps = new StepTable(db, name);
    this.#warn = onWarning;
    this.#clock = clock;
    this.#onProgress = onProgress;
    this.#lock = new RunnerLock(db, lockTimeout);
  }

  /**
   * Adds migrations, in any order.
   *
   * @throws FwError `FW_MIGRATE_DUPLICATE`
   */
  register(...given: readonly Migration[]): this {
    for (const migration of given) {
      const { version, name } = migration;
      const twin = this.#registered.find((each) => each.version === version);
      if (twin) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_DUPLICATE, { version, first: twin.name, second: name });
      this.#registered.push(migration);
    }
    this.#registered.sort((a, b) => (a.version < b.version ? -1 : 1));
    return this;
  }

  /**
   * Applies pending migrations by version, all of them when nothing else is said. @returns those that were applied
   *
   * @throws FwError `FW_MIGRATE_FAILED`; the migrations before it stay applied. `FW_MIGRATE_HALF`, `FW_MIGRATE_LOCKED`
   */
  up({ count = Infinity }: MigrationsLimit = {}): Promise<readonly Migration[]> {
    return this.#alone(async (place) => {
      const applied = await this.#table.applied(place.connection);
      this.#compare(applied);
      this.#assertWay(await this.#steps.all(place.connection), 'up');
      const done: Migration[] = [];
      for (const migration of this.#registered) {
        if (done.length >= count) break;
        if (!applied.some(({ version }) => version === migration.version) && (await this.#apply(migration, place)))
          done.push(migration);
      }
      return done;
    });
  }

  /**
   * Rolls back the migration that was applied last. @returns it
   *
   * @throws FwError `FW_MIGRATE_NOTHING`, `FW_MIGRATE_UNKNOWN`, `FW_MIGRATE_NO_DOWN`, `FW_MIGRATE_FAILED`, `FW_MIGRATE_HALF`,
   *   `FW_MIGRATE_LOCKED`
   */
  down(): Promise<Migration> {
    return this.#alone(async (place) => {
      this.#assertWay(await this.#steps.all(place.connection), 'down');
      for (;;) {
        const migration = this.#known(await this.#lastApplied(place.connection));
        if (await this.#takeBack(migration, place)) return migration;
      }
    });
  }

  /**
   * Notes migrations as applied whose tables are there already, without running them: all, or those up to a version. @returns those
   *
   * @throws FwError `FW_MIGRATE_BASELINE` when migrations are applied, or none is there to be noted; `FW_MIGRATE_LOCKED`
   */
  baseline(upTo?: string): Promise<readonly Migration[]> {
    return this.#alone(async (place) => {
      const noted = this.#registered.filter(({ version }) => upTo === undefined || version <= upTo);
      const refused = (problem: string) => fwError(MIGRATION_ERRORS.FW_MIGRATE_BASELINE, { problem });
      if (upTo !== undefined && noted.at(-1)?.version !== upTo) throw refused(`there is no migration ${upTo}`);
      await this.#lock.transaction(place, async (tx) => {
        const [first] = [...(await this.#table.applied(tx)), ...(await this.#steps.all(tx))];
        if (first !== undefined)
          throw refused(
            `${first.version} is applied, or half done; "${fwCommand('migrate resolve')}" notes single ones`,
          );
        for (const migration of noted) await this.#note(tx, migration);
      });
      return noted;
    });
  }

  /**
   * Says what became of a migration that was cut off; nothing of it is run. `done` and `undone` are about the statement that is in
   * doubt; `applied` and `rolled-back` about the whole migration, which somebody has finished or undone by hand.
   *
   * @throws FwError `FW_MIGRATE_RESOLVE`, `FW_MIGRATE_LOCKED`
   */
  resolve(version: string, as: Resolution): Promise<void> {
    return this.#alone(async (place) => {
      const found = {
        migration: this.#registered.find((each) => each.version === version),
        applied: (await this.#table.applied(place.connection)).some((each) => each.version === version),
        noted: (await this.#steps.all(place.connection)).filter((each) => each.version === version),
      };
      const { done, forget, forgetAll, add, remove } = resolution(version, as, found);
      await transactionOn(this.db, place, {}, async (tx) => {
        if (done !== undefined) await this.#steps.done(tx, done);
        if (forget !== undefined) await this.#steps.forget(tx, forget);
        if (forgetAll) await this.#steps.forgetAll(tx, version);
        if (add !== undefined) await this.#note(tx, add);
        if (remove) await this.#table.remove(tx, version);
      });
    });
  }

  // A half-done migration must be finished in its own direction before other migrations run.
  #assertWay(noted: readonly NotedStep[], direction: MigrationContext['direction']): void {
    for (const { version, direction: begun } of noted) {
      const migration = this.#registered.find((each) => each.version === version);
      const about = { direction: begun, version, name: migration?.name ?? 'unknown' };
      if (migration === undefined) throw half(about, 'its file is not there; bring it back');
      if (begun !== direction)
        throw half(
          about,
          `finish it with "${fwCommand(`migrate ${begun}`)}", or see "${fwCommand('migrate resolve')}"`,
        );
    }
  }

  async #lastApplied(on: SqlConnection): Promise<Applied | undefined> {
    // Sorted by time, because a lower version may have been applied later; equal times keep the order of versions.
    const byTime = [...(await this.#table.applied(on))].sort((a, b) => a.appliedAt.getTime() - b.appliedAt.getTime());
    return byTime.at(-1);
  }

  #known(last: Applied | undefined): Migration {
    if (!last) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_NOTHING, {});
    const { version, name } = last;
    const migration = this.#registered.find((each) => each.version === version);
    if (!migration) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_UNKNOWN, { version, name });
    if (!migration.down) throw fwError(MIGRATION_ERRORS.FW_MIGRATE_NO_DOWN, { version, name });
    return migration;
  }

  async #takeBack(migration: Migration, place: Place): Promise<boolean> {
    // Another runner may have been faster if the lock belongs to the transaction.
    const isDue = async (on: SqlConnection) => (await this.#lastApplied(on))?.version === migration.version;
    const over = (tx: SqlConnection) => this.#table.remove(tx, migration.version);
    if (isStepwise(migration, 'down', this.db.dialect)) return this.#stepwise(migration, 'down', place, isDue, over);
    let isLast = true;
    await this.#step('down', migration, place, async (context, tx) => {
      isLast = await isDue(tx);
      if (!isLast) return;
      await migration.down?.(context, tx);
      await over(tx);
    });
    return isLast;
  }

  /** Every migration that is registered, applied or half done, by version. Writes nothing. */
  async status(): Promise<readonly MigrationStatus[]> {
    const on = this.db.handle;
    const found = (await this.#table.isThere(on)) ? await this.#table.applied(on) : [];
    const applied = new Map(found.map((each) => [each.version, each]));
    const noted = await this.#steps.all(on);
    const halfOf = (version: string) => halfDone(noted.filter((each) => each.version === version));
    const known = this.#registered.map((migration): MigrationStatus => {
      const { version, name } = migration;
      const found = applied.get(version);
      applied.delete(version);
      const half = halfOf(version);
      if (!found) return { version, name, state: 'pending', appliedAt: null, ...half };
      const state = isChanged(migration, found) ? 'changed' : 'applied';
      return { version, name, state, appliedAt: found.appliedAt, ...half };
    });
    const begun = noted.map(({ version }) => ({ version, name: 'unknown', appliedAt: null }));
    const told = new Set(this.#registered.map(({ version }) => version));
    const lost: MigrationStatus[] = [];
    for (const { version, name, appliedAt } of [...applied.values(), ...begun]) {
      if (told.has(version)) continue;
      told.add(version);
      lost.push({ version, name, state: 'missing', appliedAt, ...halfOf(version) });
    }
    return [...known, ...lost].sort((a, b) => (a.version < b.version ? -1 : 1));
  }

  async #apply(migration: Migration, place: Place): Promise<boolean> {
    const { version } = migration;
    // Another runner may have been faster if the lock belongs to the transaction.
    const isDue = async (on: SqlConnection) =>
      !(await this.#table.applied(on)).some((each) => each.version === version);
    const over = (tx: SqlConnection) => this.#note(tx, migration);
    if (isStepwise(migration, 'up', this.db.dialect)) return this.#stepwise(migration, 'up', place, isDue, over);
    let isNew = true;
    await this.#step('up', migration, place, async (context, tx) => {
      isNew = await isDue(tx);
      if (!isNew) return;
      await migration.up?.(context, tx);
      await migration.seed?.(context, tx);
      await over(tx);
    });
    return isNew;
  }

  #note(tx: SqlConnection, { version, name, checksum }: Migration): Promise<void> {
    return this.#table.add(tx, { version, name, checksum: checksum ?? null, appliedAt: new Date(this.#clock.now()) });
  }

  /** @param isDue - checks, once the lock is held, whether the migration is still due; @returns whether it ran */
  #stepwise(
    migration: Migration,
    direction: MigrationContext['direction'],
    place: Place,
    isDue: (on: SqlConnection) => Promise<boolean>,
    over: (tx: SqlConnection) => Promise<void>,
  ): Promise<boolean> {
    const { version, name } = migration;
    const context = { version, name, direction, db: this.db };
    return this.#lock.outside(place, async (own) => {
      if (!(await isDue(own.connection))) return false;
      const stepwise = new Stepwise(this.db, this.#steps, this.#lock, this.#onProgress);
      // If only write transactions exclude other runners, another runner may have finished the migration meanwhile.
      await stepwise.run(migration, context, own, async (tx) => {
        if (await isDue(tx)) await over(tx);
      });
      return true;
    });
  }

  async #step(
    direction: MigrationContext['direction'],
    { version, name, foreignKeys = true }: Migration,
    place: Place,
    run: (context: MigrationContext, tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const context = { version, name, direction, db: this.db };
    try {
      const { schema } = this.db.dialect;
      await this.#lock.transaction(place, (tx) => {
        if (foreignKeys || schema.withoutForeignKeys === undefined) return run(context, tx);
        return schema.withoutForeignKeys(tx, () => run(context, tx));
      });
    } catch (error) {
      throw failed(context, error);
    }
  }

  #alone<Result>(run: (place: Place) => Promise<Result>): Promise<Result> {
    return this.#lock.session(async (place) => {
      await this.#lock.transaction(place, (tx) => this.#table.ensure(tx));
      return run(place);
    });
  }

  #compare(applied: readonly Applied[]): void {
    for (const migration of this.#registered) {
      const found = applied.find(({ version }) => version === migration.version);
      if (found && isChanged(migration, found)) {
        this.#warn(
          `migration ${migration.version} (${migration.name}) was changed after it was applied; the change has no effect`,
        );
      }
    }
  }
}

function halfDone(noted: readonly NotedStep[]): { readonly half?: HalfDone } {
  const [first] = noted;
  if (first === undefined) return {};
  const inDoubt = noted.find(({ state }) => state === 'begun')?.shown;
  const done = noted.filter(({ state }) => state === 'done').length;
  return { half: { direction: first.direction, done, ...(inDoubt !== undefined && { inDoubt }) } };
}

function isChanged({ checksum, scripts }: Migration, applied: Applied): boolean {
  if (checksum === undefined || applied.checksum === null || checksum === applied.checksum) return false;
  // A checkout may have other line ends than the one that the migration was applied from (core.autocrlf of Git).
  const text = scripts?.up?.replaceAll('\r\n', '\n');
  if (text === undefined) return true;
  return ![text, text.replaceAll('\n', '\r\n')].some((each) => checksumOf(each) === applied.checksum);
}

/** Migrations. */
export const migrations = {
  /**
   * Migrations of a database.
   *
   * @param on - the database, or the handle that it was opened on
   * @param versionTable - table that notes what is applied; that of the database's options (`schema_migrations`) when empty
   * @throws FwError `FW_ORM_IDENTIFIER`, `FW_ORM_HANDLE`, `FW_ORM_OPTIONS`, `FW_MIGRATE_UNSUPPORTED` for a `lockTimeout` where no
   *   statement waits for others
   * @example await migrations.new(db, 'schema_migrations').register(first, second).up();
   */
  new: (on: Database | SqlHandle, versionTable = '', options: MigrationsOptions = {}): Migrations => {
    return new Migrations(sessionOf(on), versionTable, options);
  },
};
