import type {
  ColumnKind,
  DbTag,
  JsonTag,
  RelationKind,
  TableIndex,
  ValidationRule,
} from '../../plugins/orm/core/index.js';

/** Where something stands. */
export interface Place {
  /** Absolute path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/** A column as a declaration says it. */
export interface ColumnSource {
  readonly property: string;
  readonly optional: boolean;
  readonly tag: DbTag;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  readonly values?: readonly (string | number)[] | undefined;
  readonly element?: ColumnKind | undefined;
  /** Whether its type names values that the column is not held to. */
  readonly isWidened?: boolean | undefined;
  /** Whether a value that JSON has needs a type assertion; see {@link ColumnType}. */
  readonly isNominal?: boolean | undefined;
  readonly rules: readonly ValidationRule[];
  readonly json: JsonTag | undefined;
  /** First sentence of the JSDoc, for the JSON Schema. */
  readonly description: string | undefined;
}

/** A value of a relation's options. */
export type RelationOption = string | boolean | readonly string[];

/** A model of an installed package, which another model refers to. */
export interface LibraryTarget {
  /** What the class is imported from. */
  readonly from: string;
  /** What is imported so that the model is registered. */
  readonly generated: string;
  readonly columns: readonly { readonly column: string; readonly property: string }[];
}

/** A relation as a declaration says it. */
export interface RelationSource {
  readonly property: string;
  readonly kind: RelationKind;
  /** Name of the target class. */
  readonly target: string;
  /** File of the target class, absolute. */
  readonly targetFile: string;
  /** Name that the file exports the class by. */
  readonly targetExport: string;
  readonly options: Readonly<Record<string, RelationOption>>;
  /** Of a target that an installed package declares: what the package says of it. */
  readonly library?: LibraryTarget | undefined;
  readonly place: Place;
}

/** A model as its file declares it. It is plain data, which can be kept and read back. */
export interface ModelSource {
  /** Absolute path. */
  readonly file: string;
  readonly place: Place;
  readonly name: string;
  /** Name that the file exports the class by. */
  readonly exportName: string;
  readonly table: string;
  readonly description: string | undefined;
  readonly columns: readonly ColumnSource[];
  readonly relations: readonly RelationSource[];
  /** Check constraints: SQL by name. */
  readonly checks: Readonly<Record<string, string>>;
  readonly indexes: readonly TableIndex[];
  /** Names of the databases whose table it is; empty for the one without a name alone. */
  readonly databases: readonly string[];
}
