declare const relation: unique symbol;

/** Where generated code notes on the type of a class what `create` takes for it. It exists only in types. */
export declare const newRow: unique symbol;

/** Where generated code notes the names of columns that the database counts. It exists only in types. */
export declare const countedKeys: unique symbol;

/** Where generated code notes the names of the primary key's columns, if the database does not count them. It exists only in types. */
export declare const primaryKeys: unique symbol;

/**
 * Where generated code notes the name of the table, as a member beside this one: a class that extends another model fits its type then,
 * though its table has another name. It exists only in types.
 */
export declare const tableName: unique symbol;

/** Where generated code notes the names of columns that are written and never read. It exists only in types. */
export declare const writeOnlyKeys: unique symbol;

/** Where generated code notes that a class is a view, whose rows are only read. It exists only in types. */
export declare const viewRows: unique symbol;

/** Where a query notes the class of its rows. It exists only in types. */
export declare const rowsOf: unique symbol;

/** A query whose rows can be written: of a table, not of a view. */
export interface OfTable {
  // A method that everything has, because a type of nothing but optional properties takes no class without any of them.
  readonly [rowsOf]?: { toString(): string; readonly [viewRows]?: undefined };
}

/** A to-many relation: `orders?: HasMany<Order>`. Present on a row only when preloaded. */
export type HasMany<Target extends object> = Target[] & { readonly [relation]?: 'many' };
/** A to-many relation through a join table. */
export type ManyToMany<Target extends object> = Target[] & { readonly [relation]?: 'through' };
/** A to-one relation whose key is in the target's table; null when there is none. */
export type HasOne<Target extends object> = (Target & { readonly [relation]?: 'one' }) | null;
/** A to-one relation whose key is in this table; null when there is none. */
export type BelongsTo<Target extends object> = (Target & { readonly [relation]?: 'one' }) | null;

type IsRelation<Property> = typeof relation extends keyof NonNullable<Property> ? true : false;

/** Names of a model's relations. */
export type RelationKey<Model> = {
  [Key in keyof Model & string]-?: IsRelation<Model[Key]> extends true ? Key : never;
}[keyof Model & string];

/** Names of a model's relations through join tables. */
export type LinkKey<Model> = {
  [Key in keyof Model & string]-?: NonNullable<Model[Key]> extends { readonly [relation]?: infer Kind }
    ? 'through' extends Kind
      ? Key
      : never
    : never;
}[keyof Model & string];

/** A row that a link leads to, or its key. */
export type Linked<Model, Key extends keyof Model> = PartialRow<RelationTarget<Model[Key]>> | string | number | bigint;

/** What one relation holds: the target's type, whether one or many. */
type RelationTarget<Property> =
  NonNullable<Property> extends readonly (infer Target)[]
    ? Target
    : NonNullable<Property> extends infer Target & { readonly [relation]?: 'one' }
      ? Target
      : never;

/**
 * A row without its relations: what a query gives that preloads nothing. Methods of the class stay. A column is there whether
 * the class declares it optional or not, when generated code tells which properties are columns.
 */
export type Row<Model> = [OptionalColumn<Model>] extends [never]
  ? Declared<Model>
  : Flat<
      Omit<Declared<Model>, OptionalColumn<Model>> & {
        [Key in OptionalColumn<Model>]: Exclude<Model[Key], undefined>;
      }
    >;

/** A row that was written: what the class says, because an update knows of no column that it does not name. */
export type Declared<Model> = {
  [
    Key in keyof Model as Key extends
      | typeof newRow
      | typeof writeOnlyKeys
      | typeof countedKeys
      | typeof primaryKeys
      | typeof tableName
      | typeof viewRows
      ? never
      : IsRelation<Model[Key]> extends true
        ? never
        : Key
  ]: Model[Key];
};

type Flat<Type> = { [Key in keyof Type]: Type[Key] };

// Columns that are read, but that the class declares as optional.
type OptionalColumn<Model> = typeof newRow extends keyof Model
  ? {
      [
        Key in Exclude<(keyof NewRow<Model> & keyof Model) | CountedKey<Model>, WriteOnly<Model>>
      ]-?: undefined extends Model[Key] ? Key : never;
    }[Exclude<(keyof NewRow<Model> & keyof Model) | CountedKey<Model>, WriteOnly<Model>>]
  : never;

