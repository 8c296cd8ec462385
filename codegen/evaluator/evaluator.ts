import { ts } from 'ts-morph';
import type { ModuleResolver } from '../program/index.js';
import { type Binding, bindingOf, statementBinding, WHOLE_MODULE } from './bindings.js';
import { enumMemberValue, enumValue } from './enum-value.js';
import { handsOn, isRunnable, KNOWN_GLOBALS, knownModule } from './known-modules.js';
import { exportOf, starExportsOf } from './module-exports.js';
import { binary, prefix } from './operators.js';
import { carriedOut, unresolvable, unresolvedOf } from './unresolved.js';
import { isTransparent, returnedBy, shortened } from './syntax.js';
import {
  ClassValue,
  type Environment,
  ForeignValue,
  FunctionValue,
  isPlain,
  ModuleValue,
  NamespaceValue,
  notDataIn,
} from './values.js';

const NO_PARAMETERS: Environment = new Map();
// Deeper than any real schema; ends definitions that refer to themselves.
const MAX_DEPTH = 200;

/**
 * Works out the value of an expression from syntax alone: literals, objects and arrays, `const` bindings, imports of files of the project
 * and its workspace, enums, namespaces, static members of classes, small functions of one expression, and TypeBox builders, which are
 * called for real. It never runs project code and never resolves a type. Expressions that depend on run time are reported with their place.
 */
export class Evaluator {
  readonly #constants = new Map<ts.Node, unknown>();
  readonly #files = new Set<string>();
  #depth = 0;

  constructor(readonly modules: ModuleResolver) {}

  /** Absolute paths of the files that were read since the last call of {@link takeFiles}. */
  takeFiles(): ReadonlySet<string> {
    const files = new Set(this.#files);
    this.#files.clear();
    return files;
  }

  /**
   * The value of an expression.
   * @throws FwError `FW_CODEGEN_UNRESOLVED` with file, line and reason
   */
  evaluate(node: ts.Expression, environment: Environment = NO_PARAMETERS): unknown {
    if (this.#depth > MAX_DEPTH) throw unresolvable(node, 'it refers to itself, or is nested too deeply');
    this.#depth++;
    try {
      return this.#valueOf(node, environment);
    } finally {
      this.#depth--;
    }
  }

  #valueOf(node: ts.Expression, environment: Environment): unknown {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (ts.isBigIntLiteral(node)) return BigInt(node.text.slice(0, -1));
    if (ts.isRegularExpressionLiteral(node)) return regExpOf(node);
    if (isTransparent(node)) return this.evaluate(node.expression, environment);
    if (ts.isIdentifier(node)) return this.#identifier(node, environment);
    if (ts.isObjectLiteralExpression(node)) return this.#object(node, environment);
    if (ts.isArrayLiteralExpression(node)) return this.#elements(node.elements, environment);
    if (ts.isCallExpression(node)) return this.#call(node, environment);
    if (ts.isPropertyAccessExpression(node)) return this.#member(node, node.name.text, environment);
    if (ts.isElementAccessExpression(node)) {
      return this.#member(node, String(this.evaluate(node.argumentExpression, environment)), environment);
    }
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return new FunctionValue(node, environment);
    if (ts.isClassExpression(node)) return new ClassValue(node.name?.text ?? '(anonymous)', node);
    return this.#computed(node, environment);
  }

  #computed(node: ts.Expression, environment: Environment): unknown {
    const evaluate = (part: ts.Expression) => this.evaluate(part, environment);
    switch (node.kind) {
      case ts.SyntaxKind.TrueKeyword:
        return true;
      case ts.SyntaxKind.FalseKeyword:
        return false;
      case ts.SyntaxKind.NullKeyword:
        return null;
    }
    if (ts.isTemplateExpression(node)) {
      return node.templateSpans.reduce(
        (text, span) => text + String(evaluate(span.expression)) + span.literal.text,
        node.head.text,
      );
    }
    if (ts.isPrefixUnaryExpression(node)) return prefix(node, evaluate);
    if (ts.isBinaryExpression(node)) return binary(node, evaluate);
    if (ts.isConditionalExpression(node)) return evaluate(evaluate(node.condition) ? node.whenTrue : node.whenFalse);
    throw unresolvable(node, `${shortened(node)} is only known at run time`);
  }

