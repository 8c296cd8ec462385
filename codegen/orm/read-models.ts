import path from 'node:path';
import {
  Node,
  type ClassDeclaration,
  type Decorator,
  type Project,
  type PropertyDeclaration,
  type SourceFile,
} from 'ts-morph';
import { isFwError } from '../../kernel/index.js';
import {
  checkedDefault,
  indexProblems,
  parseDbTag,
  parseJsonTag,
  parseValidateTag,
  tableNameOf,
  type DbTag,
  type RelationKind,
} from '../../plugins/orm/core/index.js';
import { problemAt, type SourceProblem } from '../engine/source-problem.js';
import { KNOWN_TYPES, columnType, type ColumnType } from './column-type.js';
import type { ColumnSource, ModelSource, RelationOption, RelationSource } from './model-source.js';
import { readTableOptions } from './table-options.js';

const RELATIONS: ReadonlySet<string> = new Set(['hasOne', 'hasMany', 'belongsTo', 'manyToMany']);
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  hasOne: ['fk', 'references'],
  hasMany: ['fk', 'references'],
  belongsTo: ['fk', 'references', 'constraint', 'onDelete', 'onUpdate'],
  manyToMany: ['join', 'joinFk', 'joinRefFk'],
};

/** What a file declares, or what is wrong with it. */
export interface FileModels {
  readonly models: readonly ModelSource[];
  readonly problems: readonly SourceProblem[];
}

/** Reads the model classes of a file: every class that carries `@table`. */
export function readModels(file: SourceFile, project: Project): FileModels {
  const problems: SourceProblem[] = [];
  const marked = file.getClasses().filter((declaration) => declaration.getDecorator('table') !== undefined);
  const models = marked.map((declaration) => new ClassReader(declaration, project, problems).read());
  return { models, problems };
}

class ClassReader {
  readonly #name: string;

  constructor(
    private readonly declaration: ClassDeclaration,
    private readonly project: Project,
    private readonly problems: SourceProblem[],
  ) {
    this.#name = declaration.getName() ?? '';
  }

  read(): ModelSource {
    const { declaration } = this;
    this.#checkClass();
    const chain = this.#chain();
    const properties = chain.flatMap((each) => each.getProperties());
    const columns = properties.flatMap((property) => this.#column(property));
    if (columns.length === 0) this.#problem(declaration, `${this.#name} has no column; mark properties with @db`);
    this.#checkColumns(columns);
    const options = readTableOptions(declaration.getDecorator('table')?.getArguments()[1], (node, message) =>
      this.#problem(node, message),
    );
    for (const problem of indexProblems(
      options.indexes,
      columns.map(({ property }) => property),
    ))
      this.#problem(declaration.getDecoratorOrThrow('table'), `${this.#name}: ${problem}`);
    return {
      file: declaration.getSourceFile(),
      name: this.#name,
      table: this.#stringArgument(declaration.getDecorator('table')) ?? tableNameOf(this.#name),
      description: firstSentence(declaration),
      columns,
      relations: properties.flatMap((property) => this.#relation(property)),
      ...options,
      alsoFrom: chain
        .map((each) => each.getSourceFile().getFilePath())
        .filter((from) => from !== declaration.getSourceFile().getFilePath()),
    };
  }

  #checkClass(): void {
    const { declaration } = this;
    if (this.#name === '') this.#problem(declaration, 'a model class needs a name');
    if (!declaration.hasExportKeyword())
      this.#problem(declaration, `${this.#name} must be exported: generated code imports it`);
    if (declaration.hasDefaultKeyword()) this.#problem(declaration, `${this.#name} must be a named export`);
    const parameters = declaration.getConstructors().flatMap((made) => made.getParameters());
    if (parameters.some((parameter) => !parameter.isOptional())) {
      this.#problem(declaration, `${this.#name} must be constructible without arguments: rows are its instances`);
    }
  }

  #checkColumns(columns: readonly ColumnSource[]): void {
    const counted = columns.filter(({ tag }) => tag.autoincrement);
    if (counted.length > 1) {
      const names = counted.map(({ property }) => property).join(' and ');
      this.#problem(this.declaration, `${this.#name} has two autoincrement columns, ${names}; at most one is possible`);
    }
    const seen = new Set<string>();
    for (const { tag, property } of columns) {
      if (seen.has(tag.column))
        this.#problem(this.declaration, `${this.#name}.${property} repeats the column "${tag.column}"`);
      seen.add(tag.column);
    }
  }

  // The class and those it extends, the base first, so that their columns come first.
  #chain(): ClassDeclaration[] {
    const chain = [this.declaration];
    for (let at: ClassDeclaration | undefined = this.declaration; at;) {
      const base: string | undefined = at.getExtends()?.getExpression().getText();
      at = base === undefined ? undefined : this.#classNamed(base, at.getSourceFile());
      if (at) chain.unshift(at);
    }
    return chain;
  }

