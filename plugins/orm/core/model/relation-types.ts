declare const relation: unique symbol;

/** Where generated code notes on the type of a class what `create` takes for it. It is nowhere at run time. */
export declare const newRow: unique symbol;

/** A to-many relation: `orders?: HasMany<Order>`. Present on a row only when preloaded. */
export type HasMany<Target extends object> = Target[] & { readonly [relation]?: 'many' };
/** A to-many relation through a join table. */
export type ManyToMany<Target extends object> = Target[] & { readonly [relation]?: 'many' };
/** A to-one relation whose key is in the target's table; null when there is none. */
export type HasOne<Target extends object> = (Target & { readonly [relation]?: 'one' }) | null;
/** A to-one relation whose key is in this table; null when there is none. */
export type BelongsTo<Target extends object> = (Target & { readonly [relation]?: 'one' }) | null;

type IsRelation<Property> = typeof relation extends keyof NonNullable<Property> ? true : false;

/** Names of a model's relations. */
export type RelationKey<Model> = {
  [Key in keyof Model & string]-?: IsRelation<Model[Key]> extends true ? Key : never;
}[keyof Model & string];

/** What one relation holds: the target's type, whether one or many. */
export type RelationTarget<Property> =
  NonNullable<Property> extends readonly (infer Target)[]
    ? Target
    : NonNullable<Property> extends infer Target & { readonly [relation]?: 'one' }
      ? Target
      : never;

/** A row without its relations: what a query gives that preloads nothing. Methods of the class stay. */
export type Row<Model> = {
  [
    Key in keyof Model as Key extends typeof newRow ? never : IsRelation<Model[Key]> extends true ? never : Key
  ]: Model[Key];
};

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

/**
 * What `create` takes: the columns by property. Generated code says which of them may be left out; for a model without it
 * all may, and the metadata decides when the row is written.
 */
export type NewRow<Model> = typeof newRow extends keyof Model ? NonNullable<Model[typeof newRow]> : PartialRow<Model>;

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

/** A model whose properties may be written; what generated scanners fill. */
export type Writable<Model> = { -readonly [Key in keyof Model]: Model[Key] };
