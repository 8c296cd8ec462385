import type { TSchema } from 'typebox';
import {
  direct,
  type FieldProblem,
  fwError,
  type HttpContext,
  type JsonSchema,
  OBSERVE_BODY,
  type RouteInput,
  type RouteOptions,
  type SchemaIssue,
  takesFiles,
  validatorOf,
} from '../../kernel/index.js';
import { isObject } from '../../kernel/values/index.js';
import { anywhere, inheritedDefault, isFileAt, membersOf, noSchemaIn } from '../../kernel/schema/index.js';
import { invalidInput } from './binding-error.js';
import { HTTP_ERRORS } from './errors.js';
import { type InputBounds, plainPairs, queryPairs, refuseTooDeep } from './input-bounds.js';
import { prunerOf } from './prune-unknown.js';
import { declaresProperty, withoutPrototypeKeys } from './prototype-keys.js';
import type { BodyRules } from './body-rules.js';
import { bodyTypeOf, type DecodedBody, decodeBody, hasBody } from './request-body.js';
import { forgedFiles } from './multipart/forged-files.js';
import type { ChainStep } from './middleware-chain.js';
import { bracketReaderOf } from './text-input/bracket-names.js';
import { settled } from './text-input/bracket-tree.js';
import { textReaderOf } from './text-input/text-reader.js';
import { simpleStyle } from './text-input/text-style.js';

type Source = keyof RouteInput;
type Input = Record<string, unknown>;

interface SourceReader {
  read(context: HttpContext, input: Input, problems: FieldProblem[]): void | Promise<void>;
}

/** How the inputs of a route are read. */
type InputRules = BodyRules & InputBounds;

/**
 * The step of a route that reads and validates its inputs into `ctx.input`; no step when the route declares none. Every
 * source is checked, so that one answer names every invalid field.
 *
 * @param rules - how they are read
 */
export function inputStep({ input }: RouteOptions, rules: InputRules): readonly ChainStep[] {
  if (!input || Object.keys(input).length === 0) return [];
  const readers = readersOf(input, rules);
  return [
    direct(function bind(context, next) {
      const values: Input = {};
      const problems: FieldProblem[] = [];
      // Only the last source, the body, may be asynchronous.
      let pending: void | Promise<void> = undefined;
      for (const reader of readers) pending = reader.read(context, values, problems);
      const run = () => {
        if (problems.length > 0) throw invalidInput(problems);
        (context as unknown as { input: Input }).input = values;
        return next();
      };
      return pending ? pending.then(run) : run();
    }),
  ];
}

/**
 * Refuses schemas that no request can satisfy as intended.
 *
 * @throws FwError `FW_HTTP_INPUT_SCHEMA`: what is no schema would let everything pass
 * @throws FwError `FW_HTTP_INPUT_BIGINT`: what is typed as a bigint would be text
 * @throws FwError `FW_HTTP_INPUT_PROTOTYPE`: members of the name __proto__ are dropped
 * @throws FwError `FW_HTTP_INPUT_DEFAULT`: what every object inherits is never missing
 */
export function refuseUnreadable({ input = {} }: RouteOptions, method: string, path: string): void {
  for (const [source, schema] of Object.entries(input)) {
    if (schema === undefined) continue;
    const none = noSchemaIn(schema);
    if (none) throw fwError(HTTP_ERRORS.FW_HTTP_INPUT_SCHEMA, { method, path, source, got: shownBriefly(none.part) });
    if (anywhere(schema, ({ type }) => type === 'bigint'))
      throw fwError(HTTP_ERRORS.FW_HTTP_INPUT_BIGINT, { method, path, source });
    if (declaresProperty(schema, '__proto__')) {
      throw fwError(HTTP_ERRORS.FW_HTTP_INPUT_PROTOTYPE, { method, path, source });
    }
    const name = inheritedDefault(schema);
    if (name !== undefined) throw fwError(HTTP_ERRORS.FW_HTTP_INPUT_DEFAULT, { method, path, source, name });
  }
}

function shownBriefly(part: unknown): string {
  if (typeof part === 'function') return `the function ${part.name}`;
  if (typeof part !== 'object' || part === null) return JSON.stringify(part) ?? String(part);
  return `an object with ${Object.keys(part).join(', ') || 'nothing'}`.slice(0, 100);
}

function readersOf(input: RouteInput, rules: InputRules): readonly SourceReader[] {
  const { params, query, header, body } = input;
  return [
    ...(params ? [textReader('params', params, rules, (context) => ({ ...context.params }))] : []),
    ...(query ? [textReader('query', query, rules, queryFor(query, rules))] : []),
    ...(header ? [textReader('header', header, rules, headersFor(header))] : []),
    ...(body ? [bodyReader(body, rules)] : []),
  ];
}

function textReader(
  source: Source,
  schema: TSchema,
  rules: InputRules,
  valueOf: (context: HttpContext) => Input,
): SourceReader {
  const check = textChecker(source, schema, rules);
  return {
    read(context, input, problems) {
      input[source] = check(valueOf(context), problems);
    },
  };
}

