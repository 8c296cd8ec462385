import type { ColumnKey, countedKeys, primaryKeys, tableName } from '../model/relation-types.js';
import type { Filter } from './filter.js';

// Facts that the type of a query collects besides its tables, so that an invalid query does not compile. They exist only in types. Each is
// a member of the union of tables, because a query with more facts is assignable to one with fewer.

declare const noted: unique symbol;

/** A fact that a query has noted; no row has this type. */
interface Noted<out Kind extends string = string> {
  readonly [noted]: Kind;
}

/** A column that a query names, and what for. */
export interface Named<out Kind extends string, out From, out Key> extends Noted<Kind> {
  readonly from: From;
  readonly key: Key;
}

/** A column, for values that are compared and computed, and null where a join finds none of its rows. */
export type Read<From, Key> = Named<'read', From, Key>;

/** A column of a condition that chooses among values, which are not null because of it. */
type Looked<From, Key> = Named<'looked', From, Key>;

/** A column inside an aggregate, which makes one row of many; `never` for an aggregate of whole rows, such as `count()`. */
export type Counted<From, Key> = Named<'counted', From, Key>;

/** A column that a query in the place of a value reads by the name of a table that it has not itself. */
type Around<From, Key> = Named<'around', From, Key>;

/** A column that is selected. */
export type Shown<From, Key> = Named<'shown', From, Key>;

/** A column that rows are ordered by; `orderedIn` names one that a value of the order is computed of. */
type OrderKinds = 'ordered' | 'orderedIn';

/** A column that groups are made by; `never` for a value. */
type Grouped<From, Key> = Named<'grouped', From, Key>;

/** A column of a value that groups are made by. */
type GroupedIn<From, Key> = Named<'groupedIn', From, Key>;

/** A table of a join that may find no row. */
export interface Maybe<out From> extends Noted<'maybe'> {
  readonly from: From;
}

/** A table whose name its model does not tell: any name may be its own. */
export interface Unnamed extends Noted<'unnamed'> {
  readonly from?: undefined;
}

/** The name of a model's table, where generated code notes it. */
export type CalledBy<Model> = typeof tableName extends keyof Model
  ? Extract<keyof NonNullable<Model[typeof tableName]>, string>
  : Unnamed;

/** Values of a filter inside `and`, `or` or `not`, whose model is that of the query. */
export interface Fitting<out Values, out Keys> extends Noted<'filter'> {
  readonly values: Values;
  readonly keys: Keys;
}

/** A table of which groups hold one row each, because they are made by its primary key. */
interface Single<out From> extends Noted<'single'> {
  readonly from: From;
}

/** Tables whose columns a condition may name. */
export type Readable<Found> = Found extends Maybe<infer From> ? From : Found;

/** The tables of columns without which a value is null. */
export type TablesOf<Reads> =
  Reads extends Named<infer Kind, infer From, unknown> ? (Kind extends 'read' ? From : never) : Reads;

/** All that was found, none of it surely. */
export type MaybeAll<Found> = Found extends Noted ? Found : Maybe<Found>;

/** What is known to be read; of a condition that was kept as a plain `Condition` nothing is known. */
export type Known<Reads> = unknown extends Reads ? never : Reads;

/** Columns among what is known. */
export type ReadsOnly<Reads> = Extract<Known<Reads>, Noted<Kinds>>;

/** What conditions and orders name columns for. */
export type Kinds = 'read' | 'looked' | 'counted' | 'around';

// What stays what it is, whatever a column is named for around it.
type Kept = 'counted' | 'around';

// What names a column of a table that has to be there.
type AllKinds = Kinds | 'shown' | 'computed' | OrderKinds | 'having' | 'grouped' | 'groupedIn';

// Columns as something else, because of where they are named.
type Noting<Kind extends string, Reads> =
  Known<Reads> extends infer Each
    ? Each extends Named<infer Own, infer From, infer Key>
      ? Own extends Kept
        ? Each
        : Named<Kind, From, Key>
      : never
    : never;

/** What a condition notes of a choice that it makes. */
export type LookedAt<Reads> = Noting<'looked', Reads>;

/** What an order notes of a column, and of what a value is computed of. */
export type OrderedAs<Kind extends OrderKinds, Reads> = Noting<Kind, Reads>;

/** What a condition on groups notes: they have to be there, and to have one of each column that it names outside of aggregates. */
export type HavingNotes<Model, Reads> =
  Counted<never, never> | Noting<'having', Reads> | FilterKeys<Model, Known<Reads>>;

type FilterKeys<Model, Reads> =
  Reads extends Fitting<unknown, infer Keys> ? Named<'having', Model, Extract<Keys, ColumnKey<Model>>> : never;

/** What an aggregate notes of its operand. */
export type CountedOf<Reads> =
  | Counted<never, never>
  | (Reads extends Named<infer Kind, infer From, infer Key> ? Within<Kind, From, Key, Counted<From, Key>> : never);

/** What a window notes of the columns that it is over: no value is null without them, and they make no groups. */
export type Windowed<Reads> =
  Reads extends Named<infer Kind, infer From, infer Key>
    ? [From] extends [never]
      ? never
      : Within<Kind, From, Key, Looked<From, Key>>
    : never;

type Within<Kind, From, Key, Noted> = Kind extends 'around' ? Around<From, Key> : Noted;

/** What an assignment notes of the column that it writes, and of what its value is computed of. */
export type Assigned<Of, Key> = Named<'assigned', Of, Key>;

/** What a selected value notes of what it is computed of. */
export type ComputedOf<Reads> = Noting<'computed', Reads>;

