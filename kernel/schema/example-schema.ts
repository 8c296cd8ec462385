import type { JsonSchema } from '../contracts/docs.js';
import { BIGINT } from './draft-2020.js';

// Deeper than any payload that a person writes as an example; stops values that contain themselves.
const MAX_DEPTH = 30;

/** Schema of the JSON form of an example value; every member is required. */
export function schemaOfExample(value: unknown, depth = 0): JsonSchema {
  switch (typeof value) {
    case 'string':
      return { type: 'string' };
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
      return { type: Number.isInteger(value) ? 'integer' : 'number' };
    case 'bigint':
      return { ...BIGINT };
    case 'object':
      return value === null || depth > MAX_DEPTH ? {} : schemaOfObject(value, depth);
    default:
      return {};
  }
}

function schemaOfObject(value: object, depth: number): JsonSchema {
  if (value instanceof Date) return { type: 'string', format: 'date-time' };
  if (ArrayBuffer.isView(value)) return { type: 'string', contentEncoding: 'base64' };
  if (Array.isArray(value)) {
    return { type: 'array', items: value.length === 0 ? {} : schemaOfExample(value[0], depth + 1) };
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== 'function');
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, member]) => [name, schemaOfExample(member, depth + 1)])),
    ...(members.length > 0 && { required: members.map(([name]) => name) }),
  };
}