type WriteOnly<Model> = typeof writeOnlyKeys extends keyof Model ? NonNullable<Model[typeof writeOnlyKeys]> : never;

/** Columns of a row by property: what is neither a relation nor a method. */
export type ColumnKey<Model> = {
  [Key in keyof Model & string]-?: IsRelation<Model[Key]> extends true
    ? never
    : // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
      Model[Key] extends Function
      ? never
      : Key;
}[keyof Model & string];

/** Some of a row's columns by property. */
export type PartialRow<Model> = { [Key in ColumnKey<Model>]?: Model[Key] | undefined };

/** No value is one: the compiler names its property when an expression stands in the place of a plain value. */
interface NoExpression {
  readonly types: {
    readonly value: 'a row takes plain values, and updateAll takes column.set(...)';
    readonly from: 'a row takes plain values, and updateAll takes column.set(...)';
  };
  readonly appendValueTo: never;
}

/** What `update` and `save` take: some of a row's columns by property. */
export type PlainRow<Model> = { [Key in ColumnKey<Model>]?: Model[Key] | NoExpression | undefined };

/**
 * What `create` takes: the columns by property. Generated code says which of them may be left out; for a model without it
 * all may, and the metadata decides when the row is written.
 */
export type NewRow<Model> = typeof newRow extends keyof Model ? NonNullable<Model[typeof newRow]> : PartialRow<Model>;

/** What `create` takes with `keepKeys`: also the columns that the database counts, each with its value. */
export type KeyedRow<Model> = NewRow<Model> & {
  [Key in CountedKey<Model>]: Exclude<Model[Key], undefined>;
};

type CountedKey<Model> = typeof countedKeys extends keyof Model
  ? NonNullable<Model[typeof countedKeys]> & keyof Model
  : never;

/** Preload paths as far as an editor can list them: relations of the model, then anything behind a dot. */
export type PathStart<Model> = RelationKey<Model> | `${RelationKey<Model>}.${string}`;

/** The path itself when every segment is a relation, else a sentence that names the wrong segment. */
export type CheckedPath<Model, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends RelationKey<Model>
    ? Rest extends CheckedPath<RelationTarget<Model[Head & keyof Model]>, Rest>
      ? Path
      : CheckedPath<RelationTarget<Model[Head & keyof Model]>, Rest>
    : `unknown relation "${Head}"`
  : Path extends RelationKey<Model>
    ? Path
    : `unknown relation "${Path}"`;

/** Further paths of a call, each checked, with the options between them. */
export type CheckedPaths<Model, Given extends readonly unknown[]> = {
  [At in keyof Given]: Given[At] extends string ? CheckedPath<Model, Given[At]> : Given[At];
};

type Loaded<Property, TargetRow> = NonNullable<Property> extends readonly unknown[] ? TargetRow[] : TargetRow | null;

type LoadedRowOf<Current, Head extends string, Target> = Head extends keyof Current
  ? NonNullable<Current[Head]> extends readonly (infer Element)[]
    ? Element
    : NonNullable<Current[Head]>
  : Row<Target>;

/** `Current` with the relation(s) of a path loaded. */
export type WithRelation<Current, Model, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Omit<Current, Head> & {
      [Key in Head]: Loaded<
        Model[Head & keyof Model],
        WithRelation<
          LoadedRowOf<Current, Head, RelationTarget<Model[Head & keyof Model]>>,
          RelationTarget<Model[Head & keyof Model]>,
          Rest
        >
      >;
    }
  : Omit<Current, Path> & {
      [Key in Path]: Loaded<
        Model[Path & keyof Model],
        LoadedRowOf<Current, Path, RelationTarget<Model[Path & keyof Model]>>
      >;
    };

/** `Current` with the relations of several paths loaded; what is no path is an option of the one before. */
export type WithRelations<Current, Model, Given extends readonly unknown[]> = Given extends readonly [
  infer First,
  ...infer Rest,
]
  ? WithRelations<First extends string ? WithRelation<Current, Model, First> : Current, Model, Rest>
  : Current;

/** A model whose properties may be written; what generated scanners fill. */
export type Writable<Model> = { -readonly [Key in keyof Model]: Model[Key] };