/** What groups that are made by a value note of what it is computed of. */
export type GroupedBy<Reads> =
  | Grouped<never, never>
  | (Reads extends Named<infer Kind, infer From, infer Key> ? Within<Kind, From, Key, GroupedIn<From, Key>> : never);

/** Why an update cannot run. */
export type Misassigned<Model, Found, Reads> =
  Known<Reads> extends infer Each
    ? Each extends Assigned<infer Of, infer Key>
      ? [Of] extends [Model]
        ? [Model] extends [Of]
          ? never
          : NotWritten<Key>
        : NotWritten<Key>
      : Unjoined<Each, Readable<Found>>
    : never;

type NotWritten<Key> = `column "${Key & string}" is of another table than this query writes`;

/** What is read of tables that a query has not joined. */
export type Strange<Reads, Tables> =
  Known<Reads> extends infer Each
    ? Each extends Named<string, infer From, unknown>
      ? [From] extends [Tables]
        ? never
        : Each
      : never
    : never;

/** What a query reads of tables that are not its own. */
export type Beyond<Query> = Query extends { readonly found: (from: infer Found) => void }
  ? Unreached<Found, Readable<Found>>
  : never;

type Unreached<Found, Tables> =
  Found extends Named<infer Kind, infer From, infer Key>
    ? Kind extends AllKinds
      ? [From] extends [Tables]
        ? never
        : From extends string
          ? string extends From
            ? never
            : Unnamed extends Tables
              ? never
              : Around<From, Key>
          : Read<From, Key>
      : never
    : never;

/** What groups are known to hold one of, when they are made by a column. */
export type GroupOf<Model, From, Key> =
  | Grouped<From, Key>
  | ([object] extends [Model]
      ? never
      : typeof countedKeys extends keyof Model
        ? Key extends NonNullable<Model[typeof countedKeys]>
          ? Single<From>
          : never
        : typeof primaryKeys extends keyof Model
          ? Key extends NonNullable<Model[typeof primaryKeys]>
            ? Single<From>
            : never
          : Single<From>);

/** A query that can run. Of one that cannot, `wrong` is a sentence, which the compiler shows with its refusal. */
export interface Sound {
  readonly wrong: undefined;
}

/** A query in the place of a value: what it misses may be of the query around it. */
export interface Inner {
  readonly wrong?:
    | `column "${string}" is of a table that this query does not join`
    | `"${string}" of column "${string}" names no table of this query or around it`
    | undefined;
}

/** What is wrong with a query, looked at anew when something was: a join may bring the table that was missing. */
export type Again<Wrong, Found> = [Wrong] extends [never] ? never : Problem<Wrong, Found>;

/** Why a query cannot run. */
export type Problem<Wrong, Found> =
  Extract<Wrong, Misfit<string>> | Unjoined<Extract<Found, Noted<AllKinds>>, Readable<Found>> | Regrouped<Found>;

/** What is wrong with the columns and the filters of a condition. */
export type Misread<Model extends object, Reads, Tables> = Unjoined<Reads, Tables> | Unfit<Model, Reads>;

/** What is wrong with an order: its terms alone, because the rest was looked at before. */
export type Disordered<Found, Terms> = [Terms] extends [never]
  ? never
  : Unjoined<Terms, Readable<Found>> | Regrouped<Found, Terms>;

/** What is wrong with columns where rows are counted together; one row, of all of them, is in any order. */
type Regrouped<Found, Columns = Found> = [Extract<Found, Noted<'grouped' | 'counted'>>] extends [never]
  ? never
  : [Extract<Found, Noted<'grouped'>>] extends [never]
    ? Ungrouped<Exclude<Columns, Noted<OrderKinds>>, Found>
    : Ungrouped<Columns, Found>;

/** A sentence for each column of a table that is not among those. */
export type Unjoined<Found, Tables> =
  Found extends Named<infer Kind, infer From, infer Key>
    ? [From] extends [Tables]
      ? never
      : Kind extends 'around'
        ? Unnamed extends Tables
          ? never
          : `"${From & string}" of column "${Key & string}" names no table of this query or around it`
        : `column "${Key & string}" is of a table that this query does not join`
    : never;

type Unfit<Model extends object, Reads> =
  Reads extends Fitting<infer Values, infer Keys>
    ? Reads extends Fitting<Filter<Model>, ColumnKey<Model>>
      ? never
      : Misfit<WrongKey<Model, Values, Keys & keyof Values>>
    : never;

type WrongKey<Model extends object, Values, Keys extends keyof Values> = {
  [Key in Keys]: Key extends ColumnKey<Model> ? (Values[Key] extends Model[Key] ? never : Key) : Key;
}[Keys];

type Misfit<Key> = Key extends string
  ? `"${Key}" of a filter is no column of the model, or another value than it holds`
  : never;

type Ungrouped<Columns, All> =
  Columns extends Named<infer Kind, infer From, infer Key>
    ? Kind extends keyof NotOfGroups<string>
      ? Grouped<From, Key> extends All
        ? never
        : Single<From> extends All
          ? never
          : (Kind extends 'shown' | 'ordered' ? Grouped<From, Key> : GroupedIn<From, Key>) extends All
            ? never
            : NotOfGroups<Key & string>[Kind]
      : never
    : never;

// A comparison does not tell its column from one that its value is computed of, so that `having` is either.
interface NotOfGroups<Key extends string> {
  readonly shown: `column "${Key}" is selected, but the groups are not made by it`;
  readonly computed: NotOfGroups<Key>['shown'];
  readonly ordered: `groups are ordered by column "${Key}", but not made by it`;
  readonly orderedIn: NotOfGroups<Key>['ordered'];
  readonly having: `groups are kept by column "${Key}", but not made by it`;
}
