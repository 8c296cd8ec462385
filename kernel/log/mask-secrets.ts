import { QUOTED, replaceAssigned, replaceSecretValues, SCHEME } from '../secrets/index.js';

/** Headers whose whole value is a credential, however many parts it has (RFC 9110, 11.4; RFC 6265, 4.2). */
const HEADER = '(authorization|cookie)';
const HEADERS = [
  new RegExp(String.raw`${HEADER}(["']?\s*:\s*)(?:${QUOTED}|[^\s"'][^\r\n]*)`, 'gi'),
  new RegExp(String.raw`${HEADER}(["']?\s*=\s*)(?:${QUOTED}|${SCHEME}[^\s,&"']+)`, 'gi'),
];

/**
 * Replaces values in a text that look like secrets: `token=abc`, `"password": "x"`, `Authorization: Bearer x`, JSON Web
 * Tokens, private keys, and the password of a URL.
 *
 * @param mask - replacement text
 */
export function maskSecrets(text: string, mask = '***'): string {
  let masked = text;
  for (const header of HEADERS)
    masked = masked.replace(header, (_all, name: string, sign: string) => name + sign + mask);
  return replaceSecretValues(
    replaceAssigned(masked, () => mask),
    mask,
  );
}
