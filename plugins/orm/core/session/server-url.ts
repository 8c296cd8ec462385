import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../dialect/kinds.js';
import { ORM_ERRORS } from '../errors.js';

/**
 * The address of a database server.
 *
 * @param given - what `open...` was called with; from the environment it may be nothing at all
 * @param example - a URL as it should be; other protocols that mean the same follow, as `mariadb:`
 * @throws FwError `FW_ORM_OPTIONS`, which never holds the text: it may have a password
 */
export function serverUrl(given: unknown, example: string, ...further: readonly string[]): URL {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  if (url && [new URL(example).protocol, ...further].includes(url.protocol)) return url;
  throw fwError(ORM_ERRORS.FW_ORM_OPTIONS, {
    option: 'url',
    expected: `a URL such as ${example}`,
    got: inWords(given, url),
  });
}

function inWords(given: unknown, url: URL | undefined): string {
  if (url) return `one of ${url.protocol}`;
  if (given === undefined) return 'nothing';
  return given === '' ? 'an empty text' : typeInWords(given);
}

/** An address as people may see it. */
export function withoutPassword(url: URL): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  return shown.href;
}
