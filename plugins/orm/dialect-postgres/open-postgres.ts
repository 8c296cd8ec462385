import type { Client, ClientConfig, Query, types } from 'pg';
import {
  assertBoolean,
  CONNECT_TIMEOUT_MS,
  driverMissing,
  ServerHandle,
  WatchedClient,
  serverUrl,
  withoutPassword,
  type ServerOptions,
} from '../dialect/index.js';
import { endOf, PostgresConnection, streamOf, type PostgresClient } from './postgres-connection.js';
import { postgresError } from './postgres-errors.js';
import { parsersOf, preparedQueries } from './prepared-query.js';

/** Options of {@link openPostgres}. */
export interface PostgresOptions extends ServerOptions {
  /** TLS, as `pg` takes it. */
  readonly ssl?: ClientConfig['ssl'];
  /**
   * Whether statements are prepared by name and kept, for poolers that give each transaction another connection. Default true.
   */
  readonly prepare?: boolean;
}

// What a database or a role may have set otherwise, and the decoders rely on
// (https://www.postgresql.org/docs/current/runtime-config-client.html#RUNTIME-CONFIG-CLIENT-FORMAT).
const SESSION = "SET TIME ZONE 'UTC'; SET DateStyle = ISO; SET IntervalStyle = postgres; SET bytea_output = hex";

/** An address as it should be. */
export const EXAMPLE = 'postgres://user:password@host:5432/database';

/** A PostgreSQL handle. */
export type PostgresHandle = ServerHandle<PostgresConnection>;

// bool, bytea, int2, int4, oid, float4, float8. All other types stay the text that the server writes, which is exact, and which it takes
// back: of dates, intervals, points and the like the driver would make objects that say less.
const READ_BY_DRIVER: ReadonlySet<number> = new Set([16, 17, 21, 23, 26, 700, 701]);
// Arrays by the types of their elements (https://www.postgresql.org/docs/current/catalog-pg-type.html, typelem), which are read as
// they are by themselves.
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
  [1003, 19],
  [1028, 26],
  [1183, 1083],
  [1187, 1186],
  [1270, 1266],
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
  const { connectTimeout = CONNECT_TIMEOUT_MS, ssl, prepare = true } = options;
  assertBoolean('prepare', prepare);
  const config: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    ...(ssl !== undefined && { ssl }),
  };
  const runQuery = preparedQueries(driver.Query, parsersOf(driver.types, READ_BY_DRIVER, ARRAYS));
  const connect = async (): Promise<PostgresClient> => {
    const watched: PostgresClient = new WatchedClient(new driver.Client(config), streamOf);
    try {
      await watched.within(connectTimeout, async () => {
        await watched.client.connect();
        await watched.client.query(SESSION);
      });
    } catch (error) {
      watched.destroy();
      throw postgresError(error, '');
    }
    return watched;
  };
  const cancel = async (processId: number) => {
    const watched = await connect();
    const ask = () => watched.client.query('SELECT pg_cancel_backend($1)', [processId]);
    await watched.within(connectTimeout, ask).finally(() => endOf(watched));
  };
  const made = async (size: number) =>
    new PostgresConnection(
      await connect(),
      runQuery,
      { cacheSize: size, prepares: prepare, patience: connectTimeout },
      cancel,
    );
  return new ServerHandle({ url: shown }, made, options);
}

interface Driver {
  readonly Client: typeof Client;
  readonly Query: typeof Query;
  readonly types: typeof types;
}

/** The driver `pg`. @throws FwError `FW_ORM_DRIVER_MISSING` */
export async function loadDriver(): Promise<Driver> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw driverMissing('PostgreSQL', 'pg', error);
  }
}

function shownAddress(url: unknown): string {
  if (typeof url === 'string' && url.startsWith('/')) return url;
  return withoutPassword(serverUrl(url, EXAMPLE, 'postgresql:', 'socket:'));
}
