import { parse as parseQuery } from 'node:querystring';
import type { TSchema } from 'typebox';
import {
  direct,
  type FieldProblem,
  fwError,
  type HttpContext,
  OBSERVE_BODY,
  type RouteInput,
  type RouteOptions,
  type SchemaIssue,
  takesFiles,
  validatorOf,
} from '../../kernel/index.js';
import { invalidInput } from './binding-error.js';
import { HTTP_ERRORS } from './errors.js';
import { fileListsOf } from './multipart/file-lists.js';
import { prunerOf } from './prune-unknown.js';
import { withoutPrototypeKeys } from './prototype-keys.js';
import { type BodyRules, bodyTypeOf, type DecodedBody, decodeBody, hasBody } from './request-body.js';
import type { ChainStep } from './middleware-chain.js';
import { textBooleansOf } from './text-booleans.js';

type Source = keyof RouteInput;
type Input = Record<string, unknown>;

interface SourceReader {
  read(context: HttpContext, input: Input, problems: FieldProblem[]): void | Promise<void>;
}

/**
 * The step of a route that reads and validates its inputs into `ctx.input`; no step when the route declares none. Every
 * source is checked, so that one answer names every invalid field.
 *
 * @param body - how the body is read
 */
export function inputStep({ input }: RouteOptions, body: BodyRules): readonly ChainStep[] {
  if (!input || Object.keys(input).length === 0) return [];
  const readers = readersOf(input, body);
  return [
    direct(function bind(context, next) {
      const values: Input = {};
      const problems: FieldProblem[] = [];
      // Only the last of them, that of the body, may have to wait.
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

/** What is typed as a bigint would be text. @throws FwError `FW_HTTP_INPUT_BIGINT` */
export function refuseBigints({ input = {} }: RouteOptions, method: string, path: string): void {
  for (const [source, schema] of Object.entries(input)) {
    if (hasBigint(schema)) throw fwError(HTTP_ERRORS.FW_HTTP_INPUT_BIGINT, { method, path, source });
  }
}

function hasBigint(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return (schema as { readonly type?: unknown }).type === 'bigint' || Object.values(schema).some(hasBigint);
}

function readersOf(input: RouteInput, body: BodyRules): readonly SourceReader[] {
  return [
    ...(input.params ? [textReader('params', input.params, (context) => ({ ...context.params }))] : []),
    ...(input.query ? [textReader('query', input.query, queryOf)] : []),
    ...(input.header ? [textReader('header', input.header, headersFor(input.header))] : []),
    ...(input.body ? [bodyReader(input.body, body)] : []),
  ];
}

function textReader(source: Source, schema: TSchema, valueOf: (context: HttpContext) => Input): SourceReader {
  const check = checker(source, schema, true);
  return {
    read(context, input, problems) {
      const value = valueOf(context);
      check(value, problems);
      input[source] = value;
    },
  };
}

function bodyReader(schema: TSchema, given: BodyRules): SourceReader {
  const rules = { ...given, takesFiles: takesFiles(schema) };
  const checkJson = checker('body', schema, false);
  const checkText = checker('body', schema, true);
  return {
    async read(context, input, problems) {
      const body = parsedBody(context, rules) ?? (await bodyOf(context, rules));
      if (body === undefined) {
        if (!isOptional(schema)) problems.push({ in: 'body', field: '', rule: 'required', message: 'is required' });
        return;
      }
      (context as { [OBSERVE_BODY]?: (body: unknown) => void })[OBSERVE_BODY]?.(body.value);
      (body.text ? checkText : checkJson)(body.value, problems);
      input['body'] = body.value;
    },
  };
}

// What a body parser from npm has left, by the convention that they share. The path of a file is believed only when we have
// stored the file. Parsers that do not know multipart bodies leave them unread and say that they are empty.
function parsedBody({ req, request }: HttpContext, rules: BodyRules): DecodedBody | undefined {
  const { body } = request as { body?: unknown };
  if (body === undefined || rules.takesFiles) return undefined;
  if (!req.readableDidRead && request.is('multipart')) return undefined;
  return { value: body, text: Boolean(request.is('urlencoded', 'multipart')) };
}

async function bodyOf({ req, res, method, path }: HttpContext, rules: BodyRules): Promise<DecodedBody | undefined> {
  if (!hasBody(req)) return undefined;
  if (req.readableDidRead) {
    bodyTypeOf(req, rules);
    // Its end would never come a second time.
    throw fwError(HTTP_ERRORS.FW_HTTP_BODY_TAKEN, { method, path });
  }
  return decodeBody(req, rules, res);
}

function isOptional(schema: TSchema): boolean {
  return '~optional' in schema;
}

function checker(source: Source, schema: TSchema, coerce: boolean) {
  const validator = validatorOf(schema, { coerce });
  const prune = prunerOf(schema);
  const spellBooleans = coerce ? textBooleansOf(schema) : undefined;
  const listFiles = coerce ? fileListsOf(schema) : undefined;
  return (value: unknown, problems: FieldProblem[]): void => {
    listFiles?.(value);
    prune?.(value);
    spellBooleans?.(value);
    for (const issue of validator.check(value)) problems.push(problemOf(source, issue));
  };
}

function problemOf(source: Source, { path, keyword, message }: SchemaIssue): FieldProblem {
  return { in: source, field: fieldOf(path), rule: keyword, message };
}

// JSON pointer (RFC 6901) to the dotted name that a person reads.
function fieldOf(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function queryOf({ req }: HttpContext): Input {
  const url = req.url as string;
  const start = url.indexOf('?');
  if (start < 0) return {};
  const text = url.slice(start + 1);
  return withoutPrototypeKeys({ ...parseQuery(text) }, text);
}

// Header names do not differ by case (RFC 9110, section 5.1), so the schema may spell them as it likes.
function headersFor(schema: TSchema): (context: HttpContext) => Input {
  const names = Object.keys((schema as { properties?: object }).properties ?? {});
  const pairs = names.map((name) => [name, name.toLowerCase()] as const);
  return ({ req }) => {
    const found: Input = {};
    for (const [name, key] of pairs) if (req.headers[key] !== undefined) found[name] = req.headers[key];
    return found;
  };
}
