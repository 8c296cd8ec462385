import type { Assignment, PlainAssignment } from '../expression/assignment.js';
import type { Column } from '../expression/column.js';
import type { NumericValue } from '../expression/column-types.js';
import type { Condition, Expression } from '../expression/expression.js';
import type { Filter } from '../expression/filter.js';
import type { LooseRow } from '../expression/loose.js';
import type { OrderExpression, OrderTerm } from '../expression/order.js';
import type {
  Again,
  Beyond,
  CalledBy,
  ComputedOf,
  Fitting,
  GroupedBy,
  GroupOf,
  Kinds,
  Known,
  Misassigned,
  Named,
  Problem,
  Read,
  Readable,
  ReadsOnly,
  Shown,
  Sound,
  Strange,
  TablesOf,
  Unjoined,
} from '../expression/reach.js';
import type { Selection, SelectExpr } from '../expression/selection.js';
import type { Subselect } from '../expression/subquery.js';
import type { ValueExpression, ValueOrder, ValueSelection } from '../expression/value.js';
import type { CallOptions } from '../session/session.js';
import type { ColumnKey, NewRow, Row } from '../model/relation-types.js';
import type { Query } from './query.js';
import type { Returning } from './returning.js';

/** The accessor of any column, of a joined table too. */
type AnyColumn = Column<object, string, unknown, unknown>;

/** A column by property, an accessor, an aggregate, or an expression as a plain value. */
export type Selectable<Model extends object> =
  | ColumnKey<Model>
  | AnyColumn
  | Selection<string, unknown, unknown>
  | ValueSelection<string, unknown, unknown>
  | SelectExpr;

/** Whether the row type is still the whole model: the first `select` narrows it, later ones add. */
declare const whole: unique symbol;
interface Whole {
  readonly [whole]?: true;
}

/** A row of the whole model. */
export type WholeRow<Model extends object> = Row<Model> & Whole;

/** A row of a query that stands for a table. */
export type WholeOf<Found> = Found & Whole;

/** Columns by property that can be added up. */
export type NumericKey<Model> = {
  [Key in ColumnKey<Model>]: NonNullable<NumericValue<Model[Key]>> extends never ? never : Key;
}[ColumnKey<Model>];

/** The model of a join, unless a table is joined to itself: accessors of a model mean the queried table then. */
export type OtherModel<Joined, Model> = [Joined] extends [Model] ? ([Model] extends [Joined] ? never : Joined) : Joined;

/** What every row of a query has a row of. */
type FoundBy<Self> = Self extends { readonly found: (from: infer Found) => void } ? Found : never;

/** A query after `select`. */
export type SelectedFrom<Model extends object, Self, Items extends readonly unknown[]> = Query<
  Model,
  Selected<Model, Self, Items>,
  FoundBy<Self> | Shows<Model, Items>,
  Problem<WrongBy<Self>, FoundBy<Self> | Shows<Model, Items>>
>;

/** Why a query cannot run. */
type WrongBy<Self> = Self extends { readonly wrong: infer Wrong } ? Wrong : never;

/** What a selection notes: which columns it shows, and whether it counts rows together. */
type Shows<Model, Items extends readonly unknown[]> = ShownBy<Model, Items[number]>;

type ShownBy<Model, Item> =
  Item extends Column<infer _Model, infer Key, unknown, infer From>
    ? Shown<From, Key>
    : Item extends { readonly shows: infer Noted }
      ? Noted
      : Item extends { readonly selects: { readonly from: infer From } }
        ? ComputedOf<From>
        : Item extends keyof Model
          ? Shown<Model, Item>
          : never;

/** What columns by name, accessors and values make groups by. */
export type GroupsBy<Model, By> =
  By extends Column<infer Of, infer Key, unknown, infer From>
    ? GroupOf<Of, From, Key>
    : By extends string
      ? GroupOf<Model, Model, By>
      : By extends ValueExpression<unknown, infer From>
        ? GroupedBy<From>
        : never;

/** What rows are told apart by, or groups are made by: a column by property, an accessor, a value. */
export type TellsApart<Model extends object> = ColumnKey<Model> | AnyColumn | ValueExpression<unknown, unknown>;

/** What accessors and values name that rows are told apart by. */
export type PicksBy<By> =
  By extends Column<infer _Model, infer Key, unknown, infer From>
    ? Read<From, Key>
    : By extends ValueExpression<unknown, infer From>
      ? ReadsOnly<From>
      : never;

/** Conditions that name nothing but tables of the query, and filters of its model. */
export type OfQuery<Model extends object, Found> = Condition<
  Named<Kinds, Readable<Found>, string> | Fitting<Filter<Model>, ColumnKey<Model>>
>;

/** What a condition reads, and each of several that it may be. */
export type ReadBy<Given> = Given extends Expression<infer Reads> ? Known<Reads> : never;

/** A query of the same names and kinds as another one. */
export type SameRows<Result> = Subselect & { readonly result: LooseRow<Result> };

/** A query of the rows of two: each has the values of one of them, so that a constant tells which. */
export type United<Model extends object, Result, Found, Wrong, Other> = Combined<
  Model,
  [Other] extends [{ readonly result: Result }] ? Result : Result | ResultOf<Other>,
  Found,
  Wrong,
  Other
>;

type ResultOf<Other> = Other extends { readonly result: infer Result } ? Result : never;

/** A query of rows of one that another has, or has not. */
export type Combined<Model extends object, Result, Found, Wrong, Other> = Query<
  Model,
  Result,
  Found | Beyond<Other>,
  Wrong | WrongBy<Other>
