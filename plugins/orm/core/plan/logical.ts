import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type {
  AggregateName,
  AggregatePart,
  ColumnTarget,
  ComparisonOp,
  DeletedScope,
  FunctionName,
  JoinKind,
  LockMode,
  NullsOrder,
  RawPart,
  SubqueryOp,
  ValueType,
} from './parts.js';

/**
 * Place of a value: its index among the values of the call, or a function that a plugin brings and that is asked at each
 * call. No value ever enters a plan.
 */
export type Slot = number | (() => unknown);

/** A condition of a logical plan. */
export type LogicalExpr =
  | { readonly t: 'compare'; readonly target: ColumnTarget; readonly op: ComparisonOp; readonly slot: Slot }
  | { readonly t: 'in'; readonly target: ColumnTarget; readonly negated: boolean; readonly slots: readonly Slot[] }
  | { readonly t: 'inArray'; readonly target: ColumnTarget; readonly negated: boolean; readonly slot: Slot }
  | { readonly t: 'null'; readonly target: ColumnTarget; readonly negated: boolean }
  | { readonly t: 'between'; readonly target: ColumnTarget; readonly low: Slot; readonly high: Slot }
  | { readonly t: 'columns'; readonly left: ColumnTarget; readonly op: ComparisonOp; readonly right: ColumnTarget }
  | { readonly t: 'junction'; readonly kind: 'and' | 'or'; readonly operands: readonly LogicalExpr[] }
  | { readonly t: 'not'; readonly operand: LogicalExpr }
  | { readonly t: 'raw'; readonly raw: RawPart; readonly slots: readonly Slot[] }
  | {
      readonly t: 'subquery';
      readonly op: SubqueryOp;
      readonly target?: ColumnTarget | undefined;
      readonly query: LogicalSelect;
    }
  | { readonly t: 'aggregate'; readonly aggregate: AggregatePart; readonly op: ComparisonOp; readonly slot: Slot }
  | { readonly t: 'values'; readonly op: ComparisonOp; readonly left: LogicalValue; readonly right: LogicalValue }
  | {
      readonly t: 'valueIn';
      readonly value: LogicalValue;
      readonly negated: boolean;
      readonly list: readonly LogicalValue[];
    }
  | {
      readonly t: 'valueBetween';
      readonly value: LogicalValue;
      readonly low: LogicalValue;
      readonly high: LogicalValue;
    }
  | { readonly t: 'valueNull'; readonly value: LogicalValue; readonly negated: boolean }
  | { readonly t: 'constant'; readonly value: boolean };

/** A value that the database computes. */
export type LogicalValue =
  | { readonly t: 'column'; readonly target: ColumnTarget; readonly type: ValueType }
  | { readonly t: 'parameter'; readonly slot: Slot; readonly type: ValueType }
  | { readonly t: 'path'; readonly slot: Slot; readonly type: ValueType }
  | LogicalCall
  | {
      readonly t: 'case';
      readonly branches: readonly { readonly when: LogicalExpr; readonly then: LogicalValue }[];
      readonly otherwise?: LogicalValue | undefined;
      readonly type: ValueType;
    }
  | {
      readonly t: 'aggregate';
      readonly name: AggregateName;
      readonly distinct: boolean;
      /** Absent for `COUNT(*)`. */
      readonly operand?: LogicalValue | undefined;
      readonly type: ValueType;
    }
  | { readonly t: 'query'; readonly query: LogicalSelect; readonly type: ValueType };

/** A function of values. */
export interface LogicalCall {
  readonly t: 'call';
  readonly name: FunctionName;
  readonly operands: readonly LogicalValue[];
  readonly type: ValueType;
}

/** One item of a projection. */
export type Projection =
  | { readonly t: 'column'; readonly target: ColumnTarget; readonly alias?: string | undefined }
  | { readonly t: 'raw'; readonly sql: string; readonly alias?: string | undefined }
  | { readonly t: 'aggregate'; readonly aggregate: AggregatePart }
  | { readonly t: 'value'; readonly value: LogicalValue; readonly alias: string }
  /** A constant, of rows that are only looked for or counted. */
  | { readonly t: 'one'; readonly alias?: string | undefined };

export interface LogicalJoin {
  readonly kind: JoinKind;
  readonly table: string;
  readonly alias: string;
  readonly model?: ModelInfo | undefined;
  readonly on?: LogicalExpr | undefined;
  /** Rows of the table that take part; its columns are not qualified here. */
  readonly only?: LogicalExpr | undefined;
}

/** An order by a column, or by a value that the database computes. */
export interface LogicalOrder {
  readonly target?: ColumnTarget | undefined;
  readonly value?: LogicalValue | undefined;
  readonly desc: boolean;
  readonly nulls?: NullsOrder | undefined;
}

