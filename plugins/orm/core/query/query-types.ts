import type { Column } from '../expression/column.js';
import type { NumericValue } from '../expression/column-types.js';
import type { Selection, SelectExpr } from '../expression/selection.js';
import type { ValueSelection } from '../expression/value.js';
import type { ColumnKey, Row } from '../model/relation-types.js';

/** The accessor of any column, of a joined table too. */
export type AnyColumn = Column<object, string, unknown, unknown>;

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
export type FoundBy<Self> = Self extends { readonly found: (from: infer Found) => void } ? Found : never;

/** The rows of a query to which a right or full join adds some without a row of the model: every column may be null. */
export type MaybeMissing<Result> = {
  [Key in keyof Result]: Key extends typeof whole
    ? Result[Key]
    : Result[Key] extends (...args: never[]) => unknown
      ? Result[Key]
      : Result[Key] | null;
};

/** The rows of a query after `select`. Of two items of one name there is a sentence in the place of a value. */
export type Selected<Model extends object, Self, Items extends readonly unknown[]> = Self extends {
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
      ? NamedAs<Alias, Present<Value, From, Found>>
      : Item extends keyof Model & string
        ? NamedAs<Item, Present<Exclude<Model[Item], undefined>, Model, Found>>
        : Item extends { readonly alias: infer Alias extends string }
          ? NamedAs<Alias, unknown>
          : Record<string, unknown>;

type NamedAs<Alias extends string, Value> = { [Key in Alias]: Value };

type Present<Value, From, Found> = [From] extends [Found] ? Value : Value | null;

// Names that two items have, or an item and one that was selected before. A parameter type could refuse the item itself, but would
// also refuse every generic one.
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
