import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type { RawText } from '../expression/raw-text.js';
import type { Shape } from './shape.js';
import type { ColumnKind } from '../model/kinds.js';
import type { TemporalClass } from '../model/temporal.js';
import type {
  AGGREGATES,
  CAST_NAMES,
  COMPARISONS,
  DELETED_SCOPES,
  JOINS,
  LOCKS,
  NULLS,
  SETS,
  TIME_PARTS,
  TIME_SPANS,
  TIME_UNITS,
  WINDOW_FUNCTIONS,
  WordOf,
} from './words.js';

/** A column as a query mentions it. `info` is absent for plain names that only the joins of the query can explain. */
export interface ColumnTarget {
  readonly name: string;
  readonly info?: ColumnInfo | undefined;
  /** Alias or table that the name was qualified with. */
  readonly qualifier?: string | undefined;
}

/** How two tables are joined: `inner`, `left`, `right`, `full` or `cross`. */
export type JoinKind = WordOf<typeof JOINS>;
/** A row lock: `update`, `share`, `noKeyUpdate`, `updateSkipLocked` or `updateNoWait`. */
export type LockMode = WordOf<typeof LOCKS>;
/** Where an order puts nulls: `first` or `last`. */
export type NullsOrder = WordOf<typeof NULLS>;
/** An aggregate function: `count`, `sum`, `avg`, `min` or `max`. */
export type AggregateName = WordOf<typeof AGGREGATES>;
/** An operator that compares a column with one value. */
export type ComparisonOp = WordOf<typeof COMPARISONS>;
/** Which rows of a model with soft delete a query sees. */
export type DeletedScope = WordOf<typeof DELETED_SCOPES>;
/** How two queries are combined: `union`, `unionAll`, `intersect` or `except`. */
export type SetOp = WordOf<typeof SETS>;
/** A part of a moment that `datePart` takes: `year`, `month`, `day`, `hour`, `minute` or `second`. */
export type TimePart = WordOf<typeof TIME_PARTS>;
/** A unit that `dateTrunc` cuts a moment to: `year`, `month`, `day`, `hour` or `minute`. */
export type TimeUnit = WordOf<typeof TIME_UNITS>;
/** A unit of one length each, for calculations with moments: `second`, `minute`, `hour` or `day`. */
export type TimeSpan = WordOf<typeof TIME_SPANS>;

/** What a window is of: an aggregate, or a place in an order. */
export type WindowName = WordOf<typeof WINDOW_FUNCTIONS> | 'aggregate';

/** How an array column is compared: as the operators `@>`, `<@` and `&&`, and with one element (`= ANY`). */
export type ArrayOp = 'contains' | 'contained' | 'overlaps' | 'has';

/** An aggregate of values in an order. */
export type OrderedAggregate = 'percentileCont' | 'percentileDisc';

/** A function of values that each dialect writes in its own way. */
export type FunctionName =
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'modulo'
  | 'abs'
  | 'floor'
  | 'ceil'
  | 'toDouble'
  | 'lower'
  | 'upper'
  | 'trim'
  | 'textLength'
  | 'concat'
  | 'substring'
  | 'replace'
  | 'coalesce'
  | 'nullIf'
  | 'jsonAt'
  | 'jsonString'
  | 'jsonNumber'
  | 'jsonBoolean'
  | 'jsonObject'
  /** A value as one of JSON. */
  | 'jsonMember'
  | `part:${TimePart}`
  | `begin:${TimeUnit}`
  | `later:${TimeSpan}`
  | `cast:${CastName}`
  | `begun:${'text' | 'whole' | 'exact'}`;

/** A cast that databases do alike, or can be made to. */
type CastName = WordOf<typeof CAST_NAMES>;

/** What values are to a cast. */
export type CastFamily = 'text' | 'whole' | 'exact' | 'double' | 'uuid' | 'moment' | 'day';

/** The orders inside of a value: the keys themselves follow it. */
export type InnerOrders = readonly { readonly desc: boolean; readonly nulls: NullsOrder | undefined }[];

/** What a value is by itself. */
type ValueKind = Pick<ValueType, 'kind' | 'temporal'>;

/** What a value is; `column` where it is one of a column's. */
export interface ValueType {
  readonly kind: ColumnKind;
  readonly column?: ColumnInfo | undefined;
  /** Class of Temporal that the values have in the application. */
  readonly temporal?: TemporalClass | undefined;
}

