import type { ts } from 'ts-morph';

/** A class that an expression names, e.g. a model class. It is never run: code generation knows it by its declaration. */
export class ClassValue {
  constructor(
    readonly name: string,
    readonly node: ts.ClassDeclaration | ts.ClassExpression,
  ) {}

  /** Absolute path of the file that declares it. */
  get file(): string {
    return this.node.getSourceFile().fileName;
  }
}

/** Parameters in force while the body of a function is evaluated. */
export type Environment = ReadonlyMap<ts.Node, unknown>;

/** A function with the parameters of the functions around it. */
export class FunctionValue {
  constructor(
    readonly node: ts.FunctionLikeDeclaration,
    readonly environment: Environment,
  ) {}
}

/** An export of a module without source, whose value is unknown; calling or reading it is unresolved. */
export class ForeignValue {
  constructor(
    readonly module: string,
    readonly name: string,
  ) {}
}

/** A decorator of `fw/orm` with its arguments: the value of an expression after `@`. */
export class MarkValue {
  constructor(
    /** Its name in the framework, such as `db`, even if the source renames it. */
    readonly name: string,
    readonly args: readonly unknown[],
  ) {}
}

/** A namespace of TypeScript; its members are those that it exports. */
export class NamespaceValue {
  constructor(readonly node: ts.ModuleDeclaration) {}
}

/** A file of the project as `import * as x` sees it. */
export class ModuleValue {
  constructor(readonly module: ts.SourceFile) {}
}

/** Whether a value is a plain object, which has only its own members. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Describes the first part of a value that is not data: a class, a function, a foreign export; undefined if all of it is data. */
export function notDataIn(value: unknown, depth = 0): string | undefined {
  if (value instanceof ClassValue) return `the class ${value.name}`;
  if (value instanceof FunctionValue) return 'a function';
  if (value instanceof ForeignValue) return `${value.name} of ${value.module}`;
  if (value instanceof ModuleValue || value instanceof NamespaceValue) return 'a whole module';
  if (value instanceof MarkValue) return `the decorator ${value.name}`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DATA_DEPTH) return 'a structure that contains itself';
  for (const member of Object.values(value)) {
    const found = notDataIn(member, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const MAX_DATA_DEPTH = 100;
