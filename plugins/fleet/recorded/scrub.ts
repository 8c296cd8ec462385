import { isSecretMember } from '../../../kernel/secrets/index.js';
import { parsedJson } from '../../../kernel/values/index.js';

/** Replacement text of a secret: six bullets. */
export const REDACTED = '\u2022\u2022\u2022\u2022\u2022\u2022';

/** Bytes of one captured body; larger ones are left out. */
export const MAX_PAYLOAD_BYTES = 65_536;

/** Nesting that is followed; deeper bodies are left out. */
const MAX_DEPTH = 64;

/** Members that are secret only in payloads: data of people and their cards, and one-time codes. */
const PERSONAL = /^(?:ssn|cvv|cvc|pin|otp|auth)$|creditcard|cardnumber/;

/**
 * A JSON body as text with its secrets replaced, for contract checks.
 *
 * @param body - JSON text, or a value that JSON can express
 * @returns undefined when the body is empty, too large, too deep or no JSON
 */
export function scrubbedJson(body: unknown): string | undefined {
  const value = typeof body === 'string' || Buffer.isBuffer(body) ? parsed(body) : body;
  if (value === undefined || typeof value === 'function') return undefined;
  try {
    const text = JSON.stringify(scrubbed(asPlain(value), 0)) as string | undefined;
    return text !== undefined && Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES ? text : undefined;
  } catch {
    // Too deep, cyclic, or with a BigInt: a JSON schema cannot check it.
    return undefined;
  }
}

function parsed(body: string | Buffer): unknown {
  return body.length > MAX_PAYLOAD_BYTES ? undefined : parsedJson(body);
}

// Dates and model instances are written through toJSON; scrubbing works on their JSON form.
function asPlain(value: unknown): unknown {
  const toJson = (value as { toJSON?: unknown } | null)?.toJSON;
  return typeof toJson === 'function' ? (toJson.call(value, '') as unknown) : value;
}

function scrubbed(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) throw new RangeError('too deep');
  if (Array.isArray(value)) return value.map((item) => scrubbed(asPlain(item), depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecret(key) ? REDACTED : scrubbed(asPlain(item), depth + 1)]),
  );
}

/** Whether a member of this name holds something that must not leave the service. */
export function isSecret(key: string): boolean {
  return isSecretMember(key) || PERSONAL.test(key.toLowerCase().replace(/[^a-z0-9\u0080-\uffff]/g, ''));
}
