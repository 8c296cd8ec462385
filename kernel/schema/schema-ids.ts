import type { JsonSchema } from '../contracts/docs.js';
import { fwError } from '../errors/index.js';
import { canonicalText } from './equality.js';
import { SCHEMA_ERRORS } from './errors.js';
import { isSchema, RefScope, UnknownReference } from './ref-scope.js';
import { changedParts, schemaParts } from './schema-parts.js';

interface Named {
  readonly schema: JsonSchema;
  readonly place: string;
}

// Annotations that may differ between the places of a shared schema.
const WORDS = ['title', 'description', 'examples', '$comment'];

/** The schemas of one application by `$id`. A schema may be used in any number of places; two schemas must not share an `$id`. */
export class SchemaIds {
  readonly #known = new Map<string, Named>();
  // Schemas that were checked already.
  readonly #seen = new WeakSet<JsonSchema>();

  /**
   * Registers the names of a schema and its parts.
   *
   * @param place - where it is used, for errors: `input.body of POST /orders`
   * @throws FwError `FW_SCHEMA_ID_TWICE` when a name belongs to another schema
   * @throws FwError `FW_SCHEMA_REFERENCE` when a `$ref` leads nowhere
   */
  add(schema: unknown, place: string): void {
    if (isSchema(schema)) this.#walk(schema, new RefScope(schema), place);
  }

  #walk(schema: JsonSchema, outer: RefScope, place: string, localName?: string): void {
    const scope = outer.entering(schema);
    const { $id: id, $ref: reference } = schema;
    if (typeof reference === 'string' && scope.find(reference) === undefined) {
      throw fwError(SCHEMA_ERRORS.FW_SCHEMA_REFERENCE, { place, problem: new UnknownReference(reference).message });
    }
    const keys = definitionKeys(schema);
    for (const part of schemaParts(schema)) if (isSchema(part)) this.#walk(part, scope, place, keys?.get(part));
    // Registered after its parts, so that the error names the innermost schema that differs.
    if (typeof id === 'string' && id !== localName) this.#take(id, schema, place);
  }

  #take(id: string, schema: JsonSchema, place: string): void {
    if (this.#seen.has(schema)) return;
    this.#seen.add(schema);
    const known = this.#known.get(id);
    if (known === undefined) this.#known.set(id, { schema, place });
    else if (meaning(known.schema) !== meaning(schema)) {
      throw fwError(SCHEMA_ERRORS.FW_SCHEMA_ID_TWICE, { id, first: known.place, second: place });
    }
  }
}

// TypeBox uses the keys of a cyclic type's definitions as `$id`s: such a name is local to that type.
function definitionKeys({ $defs, definitions }: JsonSchema): ReadonlyMap<unknown, string> | undefined {
  if ($defs === undefined && definitions === undefined) return undefined;
  const entries = [definitions, $defs].flatMap((map) => Object.entries(isSchema(map) ? map : {}));
  return new Map(entries.map(([key, part]) => [part, key]));
}

function meaning(schema: JsonSchema): string {
  return canonicalText(comparable(schema));
}

function comparable(part: unknown): unknown {
  if (!isSchema(part)) return part;
  const words = Object.entries(part).filter(([word]) => !WORDS.includes(word));
  const { required, ...rest } = { ...Object.fromEntries(words), ...changedParts(part, comparable) } as JsonSchema;
  return Array.isArray(required) ? { ...rest, required: [...(required as string[])].sort() } : rest;
}
