import type { Connection, ConnectionConfiguration } from 'tedious';
import {
  CONNECT_TIMEOUT_MS,
  driverMissing,
  ServerHandle,
  serverUrl,
  withoutPassword,
  type ServerOptions,
} from '../dialect/index.js';
import { SqlServerConnection, type Tedious } from './sqlserver-connection.js';
import { sqlserverError } from './sqlserver-errors.js';

/** Options of {@link openSqlServer}. */
export interface SqlServerOptions extends ServerOptions {
  /** Whether the connection is encrypted. Default true. */
  readonly encrypt?: boolean;
  /** Whether an untrusted certificate is accepted, as on a developer's machine. Default false. */
  readonly trustServerCertificate?: boolean;
}

/** A SQL Server handle. */
export type SqlServerHandle = ServerHandle<SqlServerConnection>;

const DEFAULT_PORT = 1433;
const EXAMPLE = 'sqlserver://user:password@host:1433/database';

/**
 * Opens SQL Server through `tedious`. Connections are made when they are needed.
 *
 * @param url - `sqlserver://user:password@host:1433/database`
 * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_DRIVER_MISSING`
 */
export async function openSqlServer(url: string, options: SqlServerOptions = {}): Promise<SqlServerHandle> {
  const address = serverUrl(url, EXAMPLE, 'mssql:');
  const driver = await loadDriver();
  const config = configuration(address, options);
  const connect = () =>
    new Promise<SqlServerConnection>((resolve, reject) => {
      const client = new driver.Connection(config);
      client.connect((error) => {
        if (error) reject(sqlserverError(error, ''));
        else resolve(new SqlServerConnection(client, driver));
      });
    });
  return new ServerHandle({ url: withoutPassword(address) }, connect, { ...options, stmtCacheSize: 0 });
}

function configuration(url: URL, options: SqlServerOptions): ConnectionConfiguration {
  const { connectTimeout = CONNECT_TIMEOUT_MS, encrypt = true, trustServerCertificate = false } = options;
  return {
    // The driver takes an address of IPv6 without its brackets.
    server: url.hostname.replace(/^\[|\]$/g, ''),
    authentication: {
      type: 'default',
      options: { userName: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    },
    options: {
      port: Number(url.port || DEFAULT_PORT),
      database: decodeURIComponent(url.pathname.slice(1)),
      encrypt,
      trustServerCertificate,
      connectTimeout,
      // Deadlines are the ORM's.
      requestTimeout: 0,
      useUTC: true,
    },
  };
}

async function loadDriver(): Promise<Tedious & { readonly Connection: typeof Connection }> {
  try {
    return (await import('tedious')).default as unknown as Tedious & { readonly Connection: typeof Connection };
  } catch (error) {
    throw driverMissing('SQL Server', 'tedious', error);
  }
}
