import { ts } from 'ts-morph';
import { isJsonSchema } from '../../kernel/schema/index.js';
import {
  bare,
  ClassValue,
  type Environment,
  type Evaluator,
  isPlain,
  notDataIn,
  unresolvable,
} from '../evaluator/index.js';
import type { JsonSchema, RouteEntry, UnresolvedNote } from './route-entry.js';
import type { OwnAccess } from './surroundings.js';

/** JSON Schema of a model class; undefined when it is none. */
export type ModelSchemas = (model: ClassValue) => JsonSchema | undefined;

/** The part of an entry that a route's documentation decides, with the members that could be worked out. */
export type DocFacts = Partial<
  Pick<
    RouteEntry,
    | 'blocking' | 'title' | 'description' | 'tags' | 'hidden' | 'deprecated' | 'status' | 'outputDescription'
    | 'responses' | 'bodyExamples' | 'operationId' | 'security' | 'conditional' | 'input' | 'bodyRequired' | 'documentedInput' | 'output' | 'outputExample' | 'outputModel'
  >
> & { readonly use: number; readonly unresolved: readonly UnresolvedNote[] }; // prettier-ignore

/** The part that its options decide. */
type OptionFacts = DocFacts & OwnAccess & { readonly encodedSlashes?: boolean };

/** What is needed to read options. */
export interface OptionsContext {
  readonly evaluator: Evaluator;
  readonly environment: Environment;
  readonly models: ModelSchemas;
  /** Makes a note of an error of the evaluator; rethrows others. */
  note(what: string, error: unknown): UnresolvedNote;
}

const PLAIN_OPTIONS = new Set([
  'blocking', 'title', 'description', 'tags', 'hidden', 'deprecated', 'status', 'outputDescription',
  'roles', 'public', 'encodedSlashes', 'bodyExamples', 'operationId', 'security',
]); // prettier-ignore
// Options about access and execution, which `doc` does not have.
const NOT_IN_DOC = new Set(['use', 'roles', 'public', 'encodedSlashes', 'validator', 'precondition']);

/** Reads the options of a route member by member, so that one that is only known at run time does not hide the others. */
export function readOptions(node: ts.Expression | undefined, context: OptionsContext): OptionFacts {
  const reading = new OptionsReading(context);
  if (node) reading.options(bare(node));
  return { ...reading.facts, use: reading.use, unresolved: reading.unresolved };
}

/** Reads the documentation that a `doc` wrapper of fw/docs carries (SPEC "API reference configuration", RouteDoc). */
export function readDoc(node: ts.Expression, context: OptionsContext): DocFacts {
  const reading = new OptionsReading(context);
  reading.doc(bare(node));
  return { ...reading.facts, use: 0, unresolved: reading.unresolved };
}

/** How many middlewares an expression that should be an array holds. @throws FwError when it cannot be told */
export function lengthOf(node: ts.Expression, { evaluator, environment }: OptionsContext): number {
  const inner = bare(node);
  if (ts.isArrayLiteralExpression(inner) && !inner.elements.some(ts.isSpreadElement)) return inner.elements.length;
  const value = evaluator.evaluate(inner, environment);
  if (Array.isArray(value)) return value.length;
  throw unresolvable(node, 'how many middlewares these are is only known at run time');
}

class OptionsReading {
  readonly facts: Record<string, unknown> = {};
  readonly unresolved: UnresolvedNote[] = [];
  use = 0;

  constructor(readonly context: OptionsContext) {}

  options(node: ts.Expression): void {
    this.#members(node, 'options', (name, member) => this.#option(name, member));
  }

