import type { JsonSchema } from '../../../kernel/index.js';
import { isSchema, RefScope, type Resolved } from '../../../kernel/schema/index.js';
import { INLINE_LEVELS, isObjectShape, ownName, plainNode, typeName } from '../schema/index.js';

/** Where in a document a schema stands. */
interface Place {
  readonly scope: RefScope;
  /** Objects around it. */
  readonly level: number;
  /** Words that name an unnamed schema, from the outside in; joined lazily, because few schemas need the name. */
  readonly words: Words;
}

interface Words {
  readonly before: Words | undefined;
  readonly word: string;
}

// Cache of written schemas without components, which are equal in every document.
const selfContained = new WeakMap<JsonSchema, JsonSchema>();

const SCHEMAS = new Set([
  'items', 'contains', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties', 'propertyNames', 'not', 'if',
  'then', 'else', 'contentSchema',
]); // prettier-ignore
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const VALUES = new Set([
  'type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength',
  'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'maxContains', 'minContains', 'maxProperties',
  'minProperties', 'required', 'dependentRequired', 'title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly',
  'examples', 'format', 'contentMediaType', 'contentEncoding', 'discriminator', 'xml', 'externalDocs', '$comment',
]); // prettier-ignore

/**
 * Writes schemas for one OpenAPI document. Three levels of objects are written where they are used; a deeper object becomes
 * a component, referred to by its name (SPEC "Limits"). That also makes types that contain themselves representable.
 */
export class SchemaWriter {
  readonly #components = new Map<string, JsonSchema>();
  /** Name of each component by its identity, so that one type gets one component. */
  readonly #names = new Map<string, string>();
  readonly #scopes = new Map<JsonSchema, number>();
  /** Counts references that tie a schema to this document or to its surroundings. */
  #ties = 0;

  /** Does not change while the written schemas are equal in every document. */
  get ties(): number {
    return this.#ties;
  }

  /** Components written so far, sorted by name. */
  components(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Reserves the name of a component that other code writes. */
  reserve(name: string, schema: JsonSchema): void {
    this.#components.set(name, schema);
  }

  /**
   * A schema as the document shows it.
   *
   * @param hint - name for unnamed schemas that are too deep to be written in place
   */
  write(schema: JsonSchema, hint: string, scope: RefScope = new RefScope(schema)): JsonSchema {
    const known = selfContained.get(schema);
    if (known) return known;
    const ties = this.#ties;
    const written = this.#write(schema, { scope, level: 0, words: { before: undefined, word: hint } });
    if (this.#ties === ties) selfContained.set(schema, written);
    return written;
  }

  #write(given: JsonSchema, place: Place): JsonSchema {
    const schema = plainNode(given);
    const scope = place.scope.entering(given);
    const reference = schema['$ref'];
    if (typeof reference === 'string') return this.#referred(reference, schema, { ...place, scope });
    const isObject = isObjectShape(schema);
    if (isObject && place.level >= INLINE_LEVELS) return this.#component({ schema: given, scope, name: '' }, place);
    return this.#keywords(schema, { ...place, scope, level: place.level + (isObject ? 1 : 0) });
  }

  #keywords(schema: JsonSchema, place: Place): JsonSchema {
    const written: Record<string, unknown> = {};
    const told = alternativesOf(schema);
    for (const [keyword, value] of Object.entries(schema)) {
      if (told !== undefined && keyword === told.keyword)
        Object.assign(written, this.#discriminated(schema, told, place));
      else if (told !== undefined && keyword === 'discriminator') continue;
      else if (VALUES.has(keyword) || keyword.startsWith('x-')) written[keyword] = plainData(value);
      else if (SCHEMAS.has(keyword)) written[keyword] = this.#part(value, place, keyword);
      else if (LISTS.has(keyword)) {
        written[keyword] = (value as unknown[]).map((part, index) => this.#part(part, place, `${index + 1}`));
      } else if (MAPS.has(keyword)) {
        written[keyword] = mapped(value as JsonSchema, (part, key) => this.#part(part, place, key));
      }
    }
    return written;
  }

  /**
   * Alternatives with a discriminator, which names components alone (OpenAPI 3.1, section 4.8.25): each alternative is one, whatever its
   * depth, and each value that it has for the property leads to it.
   */
  #discriminated(schema: JsonSchema, { keyword, parts, propertyName }: Alternatives, place: Place): JsonSchema {
    const given = schema['discriminator'] as JsonSchema;
    const stepTo = (part: unknown, index: number) =>
      (isSchema(part) && valuesOf(part, propertyName)[0]) || `${index + 1}`;
    const deep = { ...place, level: INLINE_LEVELS };
    const written = parts.map((part, index) => this.#part(part, deep, stepTo(part, index)));
    const mapping: Record<string, unknown> = { ...(given['mapping'] as JsonSchema | undefined) };
    parts.forEach((part, index) => {
      const reference = (written[index] as JsonSchema)['$ref'];
      if (reference === undefined || !isSchema(part)) return;
      const target = typeof part['$ref'] === 'string' ? place.scope.find(part['$ref']) : { schema: part, name: '' };
      const name = target && (ownName(target.schema) || typeName(target.name));
      // Whoever writes a mapping names a schema as it is called in the application.
      for (const [value, to] of Object.entries(mapping))
        if (name !== '' && typeof to === 'string' && typeName(to.split('/').at(-1) as string) === name)
          mapping[value] = reference;
      for (const value of valuesOf(target?.schema, propertyName)) mapping[value] ??= reference;
    });
    const isMapped = Object.keys(mapping).length > 0;
    return { [keyword]: written, discriminator: { ...given, ...(isMapped && { mapping }) } };
  }

  #part(part: unknown, place: Place, step: string): unknown {
    if (!isSchema(part)) return part === false ? false : true;
    // `items` adds no word: the items of `lines` are named like `lines`.
    const words = step === 'items' ? place.words : { before: place.words, word: step };
    return this.#write(part, { scope: place.scope, level: place.level, words });
  }

  #referred(reference: string, schema: JsonSchema, place: Place): JsonSchema {
    this.#ties++;
    const { $ref: _, $defs: __, definitions: ___, ...beside } = schema;
    const found = place.scope.find(reference);
    if (!found) return { description: `The type ${reference}, which the schema does not define.` };
    const deep = place.level >= INLINE_LEVELS;
    // A reference to anything but an object counts as a level too, otherwise a recursive list would never end.
    const level = place.level + (isObjectShape(found.schema) ? 0 : 1);
    const target = deep
      ? this.#component(found, place)
      : this.#write(found.schema, {
          scope: found.scope,
          level,
          words: found.name === '' ? place.words : named(found.name),
        });
    return Object.keys(beside).length === 0 ? target : { ...target, ...this.#keywords(beside, place) };
  }

