import { isDeclaredSecret } from '../contracts/secret-names.js';

/** A value in quotes, or in quotes that were cut off. */
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|["'][^\r\n]*`;
/** Suffixes as in `token_id` or `password-hash`; bounded, so that no text makes the search slow. */
const NAMED =
  '((?:password|passwd|passphrase|passcode|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|account[_-]?key|credential|signature)[\\w-]{0,40})';
/** Headers whose whole value is a credential, however many parts it has (RFC 9110, 11.4; RFC 6265, 4.2). */
const HEADER = '(authorization|cookie)';
const SCHEME = '(?:(?:Bearer|Basic|Digest|Token|ApiKey|Negotiate|NTLM) +)?';

const PATTERNS = [
  new RegExp(String.raw`${HEADER}(["']?\s*:\s*)(?:${QUOTED}|[^\s"'][^\r\n]*)`, 'gi'),
  new RegExp(String.raw`${HEADER}(["']?\s*=\s*)(?:${QUOTED}|${SCHEME}[^\s,&"']+)`, 'gi'),
  new RegExp(String.raw`${NAMED}(["']?\s*[=:]\s*)(?:${QUOTED}|${SCHEME}[^\s,;&"']+)`, 'gi'),
];
/** To the last @ before the path (RFC 3986, section 3.2.1): a password may have one that should have been encoded. */
const PASSWORD_IN_URL = /(:\/\/[^\s/:@]*:)[^\s/?#]+@/g;
/** A JSON Web Token (RFC 7519), whatever stands before it: two objects in base64url, and a signature. */
const WEB_TOKEN = /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*/g;
const NAME = new RegExp(`${NAMED}|${HEADER}`, 'i');

/**
 * Replaces values in a text that look like secrets: `token=abc`, `"password": "x"`, `Authorization: Bearer x`, JSON Web
 * Tokens, and the password of a URL.
 *
 * @param mask - replacement text
 */
export function maskSecrets(text: string, mask = '***'): string {
  let masked = text;
  for (const pattern of PATTERNS)
    masked = masked.replace(pattern, (_all, name: string, sign: string) => name + sign + mask);
  return masked.replace(PASSWORD_IN_URL, (_all, before: string) => `${before}${mask}@`).replace(WEB_TOKEN, () => mask);
}

/** Whether a member of this name is secret as a whole. */
export function soundsSecret(name: string): boolean {
  return NAME.test(name) || isDeclaredSecret(name);
}
