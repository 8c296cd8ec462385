import type { JsonSchema } from '../contracts/docs.js';
import { isSchema, RefScope, UnknownReference } from './ref-scope.js';
import { changedParts } from './schema-parts.js';

// What a part of a schema is called is of no use outside of it.
const NAMES = ['$id', '$anchor', '$dynamicAnchor', '$defs', 'definitions'];

/**
 * A schema, or a part of one, with what it refers to and without names that another schema may have too: two cyclic types of one
 * name may stand in one schema, which validators by `$id` cannot tell apart.
 *
 * @param schema - in the form of 2020-12
 * @param scope - where its references lead
 * @throws UnknownReference
 */
export function selfContained(schema: JsonSchema, scope = new RefScope(schema)): JsonSchema {
  const definitions: Record<string, unknown> = {};
  const names = new Map<object, string>();
  const contained = (part: unknown, outer: RefScope): unknown => {
    if (!isSchema(part)) return part;
    const inside = outer.entering(part);
    const unnamed = Object.fromEntries(Object.entries(part).filter(([word]) => !NAMES.includes(word)));
    const changed = { ...unnamed, ...changedParts(unnamed, (each) => contained(each, inside)) };
    const reference = part['$ref'] ?? part['$dynamicRef'];
    if (typeof reference !== 'string') return changed;
    const { $dynamicRef: _dynamic, ...rest } = changed;
    return { ...rest, $ref: `#/$defs/${nameOf(reference, inside)}` };
  };
  const nameOf = (reference: string, from: RefScope): string => {
    const found = from.find(reference);
    if (found === undefined) throw new UnknownReference(reference);
    const known = names.get(found.schema);
    if (known !== undefined) return known;
    const name = `part${names.size}`;
    names.set(found.schema, name);
    definitions[name] = contained(found.schema, found.scope);
    return name;
  };
  const own = contained(schema, scope) as JsonSchema;
  return names.size === 0 ? own : { ...own, $defs: definitions };
}
