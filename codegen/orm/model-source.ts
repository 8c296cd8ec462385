import type { SourceFile } from 'ts-morph';
import type {
  ColumnKind,
  DbTag,
  JsonTag,
  RelationKind,
  TableIndex,
  ValidationRule,
} from '../../plugins/orm/core/index.js';

/** A column as a declaration says it. */
export interface ColumnSource {
  readonly property: string;
  readonly optional: boolean;
  readonly tag: DbTag;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  readonly values?: readonly (string | number)[] | undefined;
  readonly element?: ColumnKind | undefined;
  readonly rules: readonly ValidationRule[];
  readonly json: JsonTag | undefined;
  /** First sentence of the JSDoc, for the JSON Schema. */
  readonly description: string | undefined;
}

/** A value of a relation's options. */
export type RelationOption = string | boolean | readonly string[];

/** A relation as a declaration says it. */
export interface RelationSource {
  readonly property: string;
  readonly kind: RelationKind;
  readonly target: string;
  /** File of the target class, absolute, without its ending; undefined when it stands in the same file. */
  readonly targetModule: string | undefined;
  readonly options: Readonly<Record<string, RelationOption>>;
}

/** A model as its file declares it. */
export interface ModelSource {
  readonly file: SourceFile;
  readonly name: string;
  readonly table: string;
  readonly description: string | undefined;
  readonly columns: readonly ColumnSource[];
  readonly relations: readonly RelationSource[];
  /** Check constraints: SQL by name. */
  readonly checks: Readonly<Record<string, string>>;
  readonly indexes: readonly TableIndex[];
  /** Further files that the declaration takes from, such as that of a base class. */
  readonly alsoFrom: readonly string[];
}
