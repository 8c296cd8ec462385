import type { TSchema } from 'typebox';

/** Replacement text for a secret. */
const REDACTED = '[REDACTED]';

// Words of a name, however they are joined: accessSecret, api_key, X-Fleet-Token, PGPASSWORD.
const SECRET_NAME =
  /secret|token|passw|passphrase|passcode|credential|authorization|cookie|bearer|(?:^|[^a-z])pwd|(?:api|private|access|signing|encryption|account|shared)[-_ ]?key|connection[-_ ]?string|(?:^|[-_])dsn$/i;
// Names of places are not secret: of the variable that holds a secret, of the header that carries one.
const NAME_OF_A_PLACE = /[-_]?(?:env|header|lookup|path|url|name|field|algorithm|file|TTL)$/i;

// A scheme and a user name. A long scheme is found by its end: tried at each of its letters, a long word would take for ever.
const USER = String.raw`[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@?#]*:`;
// Userinfo (RFC 3986 3.2.1) ends at the last @ before the path: passwords may contain characters that should have been encoded.
const USERINFO = new RegExp(String.raw`(${USER})[^\s/?#]*@`, 'gi');
const USER_NO_PORT = new RegExp(String.raw`${USER}(?!\d{1,5}[/?#])`, 'gi');
const CREDENTIALS = /\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{6,}/gi;
// A JSON Web Token (RFC 7519): two objects in base64url, and a signature.
const TOKEN = /(?<![\w-])([\w-]+)\.eyJ[\w-]+\.[\w-]*/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const ASSIGNMENT = /(?<![\w.-])([\w.-]+)(['"`]?\s*[=:]\s*)('[^'\n]*'|"[^"\n]*"|`[^`]*`|[^\s'"`;&,){}[\]]+)/g;

/** Whether the value of this name must not be shown. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !NAME_OF_A_PLACE.test(name);
}

/**
 * A text that may be shown: passwords in URLs, values that are assigned to names of secrets (`Password=...;`, `?token=...`,
 * `accessSecret: '...'`), credentials of `Authorization`, tokens and private keys are replaced.
 */
export function redactText(text: string): string {
  const named = text.replace(ASSIGNMENT, (whole, name: string, between: string, value: string) => {
    if (!isSecretName(name) || NO_LITERAL.test(value)) return whole;
    const quote = /^['"`]/.exec(value)?.[0] ?? '';
    return `${name}${between}${quote}${REDACTED}${quote}`;
  });
  return withoutLastUserinfo(named.replace(USERINFO, `$1${REDACTED}@`))
    .replace(CREDENTIALS, `$1 ${REDACTED}`)
    .replace(TOKEN, withoutToken)
    .replace(PRIVATE_KEY, REDACTED);
}

// At the end of a text, where nothing can follow the URL, its password may even contain what ends a path.
function withoutLastUserinfo(text: string): string {
  let from = text.length;
  while (from > 0 && !ENDS_A_URL.test(text[from - 1] as string)) from--;
  const to = text.lastIndexOf('@');
  for (const { index, 0: user } of text.matchAll(USER_NO_PORT)) {
    const password = index + user.length;
    if (password >= from && password <= to) return `${text.slice(0, password)}${REDACTED}${text.slice(to)}`;
  }
  return text;
}

const ENDS_A_URL = /[\s'"`]/;

function withoutToken(whole: string, head: string): string {
  const at = head.search(/\beyJ[\w-]/);
  return at < 0 ? whole : head.slice(0, at) + REDACTED;
}

// Expressions and types in source code, which contain no secret themselves.
const NO_LITERAL = /^(?:process\.env|env\.|true$|false$|null$|undefined$|string$|\d+$|Bearer$|Basic$|\[REDACTED$)/;

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
