import { isObject } from '../../../../kernel/values/index.js';
import type { JsonObject } from '../json-object.js';

/** Member names of a JSON pointer (RFC 6901, section 4); undefined for an invalid percent-encoding. */
export function pointerParts(pointer: string): readonly string[] | undefined {
  const parts = pointer.split('/').slice(1);
  try {
    return parts.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The target of a `$ref` within a document; undefined for a remote or missing target. */
export function referred(document: JsonObject, reference: string): unknown {
  const parts = reference.startsWith('#/') ? pointerParts(reference.slice(1)) : undefined;
  return parts?.reduce<unknown>(
    (at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined),
    document,
  );
}

/** The value at a pointer of Ajv, which is not percent-encoded. */
export function valueAt(value: unknown, pointer: string): unknown {
  const parts = pointer.split('/').slice(1);
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, part) => (typeof at === 'object' && at !== null ? (at as JsonObject)[part] : undefined),
      value,
    );
}
