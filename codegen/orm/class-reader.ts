import { ts } from 'ts-morph';
import { declaredName, indexProblems, nameParts, tableNameOf } from '../../plugins/orm/core/index.js';
import { type Member, membersOf, ownMembersOf, type Reading } from './class-members.js';
import { ColumnReader, firstSentence } from './column-reader.js';
import type { LibraryClass } from './library-format.js';
import type { Mark } from './marks.js';
import type { ColumnSource, ModelSource, RelationSource } from './model-source.js';
import { placeOf } from './place.js';
import { isRelation, readRelation } from './relation-source.js';
import { readTableOptions } from './table-options.js';

/** Reads one model class. */
export class ClassReader {
  readonly #name: string;
  readonly #columns: ColumnReader;

  constructor(
    private readonly declaration: ts.ClassLikeDeclaration,
    private readonly reading: Reading,
  ) {
    this.#name = declaration.name?.text ?? '';
    this.#columns = new ColumnReader(declaration, reading);
  }

  /** Whether generated code can import the class and make rows of it; reasons against it are reported. */
  canBeImported(): boolean {
    const {
      declaration,
      reading: { facts },
    } = this;
    const shown = this.#name || 'a model class';
    const has = (kind: ts.SyntaxKind) => (declaration.modifiers ?? []).some((modifier) => modifier.kind === kind);
    const isAtTop = ts.isSourceFile(declaration.parent);
    const objections = [
      this.#name === '' && 'a model class needs a name',
      !isAtTop &&
        `${shown} must stand at the top level of its file: generated code imports it, and nothing can be imported out of a function or a namespace`,
      isAtTop &&
        facts.exportNameOf(declaration) === undefined &&
        `${shown} must be exported by its file, as in \`export class ${shown}\`: generated code imports it`,
      has(ts.SyntaxKind.AbstractKeyword) &&
        `${shown} is abstract, and rows are instances of their model; take @table away from it and put it on the classes that extend it, which inherit its columns`,
      facts.needsArguments(declaration) && `${shown} must be constructible without arguments: rows are its instances`,
      (declaration.typeParameters?.length ?? 0) > 0 &&
        `${shown} has type parameters, and a table has one type; take @table away from it and put it on the classes that extend it`,
    ].filter((each) => each !== false);
    const isWorthReading = this.#name !== '' && isAtTop;
    for (const each of objections.slice(0, isWorthReading ? undefined : 1)) this.reading.report(declaration, each);
    return isWorthReading;
  }

  /** The model; mistakes in it are reported. */
  read(): ModelSource {
    const { declaration } = this;
    const members = membersOf(declaration, this.#name, this.reading);
    const columns = members.flatMap((member) => this.#columns.read(member));
    const hasMarks = members.some(({ marks }) => marks.has('db'));
    if (columns.length === 0 && !hasMarks)
      this.#problem(declaration, `${this.#name} has no column; mark properties with @db`);
    this.#checkColumns(columns);
    const mark = this.reading.marks.marksOf(declaration).find(({ name }) => name === 'table') as Mark;
    const options = readTableOptions(mark.args[1], (message) => this.#problem(mark.node, message));
    const properties = columns.map(({ property }) => property);
    for (const problem of indexProblems(options.indexes, properties))
      this.#problem(mark.node, `${this.#name}: ${problem}`);
    return {
      file: declaration.getSourceFile().fileName,
      place: placeOf(declaration),
      name: this.#name,
      exportName: this.reading.facts.exportNameOf(declaration) ?? this.#name,
      table: this.#tableName(mark),
      description: firstSentence(declaration),
      columns,
      relations: members.flatMap((member) => this.#relation(member)),
      ...options,
    };
  }

  /** The marks of the class itself, for users of a package who do not have its source. */
  ownMembers(): LibraryClass['members'] {
    const own = ownMembersOf(this.declaration, this.#name, this.reading);
    return Object.fromEntries(own.map((member) => [member.name, this.#said(member)]));
  }

  #said(member: Member): LibraryClass['members'][string] {
    const column = this.#columns.typeOf(member);
    const said = [...member.marks.values()].map((mark) => [
      mark.name,
      isRelation(mark) ? mark.args.slice(1) : [...mark.args],
    ]);
    return {
      marks: Object.fromEntries(said) as LibraryClass['members'][string]['marks'],
      ...(column && { column }),
    };
  }

  #tableName({ args: [given], node }: Mark): string {
    if (given === undefined) return tableNameOf(this.#name);
    if (typeof given === 'string' && nameParts(given) !== undefined) return declaredName(given);
    const expected = 'a text of up to three parts joined by dots (one with a dot in it stands in double quotes)';
    this.#problem(node, `${this.#name}: the name of a table is ${expected}, got ${JSON.stringify(given)}`);
    return tableNameOf(this.#name);
  }

  #checkColumns(columns: readonly ColumnSource[]): void {
    const counted = columns.filter(({ tag }) => tag.autoincrement);
    if (counted.length > 1) {
      const names = counted.map(({ property }) => property).join(' and ');
      this.#problem(this.declaration, `${this.#name} has two autoincrement columns, ${names}; at most one is possible`);
    }
    for (const { json, optional, property } of columns) {
      if (json?.writeOnly && !optional)
        this.#problem(
          this.declaration,
          `${this.#name}.${property} is writeonly, so that rows are read without it: declare it as ${property}?`,
        );
    }
    const seen = new Set<string>();
    for (const { tag, property } of columns) {
      if (seen.has(tag.column))
        this.#problem(this.declaration, `${this.#name}.${property} repeats the column "${tag.column}"`);
      seen.add(tag.column);
    }
  }

  #relation({ name, node, marks }: Member): RelationSource[] {
    const relations = [...marks.values()].filter(isRelation);
    const [mark] = relations;
    if (mark === undefined) return [];
    const shown = `${this.#name}.${name}`;
    if (relations.length > 1 || marks.has('db')) this.#problem(node, `${shown} is one thing: a column or one relation`);
    const { facts } = this.reading;
    const kind = facts.propertyOf(this.declaration, name, node).relationKind();
    const read = readRelation(mark, { name, node, kind, shown }, this.reading);
    return read ? [read] : [];
  }

  #problem(node: ts.Node, message: string): void {
    this.reading.report(node, message);
  }
}
