const BEYOND_ASCII = /[^\t\x20-\x7e]/;
const UNQUOTED = /(;\s*filename\s*=\s*)([^\s";][^";]*)(?=;|$)/i;
const FILENAME = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i;

/**
 * A `Content-Disposition` in ASCII: a file name with other characters goes into `filename*` (RFC 6266, section 4.3; RFC 8187), and
 * `filename` has `?` for each of them. Node itself writes such characters in some responses, replaces them in others, and throws in the
 * rest.
 */
export function asciiDisposition(value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  // Without quotes a name has none of them, nor the sign that stands for them (RFC 9110, section 5.6.2).
  const quoted = value.replace(UNQUOTED, (_, before: string, name: string) => `${before}"${name.trimEnd()}"`);
  const name = FILENAME.exec(quoted)?.[1];
  const extended = name === undefined || /;\s*filename\*/i.test(quoted) ? '' : `; filename*=${extendedText(name)}`;
  return quoted.replace(/[^\t\x20-\x7e]/gu, '?') + extended;
}

// RFC 8187, section 3.2.1: letters, digits and a few signs stand for themselves.
function extendedText(quoted: string): string {
  const name = quoted.replace(/\\(.)/g, '$1').toWellFormed();
  return `UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
