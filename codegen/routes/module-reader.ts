import path from 'node:path';
import { ts } from 'ts-morph';
import { successStatus } from '../../kernel/contracts/index.js';
import {
  bare,
  type Environment,
  type Evaluator,
  FunctionValue,
  ifResolved,
  shortened,
  unresolvable,
  unresolvedAt,
  unresolvedOf,
  type Unresolved,
} from '../evaluator/index.js';
import { docOf } from './doc-wrapper.js';
import { ANONYMOUS, functionName, sortArguments } from './route-arguments.js';
import { calledOn, exportName, refersTo } from './router-calls.js';
import { REGISTRATION, type RouteEntry, type UnresolvedNote } from './route-entry.js';
import {
  lengthOf,
  type ModelSchemas,
  type DocFacts,
  type OptionsContext,
  readDoc,
  readOptions,
} from './route-options.js';
import { accessWithin, joinedPath, type Surroundings } from './surroundings.js';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);
// Deepest nesting of functions that register routes; ends recursion.
const MAX_CALLS = 20;

/** A function with a router parameter, and the context of its call. */
interface Registering {
  readonly router: ts.ParameterDeclaration;
  readonly environment: Environment;
  readonly here: Surroundings;
  readonly calls: number;
}

/** The parts of a registration. */
interface Registration {
  readonly method: string;
  readonly path: ts.Expression;
  /** The arguments after the path. */
  readonly args: readonly ts.Expression[];
  readonly notes?: readonly UnresolvedNote[];
  /** Parts of the entry that depend on the kind of registration. */
  readonly extra?: Partial<RouteEntry>;
}

const NOTHING: DocFacts = { use: 0, unresolved: [] };

/** What is needed to read a route module. */
interface ModuleReaderOptions {
  readonly evaluator: Evaluator;
  readonly models: ModelSchemas;
  /** Path of a file as entries give it. */
  shown(file: string): string;
}

/** Reads the routes that a function registers, following groups and the functions that it hands its router to. */
export class ModuleReader {
  readonly entries: RouteEntry[] = [];

  constructor(readonly options: ModuleReaderOptions) {}

  /** Reads one call of `routes(register, name?)`. */
  read(call: ts.CallExpression): void {
    const [register, name] = call.arguments;
    if (!register) return;
    const here: Surroundings = {
      block: this.#blockName(register, name),
      prefix: '',
      middleware: 0,
      tags: [],
      hidden: false,
      access: {},
      unresolved: [],
    };
    this.#runFunction(register, call, { environment: new Map(), here, calls: 0 });
  }

