import type { Column } from '../expression/column.js';
import type { NumericValue } from '../expression/column-types.js';
import type { Selection, SelectExpr } from '../expression/selection.js';
import type { ColumnKey, Row } from '../model/relation-types.js';

/** The accessor of any column, of a joined table too. */
export type AnyColumn = Column<object, string, unknown, unknown>;

/** A column by property, an accessor, an aggregate, or an expression as a plain value. */
export type Selectable<Model extends object> =
  ColumnKey<Model> | AnyColumn | Selection<string, unknown, unknown> | SelectExpr;

/** Whether the row type is still the whole model: the first `select` narrows it, later ones add. */
declare const whole: unique symbol;
interface Whole {
  readonly [whole]?: true;
}

/** A row of the whole model. */
export type WholeRow<Model extends object> = Row<Model> & Whole;

/** Columns by property that can be added up. */
export type NumericKey<Model> = {
  [Key in ColumnKey<Model>]: NonNullable<NumericValue<Model[Key]>> extends never ? never : Key;
}[ColumnKey<Model>];

/** The model of a join, unless a table is joined to itself: accessors of a model mean the queried table then. */
export type OtherModel<Joined, Model> = [Joined] extends [Model] ? ([Model] extends [Joined] ? never : Joined) : Joined;

/** What every row of a query has a row of. */
export type FoundBy<Self> = Self extends { readonly found: (from: infer Found) => void } ? Found : never;

/** The rows of a query to which a right or full join adds some without a row of the model: every column may be null. */
export type MaybeMissing<Result> = {
  [Key in keyof Result]: Key extends typeof whole
    ? Result[Key]
    : Result[Key] extends (...args: never[]) => unknown
      ? Result[Key]
      : Result[Key] | null;
};

/** The rows of a query after `select`. */
export type Selected<Model extends object, Self, Items extends readonly unknown[]> = Self extends {
  readonly result: infer Result;
}
  ? Result extends Whole
    ? SelectedRow<Model, FoundBy<Self>, Items>
    : Result & SelectedRow<Model, FoundBy<Self>, Items>
  : never;

type SelectedRow<Model extends object, Found, Items extends readonly unknown[]> = {
  [Key in keyof AllOf<Model, Found, Items>]: AllOf<Model, Found, Items>[Key];
};

type AllOf<Model extends object, Found, Items extends readonly unknown[]> = Intersection<
  { [At in keyof Items]: OneOf<Model, Found, Items[At]> }[number]
>;

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never;

type OneOf<Model extends object, Found, Item> =
  Item extends Column<infer _Model, infer Key, infer Value, infer From>
    ? NamedAs<Key, Present<Value, From, Found>>
    : Item extends Selection<infer Alias, infer Value, infer From>
      ? NamedAs<Alias, Present<Value, From, Found>>
      : Item extends keyof Model & string
        ? NamedAs<Item, Present<Model[Item], Model, Found>>
        : Item extends { readonly alias: infer Alias extends string }
          ? NamedAs<Alias, unknown>
          : Record<string, unknown>;

type NamedAs<Alias extends string, Value> = { [Key in Alias]: Value };

type Present<Value, From, Found> = [From] extends [Found] ? Value : Value | null;

/** The items themselves, or a sentence in the place of one whose name is taken. */
export type Distinct<Self, Items extends readonly unknown[]> = DistinctFrom<Taken<Self>, Items>;

type DistinctFrom<Names, Items extends readonly unknown[]> = Items extends readonly [infer Head, ...infer Rest]
  ? string extends NameOf<Head>
    ? [Head, ...DistinctFrom<Names, Rest>]
    : NameOf<Head> extends Names
      ? [`"${NameOf<Head>}" is selected twice; name one of them with as(...)`, ...Rest]
      : [Head, ...DistinctFrom<Names | NameOf<Head>, Rest>]
  : Items;

// A raw item without a name of its own may be called anything, which is `string` here.
type Taken<Self> = Self extends { readonly result: infer Result }
  ? Result extends Whole
    ? never
    : string extends keyof Result
      ? never
      : keyof Result
  : never;

type NameOf<Item> =
  Item extends Column<object, infer Key, unknown, unknown>
    ? Key
    : Item extends Selection<infer Alias, unknown, unknown>
      ? Alias
      : Item extends string
        ? Item
        : Item extends { readonly alias: infer Alias extends string }
          ? Alias
          : string;
