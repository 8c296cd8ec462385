import type { TSchema } from 'typebox';
import type { JsonSchema } from '../../../kernel/index.js';
import { inDraft2020, readableSchema, RefScope } from '../../../kernel/schema/index.js';
import { type Declared, declaredBy, type Kind, saysBase64 } from './declared-parts.js';
import { objectFilter } from './object-filter.js';
import { arrayFilter } from './array-filter.js';
import { choiceFilter } from './choice-filter.js';
import { ALL, type Filter, type Filters, NOTHING, type OnUndeclared, type Part } from './filter.js';
import { sentValue } from './sent-value.js';

/**
 * Removes undeclared members and turns dates into their text: returns the value itself when nothing had to change, else a copy.
 *
 * @param value - body of a response
 * @param onUndeclared - only given when needed, because it costs time
 */
export type OutputFilter = (value: object, onUndeclared?: OnUndeclared) => unknown;

/** Makes filters, one for each set of schemas, so that a schema may contain itself. */
class FilterCompiler implements Filters {
  readonly #made = new Map<string, Filter>();
  readonly #ids = new Map<object, number>();

  /** The filter for schemas that all apply to one value. */
  filter(declared: readonly Declared[]): Filter {
    const key = this.#keyOf(declared);
    const known = this.#made.get(key);
    if (known) return known;
    // Registered unfinished, so that recursive schemas refer to it and call the finished filter later.
    const filter: { -readonly [Key in keyof Filter]: Filter[Key] } = {
      object: (value, path, onUndeclared) => filter.object(value, path, onUndeclared),
      array: (value, path, onUndeclared) => filter.array(value, path, onUndeclared),
      base64: false,
    };
    this.#made.set(key, filter);
    filter.base64 = saysBase64(declared);
    filter.object = this.part(declared, 'object');
    filter.array = this.part(declared, 'array');
    return filter;
  }

  /** The filter for values of one kind. */
  part(declared: readonly Declared[], kind: Kind): Part {
    const { parts, choice, admits } = declaredBy(declared, kind);
    if (!admits) return NOTHING;
    if (choice) return choiceFilter(choice, parts, kind, this);
    return kind === 'object' ? objectFilter(parts, this) : arrayFilter(parts, this);
  }

  #keyOf(declared: readonly Declared[]): string {
    const keys = declared.map(({ schema, scope, settled }) => `${this.#id(schema)}.${this.#id(scope.root)}.${settled}`);
    return [...new Set(keys)].sort().join();
  }

  #id(schema: object): number {
    const id = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, id);
    return id;
  }
}

/**
 * The filter of a response schema: only declared members are sent, at every depth. A schema that does not mention the members of objects
 * (`Type.Unknown()`, `{ type: 'object' }`) declares all of them, as `additionalProperties` does when it is `true` or a schema.
 *
 * @returns undefined when the schema declares every value
 * @throws UnknownReference
 */
export function outputFilterOf(schema: JsonSchema): OutputFilter | undefined {
  const readable = readableSchema(inDraft2020(schema as TSchema) as JsonSchema);
  const filter = new FilterCompiler().filter([{ schema: readable, scope: new RefScope(readable), settled: 0 }]);
  if (filter.object === ALL && filter.array === ALL) return undefined;
  return (value, onUndeclared) => {
    // As text, the body would be no JSON any more.
    if (value instanceof Date) return value;
    return sentValue(value, '', filter, '', onUndeclared);
  };
}
