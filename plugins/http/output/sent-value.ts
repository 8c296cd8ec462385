import { dateText } from './date-text.js';
import { type Filter, NOTHING, type OnUndeclared } from './filter.js';

/** Filters a value in the form that `JSON.stringify` sees: the result of `toJSON`, if it has one (ECMA-262, SerializeJSONProperty). */
export function sentValue(
  value: object,
  key: string | number,
  filter: Filter,
  path: string,
  onUndeclared: OnUndeclared | undefined,
): unknown {
  if (isPlain(value)) return filter.object(value, path, onUndeclared);
  let found: unknown = value;
  if (filter.base64 && ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') {
    found = (
      toJSON === Date.prototype.toJSON && value instanceof Date ? dateText(value) : toJSON.call(value, String(key))
    ) as unknown;
  }
  if (typeof found !== 'object' || found === null || isBoxed(found)) return found;
  if (!Array.isArray(found)) found = asDeclared(found, filter);
  const left = Array.isArray(found)
    ? filter.array(found, path, onUndeclared)
    : filter.object(found as object, path, onUndeclared);
  return withoutToJSON(left);
}

// What most values are: written member by member, and neither bytes nor a collection.
function isPlain(value: object): boolean {
  const { toJSON, [Symbol.iterator]: iterator } = value as {
    readonly toJSON?: unknown;
    readonly [Symbol.iterator]?: unknown;
  };
  return (
    typeof toJSON !== 'function' && typeof iterator !== 'function' && !isBoxed(value) && !ArrayBuffer.isView(value)
  );
}

/**
 * A collection in the form that is declared: a map as an object or as a list of pairs; a set, a generator and the like as a list. JSON has
 * nothing of them. Anything else, and what no schema declares, is returned as it is.
 */
function asDeclared(value: object, { object, array }: Filter): object {
  if (typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] !== 'function') return value;
  if (value instanceof Map && object !== NOTHING) return Object.fromEntries(value as Map<string, unknown>);
  return array === NOTHING ? value : Array.from(value as Iterable<unknown>);
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
