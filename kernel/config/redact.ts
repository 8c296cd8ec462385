import type { TSchema } from 'typebox';
import { isSecretName, replaceAssigned, replaceSecretValues } from '../secrets/index.js';

/** Replacement text for a secret. */
const REDACTED = '[REDACTED]';

const CREDENTIALS = /\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{6,}/gi;
// Expressions and types in source code, which contain no secret themselves.
const NO_LITERAL = /^(?:process\.env|env\.|(?:true|false|null|undefined|string|Bearer|Basic)[[\](){}:>]*$)/;
const NUMBER = /^\d+[\])}]*$/;

/**
 * A text that may be shown: passwords in URLs, values that are assigned to names of secrets (`Password=...;`, `?token=...`,
 * `accessSecret: '...'`), credentials of `Authorization`, tokens and private keys are replaced.
 */
export function redactText(text: string): string {
  const named = replaceAssigned(text, (value, sign) => {
    // In source code `maxTokens: 5` is no secret; in an address or a connection string a password may be a number.
    if (NO_LITERAL.test(value) || (NUMBER.test(value) && sign !== '=')) return value;
    const quote = /^['"`]/.exec(value)?.[0] ?? '';
    return `${quote}${REDACTED}${quote}`;
  });
  return replaceSecretValues(named, REDACTED).replace(CREDENTIALS, `$1 ${REDACTED}`);
}

/**
 * A copy of options that may be shown. Replaced are: what the schema marks with `secret: true`; texts under a name that sounds
 * like a secret, at any depth; and in all other texts what {@link redactText} finds. Callbacks become `[function]`, and objects
 * of a class its name.
 */
export function redact(value: unknown, schema?: TSchema, name = ''): unknown {
  return redacted(value, schema, isSecretName(name));
}

function redacted(value: unknown, schema: TSchema | undefined, isSecret: boolean): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (typeof value === 'function') return '[function]';
  if (isMarked(schema)) return REDACTED;
  if (typeof value === 'string') return isSecret ? REDACTED : redactText(value);
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, memberSchema(schema, 'items'), isSecret));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `[${value.constructor?.name ?? 'object'}]`;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      redacted(item, propertySchema(schema, key), isSecret || isSecretName(key)),
    ]),
  );
}

function isMarked(schema: TSchema | undefined): boolean {
  return (schema as { secret?: unknown } | undefined)?.secret === true;
}

function memberSchema(schema: TSchema | undefined, key: string): TSchema | undefined {
  return (schema as Record<string, TSchema | undefined> | undefined)?.[key];
}

function propertySchema(schema: TSchema | undefined, key: string): TSchema | undefined {
  return (schema as { properties?: Record<string, TSchema> } | undefined)?.properties?.[key];
}
