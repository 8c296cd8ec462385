import type { Direction } from '../../../../kernel/contracts/fleet-wire.js';
import { isObject } from '../../../../kernel/values/index.js';
import type { JsonObject } from '../json-object.js';
import { DescribedParts, ELEMENTS, memberPart, type Part } from './described-parts.js';
import { discriminated, isBaseOfOthers } from './discriminator.js';
import { isSchema, wellFormed } from './well-formed.js';

/** Nesting that is followed; deeper schemas stay as they are. */
const MAX_DEPTH = 64;
/** Parts and alternatives of one schema that are read for the values of its discriminator. */
const MAX_PARTS = 100;
/** Values of a discriminator that are told apart, of one schema. */
const MAX_VALUES = 100;
/** References that are followed to find out what a member is. */
const MAX_HOPS = 8;

const MAPS = ['properties', 'patternProperties'] as const;
const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;
const ALTERNATIVES = ['anyOf', 'oneOf'] as const;
const BRANCHES = ['if', 'then', 'else'] as const;
/** Keywords besides `type` and `enum` that null may not fit. */
const LIMITS = [...PARTS, 'const', 'not', 'if', '$ref'] as const;
const DEFINITIONS = ['$defs', 'definitions', 'dependentSchemas'] as const;

/** Depth that a schema counts for which is copied into the one that refers to it. */
const DEPTH_OF_COPY = 8;

/** Keywords that tell readers something, and validators nothing. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
]);
const NULL: JsonObject = { type: 'null' };
const NOTHING: ReadonlySet<never> = new Set();

/** Marks the schema of a write-only member, which a response must not contain. */
export const WRITE_ONLY = 'x-fw-write-only';

/**
 * Reads the schemas of a document for one direction: a read-only member may be missing in a request, a write-only one in a response
 * (OpenAPI 3.1, section 4.8.24; JSON Schema Validation 2020-12, section 9.4).
 */
export class SchemaReader {
  readonly #leftOut = new WeakMap<JsonObject, ReadonlySet<string>>();
  readonly #described = new DescribedParts((schema) => this.#target(schema));

