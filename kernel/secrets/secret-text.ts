import { isSecretName, SECRET_WORD } from './secret-name.js';

/** A value in quotes, or in quotes that were cut off. */
export const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\`(?:[^\`\\]|\\.)*\`|["'\`][^\r\n]*`;
/** Names of the ways to authenticate, before a credential (https://www.iana.org/assignments/http-authschemes). */
export const SCHEME = '(?:(?:Bearer|Basic|Digest|Token|ApiKey|Negotiate|NTLM) +)?';
// A long suffix, as in `token_id` or `password-hash`, would make the search slow.
const ASSIGNMENT = new RegExp(
  String.raw`(${SECRET_WORD}[\w-]{0,40})(["'\`]?\s*[=:]\s*)(${QUOTED}|${SCHEME}[^\s,;&"'\`]+)`,
  'gi',
);

// The end of a scheme, and a user name. Searched from the beginning of the scheme, every word would be tried at each of its letters.
const USER = String.raw`(?<=[a-z0-9+.-]):\/\/[^\s/:@?#]*:`;
// Userinfo (RFC 3986 3.2.1) ends at the last @ before the path: passwords may contain characters that should have been encoded.
const USERINFO = new RegExp(String.raw`(${USER})[^\s/?#]*@`, 'gi');
const USER_NO_PORT = new RegExp(String.raw`${USER}(?!\d{1,5}[/?#])`, 'gi');
const ENDS_A_URL = /[\s'"`]/;
// A JSON Web Token (RFC 7519): two objects in base64url, and a signature.
const WEB_TOKEN = /(?<![\w-])([\w-]+)\.eyJ[\w-]+\.[\w-]*/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/**
 * Replaces values in a text that are assigned to names of secrets: `Password=...;`, `?token=...`, `"accessSecret": "..."`.
 *
 * @param instead - gives what takes the place of a value, which has its quotes; `sign` is what stands between name and value
 */
export function replaceAssigned(text: string, instead: (value: string, sign: string) => string): string {
  return text.replace(ASSIGNMENT, (whole, name: string, sign: string, value: string) =>
    isSecretName(name) ? name + sign + instead(value, sign) : whole,
  );
}

/** Replaces what is secret under any name: passwords in URLs, JSON Web Tokens and private keys. */
export function replaceSecretValues(text: string, mask: string): string {
  // Most texts have none of it, and of logs each line comes here.
  const inUrls = text.includes('://') ? withoutUserinfo(text, mask) : text;
  const tokens = inUrls.includes('.eyJ') ? withoutTokens(inUrls, mask) : inUrls;
  return tokens.replace(PRIVATE_KEY, () => mask);
}

function withoutUserinfo(text: string, mask: string): string {
  return withoutLastUserinfo(
    text.replace(USERINFO, (_all, user: string) => `${user}${mask}@`),
    mask,
  );
}

// At the end of a text, where nothing can follow the URL, its password may even contain what ends a path.
function withoutLastUserinfo(text: string, mask: string): string {
  let from = text.length;
  while (from > 0 && !ENDS_A_URL.test(text[from - 1] as string)) from--;
  const to = text.lastIndexOf('@');
  for (const { index, 0: user } of text.matchAll(USER_NO_PORT)) {
    const password = index + user.length;
    if (password >= from && password <= to) return `${text.slice(0, password)}${mask}${text.slice(to)}`;
  }
  return text;
}

function withoutTokens(text: string, mask: string): string {
  return text.replace(WEB_TOKEN, (whole, head: string) => {
    const at = head.search(/\beyJ[\w-]/);
    return at < 0 ? whole : head.slice(0, at) + mask;
  });
}
