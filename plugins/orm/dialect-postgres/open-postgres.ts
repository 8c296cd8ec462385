import type { Client, ClientConfig, Query, types } from 'pg';
import { fwError } from '../../../kernel/index.js';
import {
  CONNECT_TIMEOUT_MS,
  ORM_ERRORS,
  ServerHandle,
  serverUrl,
  withoutPassword,
  type ServerOptions,
} from '../core/index.js';
import { PostgresConnection } from './postgres-connection.js';
import { postgresError } from './postgres-errors.js';
import { parsersOf, preparedQueries } from './prepared-query.js';

/** Options of {@link openPostgres}. */
export interface PostgresOptions extends ServerOptions {
  /** TLS, as `pg` takes it. */
  readonly ssl?: ClientConfig['ssl'];
}

const EXAMPLE = 'postgres://user:password@host:5432/database';

/** A PostgreSQL handle. */
export type PostgresHandle = ServerHandle<PostgresConnection>;

// date, timestamp, timestamptz, json, jsonb: read by our own decoders, which know what the column is.
const LEFT_AS_TEXT = new Set([1082, 1114, 1184, 114, 3802]);
// Arrays by the types of their elements (https://www.postgresql.org/docs/current/catalog-pg-type.html, typelem), which are read as
// they are by themselves. The driver would make doubles of numeric, and dates of text that not every reader can take.
const ARRAYS: ReadonlyMap<number, number> = new Map([
  [1000, 16],
  [1001, 17],
  [1005, 21],
  [1007, 23],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1231, 1700],
  [1009, 25],
  [1014, 1042],
  [1015, 1043],
  [1182, 1082],
  [1115, 1114],
  [1185, 1184],
  [199, 114],
  [3807, 3802],
  [2951, 2950],
]);

/**
 * Opens PostgreSQL through `pg`. Connections are made when they are needed.
 *
 * @param url - `postgres://user:password@host:5432/database`, or the folder of a socket
 *   (https://node-postgres.com/features/connecting#unix-domain-sockets)
 * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_DRIVER_MISSING`
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<PostgresHandle> {
  const shown = shownAddress(url);
  const driver = await loadDriver();
  const { connectTimeout = CONNECT_TIMEOUT_MS, ssl } = options;
  const config: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeout,
    ...(ssl !== undefined && { ssl }),
  };
  const runQuery = preparedQueries(driver.Query, parsersOf(driver.types, LEFT_AS_TEXT, ARRAYS));
  const connect = async () => {
    const client = new driver.Client(config);
    try {
      await client.connect();
      await client.query("SET TIME ZONE 'UTC'");
    } catch (error) {
      await client.end().catch(() => undefined);
      throw postgresError(error, '');
    }
    return client;
  };
  const cancel = async (processId: number) => {
    const client = await connect();
    await client.query('SELECT pg_cancel_backend($1)', [processId]).finally(() => client.end());
  };
  return new ServerHandle(
    { url: shown },
    async (size) => new PostgresConnection(await connect(), runQuery, size, cancel),
    options,
  );
}

interface Driver {
  readonly Client: typeof Client;
  readonly Query: typeof Query;
  readonly types: typeof types;
}

async function loadDriver(): Promise<Driver> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw fwError(ORM_ERRORS.FW_ORM_DRIVER_MISSING, { dialect: 'PostgreSQL', driver: 'pg' }, { cause: error });
  }
}

function shownAddress(url: unknown): string {
  if (typeof url === 'string' && url.startsWith('/')) return url;
  return withoutPassword(serverUrl(url, EXAMPLE, 'postgresql:', 'socket:'));
}