  doc(node: ts.Expression): void {
    this.#members(node, 'doc', (name, member) => {
      if (name === 'input')
        this.#attempt('doc.input', () => this.#documentedInputs(this.#valueOf(member), nodeOf(member)));
      else if (!NOT_IN_DOC.has(name)) this.#option(name === 'outputStatus' ? 'status' : name, member);
    });
  }

  #documentedInputs(value: unknown, node: ts.Node): void {
    if (!Array.isArray(value) || !value.every(isPlain))
      throw unresolvable(node, 'the inputs of `doc` must be an array of groups');
    this.facts['documentedInput'] = value.map(({ type, fields, required, description }) => ({
      source: String(type),
      ...this.#shape(fields, node),
      required: required === true,
      ...(typeof description === 'string' && { description }),
    }));
  }

  #shape(value: unknown, node: ts.Node): object {
    const model = modelIn(value);
    if (model) return { schema: this.#modelShape(model, Array.isArray(value), node) };
    return { [isJsonSchema(value) ? 'schema' : 'example']: this.#data(value, node) };
  }

  /** Visits the members of an object: of a literal one by one, of anything else as a whole. */
  #members(node: ts.Expression, what: string, visit: (name: string, member: ts.Expression | Known) => void): void {
    if (!ts.isObjectLiteralExpression(node)) {
      this.#attempt(what, () => this.#knownMembers(this.#evaluate(node), node, visit));
      return;
    }
    for (const property of node.properties) {
      if (ts.isPropertyAssignment(property))
        visit(property.name.getText().replace(/^['"]|['"]$/g, ''), property.initializer);
      else if (ts.isShorthandPropertyAssignment(property)) visit(property.name.text, property.name);
      else if (ts.isMethodDeclaration(property)) visit(property.name.getText(), { value: property, node: property });
      else if (ts.isSpreadAssignment(property)) {
        const { expression } = property;
        this.#attempt(what, () => this.#knownMembers(this.#evaluate(expression), expression, visit));
      }
    }
  }

  #knownMembers(value: unknown, node: ts.Node, visit: (name: string, member: Known) => void): void {
    if (!isPlain(value)) throw unresolvable(node, 'it is no object that is known before run time');
    for (const [name, member] of Object.entries(value)) visit(name, { value: member, node });
  }

  #option(name: string, member: ts.Expression | Known): void {
    if (name === 'input') this.#inputs(member);
    else if (name === 'output') this.#attempt('output', () => this.#output(this.#valueOf(member), nodeOf(member)));
    else if (name === 'responses') this.#responses(member);
    else if (name === 'validator') this.#conditional('optional');
    else if (name === 'precondition') this.#attempt(name, () => this.#conditional(this.#valueOf(member)));
    else if (name === 'use') this.#attempt('middleware', () => (this.use += this.#length(member)));
    else if (PLAIN_OPTIONS.has(name)) {
      this.#attempt(name, () => {
        const value = this.#valueOf(member);
        if (value !== undefined) this.facts[name] = this.#data(value, nodeOf(member));
      });
    }
  }

  // The two options may come in either order; `required` wins.
  #conditional(precondition: unknown): void {
    if (precondition === 'required' || this.facts['conditional'] === undefined)
      this.facts['conditional'] = precondition === 'required' ? 'required' : 'optional';
  }

  #responses(member: ts.Expression | Known): void {
    const visit = (status: string, response: ts.Expression | Known) =>
      this.#attempt(`responses.${status}`, () => this.#response(status, this.#valueOf(response), nodeOf(response)));
    if (isKnown(member)) this.#attempt('responses', () => this.#knownMembers(member.value, member.node, visit));
    else this.#members(bare(member), 'responses', visit);
  }

  #response(status: string, value: unknown, node: ts.Node): void {
    if (!isPlain(value)) throw unresolvable(node, 'an answer of `responses` must be an object');
    const { output, content, description, headers, examples } = value;
    const entry = {
      ...(description !== undefined && { description: this.#data(description, node) }),
      ...(output !== undefined && { output: this.#shape(output, node) }),
      ...(isPlain(content) && {
        content: Object.fromEntries(Object.entries(content).map(([type, shape]) => [type, this.#shape(shape, node)])),
      }),
      ...(headers !== undefined && { headers: this.#data(headers, node) }),
      ...(examples !== undefined && { examples: this.#data(examples, node) }),
    };
    this.facts['responses'] = { ...(this.facts['responses'] as object | undefined), [status]: entry };
  }

  #inputs(member: ts.Expression | Known): void {
    const visit = (source: string, schema: ts.Expression | Known) =>
      this.#attempt(`input.${source}`, () => this.#input(source, this.#valueOf(schema), nodeOf(schema)));
    if (isKnown(member)) this.#attempt('input', () => this.#knownMembers(member.value, member.node, visit));
    else this.#members(bare(member), 'input', visit);
  }

  #input(source: string, value: unknown, node: ts.Node): void {
    if (value === undefined) return;
    const schema = this.#data(value, node);
    this.facts['input'] = { ...(this.facts['input'] as object | undefined), [source]: schema };
    if (source === 'body') this.facts['bodyRequired'] = !('~optional' in (value as object));
  }

  #output(value: unknown, node: ts.Node): void {
    if (value === undefined) return;
    const model = modelIn(value);
    if (model) {
      this.facts['output'] = this.#modelShape(model, Array.isArray(value), node);
      this.facts['outputModel'] = model.name;
    } else {
      this.facts[isJsonSchema(value) ? 'output' : 'outputExample'] = this.#data(value, node);
    }
  }

  #modelShape(model: ClassValue, many: boolean, node: ts.Node): JsonSchema {
    const schema = this.#modelSchema(model, node);
    return many ? { type: 'array', items: schema } : schema;
  }

  #modelSchema(model: ClassValue, node: ts.Node): JsonSchema {
    const schema = this.context.models(model);
    if (schema) return schema;
    throw unresolvable(node, `${model.name} is no model, so its JSON Schema is only known at run time`);
  }

  #data(value: unknown, node: ts.Node): unknown {
    const foreign = notDataIn(value);
    if (foreign !== undefined) throw unresolvable(node, `it contains ${foreign}`);
    return JSON.parse(JSON.stringify(value)) as unknown;
  }

  #length(member: ts.Expression | Known): number {
    if (!isKnown(member)) return lengthOf(member, this.context);
    if (Array.isArray(member.value)) return member.value.length;
    throw unresolvable(member.node, 'how many middlewares these are is only known at run time');
  }

  #valueOf(member: ts.Expression | Known): unknown {
    return isKnown(member) ? member.value : this.#evaluate(member);
  }

  #evaluate(node: ts.Expression): unknown {
    return this.context.evaluator.evaluate(node, this.context.environment);
  }

  #attempt(what: string, work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.unresolved.push(this.context.note(what, error));
    }
  }
}

/** A member that came out of evaluating a larger expression. */
interface Known {
  readonly value: unknown;
  readonly node: ts.Node;
}

function isKnown(member: ts.Expression | Known): member is Known {
  return !('kind' in member);
}

function nodeOf(member: ts.Expression | Known): ts.Node {
  return isKnown(member) ? member.node : member;
}

// The model class of a shape: the class, or an array with the class.
function modelIn(value: unknown): ClassValue | undefined {
  const [only, ...more] = Array.isArray(value) ? (value as unknown[]) : [value];
  return only instanceof ClassValue && more.length === 0 ? only : undefined;
}
