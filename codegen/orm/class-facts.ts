import type { ts } from 'ts-morph';
import type { ColumnType, Refusal } from './column-type.js';
import type { Mark, Report } from './marks.js';

/** What a property of a model is, beyond its marks. */
export interface PropertyFacts {
  readonly optional: boolean;
  /** Whether a class nearer to the model declares it again. */
  readonly isNarrowed: boolean;
  /** Whether `null` is one of its values. */
  readonly isNullable: boolean;
  /** What its column holds, values in the order in which they are written; or why there is no such column. */
  columnType(): ColumnType | Refusal;
  /** The name of a relation's type (`HasMany`) as `hasMany`; undefined for a type that is none. */
  relationKind(): string | undefined;
}

/** What is asked about classes beyond what their own text shows. */
export interface ClassFacts {
  /**
   * The declarations of a class and of those that it extends, the base first. What a base holds that no decorator can be read from is
   * reported.
   */
  chainOf(declaration: ts.ClassLikeDeclaration, report: Report): readonly ts.ClassLikeDeclaration[];
  /** Name that a class can be imported by from the file that declares it. */
  exportNameOf(declaration: ts.ClassLikeDeclaration): string | undefined;
  /** Whether a class cannot be made without arguments. */
  needsArguments(declaration: ts.ClassLikeDeclaration): boolean;
  /** The property as the model has it: what its type parameters stand for is known there. */
  propertyOf(model: ts.ClassLikeDeclaration, name: string, node: ts.PropertyDeclaration): PropertyFacts;
  /** The class that a relation leads to. */
  targetOf(mark: Mark, node: ts.PropertyDeclaration): ts.ClassLikeDeclaration | undefined;
  /** The name of a relation's target that leads nowhere. */
  lostTargetOf(mark: Mark): string | undefined;
  /** Notes the files that decide what a file or a declaration means. */
  note(node: ts.SourceFile | ts.ClassLikeDeclaration): void;
  /** Absolute paths of the files that were noted. */
  readonly files: ReadonlySet<string>;
  /** Whether something was asked that the program had not followed, so that a larger one has to answer. */
  readonly isCut: boolean;
}
