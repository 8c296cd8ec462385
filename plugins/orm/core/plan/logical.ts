import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type {
  AggregateName,
  AggregatePart,
  ArrayOp,
  ColumnTarget,
  ComparisonOp,
  DeletedScope,
  FunctionName,
  JoinKind,
  LockMode,
  NullsOrder,
  OrderedAggregate,
  RawPart,
  SetOp,
  SubqueryOp,
  ValueType,
  WindowName,
} from './parts.js';

/**
 * Place of a value: its index among the values of the call, or a function that a plugin brings and that is asked at each
 * call. No value ever enters a plan.
 */
export type Slot = number | (() => unknown);

/** A condition of a logical plan. */
export type LogicalExpr =
  | {
      readonly t: 'compare';
      readonly target: ColumnTarget;
      readonly op: ComparisonOp;
      readonly slot: Slot;
      /** Of `eq`: whether texts must have the same letters, also where the collation of the column takes others for the same. */
      readonly exact?: boolean;
    }
  | { readonly t: 'in'; readonly target: ColumnTarget; readonly negated: boolean; readonly slots: readonly Slot[] }
  | { readonly t: 'inArray'; readonly target: ColumnTarget; readonly negated: boolean; readonly slot: Slot }
  | {
      readonly t: 'tuples';
      readonly targets: readonly ColumnTarget[];
      readonly negated: boolean;
      /** Values of all rows, row by row. */
      readonly slots: readonly Slot[];
    }
  | { readonly t: 'null'; readonly target: ColumnTarget; readonly negated: boolean }
  | { readonly t: 'between'; readonly target: ColumnTarget; readonly low: Slot; readonly high: Slot }
  | { readonly t: 'columns'; readonly left: ColumnTarget; readonly op: ComparisonOp; readonly right: ColumnTarget }
  | {
      readonly t: 'arrays';
      readonly op: ArrayOp;
      readonly target: ColumnTarget;
      readonly other?: ColumnTarget | undefined;
      /** The value, where there is no other column. */
      readonly slot?: Slot | undefined;
    }
  | { readonly t: 'junction'; readonly kind: 'and' | 'or'; readonly operands: readonly LogicalExpr[] }
  | { readonly t: 'not'; readonly operand: LogicalExpr }
  | { readonly t: 'raw'; readonly raw: RawPart; readonly slots: readonly Slot[] }
  | {
      readonly t: 'subquery';
      readonly op: SubqueryOp;
      readonly target?: ColumnTarget | undefined;
      /** Several, of a tuple. */
      readonly targets?: readonly ColumnTarget[] | undefined;
      /** What is compared, where that is no column. */
      readonly value?: LogicalValue | undefined;
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
  | LogicalWindow
  | LogicalList
  | LogicalJson
  | LogicalOrdered
  | { readonly t: 'truth'; readonly condition: LogicalExpr; readonly type: ValueType }
  | { readonly t: 'collate'; readonly operand: LogicalValue; readonly collation: string; readonly type: ValueType }
  | { readonly t: 'query'; readonly query: LogicalSelect; readonly type: ValueType };

/** A function over the rows that belong to each row. */
export interface LogicalWindow {
  readonly t: 'window';
  readonly name: WindowName;
  /** The aggregate, or the value of another row. */
  readonly operand?: LogicalValue | undefined;
  readonly partitions: readonly LogicalValue[];
  readonly orders: readonly {
    readonly value: LogicalValue;
    readonly desc: boolean;
    readonly nulls: NullsOrder | undefined;
  }[];
  readonly type: ValueType;
}

/** Texts of many rows in one. */
export interface LogicalList {
  readonly t: 'list';
  readonly operand: LogicalValue;
  readonly separator: LogicalValue;
  readonly orders: LogicalWindow['orders'];
  readonly type: ValueType;
}

/** Values of many rows as JSON: a list, or an object where they have names. */
export interface LogicalJson {
  readonly t: 'json';
  readonly name?: LogicalValue | undefined;
  readonly operand: LogicalValue;
  /** Which rows; all when left out. */
  readonly where?: LogicalExpr | undefined;
  readonly orders: LogicalWindow['orders'];
  readonly type: ValueType;
}

/** An aggregate of values in an order. */
export interface LogicalOrdered {
  readonly t: 'ordered';
  readonly name: OrderedAggregate;
  readonly fraction: LogicalValue;
  readonly operand: LogicalValue;
  readonly type: ValueType;
}

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

/** A query in the place of a table. */
export interface LogicalSource {
  /** What its columns are qualified by. */
  readonly name: string;
  /** Whether the statement names it at its beginning (`WITH`), so that it may be read several times. */
  readonly named: boolean;
  /** Whether it is to be computed by itself, or as a part of what reads it; what the database decides when left out. */
  readonly materialized?: boolean | undefined;
  /** Its rows; absent where a recursive one reads itself. */
  readonly query?: LogicalSelect | undefined;
  /** What makes further rows of those that were made before. */
  readonly step?: { readonly op: SetOp; readonly query: LogicalSelect } | undefined;
}

export interface LogicalJoin {
  readonly kind: JoinKind;
  readonly table: string;
  readonly alias: string;
  readonly model?: ModelInfo | undefined;
  /** Where the rows come from, when it is no table. */
  readonly source?: LogicalSource | undefined;
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

/** Which rows are the same, and which of them is the first. */
export interface DistinctOn {
  /** Columns and computed values that the same rows have in common. */
  readonly terms: readonly Pick<LogicalOrder, 'target' | 'value'>[];
  /** Begins with the terms, in their order, and tells all rows apart. */
  readonly order: readonly LogicalOrder[];
}

export interface LogicalSelect {
  readonly kind: 'select';
  readonly model: ModelInfo;
  /** What the queried table is called in this query; its own name when left out. */
  readonly alias?: string | undefined;
  /** Where the rows come from, when it is no table. */
  readonly source?: LogicalSource | undefined;
  readonly distinct: boolean;
  /** Of rows that have the same values only the first. */
  readonly distinctOn?: DistinctOn | undefined;
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
  /** Queries whose rows are combined with these, one after the other; order and bounds are of all of them. */
  readonly sets?: readonly { readonly op: SetOp; readonly query: LogicalSelect }[] | undefined;
  readonly lock?: LockMode | undefined;
  /** Names of the tables whose rows are locked; all when left out. */
  readonly lockOf?: readonly string[] | undefined;
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
  /** `empty` is null, where the column does not hold the null of JSON already. */
  readonly form: 'value' | 'null' | 'empty' | 'add' | 'raw' | 'default' | 'computed';
  readonly slots: readonly Slot[];
  readonly raw?: RawPart | undefined;
  readonly computed?: LogicalValue | undefined;
}

/** What updates and deletes have alike. */
interface LogicalWrite {
  readonly model: ModelInfo;
  /** Tables whose rows decide which are written, by their conditions; inner joins alone. */
  readonly joins?: readonly LogicalJoin[] | undefined;
  /** What the statement gives of each row that it wrote; empty means all columns of the model. */
  readonly returning?: readonly Projection[] | undefined;
}

export interface LogicalUpdate extends LogicalWrite {
  readonly kind: 'update';
  readonly assignments: readonly LogicalAssignment[];
  readonly where?: LogicalExpr | undefined;
  readonly deleted?: DeletedScope | undefined;
  /** See {@link LogicalInsert.checks}. */
  readonly checks?: ReadonlyMap<ColumnInfo, (value: unknown) => void> | undefined;
}

export interface LogicalDelete extends LogicalWrite {
  readonly kind: 'delete';
  readonly where?: LogicalExpr | undefined;
  readonly deleted?: DeletedScope | undefined;
}

/** What to do when a row of the key is there already. */
export interface LogicalConflict {
  /** Columns of a unique key; empty for any. */
  readonly target: readonly ColumnInfo[];
  /** Columns to overwrite; empty leaves the row as it is. */
  readonly update: readonly ColumnInfo[];
  /** Further columns to overwrite, with what is computed of the row that is there and of the new one. */
  readonly sets?: readonly LogicalAssignment[] | undefined;
  /** Which rows that are there are overwritten; all when left out. */
  readonly where?: LogicalExpr | undefined;
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
  /** Where the rows come from, instead of values: a query of as many columns. */
  readonly query?: LogicalSelect | undefined;
  readonly conflict?: LogicalConflict | undefined;
  /** Columns that the database computes, behind those of the one row. */
  readonly computed?: readonly LogicalAssignment[] | undefined;
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