  #classNamed(name: string, from: SourceFile): ClassDeclaration | undefined {
    const here = from.getClass(name);
    if (here) return here;
    const module = moduleOf(name, from);
    const file =
      module === undefined
        ? undefined
        : (this.project.getSourceFile(`${module}.ts`) ?? this.project.addSourceFileAtPathIfExists(`${module}.ts`));
    return file?.getClass(name);
  }

  #column(property: PropertyDeclaration): ColumnSource[] {
    const decorator = property.getDecorator('db');
    if (decorator === undefined) return [];
    const tag = this.#tag(decorator, property, parseDbTag);
    if (tag === undefined || tag.excluded) return [];
    if (!Node.isIdentifier(property.getNameNode())) {
      this.#problem(
        property,
        `${this.#name}.${property.getName()} must have a plain name: generated code writes it behind a dot; name the column in @db`,
      );
      return [];
    }
    if (property.hasModifier('private') || property.hasModifier('protected')) {
      this.#problem(property, `${this.#name}.${property.getName()} must be public: generated code reads and writes it`);
    }
    const type = this.#type(property, tag);
    if (type === undefined) return [];
    this.#checkDefault(decorator, property, { ...tag, ...type });
    return [
      {
        property: property.getName(),
        optional: property.hasQuestionToken(),
        tag,
        ...type,
        nullable: type.nullable || tag.nullable,
        rules: this.#optionalTag(property, 'validate', parseValidateTag) ?? [],
        json: this.#optionalTag(property, 'json', parseJsonTag),
        description: firstSentence(property),
      },
    ];
  }

  #checkDefault(
    decorator: Decorator,
    property: PropertyDeclaration,
    { column, default: text, kind, values }: DbTag & ColumnType,
  ): void {
    const declared = { property: property.getName(), column, kind, values, default: text };
    this.#orProblem(decorator, () => checkedDefault(this.#name, declared));
  }

  #type(property: PropertyDeclaration, tag: DbTag) {
    const node = property.getTypeNode();
    const found = node && columnType(node, (name) => declarationNamed(name, property.getSourceFile()));
    if (tag.kind !== undefined) {
      return { nullable: /\bnull\b/.test(node?.getText() ?? ''), ...found, kind: tag.kind };
    }
    if (found) return found;
    const written = node ? `has the type ${node.getText().slice(0, 60)}` : 'has no written type';
    this.#problem(
      property,
      `${this.#name}.${property.getName()} ${written}; a column is ${KNOWN_TYPES}; or say type=<kind> in @db`,
    );
    return undefined;
  }

  #relation(property: PropertyDeclaration): RelationSource[] {
    const decorator = property.getDecorators().find((each) => RELATIONS.has(each.getName()));
    if (!decorator) return [];
    const kind = decorator.getName() as RelationKind;
    const [targetArgument, optionsArgument] = decorator.getArguments();
    const target = targetArgument && targetName(targetArgument);
    if (target === undefined) {
      this.#problem(decorator, `@${kind} takes a function that gives the target class, as in @${kind}(() => Order)`);
      return [];
    }
    this.#checkRelationType(property, kind);
    return [
      {
        property: property.getName(),
        kind,
        target,
        targetModule: property.getSourceFile().getClass(target)
          ? undefined
          : moduleOf(target, property.getSourceFile()),
        options: optionsArgument ? this.#relationOptions(kind, optionsArgument) : {},
      },
    ];
  }

  // The alias is what lets the types tell a relation from a column, so that rows have it only when it is preloaded.
  #checkRelationType(property: PropertyDeclaration, kind: RelationKind): void {
    const expected = kind.charAt(0).toUpperCase() + kind.slice(1);
    if (new RegExp(`\\b${expected}<`).test(property.getTypeNode()?.getText() ?? '')) return;
    this.#problem(
      property,
      `${this.#name}.${property.getName()} must have the type ${expected}<...>, as in: ${property.getName()}?: ${expected}<Target>`,
    );
  }

  #relationOptions(kind: RelationKind, node: Node): Record<string, RelationOption> {
    const options: Record<string, RelationOption> = {};
    for (const member of Node.isObjectLiteralExpression(node) ? node.getProperties() : []) {
      const value = Node.isPropertyAssignment(member) ? optionOf(member.getInitializer()) : undefined;
      const name = Node.isPropertyAssignment(member) ? member.getName() : member.getText();
      if (value === undefined)
        this.#problem(member, `${name} must be written as a string, a list of strings, true or false`);
      else if (!OPTIONS[kind]?.includes(name))
        this.#problem(member, `@${kind} has no option "${name}"; its options: ${OPTIONS[kind]?.join(', ')}`);
      else options[name] = value;
    }
    return options;
  }

  #optionalTag<Tag>(property: PropertyDeclaration, name: string, parse: ParseTag<Tag>): Tag | undefined {
    const decorator = property.getDecorator(name);
    return decorator && this.#tag(decorator, property, parse);
  }

  #tag<Tag>(decorator: Decorator, property: PropertyDeclaration, parse: ParseTag<Tag>): Tag | undefined {
    const text = this.#stringArgument(decorator);
    if (text === undefined) {
      this.#problem(
        decorator,
        `@${decorator.getName()} takes one string written in place; it is read without running the code`,
      );
      return undefined;
    }
    return this.#orProblem(decorator, () => parse(text, { model: this.#name, field: property.getName() }));
  }

  #orProblem<Result>(node: Node, read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      if (!isFwError(error)) throw error;
      this.#problem(node, error.message);
      return undefined;
    }
  }

  #stringArgument(decorator: Decorator | undefined): string | undefined {
    const [argument] = decorator?.getArguments() ?? [];
    const isText = Node.isStringLiteral(argument) || Node.isNoSubstitutionTemplateLiteral(argument);
    return isText ? argument.getLiteralText() : undefined;
  }

  #problem(node: Node, message: string): void {
    this.problems.push(problemAt(node, message));
  }
}