  #blockName(register: ts.Expression, name: ts.Expression | undefined): string {
    const { evaluator } = this.options;
    if (name) return String(ifResolved(() => evaluator.evaluate(name)) ?? name.getText());
    const own = functionName(register, evaluator, new Map());
    return own === ANONYMOUS ? path.basename(register.getSourceFile().fileName).replace(/\.[cm]?tsx?$/, '') : own;
  }

  /** Follows a function that gets the router as its first argument. */
  #runFunction(register: ts.Expression, call: ts.CallExpression, known: Omit<Registering, 'router'>): void {
    const value = ifResolved(() => this.options.evaluator.evaluate(register, known.environment));
    if (value instanceof FunctionValue) this.#runBody(value, call, 0, known);
    else this.#unknownRegistration(call, known.here, `${shortened(register)} is only known at run time`);
  }

  #runBody(
    { node, environment }: FunctionValue,
    call: ts.CallExpression,
    position: number,
    known: Omit<Registering, 'router'>,
  ): void {
    const router = node.parameters[position];
    const { body } = node;
    if (!body || !router) return;
    if (!ts.isIdentifier(router.name) || known.calls > MAX_CALLS) {
      const reason =
        known.calls > MAX_CALLS
          ? 'functions that register routes call each other in a circle'
          : 'the router is taken apart';
      this.#unknownRegistration(call, known.here, reason);
      return;
    }
    const registering = { ...known, router, environment: new Map([...environment, ...known.environment]) };
    if (ts.isBlock(body)) this.#statements(body.statements, registering);
    else this.#expression(body, registering);
  }

  #statements(statements: readonly ts.Statement[], registering: Registering): void {
    for (const statement of statements) {
      if (ts.isExpressionStatement(statement)) this.#expression(statement.expression, registering);
      else if (ts.isBlock(statement)) this.#statements(statement.statements, registering);
      else if (!ts.isFunctionDeclaration(statement)) this.#uncertain(statement, registering);
    }
  }

  #expression(node: ts.Expression, registering: Registering): void {
    const call = calledOn(node, registering.router);
    if (call) this.#routerCall(call.call, call.member, registering);
    else if (ts.isCallExpression(bare(node)) && this.#handsRouterOn(bare(node) as ts.CallExpression, registering))
      return;
    else this.#uncertain(node, registering);
  }

  #routerCall(call: ts.CallExpression, member: string, registering: Registering): void {
    const [path, ...args] = call.arguments;
    if (METHODS.has(member)) {
      if (path) this.#add(call, registering, { method: member.toUpperCase(), path, args });
    } else if (member === 'on') this.#routeByMethod(call, registering);
    else if (member === 'use') this.#use(call, registering);
    else if (member === 'group') this.#group(call, registering);
    else if (member === 'handleBlocking') this.#blocking(call, registering);
    else if (member === 'websocket') this.#webSocket(call, registering);
    else if (member === 'static') this.#static(call, registering);
    else this.#unknownRegistration(call, registering.here, `router.${member} is not known`);
  }

  // `registerProducts(router, 'products')`: the function is read with its parameters bound.
  #handsRouterOn(call: ts.CallExpression, registering: Registering): boolean {
    const position = call.arguments.findIndex((argument) => refersTo(bare(argument), registering.router));
    if (position < 0) return false;
    const { evaluator } = this.options;
    const callee = ifResolved(() => evaluator.evaluate(call.expression, registering.environment));
    if (!(callee instanceof FunctionValue)) {
      const reason = `${shortened(call.expression)} gets the router, and what it does is only known at run time`;
      this.#unknownRegistration(call, registering.here, reason);
      return true;
    }
    const environment = new Map(registering.environment);
    callee.node.parameters.forEach((parameter, index) => {
      const argument = call.arguments[index] ?? parameter.initializer;
      const value = argument && ifResolved(() => evaluator.evaluate(argument, registering.environment));
      if (value !== undefined) environment.set(parameter, value);
    });
    this.#runBody(callee, call, position, { ...registering, environment, calls: registering.calls + 1 });
    return true;
  }

  #use(call: ts.CallExpression, { here, environment }: Registering): void {
    for (const argument of call.arguments) {
      if (!ts.isSpreadElement(argument)) {
        here.middleware++;
        continue;
      }
      const context = this.#context(environment);
      this.#noting('middleware', here.unresolved, () => (here.middleware += lengthOf(argument.expression, context)));
    }
  }

  #group(call: ts.CallExpression, registering: Registering): void {
    const { here, environment } = registering;
    const [prefix, ...parts] = call.arguments;
    const { options, middlewares, last } = sortArguments(parts, this.options.evaluator, environment);
    if (!prefix || !last) return;
    const unresolved = [...here.unresolved];
    const facts = options.map((node) => readOptions(node, this.#context(environment)));
    const inner: Surroundings = {
      block: here.block,
      prefix: joinedPath(here.prefix, this.#text('path', prefix, environment, unresolved)),
      middleware: here.middleware + middlewares.length,
      tags: [...here.tags, ...facts.flatMap(({ tags }) => tags ?? [])],
      hidden: here.hidden || facts.some(({ hidden }) => hidden === true),
      access: facts.reduce(accessWithin, here.access),
      unresolved: [...unresolved, ...facts.flatMap((each) => each.unresolved)],
    };
    this.#runFunction(last, call, { ...registering, here: inner });
  }

  #routeByMethod(call: ts.CallExpression, registering: Registering): void {
    const [method, path, ...args] = call.arguments;
    if (!method || !path) return;
    const notes: UnresolvedNote[] = [];
    const text = this.#text('method', method, registering.environment, notes);
    this.#add(call, registering, { method: text, path, args, notes });
  }

  // `handleBlocking(method, path, { module, export }, options?)`
  #blocking(call: ts.CallExpression, registering: Registering): void {
    const [method, path, worker, options] = call.arguments;
    if (!method || !path || !worker) return;
    const notes: UnresolvedNote[] = [];
    const text = this.#text('method', method, registering.environment, notes);
    const extra = { blocking: true, handler: exportName(bare(worker)) };
    this.#add(call, registering, { method: text, path, args: options ? [options, worker] : [worker], notes, extra });
  }

  #webSocket(call: ts.CallExpression, registering: Registering): void {
    const [path, ...args] = call.arguments;
    if (path) this.#add(call, registering, { method: 'GET', path, args, extra: { websocket: true, hidden: true } });
  }

  #static(call: ts.CallExpression, registering: Registering): void {
    const [prefix, folder, options] = call.arguments;
    if (!prefix || !folder) return;
    const { here, environment } = registering;
    const unresolved = [...here.unresolved];
    const under = this.#text('path', prefix, environment, unresolved);
    const root = ifResolved(() => this.options.evaluator.evaluate(folder, environment)) ?? shortened(folder);
    const { unresolved: open, ...own } = readOptions(options, this.#context(environment));
    this.entries.push({
      ...this.#skeleton(call, here),
      method: 'GET',
      path: joinedPath(here.prefix, joinedPath(under, '/*filepath')),
      handler: `static ${String(root)}`,
      title: `Files under ${under}`,
      hidden: true,
      ...accessWithin(here.access, own),
      unresolved: [...unresolved, ...open],
    });
  }

  #add(call: ts.CallExpression, { here, environment }: Registering, route: Registration): void {
    const { evaluator } = this.options;
    const context = this.#context(environment);
    const { options, middlewares, last } = sortArguments(route.args, evaluator, environment);
    const wrapper = middlewares
      .map((each) => docOf(each, evaluator, environment))
      .findLast((each) => each !== undefined);
    const { use, unresolved: open, input, ...said } = readOptions(options[0], context);
    const { roles, public: isPublic, encodedSlashes, ...own } = said;
    const { unresolved: undocumented, use: _, ...documented } = wrapper ? readDoc(wrapper, context) : NOTHING;
    const unresolved = [...here.unresolved, ...(route.notes ?? [])];
    const text = this.#text('path', route.path, environment, unresolved);
    this.entries.push({
      ...this.#skeleton(call, here),
      ...documented,
      ...own,
      method: route.method,
      path: joinedPath(here.prefix, text),
      handler: last ? functionName(last, evaluator, environment) : '(missing)',
      middleware: here.middleware + middlewares.length + use,
      status: successOf(own, documented),
      tags: [...here.tags, ...(own.tags ?? []), ...(documented.tags ?? [])],
      hidden: own.hidden ?? here.hidden,
      input: input ?? {},
      ...accessWithin(here.access, { roles, public: isPublic }),
      ...(encodedSlashes === true && { encodedSlashes }),
      ...route.extra,
      unresolved: [...unresolved, ...open, ...undocumented],
    });
  }

  #skeleton(node: ts.Node, here: Surroundings): RouteEntry {
    const { file, line } = unresolvedAt(node, '');
    return {
      method: '?',
      path: here.prefix || '?',
      handler: '?',
      block: here.block,
      file: this.options.shown(file),
      line,
      blocking: false,
      middleware: here.middleware,
      title: '',
      description: '',
      tags: here.tags,
      hidden: here.hidden,
      deprecated: false,
      status: 200,
      outputDescription: 'OK',
      input: {},
      bodyRequired: false,
      unresolved: here.unresolved,
    };
  }

  // Loops, conditions and other code that decides at run time: routes registered inside are listed and marked.
  #uncertain(node: ts.Node, registering: Registering): void {
    const { here, router } = registering;
    const reason = 'it depends on run time whether, or how often, this is registered';
    const marked = { ...here, unresolved: [...here.unresolved, this.#note(unresolvedAt(node, reason))] };
    const visit = (at: ts.Node): void => {
      const called = ts.isCallExpression(at) ? calledOn(at, router) : undefined;
      if (called) this.#routerCall(called.call, called.member, { ...registering, here: marked });
      else if (ts.isIdentifier(at) && refersTo(at, router)) {
        this.#unknownRegistration(
          at.parent,
          here,
          `the router is used in a way that is not followed: ${shortened(at.parent)}`,
        );
      } else ts.forEachChild(at, visit);
    };
    visit(node);
  }

  #unknownRegistration(node: ts.Node, here: Surroundings, reason: string): void {
    const skeleton = this.#skeleton(node, here);
    const note = this.#note(unresolvedAt(node, reason));
    this.entries.push({ ...skeleton, handler: shortened(node), unresolved: [...here.unresolved, note] });
  }

  #text(what: string, node: ts.Expression, environment: Environment, notes: UnresolvedNote[]): string {
    let text = node.getText();
    this.#noting(what, notes, () => {
      const value = this.options.evaluator.evaluate(node, environment);
      if (typeof value !== 'string') throw unresolvable(node, `a ${what} is text, but this is ${typeof value}`);
      text = value;
    });
    return text;
  }

  #context(environment: Environment): OptionsContext {
    const { evaluator, models } = this.options;
    return { evaluator, environment, models, note: (what, error) => this.#noteOf(what, error) };
  }

  #noting(what: string, notes: UnresolvedNote[], work: () => unknown): void {
    try {
      work();
    } catch (error) {
      notes.push(this.#noteOf(what, error));
    }
  }

  #noteOf(what: string, error: unknown): UnresolvedNote {
    const unresolved = unresolvedOf(error);
    if (!unresolved) throw error;
    return this.#note(unresolved, what);
  }

  #note({ file, line, reason }: Unresolved, what: string = REGISTRATION): UnresolvedNote {
    return { what, file: this.options.shown(file), line, reason };
  }
}

// The options of a route win over its `doc` wrapper, as in the running application.
function successOf(own: Partial<DocFacts>, documented: Partial<DocFacts>): number {
  const output = own.output ?? own.outputExample ?? documented.output ?? documented.outputExample;
  return own.status ?? documented.status ?? successStatus(undefined, output, own.responses ?? documented.responses);
}
