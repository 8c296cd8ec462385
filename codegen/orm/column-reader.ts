import { ts } from 'ts-morph';
import {
  checkedDefault,
  enumProblem,
  filledProblem,
  formatProblem,
  generatedProblem,
  inheritedProblem,
  parseDbTag,
  parseJsonTag,
  parseValidateTag,
  versionProblem,
  type DbTag,
  type TemporalClass,
} from '../../plugins/orm/core/index.js';
import type { PropertyFacts } from './class-facts.js';
import type { Member, Reading } from './class-members.js';
import { KNOWN_TYPES, type ColumnType } from './column-type.js';
import type { LibraryClass } from './library-format.js';
import type { Mark } from './marks.js';
import type { ColumnSource } from './model-source.js';
import { orReported, type ParseTag, tagOf } from './tags.js';

/** Reads the columns of one class. */
export class ColumnReader {
  readonly #name: string;

  constructor(
    readonly declaration: ts.ClassLikeDeclaration,
    readonly reading: Reading,
  ) {
    this.#name = declaration.name?.text ?? '';
  }

  /** The column of a member, if it is one; mistakes in it are reported. */
  read({ name, node, marks }: Member): ColumnSource[] {
    const mark = marks.get('db');
    if (mark === undefined) return [];
    const shown = `${this.#name}.${name}`;
    const tag = this.#tag(mark, name, parseDbTag);
    if (tag === undefined || tag.excluded) return [];
    if (!ts.isIdentifier(node.name)) {
      this.#problem(
        node,
        `${shown} must have a plain name: generated code writes it behind a dot; name the column in @db`,
      );
      return [];
    }
    if (ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected))
      this.#problem(node, `${shown} must be public: generated code reads and writes it`);
    const property = this.reading.facts.propertyOf(this.declaration, name, node);
    const type = this.#saidType(property, node) ?? this.#columnType(shown, property, node, tag);
    if (type === undefined) return [];
    const declared = { ...tag, kind: type.kind, temporal: type.temporal };
    const counted = { ...declared, nullable: type.nullable || tag.nullable };
    const problem =
      inheritedProblem({ property: name }) ??
      enumProblem({ ...type, ...tag }) ??
      formatProblem(declared) ??
      filledProblem(declared) ??
      generatedProblem(declared) ??
      versionProblem(counted);
    if (problem !== undefined) this.#problem(mark.node, `${shown}: ${problem}`);
    this.#checkDefault(mark, name, { ...tag, ...type });
    const rules = marks.get('validate');
    const json = marks.get('json');
    return [
      {
        property: name,
        optional: property.optional,
        tag,
        ...type,
        nullable: type.nullable || tag.nullable,
        rules: (rules && this.#tag(rules, name, parseValidateTag)) ?? [],
        json: json && this.#tag(json, name, parseJsonTag),
        description: firstSentence(node),
      },
    ];
  }

  /** The type of a member's column, for users of a package who do not have its source. */
  typeOf({ name, node, marks }: Member): LibraryClass['members'][string]['column'] {
    const db = marks.get('db');
    const tag = db && this.#tag(db, name, parseDbTag);
    if (!tag || tag.excluded) return undefined;
    const type = this.#columnType(name, this.reading.facts.propertyOf(this.declaration, name, node), node, tag);
    return type && plainType(type);
  }

  // A declaration file may lack inferred types; the package's description has them.
  #saidType({ isNarrowed }: PropertyFacts, node: ts.PropertyDeclaration): ColumnType | undefined {
    return isNarrowed ? undefined : (this.reading.libraries.memberOf(node)?.column as ColumnType | undefined);
  }

  #columnType(
    shown: string,
    property: PropertyFacts,
    node: ts.PropertyDeclaration,
    tag: DbTag,
  ): ColumnType | undefined {
    const found = property.columnType();
    const known = 'refusal' in found ? undefined : heldTo(found, tag);
    if (tag.temporal !== undefined && known !== undefined && !fits(known, tag.temporal))
      this.#problem(node, `the tag of ${shown} says Temporal.${tag.temporal}, but its type is another`);
    if (tag.kind !== undefined)
      return {
        nullable: property.isNullable,
        ...known,
        kind: tag.kind,
        ...(tag.temporal && { temporal: tag.temporal }),
      };
    if ('refusal' in found)
      this.#problem(node, `${shown} ${found.refusal}; a column is ${KNOWN_TYPES}; or say type=<kind> in @db`);
    return known;
  }

  #checkDefault(mark: Mark, property: string, { column, default: text, kind, values }: DbTag & ColumnType): void {
    const declared = { property, column, kind, values, default: text };
    orReported(mark.node, () => checkedDefault(this.#name, declared), this.reading.report);
  }

  #tag<Tag>(mark: Mark, field: string, parse: ParseTag<Tag>): Tag | undefined {
    return tagOf(mark, { model: this.#name, field }, parse, this.reading.report);
  }

  #problem(node: ts.Node, message: string): void {
    this.reading.report(node, message);
  }
}

// A type that is not known may be the class.
const fits = ({ kind, temporal }: ColumnType, said: TemporalClass): boolean => kind === 'any' || temporal === said;

const plainType = ({
  kind,
  temporal,
  nullable,
  values,
  element,
  dimensions,
  isNominal,
}: ColumnType): NonNullable<LibraryClass['members'][string]['column']> => ({
  kind,
  ...(temporal && { temporal }),
  nullable,
  ...(values && { values: [...values] }),
  ...(element && { element }),
  ...(dimensions && { dimensions }),
  ...(isNominal && { isNominal }),
});

// A flag enum is stored as a number, unless the tag restricts it to the enum's values.
function heldTo({ isFlags, values, ...type }: ColumnType, { enumAs }: DbTag): ColumnType {
  if (isFlags && (enumAs === undefined || enumAs === 'none')) return { ...type, kind: 'int' };
  return { ...type, ...(values && { values }) };
}

/** The first sentence of a declaration's JSDoc. */
export function firstSentence(node: ts.Node): string | undefined {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
  const text = ts.getTextOfJSDocComment(doc?.comment)?.trim().replace(/\s+/g, ' ');
  return text ? (/^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text) : undefined;
}