export type SubqueryOp = ComparisonOp | 'in' | 'notIn' | 'exists' | 'notExists';

/**
 * One structural step of a query. The parts from the root of a trie to a {@link Shape} are the whole structure of a query,
 * values left out; `values` says how many values the step brings along.
 *
 * Expressions are written in prefix order: `and` of size n is followed by its n operands.
 */
export type Part =
  | { readonly t: 'compare'; readonly target: ColumnTarget; readonly op: ComparisonOp; readonly values: 1 }
  | { readonly t: 'in'; readonly target: ColumnTarget; readonly negated: boolean; readonly values: number }
  | { readonly t: 'inArray'; readonly target: ColumnTarget; readonly negated: boolean; readonly values: 1 }
  | {
      readonly t: 'tuples';
      readonly targets: readonly ColumnTarget[];
      readonly negated: boolean;
      readonly size: number;
      readonly values: number;
    }
  | { readonly t: 'null'; readonly target: ColumnTarget; readonly negated: boolean; readonly values: 0 }
  | { readonly t: 'between'; readonly target: ColumnTarget; readonly values: 2 }
  | {
      readonly t: 'columns';
      readonly left: ColumnTarget;
      readonly op: ComparisonOp;
      readonly right: ColumnTarget;
      readonly values: 0;
    }
  | {
      readonly t: 'arrays';
      readonly op: ArrayOp;
      readonly target: ColumnTarget;
      /** The other column; else it is a value. */
      readonly other?: ColumnTarget;
      readonly values: 0 | 1;
    }
  | { readonly t: 'junction'; readonly kind: 'and' | 'or'; readonly size: number; readonly values: 0 }
  | { readonly t: 'not'; readonly values: 0 }
  | RawPart
  | {
      readonly t: 'subquery';
      readonly op: SubqueryOp;
      readonly target?: ColumnTarget;
      readonly targets?: readonly ColumnTarget[];
      /** Whether a computed value follows, which is compared in the place of a column. */
      readonly ofValue?: boolean;
      readonly query: Shape;
      readonly values: number;
    }
  | { readonly t: 'aggregateCompare'; readonly aggregate: AggregatePart; readonly op: ComparisonOp; readonly values: 1 }
  | {
      readonly t: 'order';
      readonly target: ColumnTarget;
      readonly desc: boolean;
      readonly nulls?: NullsOrder | undefined;
      readonly values: 0;
    }
  | { readonly t: 'limit' | 'offset'; readonly values: 1 }
  | { readonly t: 'after'; readonly nulls: string; readonly before: boolean; readonly values: number }
  | { readonly t: 'select'; readonly target: ColumnTarget; readonly alias?: string | undefined; readonly values: 0 }
  | { readonly t: 'selectRaw'; readonly sql: string; readonly alias?: string | undefined; readonly values: 0 }
  | AggregatePart
  | { readonly t: 'key'; readonly target: ColumnTarget; readonly values: 0 }
  | { readonly t: 'perGroup'; readonly targets: readonly ColumnTarget[]; readonly values: 1 }
  | { readonly t: 'distinct'; readonly values: 0 }
  | { readonly t: 'distinctOn'; readonly target: ColumnTarget; readonly values: 0 }
  | { readonly t: 'distinctOnValue'; readonly values: 0 }
  | { readonly t: 'alias'; readonly alias: string; readonly values: 0 }
  | { readonly t: 'source'; readonly source: SourcePart; readonly values: number }
  | { readonly t: 'combine'; readonly op: SetOp; readonly query: Shape; readonly values: number }
  | { readonly t: 'lock'; readonly mode: LockMode; readonly of?: readonly string[]; readonly values: 0 }
  | { readonly t: 'group'; readonly target: ColumnTarget; readonly values: 0 }
  | { readonly t: 'having'; readonly values: 0 }
  | JoinPart
  | { readonly t: 'scope'; readonly deleted: DeletedScope; readonly values: 0 }
  | { readonly t: 'set'; readonly column: ColumnInfo; readonly values: 1 }
  /** A row that is saved cannot tell the null of JSON from that of SQL: with `keepsJson` the former stays. */
  | { readonly t: 'setNull'; readonly column: ColumnInfo; readonly keepsJson?: true; readonly values: 0 }
  | { readonly t: 'add'; readonly column: ColumnInfo; readonly values: 1 }
  | { readonly t: 'setValue'; readonly column: ColumnInfo; readonly values: 0 }
  | ValuePart
  | { readonly t: 'values'; readonly op: ComparisonOp; readonly values: 0 }
  | { readonly t: 'valueIn'; readonly negated: boolean; readonly size: number; readonly values: 0 }
  | { readonly t: 'valueBetween'; readonly values: 0 }
  | { readonly t: 'valueNull'; readonly negated: boolean; readonly values: 0 }
  | { readonly t: 'selectValue'; readonly alias: string; readonly values: 0 }
  | { readonly t: 'groupValue'; readonly values: 0 }
  | { readonly t: 'orderValue'; readonly desc: boolean; readonly nulls?: NullsOrder | undefined; readonly values: 0 }
  | { readonly t: 'setRaw'; readonly column: ColumnInfo; readonly raw: RawPart; readonly values: number };

