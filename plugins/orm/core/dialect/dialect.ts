import type { ColumnInfo } from '../model/model-info.js';
import type { MaybePromise, SqlConnection } from '../session/sql-handle.js';
import type { DialectCapabilities } from './capabilities.js';
import type { Codecs } from '../model/kinds.js';
import type { SqlCompiler } from './sql-compiler.js';
import type { SchemaDialect } from './schema-dialect.js';

/** How the rows of a batch are inserted into a table. */
export interface BatchForm {
  /** SQL type of each column, when the values of a column travel as one array. */
  readonly arrays?: readonly string[] | undefined;
  /** Whether a failing statement may leave earlier rows inserted; the surrounding transaction undoes them. */
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
  /**
   * Whether statements say which of their columns become a `Date` (`StatementOptions.dates`), because the driver reads those faster otherwise
   * than as text. The codec of dates still takes the text too. Default false.
   */
  readonly toldOfDates?: boolean;
  /** Decoder of a column's non-null values, if its kind does not decide. */
  readonly columnDecoder?: (column: ColumnInfo) => ((value: unknown) => unknown) | undefined;
  /**
   * A span of time as ISO 8601 writes it, from the text that the database gives; undefined for one that it cannot write. Left out where a
   * span is kept as the text that was written.
   */
  readonly isoDuration?: (text: string) => string | undefined;
  readonly compiler: SqlCompiler;
  /**
   * Present if the fastest way to insert depends on the table.
   *
   * @param columns - whose values may travel as arrays; undefined when plugins add values to the rows
   */
  readonly batchForm?: (
    on: SqlConnection,
    table: string,
    columns: readonly ColumnInfo[] | undefined,
  ) => Promise<BatchForm>;
  /** Makes a column's counter continue after a key that a row has supplied. Present if the database does not do so by itself. */
  readonly countBehind?: (on: SqlConnection, column: ColumnInfo, key: bigint) => MaybePromise<void>;
  /** How far apart the keys of one multi-row INSERT are on a connection; one where it is left out. */
  readonly batchKeyStep?: (on: SqlConnection) => MaybePromise<number>;
  /** Whether a counted column takes a zero for the next number. */
  readonly zeroIsNext?: boolean;
  readonly schema: SchemaDialect;
}
