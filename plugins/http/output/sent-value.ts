import type { Filter, OnUndeclared } from './filter.js';

/** Filters a value in the form that `JSON.stringify` sees: the result of `toJSON`, if it has one (ECMA-262, SerializeJSONProperty). */
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
    // A date becomes text under any schema, so it is left for `JSON.stringify`.
    if (toJSON === Date.prototype.toJSON) return value;
    found = toJSON.call(value, key) as unknown;
  }
  if (typeof found !== 'object' || found === null || isBoxed(found)) return found;
  const left = Array.isArray(found)
    ? filter.array(found, path, onUndeclared)
    : filter.object(found, path, onUndeclared);
  return withoutToJSON(left);
}

// If the filter removed nothing, the result is the value itself, whose `toJSON` would be called a second time.
function withoutToJSON(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (typeof (value as { readonly toJSON?: unknown }).toJSON !== 'function') return value;
  return Array.isArray(value)
    ? Array.from<unknown>(value)
    : Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'toJSON'));
}

const isBoxed = (value: object): boolean =>
  value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt;