/**
 * A value that the database computes, in prefix order: a call is followed by its operands; a case by its conditions, each with its value,
 * then by the value of ELSE; an aggregate by its argument.
 */
type ValuePart =
  | { readonly t: 'column'; readonly target: ColumnTarget; readonly values: 0 }
  | (ValueKind & { readonly t: 'parameter'; readonly values: 1 })
  /** Steps into JSON, as one value. */
  | { readonly t: 'path'; readonly values: 1 }
  | (ValueType & { readonly t: 'call'; readonly name: FunctionName; readonly size: number; readonly values: 0 })
  | (ValueType & { readonly t: 'case'; readonly size: number; readonly otherwise: boolean; readonly values: 0 })
  | (ValueType & {
      readonly t: 'aggregateValue';
      readonly name: AggregateName;
      readonly distinct: boolean;
      /** Whether it is of a value, and not of all rows. */
      readonly ofValue: boolean;
      readonly values: 0;
    })
  | (ValueType & {
      readonly t: 'window';
      readonly name: WindowName;
      /** Whether what it is of is the first of the values that follow, before those of the partitions and the orders. */
      readonly ofValue: boolean;
      readonly partitions: number;
      readonly orders: InnerOrders;
      readonly values: 0;
    })
  /** Followed by the text, the separator and the values of the orders. */
  | { readonly t: 'listValue'; readonly orders: InnerOrders; readonly values: 0 }
  /** JSON of many rows. Followed by the name, if there is one, the value, the condition, if there is one, and the values of the orders. */
  | {
      readonly t: 'jsonValue';
      readonly isNamed: boolean;
      readonly isSome: boolean;
      readonly orders: InnerOrders;
      readonly values: 0;
    }
  /** Followed by the fraction and what is ordered. */
  | (ValueType & { readonly t: 'orderedValue'; readonly name: OrderedAggregate; readonly values: 0 })
  /** Followed by a condition, whose truth it is. */
  | { readonly t: 'truth'; readonly values: 0 }
  | { readonly t: 'collate'; readonly collation: string; readonly values: 0 }
  | { readonly t: 'scalar'; readonly query: Shape; readonly values: number };

/** A raw fragment. `sizes` holds, per parameter, how many placeholders it takes: more than one for a list. */
export interface RawPart {
  readonly t: 'raw';
  readonly raw: RawText;
  readonly sizes: readonly number[];
  readonly values: number;
}

/** An aggregate in a projection. */
export interface AggregatePart {
  readonly t: 'aggregate';
  readonly name: AggregateName;
  /** Absent for `COUNT(*)`. */
  readonly target?: ColumnTarget | undefined;
  readonly distinct: boolean;
  readonly alias: string;
  readonly values: 0;
}

/** A query in the place of a table; its values are those of its rows, then those of what makes further ones. */
export interface SourcePart {
  readonly name: string;
  readonly named: boolean;
  /** Whether a query that is named is to be computed by itself; what the database decides when left out. */
  readonly materialized?: boolean | undefined;
  readonly query?: Shape | undefined;
  readonly step?: { readonly op: SetOp; readonly query: Shape } | undefined;
}

/** A join; followed by its condition unless it is a cross join. */
export interface JoinPart {
  readonly t: 'join';
  readonly kind: JoinKind;
  readonly table: string;
  readonly alias: string;
  /** Known when the join named a model class. */
  readonly model?: ModelInfo | undefined;
  /** Where the rows come from, when it is no table. */
  readonly source?: SourcePart | undefined;
  readonly values: number;
}

/** Key of a part in the trie; parts that are interned are their own key. */
export type PartKey = string | object;
