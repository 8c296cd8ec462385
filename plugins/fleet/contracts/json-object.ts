/** A JSON object whose members are not known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object, not for an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
