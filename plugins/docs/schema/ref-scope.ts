import type { JsonSchema } from '../../../kernel/index.js';

/** A schema that a `$ref` led to. */
export interface Resolved {
  readonly schema: JsonSchema;
  readonly scope: RefScope;
  /** Name that the reference gives it; empty for the root of a schema without a name. */
  readonly name: string;
}

/**
 * Where the `$ref`s of a schema lead: to its root, into its `$defs`, or to a schema with that `$id`
 * (JSON Schema 2020-12, Core, section 8.2). Remote references are not followed.
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
    const local = reference.startsWith('#') ? this.#pointed(reference) : this.#named(reference);
    return local ?? this.outer?.find(reference);
  }

  #pointed(reference: string): Resolved | undefined {
    const steps = reference.slice(1).split('/').slice(1).map(unescaped);
    let at: unknown = this.root;
    for (const step of steps) at = isSchema(at) ? at[step] : undefined;
    if (!isSchema(at)) return undefined;
    return { schema: at, scope: this.entering(at), name: steps.at(-1) ?? String(this.root['$id'] ?? '') };
  }

  #named(reference: string): Resolved | undefined {
    if (this.root['$id'] === reference) return { schema: this.root, scope: this, name: reference };
    for (const [key, schema] of Object.entries(definitionsOf(this.root))) {
      if (isSchema(schema) && (key === reference || schema['$id'] === reference)) {
        return { schema, scope: this.entering(schema), name: reference };
      }
    }
    return undefined;
  }
}

/** Whether a value is a schema with members; `true` and `false` are schemas too, and are not meant. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function definitionsOf(schema: JsonSchema): JsonSchema {
  return { ...(schema['definitions'] as JsonSchema | undefined), ...(schema['$defs'] as JsonSchema | undefined) };
}

function unescaped(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
}