>;

/** What `updateAll` takes: assignments, and behind them what every call takes. One type, so that a refusal is about what was given. */
export type Assignments =
  readonly AnyAssignment[] | readonly [AnyAssignment, ...AnyAssignment[], options: CallOptions | undefined];

type AnyAssignment = Assignment | PlainAssignment;

/** A query that can be updated with these; else a sentence, which the compiler shows with its refusal. */
export type Assigning<Model extends object, Found, Given extends readonly unknown[]> = [
  Misassigned<Model, Found, AssignedBy<Given[number]>>,
] extends [never]
  ? Sound
  : Misassigned<Model, Found, AssignedBy<Given[number]>>;

type AssignedBy<Item> = Item extends Assignment<infer Reads> ? Known<Reads> : never;

/** A write that gives back some columns, each of rows that surely are there: a write takes inner joins. */
export type GivesBack<Model extends object, Found, Wrong, Items extends readonly unknown[]> = Returning<
  Selected<Model, Query<Model, WholeRow<Model>, unknown>, Items>,
  Wrong | Unjoined<Shows<Model, Items>, Readable<Found>>,
  Model,
  Found
>;

/** A term of an order. */
export type Ordering<Reads = unknown> = OrderTerm | OrderExpression<Reads> | ValueOrder<Reads>;

/** A query after a join, whose condition may name what is there by then. */
export type Joins<Model extends object, Result, Wrong, Now, Reads> = Query<
  Model,
  Result,
  Now | Strange<Reads, Readable<Now>>,
  Again<Wrong | Unjoined<Known<Reads>, Readable<Now>>, Now | Strange<Reads, Readable<Now>>>
>;

/** A new row, some columns of which the database computes: of what it has by itself, or of other rows. */
export type ComputedRow<Model> = {
  [Key in keyof NewRow<Model>]: NewRow<Model>[Key] | ValueExpression<Exclude<NewRow<Model>[Key], undefined>, NoRowYet>;
};

// No table is one, so that the compiler shows it beside the column that it refuses.
type NoRowYet = 'a new row is computed of no column: it has none yet, and scalar(...) reads those of other rows';

/** What may be upserted with these; else a sentence, which the compiler shows with its refusal. */
export type Upserting<Model extends object, Item, Reads> = [
  Misassigned<Model, Model | CalledBy<Model>, AssignedBy<Item> | Known<Reads>>,
] extends [never]
  ? unknown
  : Misassigned<Model, Model | CalledBy<Model>, AssignedBy<Item> | Known<Reads>>;

/** The rows of a query with a right or full join, which may lack the row of the model: every column may be null. */
export type MaybeMissing<Result> = {
  [Key in keyof Result]: Key extends typeof whole
    ? Result[Key]
    : Result[Key] extends (...args: never[]) => unknown
      ? Result[Key]
      : Result[Key] | null;
};

/** The rows of a query after `select`. For two items of one name, the type is an error message. */
type Selected<Model extends object, Self, Items extends readonly unknown[]> = Self extends {
  readonly result: infer Result;
}
  ? Result extends Whole
    ? SelectedRow<AllOf<Model, FoundBy<Self>, Items>, Twice<never, Items>>
    : Result & SelectedRow<AllOf<Model, FoundBy<Self>, Items>, Twice<Taken<Result>, Items>>
  : never;

type SelectedRow<All, Clash> = { [Key in keyof All]: Key extends Clash ? SelectedTwice<Key> : All[Key] };

type AllOf<Model extends object, Found, Items extends readonly unknown[]> = Intersection<
  { [At in keyof Items]: OneOf<Model, Found, Items[At]> }[number]
>;

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never;

type OneOf<Model extends object, Found, Item> =
  Item extends Column<infer _Model, infer Key, infer Value, infer From>
    ? NamedAs<Key, Present<Value, From, Found>>
    : Item extends {
          readonly selects: {
            readonly alias: infer Alias extends string;
            readonly value: infer Value;
            readonly from: infer From;
          };
        }
      ? NamedAs<Alias, Present<Value, TablesOf<From>, Found>>
      : Item extends keyof Model & string
        ? NamedAs<Item, Present<Exclude<Model[Item], undefined>, Model, Found>>
        : Item extends { readonly alias: infer Alias extends string }
          ? NamedAs<Alias, unknown>
          : Record<string, unknown>;

type NamedAs<Alias extends string, Value> = { [Key in Alias]: Value };

type Present<Value, From, Found> = [From] extends [Found] ? Value : Value | null;

// Names that two items have, or an item and one that was selected before. Not checked by a parameter type, which would also refuse generic
// items.
type Twice<Names, Items extends readonly unknown[]> = Items extends readonly [infer Head, ...infer Rest]
  ? string extends NameOf<Head>
    ? Twice<Names, Rest>
    : (NameOf<Head> extends Names ? NameOf<Head> : never) | Twice<Names | NameOf<Head>, Rest>
  : never;

type SelectedTwice<Name> = `"${Name & string}" is selected twice; name one of them with as(...)`;

// A raw item without a name of its own may be called anything, which is `string` here.
type Taken<Result> = string extends keyof Result ? never : keyof Result;

type NameOf<Item> =
  Item extends Column<object, infer Key, unknown, unknown>
    ? Key
    : Item extends { readonly selects: { readonly alias: infer Alias } }
      ? Alias
      : Item extends string
        ? Item
        : Item extends { readonly alias: infer Alias extends string }
          ? Alias
          : string;