  #object(node: ts.ObjectLiteralExpression, environment: Environment): unknown {
    const object: Record<string, unknown> = {};
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) Object.assign(object, this.evaluate(property.expression, environment));
      else if (ts.isShorthandPropertyAssignment(property)) {
        object[property.name.text] = this.#identifier(property.name, environment);
      } else if (ts.isPropertyAssignment(property)) {
        object[this.#propertyName(property.name, environment)] = this.evaluate(property.initializer, environment);
      } else if (ts.isMethodDeclaration(property)) {
        object[this.#propertyName(property.name, environment)] = new FunctionValue(property, environment);
      } else throw unresolvable(property, 'a getter or setter has no value before run time');
    }
    return object;
  }

  #propertyName(name: ts.PropertyName, environment: Environment): string {
    return ts.isComputedPropertyName(name) ? String(this.evaluate(name.expression, environment)) : name.text;
  }

  #elements(elements: readonly ts.Expression[], environment: Environment): unknown[] {
    return elements.flatMap((element) => {
      if (!ts.isSpreadElement(element)) return [this.evaluate(element, environment)];
      const spread = this.evaluate(element.expression, environment);
      if (!Array.isArray(spread)) throw unresolvable(element, `${shortened(element)} does not spread an array`);
      return spread as unknown[];
    });
  }

  #member(
    node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
    name: string,
    environment: Environment,
  ): unknown {
    const object = this.evaluate(node.expression, environment);
    if (object instanceof ModuleValue) return this.exported(object.module, name, node);
    if (object instanceof NamespaceValue) return this.#namespaceMember(object, name, node);
    if (object instanceof ClassValue) return this.#staticMember(object, name, node);
    if (object instanceof ForeignValue && object.name === WHOLE_MODULE) return new ForeignValue(object.module, name);
    if (object === undefined || object === null) {
      if (node.questionDotToken) return undefined;
      throw unresolvable(node, `${shortened(node.expression)} is ${String(object)}`);
    }
    const plain = Array.isArray(object) || typeof object === 'string' || isPlain(object);
    if (plain && Object.hasOwn(object as object, name)) return (object as Record<string, unknown>)[name];
    if (isPlain(object)) return undefined;
    throw unresolvable(node, `${shortened(node)} is only known at run time`);
  }

  #namespaceMember({ node: namespace }: NamespaceValue, name: string, node: ts.Node): unknown {
    const { body } = namespace;
    // `namespace A.B {}` is B inside A.
    if (body && ts.isModuleDeclaration(body) && body.name.text === name) return new NamespaceValue(body);
    const binding = body && ts.isModuleBlock(body) ? statementBinding(body.statements, name) : undefined;
    if (binding) return this.#bound(binding, node, NO_PARAMETERS);
    throw unresolvable(node, `${namespace.name.text} has no ${name}`);
  }

  #staticMember(declared: ClassValue, name: string, node: ts.Node): unknown {
    const member = declared.node.members.find(
      (each): each is ts.PropertyDeclaration =>
        ts.isPropertyDeclaration(each) && each.name.getText() === name && isConstantOfClass(each),
    );
    if (member?.initializer === undefined)
      throw unresolvable(node, `${shortened(node)} is no static readonly member with a value`);
    const { initializer } = member;
    return this.#noted(initializer, () => this.evaluate(initializer));
  }

  #identifier(node: ts.Identifier, environment: Environment): unknown {
    const binding = bindingOf(node.text, node);
    if (binding) return this.#bound(binding, node, environment);
    if (Object.hasOwn(KNOWN_GLOBALS, node.text)) return KNOWN_GLOBALS[node.text];
    throw unresolvable(node, `${node.text} is not a const of this file, an import or a parameter`);
  }

  #bound(binding: Binding, node: ts.Node, environment: Environment): unknown {
    switch (binding.kind) {
      case 'const':
        return this.#constant(binding.initializer, binding.pick, environment);
      case 'parameter':
        if (environment.has(binding.node)) return environment.get(binding.node);
        throw unresolvable(node, `the parameter ${node.getText()} is only known at run time`);
      case 'variable':
        throw unresolvable(node, `${node.getText()} can change at run time; expected a const`);
      case 'function':
        return new FunctionValue(binding.node, environment);
      case 'class':
        return this.#noted(binding.node, () => new ClassValue(binding.node.name?.text ?? 'default', binding.node));
      case 'enum':
        return this.#noted(binding.node, () => enumValue(binding.node, (member) => this.#enumMember(member)));
      case 'enum member':
        return this.#enumMember(binding.node);
      case 'namespace':
        return new NamespaceValue(binding.node);
      case 'import':
        return this.#imported(node.getSourceFile().fileName, binding.specifier, binding.name, node);
    }
  }

  #enumMember(member: ts.EnumMember): string | number {
    const value = this.#noted(member, () =>
      enumMemberValue(
        member,
        (part) => this.evaluate(part),
        (other) => this.#enumMember(other),
      ),
    );
    return value as string | number;
  }

  // The value of a const is cached, unless it depends on parameters.
  #constant(initializer: ts.Expression, pick: readonly string[], environment: Environment): unknown {
    const whole =
      environment.size > 0
        ? this.evaluate(initializer, environment)
        : this.#noted(initializer, () => this.evaluate(initializer));
    return pick.reduce<unknown>((value, member) => {
      if (isPlain(value)) return value[member];
      throw unresolvable(initializer, `${shortened(initializer)} has no members that are known before run time`);
    }, whole);
  }

  #noted(node: ts.Node, make: () => unknown): unknown {
    this.#files.add(node.getSourceFile().fileName);
    if (!this.#constants.has(node)) this.#constants.set(node, make());
    return this.#constants.get(node);
  }

  #imported(from: string, specifier: string, name: string, node: ts.Node): unknown {
    const known = knownModule(specifier);
    if (known) {
      if (name === WHOLE_MODULE) return known;
      return Object.hasOwn(known, name) ? known[name] : new ForeignValue(specifier, name);
    }
    const module = this.modules.resolve(from, specifier);
    if (!module && !specifier.startsWith('.')) return new ForeignValue(specifier, name);
    if (!module) throw unresolvable(node, `the module ${specifier} was not found from ${from}`);
    if (name === WHOLE_MODULE) return new ModuleValue(module);
    return this.exported(module, name, node);
  }

  /**
   * What a module of the project exports under a name.
   * @param node - where it is asked for, for the error
   */
  exported(module: ts.SourceFile, name: string, node: ts.Node): unknown {
    this.#files.add(module.fileName);
    const found = exportOf(module, name);
    if (found?.kind === 'expression') return this.#noted(found.node, () => this.evaluate(found.node));
    if (found?.kind === 'binding') return this.#bound(found.binding, module, NO_PARAMETERS);
    if (found) return this.#imported(module.fileName, found.specifier, found.name, node);
    const star = name === 'default' ? undefined : this.#starExported(module, name, node);
    if (star) return star.value;
    throw unresolvable(node, `${module.fileName} exports no ${name}`);
  }

  // Packages without source may export any name, so they are tried last.
  #starExported(module: ts.SourceFile, name: string, node: ts.Node): { readonly value: unknown } | undefined {
    let foreign: { readonly value: unknown } | undefined;
    for (const specifier of starExportsOf(module)) {
      try {
        const value = this.#imported(module.fileName, specifier, name, node);
        if (!(value instanceof ForeignValue)) return { value };
        foreign ??= { value };
      } catch (error) {
        if (!unresolvedOf(error)) throw error;
      }
    }
    return foreign;
  }

  #call(node: ts.CallExpression, environment: Environment): unknown {
    const callee = this.evaluate(node.expression, environment);
    if (callee instanceof FunctionValue) return this.apply(callee, node, environment);
    if (!isRunnable(callee))
      throw unresolvable(node, `the call of ${shortened(node.expression)} has no value before run time`);
    const values = this.#elements(node.arguments, environment);
    const foreign = handsOn(callee) ? undefined : notDataIn(values);
    if (foreign !== undefined) throw unresolvable(node, `${shortened(node.expression)} is given ${foreign}`);
    return carriedOut(node.expression, () => callee(...values));
  }

  /** Value of a call of a function of the project: one that only returns an expression. */
  apply({ node, environment: around }: FunctionValue, call: ts.CallExpression, environment: Environment): unknown {
    const body = returnedBy(node);
    if (!body) throw unresolvable(call, `${shortened(call.expression)} does more than return an expression`);
    const given = this.#elements(call.arguments, environment);
    const inside = new Map(around);
    node.parameters.forEach((parameter, index) => {
      if (!ts.isIdentifier(parameter.name) || parameter.dotDotDotToken) {
        throw unresolvable(parameter, 'a parameter that is a pattern or a rest is not followed');
      }
      const missing = given[index] === undefined && parameter.initializer;
      inside.set(parameter, missing ? this.evaluate(missing, inside) : given[index]);
    });
    this.#files.add(node.getSourceFile().fileName);
    return this.evaluate(body, inside);
  }
}

function isConstantOfClass({ modifiers = [] as never }: ts.PropertyDeclaration): boolean {
  const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind);
  return has(ts.SyntaxKind.StaticKeyword) && has(ts.SyntaxKind.ReadonlyKeyword);
}

function regExpOf(node: ts.RegularExpressionLiteral): RegExp {
  const end = node.text.lastIndexOf('/');
  return carriedOut(node, () => new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
}
