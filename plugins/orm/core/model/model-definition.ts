import type { ColumnKind } from './kinds.js';
import type { TemporalClass } from './temporal.js';
import type { FilledOn } from './filled-time.js';
import type { ValidationRule } from './tag-grammar.js';

/**
 * How the database holds a column to the values of its type: by a check, by an enum of its own where it has such a type, or not at
 * all (`enum=` in the tag). Left out, it is a check.
 */
export type EnumForm = 'check' | 'native' | 'none';

/** A value of a column whose type lists its values. */
export type EnumValue = string | number;

/** A model class. It must be constructible without arguments: rows that are read are its instances. */
export type ModelClass<Model extends object = object> = new () => Model;

/** One declared column, the common form of generated models and decorators. */
export interface ColumnDefinition {
  /** Property of the class. */
  readonly property: string;
  /** Name in the table. */
  readonly column: string;
  readonly kind: ColumnKind;
  /** Class of Temporal that its values have in the application; its kind is that of the class. */
  readonly temporal?: TemporalClass;
  readonly nullable?: boolean;
  readonly primaryKey?: boolean;
  readonly autoincrement?: boolean;
  readonly generated?: boolean;
  /** How the database computes its values from other columns, as SQL (`generated=<SQL>`); it is `generated` then. */
  readonly expression?: string;
  /** Whether such a value is computed when it is read, and kept nowhere (`virtual`). */
  readonly virtual?: boolean;
  /** When the ORM fills the column with the present time (`filled=create`, `filled=update`). */
  readonly filledOn?: FilledOn;
  /** Whether the column counts the changes of its row, so that a row which somebody else has changed is not overwritten. */
  readonly version?: boolean;
  readonly unique?: boolean;
  readonly index?: boolean;
  /** Default of the tag, as text. */
  readonly default?: string;
  readonly size?: number;
  readonly precision?: number;
  readonly scale?: number;
  /** How the column holds times (`format=`), where the dialect's own choice for a Date is another. */
  readonly format?: string;
  readonly rename?: string;
  /** What the database keeps about the column in words (`comment=`); an empty one takes away what is there. */
  readonly comment?: string;
  /** The column's type as SQL (`sql=`), where the database's own choice for the kind is another. */
  readonly sqlType?: string;
  /** Values of an enum column; of an array, those of its elements. */
  readonly values?: readonly EnumValue[];
  readonly enumAs?: EnumForm;
  /** Kind of the elements of an array column. */
  readonly element?: ColumnKind;
  readonly rules?: readonly ValidationRule[];
  /** Name on the wire, when it differs from the property; `-` for a private column. */
  readonly json?: string;
  /** Whether clients send it and never get it; it is not read by default. */
  readonly writeOnly?: boolean;
  /** Whether a query computes it, and no table holds it. */
  readonly computed?: boolean;
}

/** Kind of a relation: which table has the key, and how many rows belong together. */
export type RelationKind = 'hasOne' | 'hasMany' | 'belongsTo' | 'manyToMany';

/** Columns of a relation; what is left out follows the convention `<singular>_id` to the primary key. */
export interface RelationOptions {
  /** Foreign key column(s): of the target for hasOne and hasMany, of this model for belongsTo. */
  readonly fk?: string | readonly string[];
  /** Column(s) that the foreign key points at. */
  readonly references?: string | readonly string[];
}

/** What the database does with rows that refer to one that is deleted, or whose key changes. */
export type ReferentialAction = 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default';

/** Options of belongsTo. */
export interface BelongsToOptions extends RelationOptions {
  /**
   * Whether the database has a foreign key for the relation, for migrations: true adds it, false drops it. Left out, `onDelete`
   * or `onUpdate` mean true, and without them a foreign key stays when it is there.
   */
  readonly constraint?: boolean;
  readonly onDelete?: ReferentialAction;
  readonly onUpdate?: ReferentialAction;
  /**
   * Whether the check of the foreign key can wait for the end of a transaction (`DEFERRABLE`): `immediate` where the transaction asks
   * for it, `deferred` by itself. Left out, one that is there stays as it is. Migrations refuse it where a database has no such thing.
   */
  readonly deferrable?: 'immediate' | 'deferred';
}