  #component({ schema, scope, name: referredAs }: Resolved, place: Place): JsonSchema {
    this.#ties++;
    const wanted = ownName(schema) || typeName(referredAs) || typeName(textOf(place.words));
    // A type with references is identified by its scope; names could grow with every turn of a cycle.
    const from = this.#scopeId(scope) || wanted;
    const identity = `${from} ${JSON.stringify(schema)}`;
    const known = this.#names.get(identity);
    if (known !== undefined) return referenceTo(known);
    const name = this.#freeName(wanted || 'Type');
    this.#names.set(identity, name);
    this.#components.set(name, {});
    this.#components.set(name, this.#write(schema, { scope, level: 0, words: named(name) }));
    return referenceTo(name);
  }

  // Only schemas with references depend on their scope.
  #scopeId({ root }: RefScope): number {
    if (!JSON.stringify(root).includes('"$ref"')) return 0;
    const known = this.#scopes.get(root) ?? this.#scopes.size + 1;
    this.#scopes.set(root, known);
    return known;
  }

  #freeName(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#components.has(name); number++) name = `${wanted}${number}`;
    return name;
  }
}

interface Alternatives {
  readonly keyword: 'oneOf' | 'anyOf';
  readonly parts: readonly unknown[];
  readonly propertyName: string;
}

/** The alternatives of a schema, where a property tells which one a value is. */
function alternativesOf(schema: JsonSchema): Alternatives | undefined {
  const { discriminator } = schema;
  const keyword = (['oneOf', 'anyOf'] as const).find((each) => Array.isArray(schema[each]));
  if (keyword === undefined || typeof discriminator !== 'object' || discriminator === null) return undefined;
  const { propertyName } = discriminator as JsonSchema;
  return typeof propertyName === 'string'
    ? { keyword, parts: schema[keyword] as readonly unknown[], propertyName }
    : undefined;
}

/** Texts that a schema lists for a property. */
function valuesOf(schema: JsonSchema | undefined, property: string): readonly string[] {
  const own = (schema?.['properties'] as JsonSchema | undefined)?.[property];
  if (!isSchema(own)) return [];
  const { const: only, enum: several } = plainNode(own);
  return [only, ...(Array.isArray(several) ? (several as unknown[]) : [])].filter((value) => typeof value === 'string');
}

const named = (word: string): Words => ({ before: undefined, word });

function textOf({ before, word }: Words): string {
  return before ? `${textOf(before)} ${word}` : word;
}

/** A Reference Object to a component. */
export function referenceTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function mapped(parts: JsonSchema, write: (part: unknown, key: string) => unknown): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const key of Object.keys(parts)) written[key] = write(parts[key], key);
  return written;
}

// Defaults and examples may be values that JSON does not have.
function plainData(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainData);
  return mapped(value as JsonSchema, plainData);
}
