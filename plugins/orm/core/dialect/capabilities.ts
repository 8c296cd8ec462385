/** Where nulls stand in an order that says nothing of them. */
export type NullsSort = 'smallest' | 'largest';

/** What a database can do. The core asks these questions and never compares a dialect's name. */
export interface DialectCapabilities {
  /** Display name. */
  readonly dialect: string;
  /** Whether a list travels as one parameter (`= ANY($1)`). */
  readonly arrayParameters: boolean;
  /** Parameters that one statement takes. */
  readonly maxParameters: number;
  /** Rows that one INSERT takes. */
  readonly maxInsertRows: number;
  /** How written rows are read back: not at all, by `RETURNING` at the end, or by `OUTPUT` in the middle. */
  readonly returning: 'none' | 'returning' | 'output';
  /**
   * Whether UPDATE and DELETE give the rows that they wrote, with `'own'` only columns of these; what they do not give is locked, written
   * and read by key. Default false.
   */
  readonly writesReturning?: boolean | 'own';
  /** Whether the keys of one multi-row INSERT follow each other, counted from the first or the last. */
  readonly batchKeys: 'none' | 'fromFirst' | 'fromLast';
  readonly nullsSort: NullsSort;
  /** Prefix of a statement that explains its plan. */
  readonly explain: string | undefined;
  /** The database's preferred rows per statement of a batch; the first statement never has more. */
  readonly preferredBatchRows: number;
}
