import type { JsonSchema } from '../contracts/docs.js';
import { RefScope, isSchema } from './ref-scope.js';
import { changedParts } from './schema-parts.js';

/**
 * A schema for responses: without the members marked `writeOnly`, which a client sends and never gets (JSON Schema 2020-12, Validation,
 * section 9.4).
 *
 * @returns the very same object when it has none
 */
export function readableSchema(schema: JsonSchema): JsonSchema {
  return readable(schema, new RefScope(schema)) as JsonSchema;
}

function readable(part: unknown, outer: RefScope): unknown {
  if (!isSchema(part)) return part;
  const scope = outer.entering(part);
  const changed = { ...part, ...changedParts(part, (each) => readable(each, scope)) };
  const hidden = Object.entries((part['properties'] as JsonSchema | undefined) ?? {})
    .filter(([, member]) => isWriteOnly(member, scope))
    .map(([name]) => name);
  if (hidden.length === 0) return Object.keys(changed).some((key) => changed[key] !== part[key]) ? changed : part;
  const { required } = part;
  return {
    ...changed,
    properties: Object.fromEntries(
      Object.entries(changed['properties'] as JsonSchema).filter(([name]) => !hidden.includes(name)),
    ),
    ...(Array.isArray(required) && { required: required.filter((name) => !hidden.includes(String(name))) }),
  };
}

// More references than any real chain has; ends circular ones.
const MAX_STEPS = 10;

function isWriteOnly(member: unknown, scope: RefScope, steps = 0): boolean {
  if (!isSchema(member) || steps > MAX_STEPS) return false;
  if (member['writeOnly'] === true) return true;
  const referred = typeof member['$ref'] === 'string' ? scope.find(member['$ref']) : undefined;
  return referred !== undefined && isWriteOnly(referred.schema, referred.scope, steps + 1);
}
