import type { ts } from 'ts-morph';
import type { ColumnType, Refusal } from './column-type.js';
import type { Mark, Report } from './marks.js';

/** Facts about a property of a model besides its marks. */
export interface PropertyFacts {
  readonly optional: boolean;
  /** Whether a subclass declares it again. */
  readonly isNarrowed: boolean;
  /** Whether `null` is one of its values. */
  readonly isNullable: boolean;
  /** Type of its column, with values in the order of the source; or the reason why the type is no column's. */
  columnType(): ColumnType | Refusal;
  /** Kind of a relation's type: `hasMany` for `HasMany`; undefined for other types. */
  relationKind(): string | undefined;
}

/** Facts about classes that their own text does not show. */
export interface ClassFacts {
  /**
   * The declarations of a class and of those that it extends, the base first. Members of a base whose decorators cannot be read are
   * reported.
   */
  chainOf(declaration: ts.ClassLikeDeclaration, report: Report): readonly ts.ClassLikeDeclaration[];
  /** Name that a class can be imported by from the file that declares it. */
  exportNameOf(declaration: ts.ClassLikeDeclaration): string | undefined;
  /** Whether a class cannot be made without arguments. */
  needsArguments(declaration: ts.ClassLikeDeclaration): boolean;
  /** The property as the model has it, where the values of type parameters are known. */
  propertyOf(model: ts.ClassLikeDeclaration, name: string, node: ts.PropertyDeclaration): PropertyFacts;
  /** The class that a relation leads to. */
  targetOf(mark: Mark, node: ts.PropertyDeclaration): ts.ClassLikeDeclaration | undefined;
  /** Name of a relation's target that cannot be resolved. */
  lostTargetOf(mark: Mark): string | undefined;
  /** Records the files that the meaning of a file or a declaration depends on. */
  note(node: ts.SourceFile | ts.ClassLikeDeclaration): void;
  /** Absolute paths of the recorded files. */
  readonly files: ReadonlySet<string>;
  /** Whether a question needed an import that the program has not followed, so that a larger program has to answer. */
  readonly isCut: boolean;
}
