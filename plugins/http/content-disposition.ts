const BEYOND_ASCII = /[^\t\x20-\x7e]/;
const FILENAME = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i;

/**
 * A `Content-Disposition` in ASCII: a file name with other characters goes into `filename*` (RFC 6266, section 4.3; RFC 8187), and
 * `filename` has `?` for each of them. Node itself writes such characters in some responses, replaces them in others, and throws in the
 * rest.
 */
export function asciiDisposition(value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  const name = FILENAME.exec(value)?.[1];
  const extended = name === undefined || /;\s*filename\*/i.test(value) ? '' : `; filename*=${extendedText(name)}`;
  return value.replace(/[^\t\x20-\x7e]/gu, '?') + extended;
}

// RFC 8187, section 3.2.1: letters, digits and a few signs stand for themselves.
function extendedText(quoted: string): string {
  const name = quoted.replace(/\\(.)/g, '$1').toWellFormed();
  return `UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
