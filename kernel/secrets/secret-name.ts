import { isDeclaredSecret } from '../contracts/secret-names.js';

const WORDS = [
  ...['secret', 'token', 'passw', 'passphrase', 'passcode', 'pwd', 'credential', 'authorization', 'cookie', 'bearer'],
  ...['signature', 'connection[-_. ]?string', 'dsn(?![a-z])', 'session[-_. ]?id'],
  '(?:api|private|access|account|signing|encryption|shared)[-_. ]?key',
];
/** What names of secrets contain, however it is joined: accessSecret, api_key, X-Fleet-Token, PGPASSWORD. Source of a pattern for any case. */
export const SECRET_WORD = `(?:${WORDS.join('|')})`;

const SECRET_NAME = new RegExp(SECRET_WORD, 'i');
// Names of places are not secret: of the variable that holds a secret, of the header that carries one.
const NAME_OF_A_PLACE = /(?:env|header|lookup|path|url|name|field|algorithm|file|ttl)$/i;

/** Whether what has this name is secret, such as an option or a variable. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !NAME_OF_A_PLACE.test(name);
}

/** Whether a member of recorded data of this name is secret: by its words, or because the application declared it so. */
export function isSecretMember(name: string): boolean {
  return isSecretName(name) || isDeclaredSecret(name);
}
