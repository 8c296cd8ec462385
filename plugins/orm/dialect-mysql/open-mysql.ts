import type { Connection, ConnectionOptions, createConnection } from 'mysql2';
import { fwError } from '../../../kernel/index.js';
import {
  CONNECT_TIMEOUT_MS,
  ORM_ERRORS,
  ServerHandle,
  serverUrl,
  withoutPassword,
  type ServerOptions,
} from '../core/index.js';
import { MysqlConnection } from './mysql-connection.js';
import { mysqlError } from './mysql-errors.js';

/** Options of {@link openMysql}. */
export interface MysqlOptions extends ServerOptions {
  /** TLS, as `mysql2` takes it. */
  readonly ssl?: ConnectionOptions['ssl'];
}

const EXAMPLE = 'mysql://user:password@host:3306/database';

/** A MySQL or MariaDB handle. */
export type MysqlHandle = ServerHandle<MysqlConnection>;

/**
 * Opens MySQL or MariaDB through `mysql2`. Connections are made when they are needed.
 *
 * @param url - `mysql://user:password@host:3306/database`
 * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_DRIVER_MISSING`
 */
export async function openMysql(url: string, options: MysqlOptions = {}): Promise<MysqlHandle> {
  const shown = withoutPassword(serverUrl(url, EXAMPLE, 'mariadb:', 'mysql2:'));
  const driver = await loadDriver();
  const { connectTimeout = CONNECT_TIMEOUT_MS, ssl } = options;
  const config: ConnectionOptions = {
    uri: url,
    connectTimeout,
    timezone: 'Z',
    supportBigNumbers: true,
    bigNumberStrings: false,
    jsonStrings: true,
    charset: 'utf8mb4',
    // For the text of scripts alone: a prepared statement is one statement, whatever its text
    // (https://dev.mysql.com/doc/c-api/8.0/en/c-api-multiple-queries.html).
    multipleStatements: true,
    ...(ssl !== undefined && { ssl }),
  };
  const connect = (maxPreparedStatements = 1) =>
    new Promise<Connection>((resolve, reject) => {
      const client = driver.createConnection({ ...config, maxPreparedStatements });
      client.connect((error) => (error ? reject(mysqlError(error, '')) : resolve(client)));
    });
  const kill = async (threadId: number) => {
    const client = await connect();
    await new Promise<void>((resolve, reject) => {
      client.query(`KILL QUERY ${Number(threadId)}`, (error) => (error ? reject(error) : resolve()));
    }).finally(() => client.destroy());
  };
  const made = async (size: number) => {
    const connection = new MysqlConnection(await connect(size), size, kill);
    // Dates are sent and read in UTC, also those that the server makes.
    await connection.script("SET time_zone = '+00:00'");
    return connection;
  };
  return new ServerHandle({ url: shown }, made, options);
}

async function loadDriver(): Promise<{ readonly createConnection: typeof createConnection }> {
  try {
    return (await import('mysql2')).default;
  } catch (error) {
    throw fwError(ORM_ERRORS.FW_ORM_DRIVER_MISSING, { dialect: 'MySQL', driver: 'mysql2' }, { cause: error });
  }
}
