import type { JsonSchema } from '../contracts/docs.js';
import { isSchema, RefScope } from './ref-scope.js';

/** A member of an input group: one query parameter, header or path parameter. */
export interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Scope that resolves its references; its own schema when undefined. */
  readonly scope: RefScope | undefined;
  readonly required: boolean;
}

// Deeper than references and combinations of parameters nest; ends circular ones.
const MAX_DEPTH = 10;

/**
 * The members of an object schema, in the order of declaration; `allOf` is merged, references are followed, and of `anyOf`
 * a member is required when every branch requires it. A member with a default may be left out.
 */
export function membersOf(schema: JsonSchema, scope = new RefScope(schema), depth = 0): readonly Member[] {
  if (depth > MAX_DEPTH) return [];
  const inside = scope.entering(schema);
  const below = (part: unknown) => (isSchema(part) ? membersOf(part, inside, depth + 1) : []);
  const referred = typeof schema['$ref'] === 'string' ? inside.find(schema['$ref']) : undefined;
  return merged([
    ...(referred ? membersOf(referred.schema, referred.scope, depth + 1) : []),
    ...own(schema, inside),
    ...listOf(schema, 'allOf').flatMap(below),
    ...alternatives([...listOf(schema, 'anyOf'), ...listOf(schema, 'oneOf')].map(below)),
    // `if` says less about a member than `then` and `else`, so it comes last.
    ...['then', 'else', 'if']
      .flatMap((branch) => below(schema[branch]))
      .map((member) => ({ ...member, required: false })),
  ]);
}

function own(schema: JsonSchema, scope: RefScope): readonly Member[] {
  const required = new Set(listOf(schema, 'required'));
  return Object.entries((schema['properties'] as JsonSchema | undefined) ?? {}).map(([name, member]) => {
    const node = isSchema(member) ? member : {};
    return { name, schema: node, scope, required: required.has(name) && node['default'] === undefined };
  });
}

function alternatives(branches: readonly (readonly Member[])[]): readonly Member[] {
  const always = (name: string) =>
    branches.every((branch) => branch.some((each) => each.name === name && each.required));
  return branches.flat().map((member) => ({ ...member, required: always(member.name) }));
}

function merged(members: readonly Member[]): readonly Member[] {
  const byName = new Map<string, Member>();
  for (const member of members) {
    const before = byName.get(member.name);
    byName.set(member.name, before ? { ...before, required: before.required || member.required } : member);
  }
  return [...byName.values()];
}

function listOf(schema: JsonSchema, keyword: string): readonly unknown[] {
  const value = schema[keyword];
  return Array.isArray(value) ? (value as unknown[]) : [];
}
