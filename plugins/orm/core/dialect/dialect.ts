import type { ColumnInfo } from '../model/model-info.js';
import type { MaybePromise, SqlConnection } from '../session/sql-handle.js';
import type { Codecs } from './kinds.js';
import type { SqlCompiler } from './sql-compiler.js';
import type { SchemaDialect } from './schema-dialect.js';

/** Where nulls stand in an order that says nothing of them. */
export type NullsSort = 'smallest' | 'largest';

/** What a database can do. The core asks these questions and never compares a dialect's name. */
export interface DialectCapabilities {
  /** Name for sentences. */
  readonly dialect: string;
  /** Whether a list travels as one parameter (`= ANY($1)`). */
  readonly arrayParameters: boolean;
  /** Parameters that one statement takes. */
  readonly maxParameters: number;
  /** Rows that one INSERT takes. */
  readonly maxInsertRows: number;
  /** How written rows are read back: not at all, by a clause at the end, or by one in the middle. */
  readonly returning: 'none' | 'returning' | 'output';
  /** Whether UPDATE and DELETE give the rows that they wrote; else these are locked, written and read by key. Default false. */
  readonly writesReturning?: boolean;
  /** Whether the driver reports the first key that an INSERT generated. */
  readonly reportsInsertId: boolean;
  /** Whether the keys of one multi-row INSERT follow each other, counted from the first or the last. */
  readonly batchKeys: 'none' | 'fromFirst' | 'fromLast';
  readonly nullsSort: NullsSort;
  /** What stands before a statement to have its plan explained. */
  readonly explain: string | undefined;
  /** Rows per statement of a batch that the database likes best; the first statement has no more whatever the table. */
  readonly preferredBatchRows: number;
}

/** How the rows of a batch go into a table. */
export interface BatchForm {
  /** SQL type of each column, when the values of a column travel as one array. */
  readonly arrays?: readonly string[] | undefined;
  /** Whether a statement that fails may leave the rows before the one that was refused; the transaction around undoes them. */
  readonly partial?: boolean;
  /** Rows per statement; default `preferredBatchRows`. */
  readonly rows?: number;
}

/** What traces say of a database. */
export interface DialectTelemetry {
  /**
   * Value of `db.system.name` (https://opentelemetry.io/docs/specs/semconv/registry/attributes/db/#db-system-name); default the name of
   * the dialect.
   */
  readonly system?: string;
  /** Whether a text may stand in double quotes, and not only a name: its value is masked then. Default false. */
  readonly doubleQuotedTexts?: boolean;
}

/** Everything about one database that is not its driver. */
export interface Dialect {
  /** `sqlite`, `postgres`, `mysql`, `sqlserver`, or a third party's. */
  readonly name: string;
  readonly capabilities: DialectCapabilities;
  /** What traces say of it. */
  readonly telemetry?: DialectTelemetry;
  readonly codecs: Codecs;
  /** How values of one column, which are not null, are read where its kind alone does not say. */
  readonly columnDecoder?: (column: ColumnInfo) => ((value: unknown) => unknown) | undefined;
  readonly compiler: SqlCompiler;
  /**
   * Brought by dialects where the quickest way into a table depends on the table.
   *
   * @param columns - whose values may travel as arrays; undefined when plugins add values to the rows
   */
  readonly batchForm?: (
    on: SqlConnection,
    table: string,
    columns: readonly ColumnInfo[] | undefined,
  ) => Promise<BatchForm>;
  /**
   * Has the numbers that a column gives begin behind a key that a row has brought. Brought by dialects where a column does not see to
   * it by itself.
   */
  readonly countBehind?: (on: SqlConnection, column: ColumnInfo, key: bigint) => MaybePromise<void>;
  /** Whether a counted column takes a zero for the next number. */
  readonly zeroIsNext?: boolean;
  readonly schema: SchemaDialect;
}
