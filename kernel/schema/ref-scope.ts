import type { JsonSchema } from '../contracts/docs.js';
import { isObject } from '../values/index.js';
import { schemaParts } from './schema-parts.js';

/** A schema that a `$ref` led to. */
export interface Resolved {
  readonly schema: JsonSchema;
  readonly scope: RefScope;
  /** Name in the reference; empty for the root of an unnamed schema. */
  readonly name: string;
}

/** A `$ref` that leads nowhere. */
export class UnknownReference extends Error {
  constructor(reference: string) {
    super(`its $ref "${reference}" leads nowhere in the schema`);
  }
}

// Default base of relative `$id`s, which are only compared, never fetched.
const NO_BASE = 'fw:/';

/**
 * Resolves the `$ref`s of a schema: to its root, into its `$defs`, or to a schema with that `$id` or `$anchor` anywhere in it (JSON Schema
 * 2020-12, Core, section 8.2). Remote references are not followed.
 */
export class RefScope {
  constructor(
    readonly root: JsonSchema,
    readonly outer?: RefScope,
  ) {}

  /** The scope inside a schema: a new one when the schema has an identity or definitions of its own. */
  entering(schema: JsonSchema): RefScope {
    if (schema === this.root) return this;
    return '$id' in schema || '$defs' in schema || 'definitions' in schema ? new RefScope(schema, this) : this;
  }

  find(reference: string): Resolved | undefined {
    const [id = '', fragment = ''] = reference.split('#', 2);
    if (id === '') return this.#inside(fragment) ?? this.outer?.find(reference);
    const named = this.#named(id) ?? this.#embedded(this.root, id) ?? this.outer?.find(id);
    return named === undefined || fragment === '' ? named : named.scope.entering(named.schema).#inside(fragment);
  }

  // A pointer into the schema (RFC 6901), or the name of an anchor.
  #inside(fragment: string): Resolved | undefined {
    return fragment === '' || fragment.startsWith('/') ? this.#pointed(fragment) : this.#anchored(this.root, fragment);
  }

  #pointed(pointer: string): Resolved | undefined {
    const steps = pointer.split('/').slice(1).map(unescaped);
    let at: unknown = this.root;
    for (const step of steps) at = isSchema(at) || Array.isArray(at) ? (at as JsonSchema)[step] : undefined;
    if (!isSchema(at)) return undefined;
    return { schema: at, scope: this.entering(at), name: steps.at(-1) ?? String(this.root['$id'] ?? '') };
  }

  #anchored(schema: JsonSchema, anchor: string): Resolved | undefined {
    if (schema['$anchor'] === anchor || schema['$dynamicAnchor'] === anchor) {
      return { schema, scope: this.entering(schema), name: anchor };
    }
    // Anchors of a subschema with its own `$id` belong to that subschema.
    return firstOf(schema, (part) => ('$id' in part ? undefined : this.#anchored(part, anchor)));
  }

  #named(id: string): Resolved | undefined {
    if (this.root['$id'] === id) return { schema: this.root, scope: this, name: id };
    for (const [key, schema] of Object.entries(definitionsOf(this.root))) {
      if (isSchema(schema) && (key === id || schema['$id'] === id)) {
        return { schema, scope: this.entering(schema), name: id };
      }
    }
    return undefined;
  }

  #embedded(schema: JsonSchema, id: string, wanted = absolute(id, this.#base())): Resolved | undefined {
    const inside = this.entering(schema);
    if ('$id' in schema && inside.#base() === wanted) return { schema, scope: inside, name: id };
    return firstOf(schema, (part) => inside.#embedded(part, id, wanted));
  }

  #base(): string {
    const outer = this.outer ? this.outer.#base() : NO_BASE;
    const own = this.root['$id'];
    return typeof own === 'string' ? absolute(own, outer) : outer;
  }
}

/** Whether a value is a schema with members; `true` and `false` are schemas too, and are not meant. */
export const isSchema: (value: unknown) => value is JsonSchema = isObject;

function firstOf(schema: JsonSchema, find: (part: JsonSchema) => Resolved | undefined): Resolved | undefined {
  for (const part of schemaParts(schema)) {
    const found = isSchema(part) ? find(part) : undefined;
    if (found) return found;
  }
  return undefined;
}

// A name such as `User` is a relative reference too (RFC 3986, section 4.2).
function absolute(reference: string, base: string): string {
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
}

function definitionsOf(schema: JsonSchema): JsonSchema {
  return { ...(schema['definitions'] as JsonSchema | undefined), ...(schema['$defs'] as JsonSchema | undefined) };
}

function unescaped(step: string): string {
  return decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A part of a URI without its percent-encoding; as it is where that is malformed, as in `100%`. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
