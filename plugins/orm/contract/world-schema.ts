/** A database with structures of real applications, and the expected result of `fw db check`. */
export interface WorldSchema {
  /** Statements, in the SQL of the database. */
  readonly sql: readonly string[];
  /** Query of what must be the same afterwards. */
  readonly probe: string;
  readonly tables: number;
  /** Default one for each table. */
  readonly models?: number;
  readonly rows: number;
  readonly written: number;
  /** Parts of the notes. */
  readonly notes: readonly string[];
  /** Statements that store what a model cannot hold. */
  readonly spoil: readonly string[];
  /** What is then said: place, problem, example. */
  readonly spoilt: readonly (readonly [place: string, problem: string, example: string])[];
}
