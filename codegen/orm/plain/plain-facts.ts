import { ts } from 'ts-morph';
import { FunctionValue, returnedBy } from '../../evaluator/index.js';
import type { ClassFacts, PropertyFacts } from '../class-facts.js';
import type { Mark } from '../marks.js';
import { notPlain } from './not-plain.js';
import type { PlainFiles } from './plain-files.js';
import { PlainTypes } from './plain-types.js';

/**
 * Facts about classes from their text alone, without a type checker, which suffices for the types of most models. Anything uncertain ends
 * the reading with `NotPlain`.
 */
export class PlainFacts implements ClassFacts {
  readonly isCut = false;
  readonly #types: PlainTypes;
  readonly #files = new Set<string>();
  readonly #chains = new Map<ts.ClassLikeDeclaration, readonly ts.ClassLikeDeclaration[]>();
  readonly #members = new Map<ts.ClassLikeDeclaration, ReadonlyMap<string, ts.ClassElement>>();

  constructor(readonly sources: PlainFiles) {
    this.#types = new PlainTypes(sources);
  }

  get files(): ReadonlySet<string> {
    return new Set([...this.#files, ...this.#types.files]);
  }

  note(node: ts.SourceFile | ts.ClassLikeDeclaration): void {
    const file = node.getSourceFile();
    this.sources.namesOf(file);
    this.#files.add(file.fileName);
  }

  chainOf(declaration: ts.ClassLikeDeclaration): readonly ts.ClassLikeDeclaration[] {
    const known = this.#chains.get(declaration) ?? this.#chainOf(declaration, new Set());
    this.#chains.set(declaration, known);
    return known;
  }

  #chainOf(declaration: ts.ClassLikeDeclaration, seen: Set<ts.Node>): readonly ts.ClassLikeDeclaration[] {
    if (seen.has(declaration)) return notPlain();
    seen.add(declaration);
    const { heritageClauses = [] as never } = declaration;
    const base = heritageClauses.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    if (base === undefined) return [declaration];
    const isName = ts.isIdentifier(base.expression) && base.typeArguments === undefined;
    if (!isName || !ts.isSourceFile(declaration.parent)) return notPlain();
    const above = this.#types.classOf(base.expression);
    return above.typeParameters ? notPlain() : [...this.#chainOf(above, seen), declaration];
  }

  exportNameOf(declaration: ts.ClassLikeDeclaration): string | undefined {
    const name = declaration.name?.text;
    if (name === undefined || !ts.isClassDeclaration(declaration)) return notPlain();
    const found = this.sources.namesOf(declaration.getSourceFile()).exportedAs(name);
    const flags = ts.getCombinedModifierFlags(declaration);
    const isExported = flags & ts.ModifierFlags.Export && !(flags & ts.ModifierFlags.Default);
    return isExported && found?.is === 'class' && found.node === declaration ? name : notPlain();
  }

  needsArguments(declaration: ts.ClassLikeDeclaration): boolean {
    const constructors = this.chainOf(declaration).flatMap(({ members }) =>
      members.filter(ts.isConstructorDeclaration),
    );
    return constructors.some(({ parameters }) => parameters.length > 0) ? notPlain() : false;
  }

  propertyOf(model: ts.ClassLikeDeclaration, name: string, node: ts.PropertyDeclaration): PropertyFacts {
    if (this.#membersOf(model).get(name) !== node || node.type === undefined) return notPlain();
    const { type, questionToken } = node;
    const types = this.#types;
    return {
      optional: questionToken !== undefined,
      isNarrowed: false,
      get isNullable() {
        return types.columnType(type).nullable;
      },
      columnType: () => types.columnType(type),
      relationKind: () => types.relationOf(type).kind,
    };
  }

  // The nearest declaration of each name, marked or not.
  #membersOf(model: ts.ClassLikeDeclaration): ReadonlyMap<string, ts.ClassElement> {
    const known = this.#members.get(model);
    if (known) return known;
    const all = this.chainOf(model).flatMap(({ members }) => [...members]);
    const made = new Map(all.flatMap((each) => (each.name ? [[nameOf(each.name), each]] : [])));
    this.#members.set(model, made);
    return made;
  }

  targetOf({ args: [given], node: mark }: Mark): ts.ClassLikeDeclaration | undefined {
    const returned = given instanceof FunctionValue ? returnedBy(given.node) : undefined;
    if (!returned || !ts.isIdentifier(returned)) return notPlain();
    // A function in the decorator itself uses the names of the file.
    const { parent, parameters, body } = (given as FunctionValue).node;
    const isInMark = ts.isDecorator(mark) && parent?.parent === mark;
    return isInMark && parameters.length === 0 && body === returned ? this.#types.classOf(returned) : notPlain();
  }

  lostTargetOf(): never {
    return notPlain();
  }
}

const nameOf = (name: ts.PropertyName): string =>
  ts.isComputedPropertyName(name) || ts.isPrivateIdentifier(name) ? name.getText() : name.text;
