import { ts } from 'ts-morph';
import {
  type Evaluator,
  ForeignValue,
  FunctionValue,
  ifResolved,
  isMarkMaker,
  MarkValue,
  shortened,
  unresolvedOf,
  type Unresolved,
} from '../evaluator/index.js';
import { isFramework, ORM_FILE, type ProjectTypes } from '../program/index.js';
import type { LibraryReader } from './library-reader.js';

/** A decorator of `fw/orm` on a declaration, even under another local name. */
export interface Mark {
  readonly name: string;
  readonly args: readonly unknown[];
  /** The decorator; for a class of a package, the declaration. */
  readonly node: ts.Node;
}

/** Takes a mistake at a node. */
export type Report = (node: ts.Node, message: string) => void;

const CLASS_MARK = 'table';
const RELATION_MARKS: ReadonlySet<string> = new Set(['hasOne', 'hasMany', 'belongsTo', 'manyToMany']);
const MARK_TYPES: ReadonlySet<string> = new Set(['FieldMark', 'ClassMark']);

/**
 * Reads decorators of `fw/orm`, under any name and by any import, and functions and constants of the project that return one. It ignores
 * all others.
 */
export class MarkReader {
  readonly #read = new WeakMap<ts.Node, readonly Mark[]>();

  constructor(
    readonly types: ProjectTypes,
    readonly evaluator: Evaluator,
    readonly libraries: LibraryReader,
    readonly report: Report,
  ) {}

  /** The marks of a declaration. A decorator that may be one but cannot be read is reported once. */
  marksOf(node: ts.Node): readonly Mark[] {
    const known = this.#read.get(node);
    if (known) return known;
    const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
    const said = Object.entries(this.libraries.memberOf(node)?.marks ?? {});
    const made = [
      ...decorators.flatMap((decorator) => this.#markOf(decorator) ?? []),
      ...said.map(([name, args]) => ({ name, args: RELATION_MARKS.has(name) ? [undefined, ...args] : args, node })),
    ];
    this.#read.set(node, made);
    return made;
  }

  /** Whether a class is a model. */
  isModel(node: ts.ClassLikeDeclaration): boolean {
    return this.marksOf(node).some(({ name }) => name === CLASS_MARK);
  }

  #markOf(node: ts.Decorator): Mark | undefined {
    const { expression } = node;
    const value = this.#valueOf(expression);
    if (value instanceof MarkValue) return { name: value.name, args: value.args, node };
    if (isMarkMaker(value)) {
      this.report(node, `${shortened(node)} is not called; write ${shortened(node)}('...')`);
      return undefined;
    }
    const open = unresolvedOf(value);
    const lost = open && this.#lostName(expression);
    if (lost !== undefined) {
      this.report(node, `${shortened(node)} is not known: ${lost}`);
      return undefined;
    }
    const isCode = open !== undefined || value instanceof FunctionValue;
    if (isCode && (this.#isMarkType(expression) || this.#mentionsMark(expression, new Set()))) {
      const reason = open ? reasonOf(open, node) : 'what its function does is only known when it runs';
      this.report(
        node,
        `${shortened(node)} cannot be read before the program runs: ${reason}; use literals, constants, or functions that only return a decorator of fw/orm`,
      );
    }
    return undefined;
  }

  /** The value of an expression, or the error that says why there is none. */
  #valueOf(expression: ts.Expression): unknown {
    const byTypes = () => (ts.isCallExpression(expression) ? this.#byTypes(expression) : undefined);
    try {
      const value = this.evaluator.evaluate(expression);
      const isOpen = value instanceof MarkValue && value.args.some((argument) => argument instanceof ForeignValue);
      return isOpen ? (byTypes() ?? value) : value;
    } catch (error) {
      if (!unresolvedOf(error)) throw error;
      return byTypes() ?? error;
    }
  }

  // Only the checker knows some values, such as those of constants in declaration files.
  #byTypes(call: ts.CallExpression): MarkValue | undefined {
    const maker = ifResolved(() => this.evaluator.evaluate(call.expression));
    if (!isMarkMaker(maker)) return undefined;
    const args: unknown[] = [];
    for (const argument of call.arguments) {
      const type = this.types.checker.getTypeAtLocation(argument);
      const literal = type.isStringLiteral() ? type.value : undefined;
      const known = ifResolved(() => this.evaluator.evaluate(argument));
      const value = known === undefined || known instanceof ForeignValue ? literal : known;
      if (value === undefined) return undefined;
      args.push(value);
    }
    return maker(...args);
  }

  // Finds a decorator of the project that applies decorators of fw, which would be lost silently.
  #mentionsMark(node: ts.Node, seen: Set<ts.Node>): boolean {
    if (seen.has(node)) return false;
    seen.add(node);
    if (ts.isIdentifier(node)) {
      const symbol = this.#symbolAt(node);
      for (const declaration of symbol?.declarations ?? []) {
        const file = declaration.getSourceFile();
        if (file.fileName === ORM_FILE) return ts.isFunctionDeclaration(declaration);
        const isCode = ts.isFunctionLike(declaration) || ts.isVariableDeclaration(declaration);
        if (isCode && !file.isDeclarationFile && this.#mentionsMark(declaration, seen)) return true;
      }
    }
    return ts.forEachChild(node, (child) => this.#mentionsMark(child, seen)) ?? false;
  }

  /** Why the name of a decorator cannot be resolved; undefined if it can. */
  #lostName(expression: ts.Expression): string | undefined {
    const name = rootOf(expression);
    if (!name) return undefined;
    const symbol = this.types.checker.getSymbolAtLocation(name);
    if (symbol === undefined) return `${name.text} is neither imported nor declared`;
    if (!(symbol.flags & ts.SymbolFlags.Alias)) return undefined;
    const target = this.types.checker.getAliasedSymbol(symbol);
    if ((target.declarations ?? []).length > 0) return undefined;
    const statement = ts.findAncestor(symbol.declarations?.[0], ts.isImportDeclaration);
    const specifier = statement && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : '';
    const isPackage = !specifier.startsWith('.') && specifier !== 'fw/orm';
    if (isPackage && (isFramework(specifier) || !this.evaluator.modules.hasPackages)) return undefined;
    return `${specifier} was not found, or has no ${name.text}`;
  }

  #symbolAt(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.types.checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.types.checker.getAliasedSymbol(symbol) : symbol;
  }

  #isMarkType(expression: ts.Expression): boolean {
    const symbol = this.types.checker.getTypeAtLocation(expression).getSymbol();
    return MARK_TYPES.has(symbol?.name ?? '') && symbol?.declarations?.[0]?.getSourceFile().fileName === ORM_FILE;
  }
}

// `orm` of `@orm.db('id')`.
function rootOf(node: ts.Expression): ts.Identifier | undefined {
  if (ts.isIdentifier(node)) return node;
  return ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) ? rootOf(node.expression) : undefined;
}

function reasonOf({ file, line, reason }: Unresolved, at: ts.Node): string {
  const source = at.getSourceFile();
  const here = source.getLineAndCharacterOfPosition(at.getStart(source)).line + 1;
  return file === source.fileName && line === here ? reason : `${reason} (${file}:${line})`;
}
