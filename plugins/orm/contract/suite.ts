/**
 * The contract of dialects, as tests.
 * @packageDocumentation
 */
import { describe, expect, test } from '@jest/globals';
import { type MaybePromise, open, type SqlHandle } from '../index.js';
import { createMissingTables } from '../schema/index.js';
import { arraysContract } from './arrays.contract.js';
import { defaultsContract } from './defaults.contract.js';
import { dialectContract } from './dialect.contract.js';
import { enumsContract } from './enums.contract.js';
import type { DialectHabits } from './habits.js';
import { hostileValuesContract } from './hostile-values.contract.js';
import { linksContract } from './links.contract.js';
import { migrationsContract } from './migrations.contract.js';
import { contractModels } from './models.js';
import { otherSchemasContract } from './other-schemas.contract.js';
import { rowWritesContract } from './row-writes.contract.js';
import { schemaChangesContract } from './schema-changes.contract.js';
import type { Subject, TestDatabase } from './subject.js';
import { viewsContract } from './views.contract.js';
import { valueLimitsContract } from './value-limits.contract.js';
import { valuesContract } from './values.contract.js';

export type { DialectHabits, Subject, TestDatabase };

/** A dialect that is tested. Stable, as the contract of dialects is. */
export interface TestedDialect extends Subject {
  /** Has the database read a statement without running it; an error of the database's own is what is expected for a wrong one. */
  prepare(handle: SqlHandle, sql: string): MaybePromise<unknown>;
  /** Parts that the dialect does not support, each with the reason, which appears in the list of tests. */
  readonly without?: Readonly<Partial<Record<OptionalCell, string>>>;
}

type Cell = (tested: TestedDialect) => void;

/** Parts of the suite that every dialect has to pass. */
const CORE = {
  'queries, relations, keys and transactions': dialectContract,
  'writes of rows': rowWritesContract,
  'links of many to many': linksContract,
  'kinds of values and null': valuesContract,
  'quoting of what comes from outside': quoting,
  'differences between models and tables': schemaChangesContract,
} satisfies Readonly<Record<string, Cell>>;

/** Parts of the suite that a dialect may declare away. */
const OPTIONAL = {
  arrays: arraysContract,
  defaults: defaultsContract,
  'limits of values': valueLimitsContract,
  enums: enumsContract,
  migrations: migrationsContract,
  schemas: otherSchemasContract,
  views: viewsContract,
  // Among the queries and transactions, where the dialect can sleep.
  interruption: ({ name, habits }) =>
    test(`${name} says how it sleeps, so that it can be interrupted`, () => {
      expect(habits?.sleep).toBeInstanceOf(Function);
    }),
} satisfies Readonly<Record<string, Cell>>;

/** A part of the suite that a dialect may do without. */
export type OptionalCell = keyof typeof OPTIONAL;

/** Any part of the suite. */
export type SuiteCell = keyof typeof CORE | OptionalCell;

/**
 * The contract that the dialects of the framework keep, as tests of Jest: to be called at the top of a test file. Queries,
 * relations, keys, transactions, writes, values, null, quoting and the difference between models and tables are for everybody; the
 * rest can be declared away with a reason. It needs the packages `@jest/globals` and `fast-check`. Stable; further
 * tests of what the contract says already may come with every release.
 *
 * @throws RangeError for a part that cannot be declared away
 * @example
 * dialectSuite({ name: 'PGlite', dialect: pglite, create, prepare, without: { interruption: 'it runs in this process' } });
 */
export function dialectSuite(tested: TestedDialect): void {
  const { name, without = {} } = tested;
  for (const cell of Object.keys(without)) {
    if (!Object.hasOwn(OPTIONAL, cell)) throw new RangeError(`"${cell}" cannot be left out; what can: ${optional()}`);
  }
  runCells(tested, Object.keys(CORE) as (keyof typeof CORE)[]);
  for (const cell of Object.keys(OPTIONAL) as OptionalCell[]) {
    const reason = without[cell];
    if (reason === undefined) runCells(tested, [cell]);
    else declaredAway(name, cell, reason);
  }
}

/** Some parts of the suite, for dialects whose tests are spread over files. */
export function runCells(tested: TestedDialect, cells: readonly SuiteCell[]): void {
  const all: Readonly<Record<SuiteCell, Cell>> = { ...CORE, ...OPTIONAL };
  for (const cell of cells) all[cell](tested);
}

const optional = () => Object.keys(OPTIONAL).join(', ');

function declaredAway(name: string, cell: string, reason: string): void {
  test(`${name} does without ${cell}: ${reason}`, () => {
    expect(reason.trim()).not.toBe('');
  });
}

function quoting({ name, dialect, create, prepare }: TestedDialect): void {
  describe(`quoting on ${name}`, () => {
    hostileValuesContract(dialect, async () => {
      const made = await create();
      await createMissingTables(open(made.handle, dialect), contractModels);
      return { prepare: async (sql) => void (await prepare(made.handle, sql)), end: async () => made.drop() };
    });
  });
}
