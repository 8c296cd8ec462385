import type { Filter, OnUndeclared } from './filter.js';

/**
 * What a filter leaves of a value, as `JSON.stringify` would find it: what has a `toJSON` is what that gives (ECMA-262,
 * SerializeJSONProperty).
 */
export function sentValue(
  value: object,
  key: string,
  filter: Filter,
  path: string,
  onUndeclared: OnUndeclared | undefined,
): unknown {
  let found: unknown = value;
  if (filter.base64 && ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') {
    // Text, whatever is declared: nothing is gained by writing it now.
    if (toJSON === Date.prototype.toJSON) return value;
    found = toJSON.call(value, key) as unknown;
  }
  if (typeof found !== 'object' || found === null || isBoxed(found)) return found;
  const left = Array.isArray(found)
    ? filter.array(found, path, onUndeclared)
    : filter.object(found, path, onUndeclared);
  return withoutToJSON(left);
}

// What a filter found nothing to leave out of is still the value itself, and `JSON.stringify` would ask it for another one.
function withoutToJSON(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (typeof (value as { readonly toJSON?: unknown }).toJSON !== 'function') return value;
  return Array.isArray(value)
    ? Array.from<unknown>(value)
    : Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'toJSON'));
}

const isBoxed = (value: object): boolean =>
  value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt;
