import { isFileSchema, type JsonSchema } from '../../../kernel/index.js';
import { isSchema, RefScope } from '../../../kernel/schema/index.js';
import { INLINE_LEVELS, isObjectShape, ownName, plainNode } from '../schema/index.js';

/**
 * A schema in one line: `{name!: type, other: type}`, names sorted, `!` for required. Three levels of objects are written
 * out; a deeper one appears as its type name (SPEC "Limits"), as `{…}` when it has none.
 */
export function shapeText(schema: JsonSchema): string {
  return new ShapeText().of(schema, new RefScope(schema), 0);
}

class ShapeText {
  of(given: unknown, outer: RefScope, level: number): string {
    if (!isSchema(given)) return given === false ? 'never' : 'any';
    if (isFileSchema(given)) return 'file';
    const scope = outer.entering(given);
    const schema = plainNode(given);
    const { $ref: reference, enum: values } = schema;
    if (typeof reference === 'string') return this.#referred(reference, scope, level);
    if ('const' in schema) return JSON.stringify(schema['const']);
    if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join('|');
    return this.#combined(schema, scope, level) ?? this.#typed(schema, scope, level);
  }

  #referred(reference: string, scope: RefScope, level: number): string {
    const found = scope.find(reference);
    if (!found) return reference;
    const { schema, name } = found;
    if (level >= INLINE_LEVELS) return ownName(schema) || name || '{…}';
    return this.of(schema, found.scope, isObjectShape(schema) ? level : level + 1);
  }

  #combined(schema: JsonSchema, scope: RefScope, level: number): string | undefined {
    for (const [keyword, sign] of [
      ['anyOf', ' | '],
      ['oneOf', ' | '],
      ['allOf', ' & '],
    ] as const) {
      const parts = schema[keyword];
      if (Array.isArray(parts)) return parts.map((part) => this.of(part, scope, level)).join(sign);
    }
    return undefined;
  }

  #typed(schema: JsonSchema, scope: RefScope, level: number): string {
    const { type, format } = schema;
    if (Array.isArray(type))
      return type.map((one) => this.#typed({ ...schema, type: one as string }, scope, level)).join(' | ');
    if (type === 'array') return this.#array(schema, scope, level);
    if (type === 'object' || (type === undefined && isObjectShape(schema))) return this.#object(schema, scope, level);
    if (typeof type === 'string') return typeof format === 'string' ? `${type}(${format})` : type;
    return 'not' in schema && isSchema(schema['not']) && Object.keys(schema['not']).length === 0 ? 'never' : 'any';
  }

  #array({ items, prefixItems }: JsonSchema, scope: RefScope, level: number): string {
    if (!Array.isArray(prefixItems)) return `[${this.of(items, scope, level)}]`;
    return `[${prefixItems.map((item) => this.of(item, scope, level)).join(', ')}]`;
  }

  #object(schema: JsonSchema, scope: RefScope, level: number): string {
    if (!isObjectShape(schema)) return this.#map(schema, scope, level);
    if (level >= INLINE_LEVELS) return ownName(schema) || '{…}';
    const required = new Set((schema['required'] as readonly string[] | undefined) ?? []);
    const members = Object.entries(schema['properties'] as JsonSchema)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${name}${required.has(name) ? '!' : ''}: ${this.of(member, scope, level + 1)}`);
    return `{${members.join(', ')}}`;
  }

  #map({ additionalProperties, patternProperties }: JsonSchema, scope: RefScope, level: number): string {
    const patterns = Object.values((patternProperties as JsonSchema | undefined) ?? {});
    const values = [...patterns, ...(isSchema(additionalProperties) ? [additionalProperties] : [])];
    if (values.length === 0) return additionalProperties === false ? '{}' : 'object';
    return `{[name]: ${[...new Set(values.map((value) => this.of(value, scope, level)))].join(' | ')}}`;
  }
}
