import type { Dialect, MaybePromise, SqlHandle } from '../index.js';
import type { DialectHabits } from './habits.js';

/** A database of its own for one run of the suite. */
export interface TestDatabase {
  readonly handle: SqlHandle;
  /** Ends the handle and drops the database. */
  drop(): MaybePromise<void>;
}

/** A dialect with databases for its tests, which every part of the suite takes. */
export interface Subject {
  /** Name for the titles of tests. */
  readonly name: string;
  readonly dialect: Dialect;
  /** Makes a database without tables; the suite asks for one after the other, and drops each. */
  create(): Promise<TestDatabase>;
  readonly habits?: DialectHabits;
}