/**
 * Rows to take or skip: a value of the call, at most so many of it where the operation needs no more, or a number that the
 * operation itself means (`first` takes 1).
 */
export type Bound = { readonly slot: Slot; readonly most?: number } | { readonly literal: number };

export interface LogicalSelect {
  readonly kind: 'select';
  readonly model: ModelInfo;
  readonly distinct: boolean;
  /** Empty means all columns of the model. */
  readonly projection: readonly Projection[];
  readonly joins: readonly LogicalJoin[];
  /** Rows of the table that take part in the joins; its columns are not qualified here. */
  readonly only?: LogicalExpr | undefined;
  readonly where?: LogicalExpr | undefined;
  readonly groupBy: readonly ColumnTarget[];
  /** Computed values that the groups are made by besides. */
  readonly groupValues?: readonly LogicalValue[] | undefined;
  readonly having?: LogicalExpr | undefined;
  readonly orderBy: readonly LogicalOrder[];
  readonly limit?: Bound | undefined;
  readonly offset?: Bound | undefined;
  readonly lock?: LockMode | undefined;
  readonly deleted?: DeletedScope | undefined;
  /** One more column behind those of the model, under the name `fw_key`. */
  readonly key?: ColumnTarget | undefined;
  /** At most so many rows for each combination of values of the columns. */
  readonly perGroup?: { readonly targets: readonly ColumnTarget[]; readonly limit: Bound } | undefined;
}

/** `COUNT(*)` of what a select gives. */
export interface LogicalCount {
  readonly kind: 'count';
  readonly model: ModelInfo;
  readonly of: LogicalSelect;
  /** Whether the rows must be built first, because of distinct, grouping or bounds. */
  readonly wrapped: boolean;
}

export interface LogicalAssignment {
  readonly column: ColumnInfo;
  readonly form: 'value' | 'null' | 'add' | 'raw' | 'default' | 'computed';
  readonly slots: readonly Slot[];
  readonly raw?: RawPart | undefined;
  readonly computed?: LogicalValue | undefined;
}

export interface LogicalUpdate {
  readonly kind: 'update';
  readonly model: ModelInfo;
  readonly assignments: readonly LogicalAssignment[];
  readonly where?: LogicalExpr | undefined;
  readonly deleted?: DeletedScope | undefined;
  /** See {@link LogicalInsert.checks}. */
  readonly checks?: ReadonlyMap<ColumnInfo, (value: unknown) => void> | undefined;
}

export interface LogicalDelete {
  readonly kind: 'delete';
  readonly model: ModelInfo;
  readonly where?: LogicalExpr | undefined;
  readonly deleted?: DeletedScope | undefined;
}

/** What to do when a row of the key is there already. */
export interface LogicalConflict {
  /** Columns of a unique key; empty for any. */
  readonly target: readonly ColumnInfo[];
  /** Columns to overwrite; empty leaves the row as it is. */
  readonly update: readonly ColumnInfo[];
  /** Whether the whole row is to be the new one, so that a database may replace it. */
  readonly replaces?: boolean | undefined;
  /** What a row must hold to be overwritten. */
  readonly own?: OwnRows | undefined;
}

/** Rows with one value in a column; no other may be overwritten. */
export interface OwnRows {
  readonly column: ColumnInfo;
  readonly slot: () => unknown;
  /** The error for a row that is there and holds another value. */
  readonly foreign: () => Error;
}

export interface LogicalInsert {
  readonly kind: 'insert';
  readonly model: ModelInfo;
  readonly columns: readonly ColumnInfo[];
  /** Rows of the statement; values come row by row in column order. */
  readonly rows: number;
  /** Columns to read back, where the dialect can. */
  readonly returning: readonly ColumnInfo[];
  readonly conflict?: LogicalConflict | undefined;
  /** Columns that a plugin fills, behind those of the row. */
  readonly filled?: readonly { readonly column: ColumnInfo; readonly slot: () => unknown }[] | undefined;
  /** Looked at before a value of a column is sent; throws what is wrong with it. */
  readonly checks?: ReadonlyMap<ColumnInfo, (value: unknown) => void> | undefined;
  /** SQL type of each column, when its values travel as one array: then there is one value per column, a list. */
  readonly arrays?: readonly string[] | undefined;
  /** Whether the rows bring the numbers that the database would give them. */
  readonly keepsKeys?: boolean | undefined;
  /** See `BatchForm.partial`. */
  readonly partial?: boolean | undefined;
}

/** A statement as structure: what plugins and optimizer passes see and rewrite. */
export type LogicalPlan = LogicalSelect | LogicalCount | LogicalUpdate | LogicalDelete | LogicalInsert;
