import type { Direction } from '../../../../kernel/contracts/fleet-wire.js';
import { isObject, type JsonObject } from '../json-object.js';
import { discriminated, isBaseOfOthers } from './discriminator.js';

/** Nesting that is followed; deeper schemas stay as they are. */
const MAX_DEPTH = 64;
/** References that are followed to find out what a member is. */
const MAX_HOPS = 8;

const MAPS = ['properties', 'patternProperties'] as const;
const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;
const BRANCHES = ['if', 'then', 'else'] as const;
const DEFINITIONS = ['$defs', 'definitions', 'dependentSchemas'] as const;

const NOTHING: ReadonlySet<string> = new Set();

/** Marks the schema of a write-only member, which a response must not contain. */
export const WRITE_ONLY = 'x-fw-write-only';

/**
 * Reads the schemas of a document for one direction: a read-only member may be missing in a request, a write-only one in a response
 * (OpenAPI 3.1, section 4.8.24; JSON Schema Validation 2020-12, section 9.4).
 */
export class SchemaReader {
  readonly #leftOut = new WeakMap<JsonObject, ReadonlySet<string>>();

  /** @param resolve - resolves a `$ref` of the document */
  constructor(
    private readonly direction: Direction,
    private readonly resolve: (reference: string) => unknown,
  ) {}

  /**
   * A copy of a schema that also reports undeclared members: it has `unevaluatedProperties: false` wherever it describes a value, but not
   * inside compositions, whose parts each declare only some of the members (JSON Schema 2020-12, section 11.3).
   */
  closed(schema: JsonObject, depth = 0): JsonObject {
    const copy = this.open(schema, depth);
    const saysItself = 'additionalProperties' in copy || 'unevaluatedProperties' in copy;
    // A schema that declares no members allows any.
    const namesMembers = MAPS.some((key) => key in copy) || PARTS.some((key) => key in copy) || '$ref' in copy;
    const isOpen = saysItself || !namesMembers || isBaseOfOthers(this.#target(schema));
    return isOpen ? copy : { ...copy, unevaluatedProperties: false };
  }

  /** A copy for a schema that others refer to: its members are closed, but the schema itself stays open. */
  open(schema: JsonObject, depth = 0, leftOut = NOTHING): JsonObject {
    const copy = withoutNames(schema);
    if (depth >= MAX_DEPTH) return copy;
    const missing = new Set([...leftOut, ...this.#mayBeLeftOut(schema)]);
    if (Array.isArray(copy['required']) && missing.size > 0) {
      copy['required'] = copy['required'].filter((name) => !missing.has(name as string));
    }
    const closed = (each: JsonObject) => this.#member(each, depth + 1);
    const open = (each: JsonObject) => this.open(each, depth + 1);
    const part = (each: JsonObject) => this.open(each, depth + 1, missing);
    for (const key of MAPS) if (isObject(copy[key])) copy[key] = mapped(copy[key], closed);
    for (const key of DEFINITIONS) if (isObject(copy[key])) copy[key] = mapped(copy[key], open);
    for (const key of PARTS) {
      const parts = copy[key];
      if (Array.isArray(parts)) copy[key] = parts.map((each) => (isObject(each) ? part(each) : (each as unknown)));
    }
    for (const key of BRANCHES) if (isObject(copy[key])) copy[key] = part(copy[key]);
    for (const key of ['items', 'additionalProperties', 'contains']) {
      if (isObject(copy[key])) copy[key] = this.closed(copy[key], depth + 1);
    }
    return discriminated(copy);
  }

  #member(schema: JsonObject, depth: number): JsonObject {
    const isForbidden = this.direction === 'response' && this.#says(schema, 'writeOnly');
    return isForbidden ? { [WRITE_ONLY]: true, not: {} } : this.closed(schema, depth);
  }

  /** Names of members that may be missing in this direction, of a schema and its parts. */
  #mayBeLeftOut(schema: JsonObject, hops = 0): ReadonlySet<string> {
    const known = this.#leftOut.get(schema);
    if (known) return known;
    // A cycle of references adds nothing.
    this.#leftOut.set(schema, NOTHING);
    const word = this.direction === 'request' ? 'readOnly' : 'writeOnly';
    const members = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
    const own = members.filter(([, each]) => isObject(each) && this.#says(each, word)).map(([name]) => name);
    const parts = [this.#target(schema), ...(Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : [])];
    const inherited = parts.flatMap((each) =>
      isObject(each) && each !== schema && hops < MAX_HOPS ? [...this.#mayBeLeftOut(each, hops + 1)] : [],
    );
    const names = own.length + inherited.length === 0 ? NOTHING : new Set([...own, ...inherited]);
    this.#leftOut.set(schema, names);
    return names;
  }

  // The keyword may be beside a `$ref`, or in its target.
  #says(schema: JsonObject, word: string): boolean {
    return schema[word] === true || this.#target(schema)[word] === true;
  }

  #target(schema: JsonObject): JsonObject {
    let at: unknown = schema;
    for (let hops = 0; hops < MAX_HOPS && isObject(at) && typeof at['$ref'] === 'string'; hops++) {
      at = this.resolve(at['$ref']);
    }
    return isObject(at) ? at : schema;
  }
}

// Removes ids and anchors, which would change the base of references, and examples, which are no schemas.
function withoutNames(schema: JsonObject): Record<string, unknown> {
  const { $id: _id, $anchor: _anchor, $dynamicAnchor: _dynamic, example: _one, examples: _many, ...copy } = schema;
  return nullAsType(exclusiveAsNumber(copy));
}

// OpenAPI 3.0 has the keyword of JSON Schema draft 4: a boolean beside the bound.
function exclusiveAsNumber(copy: Record<string, unknown>): Record<string, unknown> {
  for (const [exclusive, bound] of [['exclusiveMinimum', 'minimum'], ['exclusiveMaximum', 'maximum']] as const) {
    if (typeof copy[exclusive] !== 'boolean') continue;
    const { [exclusive]: isExclusive, [bound]: limit, ...rest } = copy;
    copy = isExclusive ? { ...rest, [exclusive]: limit } : { ...rest, [bound]: limit };
    if (limit === undefined) delete copy[isExclusive ? exclusive : bound];
  } // prettier-ignore
  return copy;
}

// `nullable` of OpenAPI 3.0 belongs beside a type; many documents have it beside `allOf` or `enum` with the same meaning.
function nullAsType(copy: Record<string, unknown>): Record<string, unknown> {
  const { nullable, ...rest } = copy;
  if (nullable === undefined || (nullable === true && 'type' in copy)) return copy;
  return nullable === true ? { anyOf: [{ type: 'null' }, rest] } : rest;
}

function mapped(schemas: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, each]) => [name, isObject(each) ? change(each) : each]),
  );
}
