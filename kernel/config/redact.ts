import type { TSchema } from 'typebox';

/** What stands where a secret was. */
export const REDACTED = '[REDACTED]';

const SECRET_NAME = /secret|token|password|passwd|credential|api[-_]?key|private[-_]?key/i;
const CREDENTIALS_IN_URL = /^([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/i;

/**
 * A copy of options that may be shown: values whose schema carries `secret: true`, or whose name sounds like one, are
 * replaced, and so is the password of a URL; callbacks become `[function]`.
 */
export function redact(value: unknown, schema?: TSchema, name = ''): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (isSecret(schema) || (SECRET_NAME.test(name) && typeof value !== 'object' && typeof value !== 'number'))
    return REDACTED;
  if (typeof value === 'function') return '[function]';
  if (typeof value === 'string') return value.replace(CREDENTIALS_IN_URL, `$1${REDACTED}@`);
  if (Array.isArray(value)) return value.map((item) => redact(item, memberSchema(schema, 'items'), name));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, redact(item, propertySchema(schema, key), key)]),
  );
}

function isSecret(schema: TSchema | undefined): boolean {
  return (schema as { secret?: unknown } | undefined)?.secret === true;
}

function memberSchema(schema: TSchema | undefined, key: string): TSchema | undefined {
  return (schema as Record<string, TSchema | undefined> | undefined)?.[key];
}

function propertySchema(schema: TSchema | undefined, key: string): TSchema | undefined {
  return (schema as { properties?: Record<string, TSchema> } | undefined)?.properties?.[key];
}