  /**
   * @param resolve - resolves a `$ref` of the document
   * @param isReferenceAlone - whether what stands beside a `$ref` is ignored
   */
  constructor(
    private readonly direction: Direction,
    private readonly resolve: (reference: string) => unknown,
    private readonly isReferenceAlone = false,
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

  /**
   * A copy for a schema that others refer to: its members are closed, but the schema itself stays open.
   *
   * @param leftOut - members that may be missing in this direction
   * @param elsewhere - parts of the value that the schema around this one describes for all of its `allOf`
   */
  open(
    schema: JsonObject,
    depth = 0,
    leftOut: ReadonlySet<string> = NOTHING,
    elsewhere: ReadonlySet<Part> = NOTHING,
  ): JsonObject {
    const copy = withoutNames(this.isReferenceAlone ? referenceAlone(schema) : schema);
    if (depth >= MAX_DEPTH) return copy;
    const missing = new Set([...leftOut, ...this.#mayBeLeftOut(schema)]);
    if (Array.isArray(copy['required']) && missing.size > 0) {
      copy['required'] = copy['required'].filter((name) => !missing.has(name as string));
    }
    const several = this.#described.ofSeveral(copy);
    const moved = new Set([...elsewhere, ...several.keys()]);
    if (several.size > 0 && '$ref' in copy) referenceAsPart(copy);
    this.#readMembers(copy, depth, moved);
    const open = (each: JsonObject) => this.open(each, depth + 1);
    const part = (each: JsonObject) => this.open(each, depth + 1, missing);
    for (const key of DEFINITIONS) if (isObject(copy[key])) copy[key] = mapped(copy[key], open);
    for (const key of ALTERNATIVES) {
      if (Array.isArray(copy[key])) copy[key] = listed(copy[key], (each) => (isOnlyNullable(each) ? NULL : part(each)));
    }
    if (Array.isArray(copy['allOf'])) {
      copy['allOf'] = listed(copy['allOf'], (each) => this.#besides(each, depth + 1, missing, moved));
    }
    for (const key of BRANCHES) if (isObject(copy[key])) copy[key] = part(copy[key]);
    for (const [name, all] of several) if (!elsewhere.has(name)) this.#describe(copy, name, all, depth + 1);
    return discriminated(copy, (reference, member) => this.#listedValues({ $ref: reference }, member));
  }

  #readMembers(copy: Record<string, unknown>, depth: number, moved: ReadonlySet<Part>): void {
    const closed = (each: JsonObject) => this.#member(each, depth + 1);
    const { properties, patternProperties } = copy;
    if (isObject(properties)) {
      copy['properties'] = mapped(properties, (each, name) => (moved.has(memberPart(name)) ? true : closed(each)));
    }
    if (isObject(patternProperties)) copy['patternProperties'] = mapped(patternProperties, closed);
    if (Array.isArray(copy['prefixItems'])) copy['prefixItems'] = listed(copy['prefixItems'], closed);
    if (isObject(copy['items'])) copy['items'] = moved.has(ELEMENTS) ? true : this.closed(copy['items'], depth + 1);
    for (const key of ['additionalProperties', 'contains']) {
      if (isObject(copy[key])) copy[key] = this.closed(copy[key], depth + 1);
    }
  }

  /** A part of an `allOf`: a copy of what it refers to, where that describes something that is described elsewhere. */
  #besides(schema: JsonObject, depth: number, leftOut: ReadonlySet<string>, elsewhere: ReadonlySet<Part>): JsonObject {
    const target = this.#target(schema);
    const described = this.#described.of(target);
    if (target === schema || ![...elsewhere].some((part) => described.has(part))) {
      return this.open(schema, depth, leftOut, elsewhere);
    }
    const { $ref: _ref, allOf, ...own } = schema;
    const parts = [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), target];
    return this.open({ ...own, allOf: parts }, depth + DEPTH_OF_COPY, leftOut, elsewhere);
  }

  /** Describes a part of the value by all of its descriptions at once. */
  #describe(copy: Record<string, unknown>, part: Part, all: readonly JsonObject[], depth: number): void {
    const forbidden = all.find((each) => this.#isForbidden(each));
    const isOpen = all.some((each) => isBaseOfOthers(this.#target(each)));
    const whole = { allOf: all };
    const described = isOpen && !forbidden ? this.open(whole, depth) : this.#member(forbidden ?? whole, depth);
    if (part === ELEMENTS) copy['items'] = described;
    else copy['properties'] = { ...(copy['properties'] as JsonObject | undefined), [part.slice(1)]: described };
  }

  #member(schema: JsonObject, depth: number): JsonObject {
    return this.#isForbidden(schema) ? { [WRITE_ONLY]: true, not: {} } : this.closed(schema, depth);
  }

  #isForbidden(schema: JsonObject): boolean {
    return this.direction === 'response' && this.#says(schema, 'writeOnly');
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

  /** The values that a schema, its parts or its alternatives list for a member. */
  #listedValues(schema: JsonObject, member: string, seen = new Set<JsonObject>()): readonly unknown[] {
    const target = this.#target(schema);
    if (seen.has(target) || seen.size >= MAX_PARTS) return [];
    seen.add(target);
    const { properties, ...rest } = target;
    const described = isObject(properties) ? properties[member] : undefined;
    if (isObject(described)) {
      const found = this.#target(described);
      if ('const' in found) return [found['const']];
      if (Array.isArray(found['enum'])) return found['enum'] as unknown[];
    }
    const parts = PARTS.flatMap((key) => (Array.isArray(rest[key]) ? (rest[key] as unknown[]) : []));
    const values = parts.flatMap((each) => (isObject(each) ? this.#listedValues(each, member, seen) : []));
    return [...new Set(values)].slice(0, MAX_VALUES);
  }

  #target(schema: JsonObject): JsonObject {
    let at: unknown = schema;
    for (let hops = 0; hops < MAX_HOPS && isObject(at) && typeof at['$ref'] === 'string'; hops++) {
      at = this.resolve(at['$ref']);
    }
    return isObject(at) ? at : schema;
  }
}

// What a document says of a whole reference is kept: whether it is null, and by `says` its direction.
function referenceAlone(schema: JsonObject): JsonObject {
  if (typeof schema['$ref'] !== 'string') return schema;
  const { $ref, nullable } = schema;
  return nullable === undefined ? { $ref } : { $ref, nullable };
}

// Removes ids and anchors, which would change the base of references, and examples, which are no schemas.
function withoutNames(schema: JsonObject): Record<string, unknown> {
  const { $id: _id, $anchor: _anchor, $dynamicAnchor: _dynamic, example: _one, examples: _many, ...copy } = schema;
  return nullAsType(wellFormed(exclusiveAsNumber(copy)));
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

// `nullable` of OpenAPI 3.0 belongs beside a type, to which it adds null; many documents have it beside `allOf` or `enum` with the same
// meaning. A schema that limits nothing of the kind takes null anyway, and stays one that declares no members.
function nullAsType(copy: Record<string, unknown>): Record<string, unknown> {
  const { nullable, ...rest } = copy;
  if (nullable === undefined) return copy;
  if (nullable !== true) return rest;
  if (LIMITS.some((key) => key in copy)) return { anyOf: [{ type: 'null' }, rest] };
  const said = 'type' in copy ? copy : rest;
  return Array.isArray(said['enum']) ? { ...said, enum: [...(said['enum'] as unknown[]), null] } : said;
}

// Generators for OpenAPI 3.0, which has no type for null, write the alternative that a value is null like this.
function isOnlyNullable({ nullable, ...rest }: JsonObject): boolean {
  return nullable === true && Object.keys(rest).every((key) => ANNOTATIONS.has(key));
}

function referenceAsPart(copy: Record<string, unknown>): void {
  const { $ref, allOf } = copy;
  delete copy['$ref'];
  copy['allOf'] = [{ $ref }, ...(Array.isArray(allOf) ? (allOf as unknown[]) : [])];
}

function mapped(
  schemas: JsonObject,
  change: (schema: JsonObject, name: string) => JsonObject | boolean,
): Record<string, unknown> {
  const read = ([name, each]: [string, unknown]) => [
    name,
    isObject(each) ? change(each, name) : each === false ? false : true,
  ];
  return Object.fromEntries(Object.entries(schemas).map(read) as [string, unknown][]);
}

// What is no schema (an empty entry of YAML, for example) says nothing.
function listed(schemas: readonly unknown[], change: (schema: JsonObject) => JsonObject): readonly unknown[] {
  return schemas.filter(isSchema).map((each) => (isObject(each) ? change(each) : each));
}
