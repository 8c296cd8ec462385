import { existsSync } from 'node:fs';
import path from 'node:path';
import { bootApp } from '../../../kernel/boot/index.js';
import { activeProfile, type LoadedConfig, loadConfig } from '../../../kernel/config/index.js';
import { fwError } from '../../../kernel/errors/index.js';
import { createLogger } from '../../../kernel/log/index.js';
import { type DatabaseOptions, withoutDatabase } from '../commands/with-database.js';
import { ORM_ERRORS } from '../core/index.js';
import { addressUrl } from '../core/session/server-url.js';
import { type DatabaseSource, DatabaseSources, DEFAULT_DATABASE } from '../dialect/index.js';

/** A database of development that is not open yet. */
interface DevelopmentDatabase {
  readonly source: DatabaseSource;
  readonly name: string;
  readonly loaded: LoadedConfig;
}

/**
 * The database that options name, when it is one of development: the profile is not prod, and it is a file, or a server of this machine
 * or of a host that the operator allows (`FW_MCP_LIVE_ALLOWLIST`). Nothing is opened.
 *
 * @throws FwError `FW_ORM_DEVELOPMENT`, `FW_ORM_NO_DATABASE`, `FW_ORM_DATABASE_NAME`, and those of the configuration
 */
export async function developmentDatabase(options: DatabaseOptions): Promise<DevelopmentDatabase> {
  const profile = activeProfile(options.profile);
  if (profile === 'prod') throw refuse('the profile is prod');
  const loaded = await loadConfig(options.config, { profile });
  const app = await bootApp(loaded.config, {
    profile,
    root: loaded.root,
    registerOnly: true,
    onlyCategory: 'orm',
    log: createLogger({ name: loaded.config.name, level: 'warn', destination: process.stderr }),
  });
  try {
    const found = app.services.getOptional(DatabaseSources);
    if (found === undefined) throw withoutDatabase(options.config);
    const sources = await found.all();
    const name = options.database ?? DEFAULT_DATABASE;
    const source = sources.find((each) => each.name === name);
    if (source === undefined) {
      const known = sources.map((each) => each.name).join(', ');
      throw fwError(ORM_ERRORS.FW_ORM_DATABASE_NAME, { name, known });
    }
    assertHere(source.address);
    return { source, name, loaded };
  } finally {
    await app.stop();
  }
}

/** The same, of a file that is there: opening it would make it. @throws FwError `FW_ORM_DEVELOPMENT` */
export async function presentDatabase(options: DatabaseOptions): Promise<DevelopmentDatabase> {
  const found = await developmentDatabase(options);
  const { address } = found.source;
  if (address === undefined || !('file' in address)) return found;
  const file = path.resolve(found.loaded.root, address.file);
  if (address.file === ':memory:' || address.file === '') throw refuse('it is in the memory of another process');
  if (!existsSync(file)) throw refuse(`${file} is not there yet: start the application, or apply migrations`);
  return found;
}

/**
 * Checks that an address is one of this machine.
 *
 * @param option - from where it is, for messages
 * @throws FwError `FW_ORM_DEVELOPMENT`, or `FW_ORM_OPTIONS` for what is no address
 */
export function assertHere(
  address: DatabaseSource['address'],
  env: NodeJS.ProcessEnv = process.env,
  option = 'url',
): void {
  if (address === undefined) throw refuse('its dialect does not say where it is');
  if ('file' in address) return;
  const allowed = (env['FW_MCP_LIVE_ALLOWLIST'] ?? '').split(',').map((each) => each.trim().toLowerCase());
  for (const { host, port } of hostsOf(address.url, env, option))
    if (!LOCAL.test(host) && !allowed.includes(host) && !allowed.includes(`${host}:${port}`))
      throw refuse(`it is on ${host}, and neither this machine nor in FW_MCP_LIVE_ALLOWLIST`);
}

/** Loopback, or the folder of a socket. */
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|\/.*)$/;

// Drivers take a host from the query and from the environment as well
// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS).
function hostsOf(
  url: string,
  env: NodeJS.ProcessEnv,
  option: string,
): readonly { readonly host: string; readonly port: string }[] {
  if (url.startsWith('/')) return [{ host: url, port: '' }];
  const { protocol, hostname, pathname, port, searchParams } = addressUrl(url, undefined, option);
  const named = ['host', 'hostaddr', 'socketPath'].flatMap((name) => searchParams.getAll(name));
  const own = decodeURIComponent(protocol === 'socket:' ? pathname : hostname) || env['PGHOST'] || 'localhost';
  const all = [own, ...named].flatMap((each) => each.split(','));
  return all.map((each) => ({ host: each.replace(/^"|"$/g, '').toLowerCase(), port }));
}

function refuse(problem: string) {
  return fwError(ORM_ERRORS.FW_ORM_DEVELOPMENT, { problem });
}
