import type {
  ColumnKind,
  DbTag,
  JsonTag,
  RelationKind,
  TableIndex,
  TemporalClass,
  ValidationRule,
} from '../../plugins/orm/core/index.js';

/** A place in a source file. */
export interface Place {
  /** Absolute path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/** A column as its declaration describes it. */
export interface ColumnSource {
  readonly property: string;
  readonly optional: boolean;
  readonly tag: DbTag;
  readonly kind: ColumnKind;
  /** Class of Temporal that its values have. */
  readonly temporal?: TemporalClass | undefined;
  readonly nullable: boolean;
  readonly values?: readonly (string | number)[] | undefined;
  readonly element?: ColumnKind | undefined;
  /** How many lists stand in each other, from 2 on. */
  readonly dimensions?: number | undefined;
  /** Whether its type lists values that do not restrict the column. */
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

/** A model of an installed package that another model refers to. */
export interface LibraryTarget {
  /** Module that exports the class. */
  readonly from: string;
  /** Module to import so that the model is registered. */
  readonly generated: string;
  readonly columns: readonly { readonly column: string; readonly property: string }[];
}

/** A relation as its declaration describes it. */
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
  /** For a target in an installed package: the package's description of it. */
  readonly library?: LibraryTarget | undefined;
  readonly place: Place;
}

/** A model as its file declares it. It is plain data that can be cached. */
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
  /** The query of a view; true for a view without one. */
  readonly view?: string | true;
  /** False if rows have no key although a column is called id. */
  readonly primaryKey?: false;
  /** Comment of the table in the database. */
  readonly comment?: string;
  /** Names of the databases that have the table; empty for only the unnamed one. */
  readonly databases: readonly string[];
}
