import { fwError } from '../../../kernel/index.js';
import { ORM_ERRORS } from '../core/index.js';
import type { DialectFacts } from './facts.js';

/** What the options of `fw/orm` say about the database. */
export interface Wanted {
  readonly driver?: string | undefined;
  readonly url?: string | undefined;
  readonly file?: string | undefined;
}

/**
 * The dialect for the options: the one named by `driver`, else the one with the scheme of `url`, else the one that opens a `file`.
 *
 * @throws FwError `FW_ORM_DIALECT`
 */
export function chosenDialect({ driver, url, file }: Wanted, dialects: readonly DialectFacts[]): DialectFacts {
  const found = dialects.find((each) => {
    if (driver !== undefined) return each.name === driver;
    if (url !== undefined) return each.address.schemes?.some((scheme) => url.startsWith(`${scheme}:`));
    return file !== undefined && each.address.option === 'file';
  });
  if (found) return found;
  const known = dialects.map(({ name }) => name).join(', ');
  throw fwError(ORM_ERRORS.FW_ORM_DIALECT, { wanted: inWords({ driver, url, file }), known });
}

// Shows only the part of an address that cannot hold a password.
function inWords({ driver, url, file }: Wanted): string {
  if (driver !== undefined) return `no dialect is called ${JSON.stringify(driver)}`;
  if (url !== undefined) return `no dialect has addresses of ${/^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? 'this kind'}`;
  return file === undefined ? 'the options name no database' : 'no dialect opens a file';
}
