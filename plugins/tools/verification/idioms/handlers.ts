import type { ts as TypeScript } from 'ts-morph';
import type { Names } from './names.js';
import { isTestFile, type Sources } from './sources.js';

type Function = TypeScript.FunctionLikeDeclaration;

/** Router methods that run their function on a worker. */
const ON_WORKER = new Set(['handleBlocking']);

/**
 * Every function that runs while a request is served: the handlers and middlewares that route modules pass to their router,
 * functions that take an `HttpContext`, middlewares by their type, and whatever functions of the project those call.
 */
export function requestPath(sources: Sources, names: Names): ReadonlySet<Function> {
  const finder = new Finder(sources, names);
  for (const { path, tree } of sources.files) if (!isTestFile(path)) finder.visit(tree);
  return finder.reached;
}

class Finder {
  readonly reached = new Set<Function>();
  readonly #ts;
  readonly #names;

  constructor({ ts }: Sources, names: Names) {
    this.#ts = ts;
    this.#names = names;
  }

  visit(node: TypeScript.Node): void {
    const ts = this.#ts;
    if (ts.isCallExpression(node) && this.#isRouterCall(node)) node.arguments.forEach((each) => this.#reachValue(each));
    if (ts.isFunctionLike(node) && 'body' in node && this.#takesContext(node as Function))
      this.#reach(node as Function);
    if (ts.isVariableDeclaration(node) && node.initializer && this.#isTyped(node.type, 'Middleware'))
      this.#reachValue(node.initializer);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  // `router.get(...)`, where router is the parameter of a function given to `routes` of fw/http or to a call of a router.
  #isRouterCall({ expression }: TypeScript.CallExpression): boolean {
    const ts = this.#ts;
    return (
      ts.isPropertyAccessExpression(expression) &&
      !ON_WORKER.has(expression.name.text) &&
      ts.isIdentifier(expression.expression) &&
      this.#isRouter(expression.expression)
    );
  }

  #isRouter(name: TypeScript.Identifier): boolean {
    const ts = this.#ts;
    const parameter = this.#names.declarationOf(name);
    if (!parameter || !ts.isParameter(parameter)) return false;
    if (this.#isTyped(parameter.type, 'Router')) return true;
    const given = parameter.parent;
    const call = given.parent;
    if (given.parameters[0] !== parameter || !ts.isCallExpression(call)) return false;
    const imported = this.#names.imported(call.expression);
    return (imported?.module === 'fw/http' && imported.name === 'routes') || this.#isRouterCall(call);
  }

  #takesContext({ parameters: [first] }: Function): boolean {
    return this.#isTyped(first?.type, 'HttpContext');
  }

  #isTyped(type: TypeScript.TypeNode | undefined, name: string): boolean {
    if (!type || !this.#ts.isTypeReferenceNode(type)) return false;
    const imported = this.#names.imported(type.typeName);
    return imported?.name === name && /^fw(\/|$)/.test(imported.module);
  }

  #reachValue(value: TypeScript.Node): void {
    const ts = this.#ts;
    if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return this.#reach(value);
    if (ts.isArrayLiteralExpression(value)) return value.elements.forEach((each) => this.#reachValue(each));
    if (ts.isIdentifier(value)) this.#reachDeclared(value);
  }

  #reachDeclared(name: TypeScript.Node): void {
    const ts = this.#ts;
    const declaration = this.#names.declarationOf(name);
    if (!declaration) return;
    if (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)) this.#reach(declaration);
    else if (ts.isVariableDeclaration(declaration) && declaration.initializer) {
      const { initializer } = declaration;
      if (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)) this.#reach(initializer);
    }
  }

  // Functions that a handler calls are on the request path, too, in any file.
  #reach(found: Function): void {
    const ts = this.#ts;
    if (this.reached.has(found) || !found.body || isTestFile(found.getSourceFile().fileName)) return;
    this.reached.add(found);
    const calls = (node: TypeScript.Node): void => {
      if (ts.isCallExpression(node)) this.#reachDeclared(node.expression);
      ts.forEachChild(node, calls);
    };
    calls(found.body);
  }
}
