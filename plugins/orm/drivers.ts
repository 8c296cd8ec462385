import { fwError } from '../../kernel/index.js';
import type { Dialect, ServerOptions, SqlHandle } from './core/index.js';
import { ORM_ERRORS } from './core/index.js';

/** What it takes to open a database by configuration. */
export interface DriverSettings extends ServerOptions {
  readonly driver: 'sqlite' | 'postgres' | 'mysql' | 'sqlserver';
  readonly file?: string;
  readonly url?: string;
}

/** An open handle with its dialect. */
export interface OpenedDriver {
  readonly handle: SqlHandle;
  readonly dialect: Dialect;
}

/**
 * Opens a database by name of its driver; only that driver is imported.
 *
 * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_DRIVER_MISSING`, `FW_ORM_CONNECTION`
 */
export async function openDriver(settings: DriverSettings): Promise<OpenedDriver> {
  const { driver, file, url, ...server } = settings;
  switch (driver) {
    case 'sqlite': {
      const { openSqlite, sqlite } = await import('./dialect-sqlite/index.js');
      return { handle: await openSqlite(required('file', file), server), dialect: sqlite };
    }
    case 'postgres': {
      const { openPostgres, postgres } = await import('./dialect-postgres/index.js');
      return { handle: await openPostgres(required('url', url), server), dialect: postgres };
    }
    case 'mysql': {
      const { mysql, openMysql } = await import('./dialect-mysql/index.js');
      return { handle: await openMysql(required('url', url), server), dialect: mysql };
    }
    case 'sqlserver': {
      const { openSqlServer, sqlserver } = await import('./dialect-sqlserver/index.js');
      return { handle: await openSqlServer(required('url', url), server), dialect: sqlserver };
    }
  }
}

function required(option: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw fwError(ORM_ERRORS.FW_ORM_OPTIONS, { option, expected: 'a text that is not empty', got: value ?? 'nothing' });
}