/** Options of manyToMany. */
export interface ManyToManyOptions {
  /** The table between. */
  readonly join: string;
  /** Its column that points at this model. */
  readonly joinFk?: string;
  /** Its column that points at the target. */
  readonly joinRefFk?: string;
}

/** One relation as declared. */
export interface RelationDefinition extends BelongsToOptions, Partial<ManyToManyOptions> {
  readonly property: string;
  readonly kind: RelationKind;
  /** The target class; a function, so that models may refer to each other. */
  readonly target: () => ModelClass;
}

/** An index of a table, beside those that the tags `unique` and `index` make of one column. */
export interface TableIndex<Property extends string = string> {
  /** Properties whose columns it covers, in its order. Only an index of expressions has none. */
  readonly columns?: readonly Property[];
  /** Parts behind the columns that are more than a column, as SQL: `lower(email)`, `joined_at DESC`. */
  readonly expressions?: readonly string[];
  /** Condition of the rows that it holds, as SQL: `deleted_at IS NULL`. Default: all rows. */
  readonly where?: string;
  /** Method in the words of the database, such as `gin`. Default: the one that it takes itself. */
  readonly using?: string;
  /** Whether no two rows may have the same values in them. Default false. */
  readonly unique?: boolean;
  /** Properties whose columns stand in the index beside those that it is ordered by (`INCLUDE`), so that it answers for them alone. */
  readonly include?: readonly Property[];
  /** Whether null is a value like any other to a unique index (`NULLS NOT DISTINCT`). Default false. */
  readonly nullsNotDistinct?: boolean;
  /**
   * Name in the database. Default: table and columns, as in `users_tenant_id_email_key` (`_idx` when not unique). The name of an index
   * that is more than its columns ends in a digest of what it is.
   */
  readonly name?: string;
}

/** A row as the drivers give it: values by position. */
export type PositionalRow = readonly unknown[];

/**
 * Decoders of one dialect by column kind; identity where the driver's value is already right. Called with non-null values; that of
 * arrays also with the kind of their elements.
 */
export type Decoders = { readonly [Kind in ColumnKind]: (value: unknown, element?: ColumnKind) => never };

/** Turns one positional row into an object. */
export type RowScanner<Row> = (row: PositionalRow) => Row;

/** The eight lifecycle hooks (SPEC "ORM values"). */
export const HOOK_NAMES = [
  'beforeCreate',
  'afterCreate',
  'beforeUpdate',
  'afterUpdate',
  'beforeDelete',
  'afterDelete',
  'beforeSave',
  'afterSave',
] as const;

/** A method that a model may have; the ORM calls it before or after a row is created, changed, saved or deleted. */
export type HookName = (typeof HOOK_NAMES)[number];

/** Definition of a model. */
export interface ModelDefinition<Model extends object = object> {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly ColumnDefinition[];
  readonly relations?: readonly RelationDefinition[];
  /** Whether it describes the rows of a query, which have no key. */
  readonly derived?: boolean;
  /** Conditions that the database holds every row to: SQL by name. */
  readonly checks?: Readonly<Record<string, string>>;
  readonly indexes?: readonly TableIndex[];
  /** The query of a view, as SQL, or that somebody else makes it; its rows are only read. */
  readonly view?: string | true;
  /** Whether rows have a primary key: columns that say `pk`, or else the one called id. Default true. */
  readonly primaryKey?: boolean;
  /** What the database keeps about the table in words. */
  readonly comment?: string;
  /** Names of the databases whose table it is; default the one without a name, which is `default`. */
  readonly database?: string | readonly string[];
  /** Makes the scanner of whole rows for one dialect; generated. Without it a slower general one is used. */
  readonly scanner?: (decode: Decoders) => RowScanner<Model>;
  /** Reads the properties of all columns, in order; generated. */
  readonly values?: (row: Model) => unknown[];
  /** JSON Schema of the model on the wire; generated. */
  readonly schema?: Readonly<Record<string, unknown>>;
}