function bodyReader(schema: TSchema, given: InputRules): SourceReader {
  const keepsConstructor = declaresProperty(schema, 'constructor');
  const rules = { ...given, takesFiles: takesFiles(schema), keepsConstructor };
  const checkJson = checker('body', schema);
  const checkText = textChecker('body', schema, rules);
  return {
    async read(context, input, problems) {
      const body = parsedBody(context, rules) ?? (await bodyOf(context, rules));
      if (body === undefined) {
        if (!isOptional(schema)) problems.push({ in: 'body', field: '', rule: 'required', message: 'is required' });
        return;
      }
      (context as { [OBSERVE_BODY]?: (body: unknown) => void })[OBSERVE_BODY]?.(body.value);
      const value = (body.text ? checkText : checkJson)(body.value, problems);
      input['body'] = value;
      if (rules.takesFiles && problems.length === 0)
        problems.push(...forgedFiles(schema, value, body.stored ?? NONE).map(noFile));
    },
  };
}

// The result of a body parser from npm, by their common convention. The path of a file is trusted only if we have stored the file. Parsers
// without multipart support leave such bodies unread and report them as empty.
function parsedBody({ req, request }: HttpContext, rules: InputRules): DecodedBody | undefined {
  const { body } = request as { body?: unknown };
  if (body === undefined || rules.takesFiles) return undefined;
  if (!req.readableDidRead && request.is('multipart')) return undefined;
  refuseTooDeep(body, rules.depthLimit);
  const value = withoutPrototypeKeys(body, undefined, rules.keepsConstructor);
  return { value, text: Boolean(request.is('urlencoded', 'multipart')) };
}

async function bodyOf({ req, res, method, path }: HttpContext, rules: BodyRules): Promise<DecodedBody | undefined> {
  if (!hasBody(req)) return undefined;
  if (req.readableDidRead) {
    bodyTypeOf(req, rules);
    // The stream was read already, and would never end again.
    throw fwError(HTTP_ERRORS.FW_HTTP_BODY_TAKEN, { method, path });
  }
  return decodeBody(req, rules, res);
}

function isOptional(schema: TSchema): boolean {
  return '~optional' in schema;
}

/** Adds mistakes to the problems, and returns the value for the handler. */
type Checker = (value: unknown, problems: FieldProblem[]) => unknown;

function checker(source: Source, schema: TSchema): Checker {
  const validator = validatorOf(schema);
  const prune = prunerOf(schema);
  return (value, problems) => {
    prune?.(value);
    for (const issue of validator.check(value)) problems.push(problemOf(source, schema, issue));
    return value;
  };
}

// In headers and paths brackets have no meaning.
function textChecker(source: Source, schema: TSchema, rules: InputRules): Checker {
  const check = checker(source, schema);
  const keepsConstructor = declaresProperty(schema, 'constructor');
  const joinBrackets =
    source === 'query' || source === 'body'
      ? bracketReaderOf(schema, source, rules.depthLimit, keepsConstructor)
      : undefined;
  const style = source === 'header' || source === 'params' ? simpleStyle(source, keepsConstructor) : undefined;
  const readText = textReaderOf(schema, style) ?? ((value: unknown) => value);
  return (given, problems) => {
    const joined = joinBrackets && isObject(given) ? joinBrackets(given, problems) : given;
    const value = readText(joined);
    return check(joined === given ? value : settled(value), problems);
  };
}

function problemOf(source: Source, schema: TSchema, { path, keyword, message, params }: SchemaIssue): FieldProblem {
  // To a client a file is no object: a field of a form with the name of the file came in its place.
  const isOtherThanFile = keyword === 'type' && params['type'] === 'object' && isFileAt(schema as JsonSchema, path);
  return isOtherThanFile ? noFile(path) : { in: source, field: fieldOf(path), rule: keyword, message };
}

const NONE: ReadonlySet<string> = new Set();

const noFile = (path: string): FieldProblem => ({
  in: 'body',
  field: fieldOf(path),
  rule: 'type',
  message: 'must be a file: a part of the form that has a filename',
});

// Converts a JSON pointer (RFC 6901) to a dotted name.
function fieldOf(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function queryFor(schema: TSchema, { fieldLimit }: InputRules): (context: HttpContext) => Input {
  const keepsConstructor = declaresProperty(schema, 'constructor');
  return ({ req }) => {
    const url = req.url as string;
    const start = url.indexOf('?');
    if (start < 0) return {};
    const text = url.slice(start + 1);
    return withoutPrototypeKeys(plainPairs(queryPairs(text, fieldLimit)), text, keepsConstructor);
  };
}

// Header names are case-insensitive (RFC 9110, section 5.1), so the schema may use any case.
function headersFor(schema: TSchema): (context: HttpContext) => Input {
  const pairs = membersOf(schema as JsonSchema).map(({ name }) => [name, name.toLowerCase()] as const);
  return ({ req }) => {
    const found: Input = {};
    for (const [name, key] of pairs) if (Object.hasOwn(req.headers, key)) found[name] = req.headers[key];
    return found;
  };
}
