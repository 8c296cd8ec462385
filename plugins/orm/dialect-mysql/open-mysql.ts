import type { ConnectionOptions, createConnection } from 'mysql2';
import {
  CONNECT_TIMEOUT_MS,
  driverMissing,
  ServerHandle,
  WatchedClient,
  serverUrl,
  withoutPassword,
  type ServerOptions,
} from '../dialect/index.js';
import { MysqlConnection, streamOf, type MysqlClient } from './mysql-connection.js';
import { mysqlError } from './mysql-errors.js';

/** Options of {@link openMysql}. */
export interface MysqlOptions extends ServerOptions {
  /** TLS, as `mysql2` takes it. */
  readonly ssl?: ConnectionOptions['ssl'];
}

const SESSION = "SET time_zone = '+00:00', group_concat_max_len = 4294967295";
/** An address as it should be. */
export const EXAMPLE = 'mysql://user:password@host:3306/database';

/** A MySQL or MariaDB handle. */
export type MysqlHandle = ServerHandle<MysqlConnection>;

/**
 * Opens MySQL or MariaDB through `mysql2`. Connections are made when they are needed.
 *
 * @param url - `mysql://user:password@host:3306/database`
 * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_DRIVER_MISSING`
 */
export async function openMysql(url: string, options: MysqlOptions = {}): Promise<MysqlHandle> {
  const address = serverUrl(url, EXAMPLE, 'mariadb:', 'mysql2:');
  const driver = await loadDriver();
  const { connectTimeout = CONNECT_TIMEOUT_MS, ssl } = options;
  const config: ConnectionOptions = {
    uri: address.href,
    connectTimeout,
    timezone: 'Z',
    supportBigNumbers: true,
    bigNumberStrings: false,
    jsonStrings: true,
    // As the server writes them: zero dates, microseconds and days without a time are no Date.
    dateStrings: true,
    charset: 'utf8mb4',
    // For the text of scripts alone: a prepared statement is one statement, whatever its text
    // (https://dev.mysql.com/doc/c-api/8.0/en/c-api-multiple-queries.html).
    multipleStatements: true,
    ...(ssl !== undefined && { ssl }),
  };
  // Dates are sent and read in UTC, also those that the server makes. Lists of texts would end behind 1024 bytes without a word
  // (https://dev.mysql.com/doc/refman/8.0/en/server-system-variables.html#sysvar_group_concat_max_len).
  const connect = async (maxPreparedStatements = 1): Promise<MysqlClient> => {
    const watched: MysqlClient = new WatchedClient(
      driver.createConnection({ ...config, maxPreparedStatements }),
      streamOf,
    );
    try {
      await watched.within(connectTimeout, async () => {
        await answered((done) => watched.client.connect(done));
        await answered((done) => watched.client.query(SESSION, done));
      });
    } catch (error) {
      watched.destroy();
      throw mysqlError(error, '');
    }
    return watched;
  };
  const kill = async (threadId: number) => {
    const watched = await connect();
    const ask = () => answered((done) => watched.client.query(`KILL QUERY ${Number(threadId)}`, done));
    await watched.within(connectTimeout, ask).finally(() => watched.destroy());
  };
  const made = async (size: number) => new MysqlConnection(await connect(size), size, kill, connectTimeout);
  return new ServerHandle({ url: withoutPassword(address) }, made, options);
}

const answered = (ask: (done: (error: unknown) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => ask((error) => (error ? reject(error as Error) : resolve())));

/** The driver `mysql2`. @throws FwError `FW_ORM_DRIVER_MISSING` */
export async function loadDriver(): Promise<{ readonly createConnection: typeof createConnection }> {
  try {
    return (await import('mysql2')).default;
  } catch (error) {
    throw driverMissing('MySQL', 'mysql2', error);
  }
}
