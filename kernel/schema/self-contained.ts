import type { JsonSchema } from '../contracts/docs.js';
import { isSchema, RefScope, UnknownReference } from './ref-scope.js';
import { changedParts } from './schema-parts.js';

// Keywords that name parts of a schema; outside of the schema they have no use.
const NAMES = ['$id', '$anchor', '$dynamicAnchor', '$defs', 'definitions'];

/**
 * Inlines the references of a schema, or a part of one, and removes its names, which other schemas may use too: two cyclic types of the
 * same name in one schema could not be told apart by `$id`.
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