type ParseTag<Tag> = (text: string, place: { model: string; field: string }) => Tag;

function targetName(argument: Node): string | undefined {
  if (!Node.isArrowFunction(argument)) return undefined;
  const body = argument.getBody();
  return Node.isIdentifier(body) ? body.getText() : undefined;
}

function optionOf(node: Node | undefined): RelationOption | undefined {
  if (Node.isTrueLiteral(node)) return true;
  if (Node.isFalseLiteral(node)) return false;
  if (Node.isStringLiteral(node)) return node.getLiteralText();
  if (!Node.isArrayLiteralExpression(node)) return undefined;
  const items = node
    .getElements()
    .map((element) => (Node.isStringLiteral(element) ? element.getLiteralText() : undefined));
  return items.includes(undefined) ? undefined : (items as string[]);
}

/** Absolute path of the module that a name is imported from, without its ending; undefined for packages. */
function moduleOf(name: string, from: SourceFile): string | undefined {
  const found = from
    .getImportDeclarations()
    .find((each) =>
      each.getNamedImports().some((named) => (named.getAliasNode() ?? named.getNameNode()).getText() === name),
    );
  const specifier = found?.getModuleSpecifierValue();
  if (specifier === undefined || !specifier.startsWith('.')) return undefined;
  return path.posix.join(path.posix.dirname(from.getFilePath()), specifier.replace(/\.[cm]?[jt]s$/, ''));
}

const declarationNamed = (name: string, file: SourceFile): Node | undefined =>
  file.getTypeAlias(name) ?? file.getEnum(name);

function firstSentence(node: ClassDeclaration | PropertyDeclaration): string | undefined {
  const text = node.getJsDocs().at(-1)?.getDescription().trim().replace(/\s+/g, ' ');
  return text ? (/^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text) : undefined;
}
