import { fwError, systemClock, type Clock } from '../../../kernel/index.js';
import { sessionOf, transaction, type Database, type SqlHandle, type Transaction } from '../core/index.js';
import { MIGRATION_ERRORS } from './errors.js';
import type { Migration, MigrationContext, MigrationStatus } from './migration.js';
import { VersionTable, type Applied } from './version-table.js';

/** Options of {@link migrations.new}. */
export interface MigrationsOptions {
  /** Told about applied migrations whose text has changed since. */
  readonly onWarning?: (warning: string) => void;
  readonly clock?: Clock;
}

/**
 * Version-table migrations (SPEC "ORM operations"). `up` applies what is pending, each migration in a transaction of its own;
 * `down` rolls back the one that was applied last. Two runners at the same time take turns.
 */
export class Migrations {
  readonly #registered: Migration[] = [];
  readonly #table: VersionTable;
  readonly #warn: (warning: string) => void;
  readonly #clock: Clock;

  constructor(
    private readonly db: Database,
    versionTable: string,
    { onWarning = () => undefined, clock = systemClock }: MigrationsOptions,
  ) {
    this.#table = new VersionTable(db, versionTable);
    this.#warn = onWarning;
    this.#clock = clock;
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
   * Applies every pending migration by version. @returns those that were applied
   *
   * @throws FwError `FW_MIGRATE_FAILED`; the migrations before it stay applied
   */
  up(): Promise<readonly Migration[]> {
    return this.#alone(async () => {
      const applied = await this.#table.applied();
      this.#compare(applied);
      const done: Migration[] = [];
      for (const migration of this.#registered) {
        if (!applied.some(({ version }) => version === migration.version) && (await this.#apply(migration)))
          done.push(migration);
      }
      return done;
    });
  }

  /**
   * Rolls back the migration that was applied last. @returns it
   *
   * @throws FwError `FW_MIGRATE_NOTHING`, `FW_MIGRATE_UNKNOWN`, `FW_MIGRATE_NO_DOWN`, `FW_MIGRATE_FAILED`
   */
  down(): Promise<Migration> {
    return this.#alone(async () => {
      for (;;) {
        const migration = this.#known(await this.#lastApplied());
        if (await this.#takeBack(migration)) return migration;
      }
    });
  }

  async #lastApplied(tx?: Transaction): Promise<Applied | undefined> {
    // By time, since a lower version may have come later; those of one millisecond stay in the order of their versions.
    const byTime = [...(await this.#table.applied(tx))].sort((a, b) => a.appliedAt.getTime() - b.appliedAt.getTime());
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

  async #takeBack(migration: Migration): Promise<boolean> {
    let isLast = true;
    await this.#inTransaction('down', migration, async (context, tx) => {
      // Another runner may have been faster where the database has no lock but its own.
      isLast = (await this.#lastApplied(tx))?.version === migration.version;
      if (!isLast) return;
      await migration.down?.(context, tx);
      await this.#table.remove(tx, migration.version);
    });
    return isLast;
  }

  /** Every migration that is registered or applied, by version. */
  async status(): Promise<readonly MigrationStatus[]> {
    await this.#table.ensure();
    const applied = new Map((await this.#table.applied()).map((each) => [each.version, each]));
    const known = this.#registered.map((migration): MigrationStatus => {
      const { version, name } = migration;
      const found = applied.get(version);
      applied.delete(version);
      if (!found) return { version, name, state: 'pending', appliedAt: null };
      return { version, name, state: isChanged(migration, found) ? 'changed' : 'applied', appliedAt: found.appliedAt };
    });
    const lost = [...applied.values()].map(({ version, name, appliedAt }): MigrationStatus => ({
      version,
      name,
      state: 'missing',
      appliedAt,
    }));
    return [...known, ...lost].sort((a, b) => (a.version < b.version ? -1 : 1));
  }

  async #apply(migration: Migration): Promise<boolean> {
    const { version, name, checksum = null } = migration;
    let isNew = true;
    await this.#inTransaction('up', migration, async (context, tx) => {
      // Another runner may have been faster where the database has no lock but its own.
      isNew = !(await this.#table.applied(tx)).some((each) => each.version === version);
      if (!isNew) return;
      await migration.up?.(context, tx);
      await migration.seed?.(context, tx);
      await this.#table.add(tx, { version, name, checksum, appliedAt: new Date(this.#clock.now()) });
    });
    return isNew;
  }

  async #inTransaction(
    direction: MigrationContext['direction'],
    { version, name, foreignKeys = true }: Migration,
    run: (context: MigrationContext, tx: Transaction) => Promise<void>,
  ): Promise<void> {
    try {
      const context = { version, name, direction, db: this.db };
      const { schema } = this.db.dialect;
      await transaction.run(this.db, null, { maxAttempts: 1 }, (tx) => {
        if (foreignKeys || schema.withoutForeignKeys === undefined) return run(context, tx);
        return schema.withoutForeignKeys(tx, () => run(context, tx));
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw fwError(MIGRATION_ERRORS.FW_MIGRATE_FAILED, { direction, version, name, reason }, { cause: error });
    }
  }

  // The lock lives on a connection of its own, which stays open while the migrations run on others.
  async #alone<Result>(run: () => Promise<Result>): Promise<Result> {
    const lock = this.db.dialect.schema.advisoryLock;
    if (!lock) {
      // A write transaction keeps others out while the table is looked for and made.
      await transaction.run(this.db, null, null, (tx) => this.#table.ensure(tx));
      return run();
    }
    const holder = await this.db.sqlDB().begin({});
    try {
      await holder.query(lock.acquire, [], { once: true, timeout: 0 });
      await this.#table.ensure();
      return await run();
    } finally {
      if (lock.release) await holder.query(lock.release, [], { once: true });
      await holder.rollback();
    }
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

function isChanged({ checksum }: Migration, applied: Applied): boolean {
  return checksum !== undefined && applied.checksum !== null && checksum !== applied.checksum;
}

/** Migrations. */
export const migrations = {
  /**
   * Migrations of a database.
   *
   * @param on - the database, or the handle that it was opened on
   * @param versionTable - table that notes what is applied; `schema_migrations` when empty
   * @throws FwError `FW_ORM_IDENTIFIER`, `FW_ORM_HANDLE`
   * @example await migrations.new(db, 'schema_migrations').register(first, second).up();
   */
  new: (on: Database | SqlHandle, versionTable = 'schema_migrations', options: MigrationsOptions = {}): Migrations => {
    return new Migrations(sessionOf(on), versionTable, options);
  },
};
