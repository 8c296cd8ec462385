import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';

/**
 * The address of a database server.
 *
 * @param given - what `open...` was called with; from the environment it may be nothing at all
 * @param example - a URL as it should be; other protocols that mean the same follow, as `mariadb:`
 * @throws FwError `FW_ORM_OPTIONS`, which never holds the text: it may have a password
 */
export function serverUrl(given: unknown, example: string, ...further: readonly string[]): URL {
  const url = addressUrl(given, example);
  if ([new URL(example).protocol, ...further].includes(url.protocol)) return url;
  throw refused('url', example, `one of ${url.protocol}`);
}

const ANY_SERVER = 'protocol://user:password@host:port/database';

/**
 * The address of a database server of whatever protocol, whose parts can be decoded.
 *
 * @param option - from where it is, for the message
 * @throws FwError `FW_ORM_OPTIONS`, which never holds the text
 */
export function addressUrl(given: unknown, example = ANY_SERVER, option = 'url'): URL {
  // A password may have a percent sign that should have been encoded; `pg` takes it so as well.
  const text = typeof given === 'string' ? given.replace(/%(?![\da-f]{2})/gi, '%25') : '';
  if (!URL.canParse(text)) throw refused(option, example, inWords(given));
  const url = new URL(text);
  if (!isDecodable(url)) throw refused(option, example, 'one with a percent sign that stands for no character');
  return url;
}

function isDecodable({ username, password, hostname, pathname }: URL): boolean {
  try {
    return [username, password, hostname, pathname].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

const refused = (option: string, example: string, got: string) =>
  fwError(ORM_ERRORS.FW_ORM_OPTIONS, { option, expected: `a URL such as ${example}`, got });

function inWords(given: unknown): string {
  if (given === undefined) return 'nothing';
  return given === '' ? 'an empty text' : typeInWords(given);
}

/** An address as people may see it. */
export function withoutPassword(url: URL): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  return shown.href;
}
