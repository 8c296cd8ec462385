import type { JsonSchema } from '../../../kernel/index.js';
import { type DocumentedInput, templateNames } from '../registry/index.js';
import { isSchema, membersOf, RefScope, type Member } from '../../../kernel/schema/index.js';
import type { Parameter } from './openapi-document.js';
import type { SchemaWriter } from './schema-writer.js';

// OpenAPI describes these three headers elsewhere, and ignores parameters of these names (3.1.0, section 4.8.12.2).
const HEADERS_SAID_ELSEWHERE = new Set(['accept', 'content-type', 'authorization']);

/**
 * Path, query and header parameters, in that order. Every name of the path has one; a declared path parameter that the path
 * does not have is left out, because no request could carry it.
 *
 * @param path - template with `{names}`
 * @param hint - names types that have no name
 */
export function parametersOf(
  path: string,
  input: readonly DocumentedInput[],
  write: SchemaWriter,
  hint: string,
): readonly Parameter[] {
  const members = (source: string) =>
    input.filter((group) => group.source === source).flatMap((group) => membersOf(group.schema));
  const declared = new Map(members('params').map((member) => [member.name, member]));
  const written = (where: Parameter['in'], member: Member): Parameter => parameter(where, member, write, hint);
  return [
    ...templateNames(path).map((name) =>
      written('path', { ...(declared.get(name) ?? textMember(name)), required: true }),
    ),
    ...members('query').map((member) => written('query', member)),
    ...members('header')
      .filter(({ name }) => !HEADERS_SAID_ELSEWHERE.has(name.toLowerCase()))
      .map((member) => written('header', member)),
  ];
}

function textMember(name: string): Member {
  const schema: JsonSchema = { type: 'string' };
  return { name, schema, scope: undefined, required: true };
}

function parameter(
  where: Parameter['in'],
  { name, schema, scope, required }: Member,
  writer: SchemaWriter,
  hint: string,
): Parameter {
  // Description and deprecation of a parameter are written beside its schema, where viewers look for them.
  const { description, deprecated, ...rest } = writer.write(schema, `${hint} ${name}`, scope);
  return {
    name,
    in: where,
    required,
    ...(typeof description === 'string' && { description }),
    ...(deprecated === true && { deprecated }),
    ...(where === 'query' && takesObject(schema, scope) && { style: 'deepObject', explode: true }),
    schema: rest,
  };
}

// Whether a value may be an object: it could not be told from other parameters in the default style.
function takesObject(schema: JsonSchema, scope = new RefScope(schema), depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  const inside = scope.entering(schema);
  const { $ref, type, allOf, anyOf, oneOf } = schema;
  const target = typeof $ref === 'string' ? inside.find($ref) : undefined;
  if (target && takesObject(target.schema, target.scope, depth + 1)) return true;
  if ([type].flat().includes('object') || 'properties' in schema) return true;
  const parts = [allOf, anyOf, oneOf].filter(Array.isArray).flat() as unknown[];
  return parts.some((part) => isSchema(part) && takesObject(part, inside, depth + 1));
}

// Deeper than references and combinations of parameters nest; ends circular ones.
const MAX_DEPTH = 10;
